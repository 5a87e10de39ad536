"""Our monitor as an arm: the same kernel that workers run, on tables of its own, and what a guard delivers."""

from dataclasses import replace
from typing import Final

from lawful.client.blocked import Blocked
from lawful.client.obligations import apply
from lawful.extractors.port import Extractor
from lawful.infra.evaluation.trial import TrialStep
from lawful.policies.model import Policy
from lawful.schemas.errors import MustBlock
from lawful.schemas.event import Payload, ToolCall
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.topics import TOPICS
from lawful.schemas.verdict import Verdict
from lawful.schemas.view import ReplyTo, SourcePosition
from lawful.streams.kernel import Kernel, SourceRecord, Tables, follow

# Nothing that is made with this key leaves the process: it only has to tell people apart.
PSEUDONYMISER = Pseudonymiser(master=b"an evaluation keeps no state")

# What is right is measured here, not how long it takes: a busy machine must not turn into a blocked event.
_PATIENT_MS: Final = 120_000


def patient(policy: Policy) -> Policy:
    """The policy with time enough for extraction. Make it once and keep it: a policy remembers its plans."""
    return replace(policy, limits=replace(policy.limits, extraction_ms=_PATIENT_MS))


class Only:
    """A policy set of one, for events of that policy."""

    def __init__(self, policy: Policy) -> None:
        self._policy = policy

    def get(self, policy_id: str | None, /) -> Policy | None:
        """The policy, if it is asked for by its name."""
        return self._policy if policy_id == self._policy.id else None


class Ours:
    """The kernel, from an event to what is delivered of it.

    Args:
        policy: what is judged by; a `patient` one, if figures are to come out the same on any machine.
        extractor: real, or told the truth.
    """

    def __init__(self, policy: Policy, extractor: Extractor) -> None:
        self._policy = policy
        self._kernel = Kernel(Only(policy), extractor, PSEUDONYMISER)
        self._tables = Tables()
        self._offset = 0

    def pass_on(self, step: TrialStep) -> Payload | None:
        """See `Monitor`."""
        payload = step.event.payload
        schema = None
        if isinstance(payload, ToolCall) and (rule := self._policy.tools.get(payload.tool)):
            schema = rule.schema
        try:
            return apply(payload, self.verdict(step), schema)
        except (Blocked, MustBlock):
            return None

    def verdict(self, step: TrialStep) -> Verdict:
        """The verdict on a step; the log grows by it."""
        # Each delivery waits at an address of its own, so that asking again is answered again.
        waiting = ReplyTo("", None, str(self._offset).encode())
        record = SourceRecord(SourcePosition(TOPICS.events, 0, self._offset), step.at, waiting)
        self._offset += 1
        (answer,) = follow(step.event, record, self._kernel, self._tables)
        return answer.verdict

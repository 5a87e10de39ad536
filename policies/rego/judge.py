"""The second judge: P1 to P4 in Rego, evaluated by regorus.

The `.rego` files beside this one are what an auditor reads, and work as they are with OPA. This
adapter is thin: documents in, verdict out, everything as JSON, one engine per thread.
"""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import regorus

from lawful.policies.answering import At
from lawful.policies.model import Policy
from lawful.policies.rego.document import document_text, taxonomy_document
from lawful.policies.wording import purpose_or_none
from lawful.schemas.errors import MustBlock
from lawful.schemas.history import History
from lawful.schemas.verdict import Decision
from lawful.schemas.view import View

_FOLDER = Path(__file__).parent
_RULE = "data.lawful.verdict"
_BATCH = "data.lawful.batch"

# INVARIANT: an engine is made, used and dropped on one thread. Held by a judge, it could be dropped by
# the garbage collector, on whichever thread that runs.
_OF_THREAD = threading.local()


@dataclass(frozen=True, slots=True)
class Charge:
    """One violation as every judge can name it: no wording, no evidence."""

    rule: str
    reason: str
    purpose: str | None
    category: str | None
    decision: Decision


@dataclass(frozen=True, slots=True)
class Finding:
    """What a judge other than the operational one says of an event."""

    decision: Decision
    charges: frozenset[Charge]
    exceptions: frozenset[str]


class RegoJudge:
    """Decides by the `.rego` files. Costs some hundred microseconds a decision."""

    def judge(self, view: View, at: At, history: History, policy: Policy) -> Finding:
        """The verdict on one event.

        Raises:
            MustBlock: if the rules gave no verdict at all; it names what regorus said.
        """
        return _finding(self._ask(_RULE, document_text(view, at, history, policy)))

    def judge_all(self, trace: Sequence[tuple[View, At, History, Policy]]) -> list[Finding]:
        """The verdicts on a whole trace, by one call of the rules.

        Raises:
            MustBlock: if there is no verdict on one of the events.
        """
        documents = ",".join(document_text(*each) for each in trace)
        verdicts = self._ask(_BATCH, f'{{"trace":[{documents}]}}')
        if not isinstance(verdicts, list) or len(verdicts) != len(trace):
            raise MustBlock("the Rego judge gave no verdict on some event of the trace")
        return [_finding(verdict) for verdict in verdicts]

    def _ask(self, rule: str, document: str) -> Any:
        engine = _engine()
        try:
            engine.set_input_json(document)
            raw = engine.eval_rule_as_json(rule)
        except Exception as error:  # noqa: BLE001 - whatever regorus raises, nothing may pass for it
            raise MustBlock(f"the Rego judge failed with {type(error).__name__}") from None
        return json.loads(raw)


def _engine() -> Any:
    """This thread's engine, which every judge on it shares: all run the same files."""
    engine = getattr(_OF_THREAD, "engine", None)
    if engine is None:
        engine = _OF_THREAD.engine = regorus.Engine()
        for path in modules():
            engine.add_policy(path.name, path.read_text(encoding="utf-8"))
        engine.add_data_json(json.dumps(taxonomy_document()))
    return engine


def modules() -> list[Path]:
    """The `.rego` files."""
    return sorted(_FOLDER.glob("*.rego"))


def _finding(verdict: object) -> Finding:
    if not isinstance(verdict, Mapping):  # regorus says "<undefined>" as a text
        raise MustBlock("the Rego judge gave no verdict")
    charges = frozenset(
        Charge(
            one["rule"],
            one["reason"],
            None if one["purpose"] is None else purpose_or_none(one["purpose"]),
            one["category"],
            Decision[one["decision"].upper()],
        )
        for one in verdict["violations"]
    )
    return Finding(Decision[verdict["decision"].upper()], charges, frozenset(verdict["exceptions"]))

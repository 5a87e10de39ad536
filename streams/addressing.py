"""Who stands on the envelope: people whom a recipient's id, or a call's, names by an identifier.

A message to `ada@example.com` concerns her, whoever's session it is in and whatever it says.
Fewer forms are looked for than `holds_identifier` hides: each person found costs a view.
"""

import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import unquote

from lawful.extractors.patterns import of_people
from lawful.policies.model import Policy
from lawful.schemas.event import AgentEvent, Identifier, RecipientKind, ToolCall, ToolResult
from lawful.schemas.pseudonym import legible
from lawful.streams.concerns import SubjectPayload

_PEOPLE: Final = frozenset({RecipientKind.USER, RecipientKind.THIRD_PARTY, RecipientKind.AGENT})
_SECONDS: Final = 0.05
_LOCAL: Final = r"\w.!#$&'*+\-=^`{|}~"
_MAIL: Final = re.compile(rf"(?<![{_LOCAL}])[{_LOCAL}]+@[\w\-]+(?:\.[\w\-]+)+")
_PHONE: Final = re.compile(r"(?<![\w+\-])(?:\+|00)\d(?:[ ().\-]{0,2}\d){6,14}(?![\w])")


def addressed(event: AgentEvent, policy: Policy | None) -> tuple[Identifier, ...]:
    """E-mail addresses, international phone numbers and, for recipients, the policy's own identifiers of people.

    Raises:
        TimeoutError: a pattern of the policy takes too long on a recipient's id.
    """
    return tuple(dict.fromkeys(_found(event, policy)))


def _found(event: AgentEvent, policy: Policy | None) -> Iterator[Identifier]:
    payload, recipient = event.payload, event.recipient
    if isinstance(payload, SubjectPayload):
        return  # it is its principal's alone
    if isinstance(payload, ToolCall | ToolResult):
        yield from _plain(_readable(payload.call_id))
    if recipient is not None and recipient.kind in _PEOPLE:
        name = _readable(recipient.id)
        yield from _plain(name)
        yield from _of_policy(name, policy)


def _readable(text: str) -> str:
    return legible(unquote(text))


def _plain(text: str) -> Iterator[Identifier]:
    if "@" in text:
        yield from (Identifier("email", each.group()) for each in _MAIL.finditer(text))
    yield from (Identifier("phone", each.group()) for each in _PHONE.finditer(text))


def _of_policy(text: str, policy: Policy | None) -> Iterator[Identifier]:
    for rule in policy.extraction.identifiers if policy else ():
        if rule.identifies:
            hits = of_people(rule.pattern, text, _SECONDS)
            yield from (Identifier(rule.scheme, hit.group()) for hit in hits if hit.group())

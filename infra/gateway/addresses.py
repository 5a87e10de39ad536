"""To whom an outbox record goes: its `recipients` header, else the recipient that the event names."""

import json
import re
from collections.abc import Iterable
from typing import Any, Final

from lawful.schemas.errors import ConfigurationError, InvalidRecord
from lawful.schemas.event import AgentEvent, Recipient, RecipientKind
from lawful.streams.effects import Headers

RECIPIENTS: Final = "recipients"
"""Header: `agent:doctor, agent:supervisor`, or a JSON list of `{"kind": ..., "id": ..., "region": ...}`."""

MOST: Final = 64
_LONGEST: Final = 256
_KINDS: Final = {kind.value: kind for kind in RecipientKind}
_SAID: Final = re.compile(r"\s*([a-z_]+)\s*:\s*(.+?)\s*", re.DOTALL)


def recipients_of(event: AgentEvent, headers: Headers) -> tuple[Recipient, ...]:
    """Everyone an event is for, each once, in the order they are named. Empty if nobody is.

    Raises:
        InvalidRecord: the header cannot be read, or names too many. The message quotes nothing of it.
    """
    said = next((value for name, value in headers if name == RECIPIENTS), None)
    if said is None:
        return () if event.recipient is None else (event.recipient,)
    found = tuple(dict.fromkeys(_read(said)))
    if not found:
        raise InvalidRecord(f"the header '{RECIPIENTS}' names nobody")
    if len(found) > MOST:
        raise InvalidRecord(f"the header '{RECIPIENTS}' names {len(found)} recipients, more than {MOST}")
    return found


def _read(raw: bytes) -> Iterable[Recipient]:
    try:
        text = raw.decode()
        return _listed(json.loads(text)) if text.lstrip().startswith("[") else _written(text)
    except (ValueError, RecursionError, KeyError, TypeError):
        raise InvalidRecord(
            f"the header '{RECIPIENTS}' cannot be read: write `agent:doctor, agent:supervisor` or a JSON list"
        ) from None


def written(text: str) -> list[Recipient]:
    """Recipients as people write them: `agent:doctor, tool:crm`.

    Raises:
        ConfigurationError: they are not written so.
    """
    try:
        return _written(text)
    except (ValueError, KeyError):
        kinds = ", ".join(_KINDS)
        raise ConfigurationError(f"{text!r} is no recipient", hint=f"write KIND:ID; kinds are {kinds}") from None


def _written(text: str) -> list[Recipient]:
    found = [_SAID.fullmatch(each) for each in text.split(",") if each.strip()]
    return [_recipient(one[1], one[2], None) if one else _refuse() for one in found]


def _listed(items: list[Any]) -> list[Recipient]:
    return [_recipient(item["kind"], item["id"], item.get("region")) for item in items]


def _recipient(kind: object, name: object, region: object) -> Recipient:
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST:
        raise ValueError
    if region is not None and not isinstance(region, str):
        raise ValueError
    return Recipient(_KINDS[str(kind)], name, region)


def _refuse() -> Recipient:
    raise ValueError

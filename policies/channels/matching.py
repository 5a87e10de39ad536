"""Which channels an event travels.

INVARIANT: what is not known of a recipient counts against it. An event that does not say to whom it
goes travels every channel on which its like could go; only who is surely exempt is exempt. Ids are
compared without what cannot be seen in them, and only an id that is written plainly is exempt.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from lawful.policies.channels.model import Channel, Channels, Who
from lawful.policies.combinations.model import MARK, Combination
from lawful.policies.model import Policy
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    MemoryRead,
    MemoryWrite,
    Payload,
    RecipientKind,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.legible import plain_id

_AGENT: Final = frozenset({RecipientKind.AGENT})
_ENDS: Final[dict[type, tuple[frozenset[RecipientKind], frozenset[RecipientKind]]]] = {
    UserMessage: (frozenset({RecipientKind.USER}), _AGENT),
    AssistantMessage: (_AGENT, frozenset({RecipientKind.USER})),
    AgentMessage: (_AGENT, frozenset({RecipientKind.AGENT, RecipientKind.LLM, RecipientKind.THIRD_PARTY})),
    ToolCall: (_AGENT, frozenset({RecipientKind.TOOL})),
    ToolResult: (frozenset({RecipientKind.TOOL}), _AGENT),
    MemoryWrite: (_AGENT, frozenset({RecipientKind.MEMORY})),
    MemoryRead: (frozenset({RecipientKind.MEMORY}), _AGENT),
}
"""Who sends a payload, and who gets it where the event does not say."""


@dataclass(frozen=True, slots=True)
class Party:
    """One end of an edge; `None` is what nobody has said.

    Attributes:
        kinds: one of which it is.
        id: as it is compared.
        is_plain: the id is written as it is compared.
    """

    kinds: frozenset[RecipientKind]
    id: str | None = None
    roles: frozenset[str] | None = None
    regions: frozenset[str] | None = None
    is_plain: bool = True


def channels_of(event: AgentEvent, policy: Policy) -> tuple[str, ...]:
    """The names of the policy's channels that an event travels, sorted; none for facts about subjects.

    Among them, with a mark, those of the combinations that are about its recipient.
    """
    known = policy.channels
    if known is None or type(event.payload) not in _ENDS:
        return ()
    sender, recipient = sender_of(event, known), recipient_of(event, policy, known)
    ends = (recipient, *_tool_itself(event, recipient, known))
    found = [name for name, each in known.rules.items() if _travels(each, sender, ends)]
    found += [MARK + name for name, each in known.combinations.items() if _is_about(each, ends)]
    return tuple(sorted(found))


def recipient_of(event: AgentEvent, policy: Policy, known: Channels) -> Party:
    """Who gets it, by the event and by the policy."""
    given = event.recipient
    kinds = _ENDS[type(event.payload)][1]
    if given is not None:
        kinds = frozenset({given.kind})
    name = given.id if given is not None and plain_id(given.id) else _implied(event)
    if isinstance(event.payload, ToolCall):
        rule = policy.tools.get(event.payload.tool)
        kinds |= frozenset({rule.recipient}) if rule else frozenset()
    return _party(kinds, name, known, given.region if given else None)


def _tool_itself(event: AgentEvent, recipient: Party, known: Channels) -> Iterator[Party]:
    """The tool that is called, where the event names somebody else as its recipient: the arguments go to it first."""
    if isinstance(event.payload, ToolCall) and plain_id(event.payload.tool) != recipient.id:
        tool = _party(recipient.kinds, event.payload.tool, known, None)
        yield tool if tool.regions else replace(tool, regions=recipient.regions)


def sender_of(event: AgentEvent, known: Channels) -> Party:
    """Who says it, as far as the event tells."""
    kinds = _ENDS[type(event.payload)][0]
    match event.payload:
        case UserMessage():
            name = event.subjects[0].value if event.subjects else None
        case ToolResult(tool=tool):
            name = tool
        case MemoryRead():
            name = None
        case _:
            name = event.agent_id
    return _party(kinds, name, known, None)


def _implied(event: AgentEvent) -> str | None:
    """Whom an event without a recipient can only mean."""
    payload: Payload = event.payload
    if isinstance(payload, ToolCall):
        return payload.tool
    return event.agent_id if isinstance(payload, UserMessage | ToolResult | MemoryRead) else None


def _party(kinds: frozenset[RecipientKind], name: str | None, known: Channels, said: str | None) -> Party:
    given = plain_id(name or "")
    there = plain_id(said or "")
    regions = frozenset({there} if there else ())
    if not given:
        return Party(kinds, regions=regions or None)
    roles = frozenset(role for role, ids in known.roles.items() if _like(given, ids, exact=False))
    # What the policy says of a recipient's place holds, whatever the event says.
    placed = frozenset(region for region, ids in known.regions.items() if _like(given, ids, exact=False))
    return Party(kinds, given, roles, placed or regions or None, is_plain=given == name)


def _travels(channel: Channel, sender: Party, ends: Sequence[Party]) -> bool:
    return _may_be(channel.sender, sender) and _is_about(channel, ends)


def _is_about(rule: Channel | Combination, ends: Sequence[Party]) -> bool:
    """Whether it is about one of them; only the recipient itself, which is the first, can be exempt."""
    if not any(_may_be(rule.to, each) for each in ends):
        return False
    return rule.exempt is None or not _surely_is(rule.exempt, ends[0])


def _may_be(who: Who, party: Party) -> bool:
    if who.kinds and not who.kinds & party.kinds:
        return False
    if who.ids and party.id is not None and not _like(party.id, who.ids, exact=False):
        return False
    if who.roles and party.roles is not None and not who.roles & party.roles:
        return False
    return _in_place(who, party)


def _in_place(who: Who, party: Party) -> bool:
    """Whether it may be in one of the regions, and outside of those it should be outside of."""
    if party.regions is None:
        return True
    here = {region.casefold() for region in party.regions}
    if who.regions and not here & {region.casefold() for region in who.regions}:
        return False
    return not who.outside or not here <= {region.casefold() for region in who.outside}


def _surely_is(who: Who, party: Party) -> bool:
    if who.kinds and not party.kinds <= who.kinds:
        return False
    if not party.is_plain and who != Who(who.kinds):
        return False
    if who.ids and (party.id is None or not _like(party.id, who.ids, exact=True)):
        return False
    if who.roles and not (party.roles and who.roles & party.roles):
        return False
    if who.regions and not (party.regions and party.regions <= who.regions):
        return False
    return not who.outside or bool(party.regions and not party.regions & who.outside)


def _like(name: str, patterns: Iterable[str], *, exact: bool) -> bool:
    return any(fits(name, each) if exact else fits(name.casefold(), each.casefold()) for each in patterns)


def fits(name: str, pattern: str) -> bool:
    """Whether a name is like a pattern, in which `*` is any run of characters. Linear in the name."""
    first, *rest = pattern.split("*")
    if not rest:
        return name == pattern
    *middle, last = rest
    if not name.startswith(first) or not name.endswith(last):
        return False
    at = len(first)
    for part in middle:
        found = name.find(part, at)
        if found < 0:
            return False
        at = found + len(part)
    return at <= len(name) - len(last)

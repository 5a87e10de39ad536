"""From the parts of a policy file that speak of recipients to channels."""

from collections.abc import Iterable, Iterator, Mapping

from lawful.policies.channels.model import (
    FIELD,
    PASS,
    PATTERN,
    ActionRule,
    Channel,
    Channels,
    Handling,
    Mark,
    Who,
)
from lawful.policies.combinations.model import Combination
from lawful.policies.document import (
    CombinationDocument,
    GeneraliseDocument,
    PolicyDocument,
    RecipientDocument,
    WhoDocument,
    as_treatment,
)
from lawful.policies.durations import micros
from lawful.schemas.legible import plain_id
from lawful.schemas.verdict import Action, Decision

_DECISIONS = {"pass": Decision.FORWARD, "warn": Decision.WARN, "block": Decision.BLOCK}


def channels_of(document: PolicyDocument) -> Channels | None:
    """What a checked document says about recipients; `None` if nothing."""
    if not (document.recipients or document.structured or document.combinations):
        return None
    return Channels(
        rules={each.name: _channel(each) for each in document.recipients},
        roles={name: _ids(ids) for name, ids in document.roles.items()},
        regions=_regions(document.regions),
        marks=tuple(dict.fromkeys(mark for each in document.recipients for mark in _marks(each))),
        actions={name: ActionRule(name, each.members, each.description) for name, each in document.structured.items()},
        combinations={each.name: _combination(each) for each in document.combinations},
    )


def _combination(document: CombinationDocument) -> Combination:
    most = len(document.categories) - 1 if document.most is None else document.most
    return Combination(
        name=document.name,
        members=tuple(document.categories),
        most=most,
        to=_who(document.to),
        exempt=_who(document.exempt) if document.exempt else None,
        keep=micros(document.keep),
        handling=handling_of(document.do),
        message=document.message,
        article=document.article,
    )


def _channel(document: RecipientDocument) -> Channel:
    fields = {_of_field(name).category: handling_of(said) for name, said in document.fields.items()}
    patterns = {
        _of_pattern(document.name, name, each.match).category: handling_of(each.do)
        for name, each in document.patterns.items()
    }
    return Channel(
        name=document.name,
        to=_who(document.to),
        exempt=_who(document.exempt) if document.exempt else None,
        sender=_who(document.sender),
        categories={name: handling_of(said) for name, said in document.categories.items()},
        marks={**fields, **patterns},
        otherwise=handling_of(document.otherwise),
        actions=None if document.structured is None else frozenset(document.structured),
        message=document.message,
        article=document.article,
    )


def _marks(document: RecipientDocument) -> Iterator[Mark]:
    yield from (_of_field(name) for name in document.fields)
    yield from (_of_pattern(document.name, name, each.match) for name, each in document.patterns.items())


def _of_field(name: str) -> Mark:
    if not name.startswith("/"):
        return Mark(f"{FIELD}.{name}", member=name)
    path = tuple(step.replace("~1", "/").replace("~0", "~") for step in name.split("/")[1:])
    return Mark(f"{FIELD}{name}", path=path)


def _of_pattern(channel: str, name: str, pattern: str) -> Mark:
    return Mark(f"{PATTERN}.{channel}.{name}", pattern=pattern)


def _who(document: WhoDocument) -> Who:
    return Who(
        frozenset(document.kind),
        _ids(document.id),
        frozenset(document.role),
        frozenset(_ids(document.region)),
        frozenset(_ids(document.outside)),
    )


def _ids(written: Iterable[str]) -> tuple[str, ...]:
    """As those of events are compared."""
    return tuple(map(plain_id, written))


def _regions(written: Mapping[str, Iterable[str]]) -> dict[str, tuple[str, ...]]:
    regions: dict[str, tuple[str, ...]] = {}
    for name, ids in written.items():
        plain = plain_id(name)
        regions[plain] = (*regions.get(plain, ()), *_ids(ids))
    return regions


def handling_of(said: str | GeneraliseDocument) -> Handling:
    """What a policy's word for it means."""
    if isinstance(said, str) and said in _DECISIONS:
        return PASS if said == "pass" else Handling(_DECISIONS[said])
    treatment = as_treatment(said if isinstance(said, GeneraliseDocument) else Action(said))
    return Handling(Decision.REDACT, treatment)

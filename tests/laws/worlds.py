"""Strategies for small worlds: a few purposes and categories that cover each other, and what may happen."""

from hypothesis import strategies as st

from lawful.policies.history import merge
from lawful.policies.judge import At
from lawful.schemas.event import PayloadKind, RequestKind
from lawful.schemas.history import (
    EMPTY,
    ConsentFact,
    Entry,
    Fact,
    History,
    MergeFact,
    RequestFact,
    SeenFact,
    WithdrawalFact,
)
from lawful.schemas.view import ExtractionStatus, SubjectRole, View
from tests.policies.samples import at, finding, telling, view

PURPOSES = (
    "service",
    "marketing",
    "marketing.email",
    "marketing.email.weekly",
    "marketing.sms",
    "research",
    "care",
    "aid",
    "law",
    "made.up",
)
CATEGORIES = (
    "user",
    "user.contact",
    "user.contact.email",
    "user.name",
    "user.health_and_medical",
    "user.health_and_medical.genetic",
    "user.demographic.religious_belief",
    "user.criminal_history",
    "user.childrens",
    "user.financial",
    "system.operations",
)
NOW = st.integers(0, 60)

# Worlds are small and lean to one corner, so that what is said and what is asked for meet often.
purposes = st.sampled_from([*["marketing", "marketing.email"] * 3, *PURPOSES])
categories = st.sampled_from([*["user.contact.email", "user.health_and_medical"] * 3, *CATEGORIES])
some_purposes = st.lists(purposes, min_size=1, max_size=3, unique=True).map(tuple)
some_categories = st.lists(categories, min_size=1, max_size=3, unique=True).map(tuple)
event_ids = st.integers(0, 999).map("e{}".format)

consents = st.builds(
    ConsentFact,
    event_ids,
    some_purposes,
    st.none() | st.none() | some_categories,
    st.none() | NOW,
    st.sampled_from([False, False, True]),
)
withdrawals = st.builds(WithdrawalFact, event_ids, st.none() | some_purposes)
requests = st.builds(RequestFact, event_ids, st.sampled_from([RequestKind.ERASURE, RequestKind.ACCESS]), st.just("r"))
seen_facts = st.builds(SeenFact, event_ids)
facts: st.SearchStrategy[Fact] = consents | withdrawals | seen_facts | consents | withdrawals | requests
opinions: st.SearchStrategy[Fact] = consents | withdrawals


@st.composite
def histories(draw: st.DrawFn, told: st.SearchStrategy[Fact] = facts, longest: int = 6) -> History:
    """Facts at rising offsets; time mostly rises, as brokers' time does."""
    entries: list[Entry] = []
    offset = time = 0
    for fact in draw(st.lists(told, max_size=longest)):
        offset += draw(st.integers(1, 3))
        time = max(0, time + draw(st.integers(-2, 10)))
        entries.append(Entry(offset, time, fact))
    return History(tuple(entries), offset) if entries else EMPTY


@st.composite
def merged_histories(draw: st.DrawFn) -> History:
    """Histories that may have taken an alias's in."""
    ours = draw(histories())
    if draw(st.booleans()):
        return ours
    return merge(ours, MergeFact("link", "alias", draw(histories()).entries), ours.through + 1, draw(NOW))


@st.composite
def ordinary_views(draw: st.DrawFn) -> View:
    """Messages and tool calls, about somebody or nobody."""
    role = draw(st.sampled_from([*[SubjectRole.PRINCIPAL] * 4, *SubjectRole]))
    found = draw(
        st.lists(st.builds(finding, categories, st.sampled_from(["/a", "/b"]), essential=st.booleans()), max_size=4)
    )
    return view(
        *found,
        purposes=draw(st.lists(purposes, max_size=2)),
        inferred=draw(st.just([]) | st.lists(purposes, max_size=1)),
        role=role,
        subject=None if role is SubjectRole.NOBODY else "subject",
        tool=draw(st.none() | st.none() | st.sampled_from(["find", "mail", "archive", "unheard_of"])),
        status=draw(st.sampled_from([ExtractionStatus.COMPLETE] * 5 + [ExtractionStatus.FAILED])),
        event_id=draw(event_ids),
    )


@st.composite
def everyday_views(draw: st.DrawFn) -> View:
    """Events that only the subject's history can have anything against."""
    return view(
        *draw(st.lists(st.sampled_from(["user.contact.email", "user.name"]), min_size=1, max_size=2)),
        purposes=draw(st.lists(st.sampled_from(["marketing.email", "marketing"]), min_size=1, max_size=2)),
        role=draw(st.sampled_from([*[SubjectRole.PRINCIPAL] * 3, SubjectRole.MENTIONED])),
        event_id=draw(event_ids),
    )


@st.composite
def places(draw: st.DrawFn, past: History) -> At:
    """Anywhere in a log or behind it, at any time."""
    return at(draw(st.integers(0, past.through + 2)), draw(NOW))


merges = st.builds(MergeFact, event_ids, st.just("alias"), histories().map(lambda past: past.entries))
fact_views = (consents | withdrawals | requests | merges).map(telling) | st.just(view(kind=PayloadKind.IDENTITY_LINKED))
views = ordinary_views() | everyday_views() | fact_views

"""Who is one person, after any links and separations: an erasure reaches exactly those."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.schemas.event import Identifier
from lawful.schemas.verdict import Decision, Outcome
from tests.streams.kit import Log, reasons

PEOPLE = tuple(Identifier("customer_id", f"C-{number}") for number in range(5))
pairs = st.tuples(st.sampled_from(PEOPLE), st.sampled_from(PEOPLE))
words = st.sampled_from(["link", "link", "link", "unlink", "unlink", "erase"])
stories = st.lists(st.tuples(words, pairs), max_size=12)


class Model:
    """The same, told without logs and partitions: sets of identifiers, and who is erased."""

    def __init__(self) -> None:
        self.persons = {who: frozenset({who}) for who in PEOPLE}
        self.erased: set[Identifier] = set()

    def link(self, one: Identifier, other: Identifier) -> None:
        """Both are one; what held for either holds for both."""
        whole = self.persons[one] | self.persons[other]
        self.persons |= dict.fromkeys(whole, whole)
        if whole & self.erased:
            self.erased |= whole

    def unlink(self, _: Identifier, other: Identifier) -> None:
        """One identifier stands alone; what held for it still does."""
        rest = self.persons[other] - {other}
        self.persons |= dict.fromkeys(rest, rest)
        self.persons[other] = frozenset({other})

    def erase(self, who: Identifier, _: Identifier) -> None:
        """All that a person is known by."""
        self.erased |= self.persons[who]


@given(stories, st.sampled_from(PEOPLE))
@settings(max_examples=60)
def test_an_erasure_reaches_exactly_the_identifiers_of_one_person(
    story: list[tuple[str, tuple[Identifier, Identifier]]], last: Identifier
) -> None:
    """Whatever the order of pseudonyms, of links and of separations (A13)."""
    log, model = Log(), Model()
    for who in PEOPLE:
        assert log.say("hello", who).decision is Decision.FORWARD
    for word, (one, other) in [*story, ("erase", (last, last))]:
        verdict = getattr(log, word)(one, *([other] if word != "erase" else []))
        assert verdict.decision is Decision.FORWARD
        assert word != "unlink" or verdict.outcome is Outcome.UNLINKED
        getattr(model, word)(one, other)
    for who in PEOPLE:
        verdict = log.say("hello again", who)
        assert (verdict.decision is Decision.BLOCK) == (who in model.erased), (who, reasons(verdict))
    assert not log.replayed.contradictions

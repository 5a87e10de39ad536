"""What both of two histories allow, and what only one of them does."""

import pytest

from lawful.policies.history import merge
from lawful.policies.standing import need, shortfall
from lawful.schemas.history import Fact, MergeFact
from tests.policies.samples import consent, history, withdrawal

EMAIL = "user.contact.email"
HEALTH = "user.health_and_medical"


def allows(ours: list[Fact], theirs: list[Fact], purpose: str, category: str, time: int = 100) -> bool:
    """Whether the merged history allows the category for the purpose; both ways round must agree."""
    answers = {
        shortfall(
            merge(history(*one), MergeFact("link", "alias", history(*two).entries), 50, 50).entries,
            need(purpose, [category], explicit=True),
            time,
        )
        is None
        for one, two in ((ours, theirs), (theirs, ours))
    }
    assert len(answers) == 1, "the order of the sides matters"
    return answers.pop()


@pytest.mark.parametrize(
    ("ours", "theirs", "purpose", "allowed"),
    [
        pytest.param([consent("a")], [consent("b")], "a", True, id="consents add up"),
        pytest.param([consent("a")], [withdrawal("a")], "a", False, id="a withdrawal wins"),
        pytest.param([consent("a")], [withdrawal()], "a", False, id="a withdrawal of everything wins"),
        pytest.param([consent("a")], [withdrawal("a.b")], "a", True, id="a narrow withdrawal spares the rest"),
        pytest.param([consent("a")], [withdrawal("a.b")], "a.b", False, id="but not itself"),
        pytest.param([consent("a")], [withdrawal("a"), consent("a")], "a", True, id="given anew on that side"),
        pytest.param([consent("a")], [withdrawal("a"), consent("a.b")], "a.b", True, id="given anew in part"),
        pytest.param([consent("a")], [withdrawal("a"), consent("a.b")], "a.c", False, id="and only in part"),
        pytest.param([], [withdrawal("a"), consent("a")], "a", True, id="the other side knows nothing"),
        pytest.param(
            [withdrawal("a"), consent("a")], [withdrawal("a"), consent("a")], "a", True, id="both gave it anew"
        ),
        pytest.param(
            [withdrawal("a"), consent("a.b")], [withdrawal("a"), consent("a")], "a.b", True, id="both, one narrowly"
        ),
        pytest.param([withdrawal()], [consent("a")], "a", False, id="everything withdrawn on our side"),
    ],
)
def test_purposes(ours: list[Fact], theirs: list[Fact], purpose: str, *, allowed: bool) -> None:
    """A side that ever withdrew keeps its say."""
    assert allows(ours, theirs, purpose, EMAIL) is allowed


@pytest.mark.parametrize(
    ("one", "two", "category", "allowed"),
    [
        pytest.param(None, None, EMAIL, True, id="both open"),
        pytest.param(None, ("user.contact",), EMAIL, True, id="open and listed"),
        pytest.param(None, ("user.contact",), "user.name", False, id="open, not listed"),
        pytest.param(("user",), ("user.contact",), EMAIL, True, id="broad and narrow"),
        pytest.param(("user.name",), ("user.contact",), EMAIL, False, id="disjoint"),
        pytest.param((HEALTH,), (f"{HEALTH}.genetic",), f"{HEALTH}.genetic", True, id="both name the special one"),
        pytest.param(None, (HEALTH,), HEALTH, False, id="only one names the special one"),
        pytest.param(("user",), (HEALTH,), HEALTH, False, id="a broad name is not naming it"),
    ],
)
def test_categories(one: tuple[str, ...] | None, two: tuple[str, ...] | None, category: str, *, allowed: bool) -> None:
    """Where both sides have a say, only what both cover is covered."""
    ours: list[Fact] = [withdrawal("a"), consent("a", categories=one)]
    theirs: list[Fact] = [withdrawal("a"), consent("a", categories=two)]
    assert allows(ours, theirs, "a", category) is allowed


def test_the_earlier_end_counts() -> None:
    """What both sides allow ends when the first of them ends."""
    ours: list[Fact] = [withdrawal("a"), consent("a", expires_at=200)]
    theirs: list[Fact] = [withdrawal("a"), consent("a", expires_at=300)]
    assert allows(ours, theirs, "a", EMAIL, time=199)
    assert not allows(ours, theirs, "a", EMAIL, time=200)

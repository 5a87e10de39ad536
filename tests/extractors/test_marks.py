"""What a policy asks to have pointed out: found whole, beside everything else, and never in its place."""

import json

import pytest

from lawful.extractors.port import ExtractionSpec, Limits, MarkSpec
from lawful.schemas.event import AgentMessage, MemoryWrite, Payload, UserMessage
from lawful.schemas.view import ExtractionStatus
from tests.extractors.support import call, event, places
from tests.extractors.test_pipeline import pipeline

MARKS = (
    MarkSpec("system.field.salary", member="Base-Salary"),
    MarkSpec("system.field/text/team/*/grade", path=("text", "team", "*", "grade")),
    MarkSpec("system.pattern.all.ticket", pattern=r"T-[0-9]+"),
)


@pytest.mark.parametrize(
    ("payload", "expected"),
    [
        (call({"base_salary": {"monthly": 1}}), [("/arguments/base_salary", 0, 0, "system.field.salary")]),
        (
            call({"B\uff41se\u200bS\u0430lary": 7}),
            [("/arguments/B\uff41se\u200bS\u0430lary", 0, 0, "system.field.salary")],
        ),
        (call({"a": [{"baseSalary": 7}]}), [("/arguments/a/0/baseSalary", 0, 0, "system.field.salary")]),
        (
            AgentMessage(json.dumps({"team": [{"grade": "A"}, {"x": {"grade": "B"}}], "grade": "C"})),
            [("/text/team/0/grade", 0, 0, "system.field/text/team/*/grade")],
        ),
        (
            UserMessage("see T-1 and T-23"),
            [("/text", 4, 7, "system.pattern.all.ticket"), ("/text", 12, 16, "system.pattern.all.ticket")],
        ),
        (call({"T-9": 1, "b": 2}), [("/arguments", 0, 0, "system.pattern.all.ticket")]),
        (MemoryWrite("T-7", "-"), [("/key", 0, 3, "system.pattern.all.ticket")]),
        (AgentMessage("my salary is 5"), []),
    ],
)
def test_marks_are_found_at_their_place(payload: Payload, expected: list[tuple[str, int, int, str]]) -> None:
    """A member whole, a pattern where it matches, a key's container; names are compared as extraction does."""
    found = pipeline().extract(event(payload), ExtractionSpec(marks=MARKS))
    assert places(found) == expected
    assert [each.essential for each in found.findings] == [isinstance(payload, MemoryWrite)] * len(expected)


@pytest.mark.parametrize(
    "written",
    [
        "T\u200b-123",
        "\uff34-123",
        "T\u2011123",
        "T&#45;123",
        "T%2D123",
        "\\u0054-123",
        "VGlja2V0IFQtMTIz",
        "T-12\uff13",
    ],
)
def test_a_pattern_sees_through_disguises(written: str) -> None:
    """Whoever gets the text reads what it stands for; all of the place is marked, and once."""
    found = pipeline().extract(event(UserMessage(f"see {written} now")), ExtractionSpec(marks=MARKS))
    assert places(found) == [("/text", 4, 4 + len(written), "system.pattern.all.ticket")]


def test_a_pattern_matches_what_is_read_as_something_else() -> None:
    """A policy may ask for a character that extraction takes for another."""
    spec = ExtractionSpec(marks=(MarkSpec("system.pattern.all.dash", pattern="\u2013"),))
    found = pipeline().extract(event(UserMessage("x \u2013 y")), spec)
    assert places(found) == [("/text", 2, 3, "system.pattern.all.dash")]


def test_a_key_in_disguise_is_its_container() -> None:
    """As every key that matches."""
    found = pipeline().extract(event(call({"T%2D9": 1})), ExtractionSpec(marks=MARKS))
    assert places(found) == [("/arguments", 0, 0, "system.pattern.all.ticket")]


def test_readings_are_paid_for() -> None:
    """What a text costs does not depend on who asks for its readings."""
    spec = ExtractionSpec(marks=MARKS[2:], limits=Limits(extraction_steps=2_000))
    text = "T%2D1 " * 300
    assert pipeline().extract(event(UserMessage(text)), spec).status is ExtractionStatus.OVERSIZED


def test_a_mark_takes_no_other_findings_place() -> None:
    """What is personal at the place of a mark is still found."""
    spec = ExtractionSpec(marks=(MarkSpec("system.pattern.all.word", pattern="my secret"),))
    found = pipeline().extract(event(UserMessage("my secret")), spec)
    assert {each.category for each in found.findings} == {"user.name", "system.pattern.all.word"}


def test_a_pattern_that_takes_for_ever_fails_closed() -> None:
    """The event's time is up, and nothing is known of it."""
    spec = ExtractionSpec(
        marks=(MarkSpec("system.pattern.all.slow", pattern=r"(a|aa)+$"),), limits=Limits(extraction_ms=30)
    )
    found = pipeline().extract(event(UserMessage("a" * 5_000 + "b")), spec)
    assert found.status is ExtractionStatus.TIMEOUT

"""What cannot be read is reported with its place, what is not known is counted, and the rest goes on."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawful.infra.ingest import FORMATS, Mint, Report, guess, parse_file
from lawful.infra.ingest.mint import micros
from lawful.schemas.errors import ConfigurationError

MINT = Mint("acme", lambda: "id", lambda: 1)
SECRET = "ada@example.com"


def test_a_broken_line_is_named_and_the_rest_is_read(tmp_path: Path) -> None:
    """The problem carries file, line and column; the lines around it become events."""
    path = tmp_path / "chat.jsonl"
    good = json.dumps({"role": "user", "content": "hi"})
    path.write_text(f"{good}\n{{broken\n{good}\n", encoding="utf-8")
    report = Report()
    assert len(list(parse_file(path, "openai", MINT, report))) == 2
    assert [str(each) for each in report.problems] == [
        f"{path}:2:2: no JSON: Expecting property name enclosed in double quotes"
    ]


def test_a_broken_file_is_a_problem_at_its_line(tmp_path: Path) -> None:
    """In a file of one value the decoder's own line is given."""
    path = tmp_path / "tasks.json"
    path.write_text('[\n  {"id": }\n]', encoding="utf-8")
    report = Report()
    assert not list(parse_file(path, "tau2", MINT, report))
    assert report.problems[0].place.line == 2


@pytest.mark.parametrize(
    ("raw", "words"),
    [(b"\xff\xfe{}\n", "not UTF-8"), (b"[" * 100_000 + b"\n", "nested too deeply"), (b"1" * 5000 + b"\n", "too long")],
    ids=["bytes", "depth", "digits"],
)
def test_hostile_lines_are_problems(tmp_path: Path, raw: bytes, words: str) -> None:
    """Bytes that are no text, bottomless nesting and endless numbers stop nothing."""
    path = tmp_path / "hostile.jsonl"
    path.write_bytes(raw)
    report = Report()
    assert not list(parse_file(path, "openai", MINT, report))
    assert [words in each.message for each in report.problems] == [True]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("value", [SECRET, 7, [SECRET], {"payload": SECRET}, {"messages": [{"role": SECRET}]}])
def test_problems_never_quote_a_value(tmp_path: Path, name: str, value: object) -> None:
    """A document of the wrong shape is described by types and places, never by what it says."""
    path = tmp_path / "odd.jsonl"
    path.write_text(json.dumps(value), encoding="utf-8")
    report = Report()
    list(parse_file(path, name, MINT, report))
    assert report.problems or report.unknown
    assert SECRET not in " ".join([*(each.message for each in report.problems), *report.unknown])


def test_a_wrong_field_of_our_own_is_named_without_its_value(tmp_path: Path) -> None:
    """The path and the rule are told; the value stays out."""
    path = tmp_path / "own.jsonl"
    path.write_text(json.dumps({"deadline_ms": SECRET, "payload": {"kind": "UserMessage", "text": "x"}}))
    report = Report()
    assert not list(parse_file(path, "lawful", MINT, report))
    message = report.problems[0].message
    assert message.startswith("deadline_ms: ")
    assert SECRET not in message


def test_unknown_fields_are_counted_once_per_path(tmp_path: Path) -> None:
    """A field that no parser knows shows up with its path and how often it occurred."""
    path = tmp_path / "own.jsonl"
    line = json.dumps({"mood": 1, "payload": {"kind": "UserMessage", "text": "x", "tone": 2}})
    path.write_text(f"{line}\n{line}\n")
    report = Report()
    assert len(list(parse_file(path, "lawful", MINT, report))) == 2
    assert dict(report.unknown) == {"mood": 2, "payload.tone": 2}


def test_a_file_that_is_not_there_says_so(tmp_path: Path) -> None:
    """No traceback: a configuration error with a hint."""
    with pytest.raises(ConfigurationError, match=r"cannot be read: No such file"):
        guess(tmp_path / "absent.json")


def test_a_format_that_cannot_be_told_lists_the_choices(tmp_path: Path) -> None:
    """The error names every format."""
    path = tmp_path / "odd.json"
    path.write_text('{"a": 1}')
    with pytest.raises(ConfigurationError, match=r"--format lawful\|tau2\|agentleak\|openai\|messages"):
        guess(path)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("1970-01-01T00:00:01Z", 1_000_000),
        ("1970-01-01T01:00:01+01:00", 1_000_000),
        ("1970-01-01T00:00:01", 1_000_000),
        (1.5, 1_500_000),
        (1_700_000_000_000, 1_700_000_000_000_000),
        ("yesterday", None),
        (True, None),
        (1e308, None),
        (float("nan"), None),
        (None, None),
    ],
)
def test_times_are_read_in_their_usual_forms(value: object, expected: int | None) -> None:
    """ISO 8601 with or without a zone, seconds and milliseconds; anything else is no time."""
    assert micros(value) == expected


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "messages",
                    "role",
                    "content",
                    "payload",
                    "kind",
                    "id",
                    "from",
                    "to",
                    "private_vault",
                    "records",
                    "fields",
                    "user_scenario",
                    "instructions",
                    "evaluation_criteria",
                    "actions",
                    "tool_calls",
                    "function",
                    "event_type",
                    "scenario_id",
                    "channel_c2",
                    "agents",
                    "subjects",
                    "timestamp",
                    "occurred_at",
                    "expires_at",
                ]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=20,
)


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=_JSON)
def test_no_document_whatsoever_breaks_a_parser(tmp_path: Path, name: str, value: object) -> None:
    """Parsers are total: any JSON gives events and problems, never an exception."""
    path = tmp_path / "any.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    events = list(parse_file(path, name, MINT, Report()))
    assert all(event.tenant_id == "acme" for event in events)

"""`lawful erasure`: how a person is named, and what a report looks like."""

from datetime import UTC, datetime

import pytest

from lawful.cli.erasure import _tell, identifier_of
from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra.clickhouse.query import Answer, Officer
from lawful.infra.erasure.report import ErasureReport, Kept, Key, Recipient, Surviving
from lawful.schemas.errors import ConfigurationError

AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("email:ada@example.com", ("email", "ada@example.com")),
        ("email=ada@example.com", ("email", "ada@example.com")),
        ("phone: +31 6 12345678", ("phone", "+31 6 12345678")),
        ("urn:a:b=c", ("urn", "a:b=c")),
    ],
)
def test_a_person_is_named_by_scheme_and_value(text: str, expected: tuple[str, str]) -> None:
    """A colon or an equals sign; the first of them counts."""
    assert identifier_of(text) == expected


@pytest.mark.parametrize("text", ["", "ada@example.com", "email:", ":x"])
def test_what_is_no_identifier_is_refused(text: str) -> None:
    """With an example, and without quoting what was typed."""
    with pytest.raises(ConfigurationError, match="scheme=value") as raised:
        identifier_of(text)
    assert "ada@example.com" not in raised.value.message


def test_a_report_shows_all_there_is_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    """What was destroyed, what is there and until when, what the law keeps, and who is to be told."""
    _tell(
        ErasureReport(
            pseudonyms=("a" * 64,),
            state="erased",
            erased_at=AT,
            requests=({"recorded_at": AT, "request_id": "r-7", "outcome": "erased"},),
            keys=(Key(key_id="a" * 64 + "/018bcfe5-6800-7000-8000-000000000000", made_at=AT, destroyed_at=AT),),
            kept=(Kept(place="lawful.events", what="events", records=3, readable=1, looked_into=3, gone_by=AT),),
            survives=(Surviving(policy="shop", purpose="tax", legal_basis="legal_obligation", events=2),),
            recipients=(
                Recipient(
                    kind="third_party",
                    id="crm",
                    tool="share",
                    first=AT,
                    last=AT,
                    events=4,
                    categories=("user.name",),
                    told_at=None,
                    due_at=AT,
                    overdue=True,
                ),
            ),
            overdue=1,
        )
    )
    said = capsys.readouterr().out
    for word in ("erased, since 2026-01-02 03:04:05", "r-7", "1 of 3", "tax", "crm", "overdue", "1 recipient should"):
        assert word in said


def test_nobody_overdue_is_said_only_of_a_tenant_with_events(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A misspelt tenant gets no all-clear."""
    monkeypatch.setattr(Officer, "ask", lambda *_: Answer((), []))
    assert run(["erasure", "overdue", "--tenant", "nosuch"]) == Exit.FAULT
    captured = capsys.readouterr()
    assert (captured.out, "no event at all of the tenant 'nosuch'" in captured.err) == ("", True)
    monkeypatch.setattr(Officer, "ask", lambda _self, sql, _given: Answer(("1",), [(1,)] if "LIMIT 1" in sql else []))
    assert run(["erasure", "overdue"]) == Exit.FINE
    assert capsys.readouterr().out.startswith("of 0 recipients 0 should")


def test_a_watch_that_nobody_could_ask_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a port it would count for nobody; the hint names the setting."""
    assert run(["erasure", "watch"]) == Exit.FAULT
    assert "LAWFUL_METRICS_PORT" in capsys.readouterr().err

"""Commands of the audit that need no running installation."""

import json

import pytest

from lawful.cli.audit import why
from lawful.cli.audit_verify import coloured, summary
from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra.audit_verify import VerifyReport


@pytest.mark.service
def test_the_bench_of_verification_tells_its_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """It fills an engine of its own, verifies every row, and says what both cost."""
    assert run(["bench", "verify", "--rows", "300", "--partitions", "2", "--json"]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert (found["rows"], found["ok"]) == (300, True)
    assert found["filling"]["hash_us_per_row"] > 0
    assert found["filling"]["link_us_per_row"] > 0
    assert set(found["cpu_us_per_row"]) == {"verify", "clickhouse"}


def test_users_of_a_server_are_printed_as_sql(capsys: pytest.CaptureFixture[str]) -> None:
    """Four users, and an officer for each tenant who sees that tenant's rows only; passwords are to be filled in."""
    assert run(["audit", "users", "--tenant", "acme"]) == Exit.FINE
    out = capsys.readouterr().out
    assert out.startswith("-- Passwords are missing")
    assert all(line.endswith(";") for line in out.splitlines() if not line.startswith("-- "))
    assert "BY {officer_acme_password:String}" in out
    assert " BY '" not in out
    assert out.count("CREATE USER") == 5
    assert "CREATE ROW POLICY IF NOT EXISTS `officer_acme` ON lawful.verdicts FOR SELECT" in out
    assert "USING tenant_id = 'acme' TO `officer_acme`;" in out


def test_a_block_without_a_reason_of_one_s_own_is_explained() -> None:
    """Who is only mentioned in a blocked event reads why, too."""
    event = {"decision": "block", "reasons": [], "outcome": ""}
    assert why(event) == "on account of somebody else whom the event concerns"
    assert why({**event, "reasons": ["consent_missing"]}) == "consent_missing"
    assert why({**event, "outcome": "already_erased"}) == "already_erased"
    assert not why({**event, "decision": "forward"})


def test_verifying_needs_a_key(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any installation the error says which key to set; a time that is none is told."""
    monkeypatch.setenv("LAWFUL_CLICKHOUSE_HOST", "127.0.0.1")
    assert run(["audit", "verify", "--no-topic"]) == Exit.FAULT
    assert "LAWFUL_AUDIT_CHAIN_KEY_FILE" in capsys.readouterr().err
    assert run(["audit", "verify", "--no-topic", "--since", "yesterday"]) == Exit.FAULT
    assert "'yesterday' is no time" in capsys.readouterr().err
    assert run(["audit", "public-key"]) == Exit.FAULT
    assert "LAWFUL_AUDIT_SIGNING_KEY_FILE" in capsys.readouterr().err


def test_the_line_that_says_it_all_is_plain_and_coloured_only_at_a_terminal() -> None:
    """JSON gets words without marks; people at a terminal see at once whether all is well."""
    found = VerifyReport(chains=(), faults=(), recomputed=True, anchored=False)
    words = summary(found, 0.25)
    assert words == "chain verified: 0 rows in 0 chains, 0 anchors, 0.2 s"
    assert coloured(words, ok=True) == f"[green]chain verified[/]{words.removeprefix('chain verified')}"
    assert coloured(words, ok=False).startswith("[bold red]chain verified[/]: ")

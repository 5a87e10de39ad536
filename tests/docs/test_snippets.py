"""Code in the pages runs: the README's guard in one process, SQL on a real ClickHouse."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawful.client import Blocked
from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.query import Officer
from lawful.infra.compose_root import in_process
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.installation import Installation
from lawful.infra.settings import ClickHouseSettings, Settings
from lawful.schemas.event import Identifier
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.streams.inprocess import InProcessTransport
from tests.docs.pages import ROOT, blocks

README = ROOT / "README.md"
KEY = b"k" * 32
ADA = Identifier("email", "ada@example.com")


@pytest.fixture
def transport(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[InProcessTransport]:
    """Stands in for Kafka in the README's snippet, in a folder where `lawful up` has left its addresses."""
    (tmp_path / "own.key").write_bytes(KEY + b"\n")
    values = {"kafka.bootstrap": "127.0.0.1:1"}
    running = Installation(pid=os.getpid(), values=values, passwords={}, key_file=str(tmp_path / "own.key"))
    running.save(tmp_path / ".lawful" / "up.json")
    monkeypatch.chdir(tmp_path)
    made = in_process(Settings(pseudonym_key=KEY, default_policy="shopper"))

    def transport(address: str, people: Pseudonymiser) -> InProcessTransport:
        assert address == "127.0.0.1:1"
        assert people.of("t", ADA) == Pseudonymiser(master=KEY).of("t", ADA)
        return made

    monkeypatch.setattr("lawful.client.kafka.KafkaTransport", transport)
    yield made
    made.close()


def test_the_readmes_guard_does_what_it_says(transport: InProcessTransport, capsys: pytest.CaptureFixture[str]) -> None:
    """The snippet runs as it stands; the denied action reads as the first screen shows it."""
    (snippet,) = blocks(README, "python")
    names: dict[str, object] = {}
    exec(compile(snippet, "README.md", "exec"), names)  # noqa: S102 - our own page
    assert "4111" not in str(names["question"])
    assert "charged twice" in str(names["question"])
    shown = capsys.readouterr().out.strip()
    denied = next(block for block in blocks(README, "") if block.startswith("blocked by policy"))
    assert re.sub(r" \(event [0-9a-f-]{36}\)$", "", shown) == " ".join(denied.split())


def test_the_snippets_denial_is_an_error_to_catch(transport: InProcessTransport) -> None:
    """Without consent the guarded tool raises before it runs."""
    (snippet,) = blocks(README, "python")
    names: dict[str, object] = {}
    exec(compile(snippet.split("with guard")[0], "README.md", "exec"), names)  # noqa: S102 - our own page
    send = names["send_marketing_email"]
    with pytest.raises(Blocked):
        send(to="ada@example.com", body="hi")  # type: ignore[operator]


@pytest.mark.service
@pytest.mark.parametrize("page", [README, ROOT / "docs" / "audit.md"], ids=lambda page: page.name)
def test_sql_in_the_pages_is_understood(page: Path, clickhouse: EmbeddedClickHouse, database: str) -> None:
    """Every query of a page runs on the audit's tables and views."""
    settings = ClickHouseSettings(
        host=clickhouse.host,
        port=clickhouse.port,
        user="owner",
        password=clickhouse.password("owner"),
        database=database,
    )
    migrate(settings)
    queries = [query for block in blocks(page, "sql") for query in re.split(r"\n\n", block.strip())]
    assert len(queries) >= 3
    for query in queries:
        counted = f"SELECT count() FROM ({query}\n)"  # noqa: S608 - our own page
        assert Officer(settings).ask(counted).rows == [(0,)], query

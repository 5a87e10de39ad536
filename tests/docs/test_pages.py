"""What the pages promise exists: commands, options, targets, files, links, settings, formats."""

import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import typer

from lawful.cli.app import app
from lawful.extractors.config import load_entities
from lawful.extractors.presidio.engine import Engine
from lawful.infra.clickhouse.grants import VIEWS
from lawful.infra.ingest import FORMATS, Mint, Report, guess, parse_file
from lawful.infra.settings_load import catalogue
from lawful.schemas.event import PayloadKind
from tests.docs.pages import ROOT, commands, ids, pages
from tests.extractors.presidio.test_engine import entities

PAGES = pytest.mark.parametrize("page", pages(), ids=ids)


@PAGES
def test_links_lead_somewhere(page: Path) -> None:
    """Relative links name files and folders that exist."""
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    local = [link for link in links if not re.match(r"[a-z]+:", link)]
    assert not [link for link in local if not (page.parent / link).exists()]


@PAGES
def test_paths_in_code_exist(page: Path) -> None:
    """Inline code that looks like one of our paths is one; `<...>` stands for a name of one's own."""
    names = re.findall(r"`([\w./-]+/[\w./-]*)`", page.read_text(encoding="utf-8"))
    rooms = {entry.name for entry in ROOT.iterdir() if entry.is_dir() and not entry.name.startswith(".")}
    ours = [name for name in names if name.split("/")[0] in rooms]
    assert not [name for name in ours if not (ROOT / name).exists()]


@PAGES
def test_commands_and_options_exist(page: Path) -> None:
    """Every `lawful ...` is a command of the application, with options that it has."""
    for words in commands(page):
        command: Any = typer.main.get_command(app)
        while words and words[0] in getattr(command, "commands", {}):
            command = command.commands[words.pop(0)]
        # A group that runs by itself has options of its own; any other needs one of its commands.
        needs_one = getattr(command, "commands", None) and not getattr(command, "invoke_without_command", False)
        assert not (words and needs_one), f"{ids(page)}: no such command: {words}"
        options = {name for parameter in command.params for name in parameter.opts}
        assert not {word.split("=")[0] for word in words if word.startswith("--")} - options, words


def test_the_readme_shows_the_two_commands() -> None:
    """`make demo` and `make test` are targets, and what `.ci/run` calls exists."""
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), flags=re.MULTILINE))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {"demo", "test"} <= set(re.findall(r"make ([a-z]+)", readme)) <= targets
    assert set(re.findall(r"make ([a-z]+)", (ROOT / ".ci" / "run").read_text())) <= targets


@PAGES
def test_queries_for_officers_read_views(page: Path) -> None:
    """What a page has an officer ask is theirs to read: views, and no table behind them."""
    text = page.read_text(encoding="utf-8")
    queries = re.findall(r'audit sql "([^"]+)"', text) + re.findall(r"`(select [^`]+)`", text, flags=re.IGNORECASE)
    asked = {
        name
        for query in queries
        for name in re.findall(r"\b(?:from|(?<!array )join)\s+(\w+)", query, flags=re.IGNORECASE)
    }
    assert not asked - set(VIEWS)


def test_every_setting_is_documented_in_its_own_words() -> None:
    """docs/operations.md lists the settings' variables and meanings, all of them and no other."""
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(LAWFUL_\w+)` \| (.+) \|$", page, flags=re.MULTILINE)
    assert sorted(rows) == sorted((variable, meaning) for _, variable, meaning in catalogue())


def test_every_trace_format_is_documented() -> None:
    """docs/ingest.md has a row for each format."""
    page = (ROOT / "docs" / "ingest.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", page, flags=re.MULTILINE)) == set(FORMATS)


def test_the_recipes_pattern_can_be_copied(tmp_path: Path) -> None:
    """CONTRIBUTING's YAML is a recogniser that finds a badge beside its word, and none without."""
    (example,) = re.findall(
        r"^ +```yaml\n(.*?)^ +```", (ROOT / "CONTRIBUTING.md").read_text(), flags=re.MULTILINE | re.DOTALL
    )
    (tmp_path / "entities.yaml").write_text(dedent(example))
    engine = Engine(load_entities(tmp_path / "entities.yaml"))
    assert entities(engine, "my badge is SB-123456") == {("STAFF_BADGE", "SB-123456")}
    assert entities(engine, "order SB-123456, badge SB-12345") == set()


def test_decisions_have_numbers_of_their_own() -> None:
    """No two decision records share a number, and each says context, decision and cost."""
    records = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    assert len({record.name[:4] for record in records}) == len(records)
    for record in records:
        text = record.read_text(encoding="utf-8")
        assert text.startswith(f"# {record.name[:4]} "), record.name
        assert all(f"**{part}.**" in text for part in ("Context", "Decision", "Cost")), record.name


def test_the_glossary_names_real_places() -> None:
    """Each class that the glossary gives for a word exists in the code."""
    page = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    places = re.findall(r"\| `([A-Z]\w+)(?:\.\w+)?` \|$", page, flags=re.MULTILINE)
    code = "\n".join(
        path.read_text(encoding="utf-8")
        for room in ("schemas", "policies", "extractors", "streams", "lawful/client", "lawful/firewalls")
        for path in (ROOT / room).rglob("*.py")
    )
    assert len(places) > 20
    assert not [place for place in places if not re.search(rf"^(class {place}\b|{place} = )", code, flags=re.MULTILINE)]


def test_the_example_trace_is_read_without_a_fault() -> None:
    """examples/trace.jsonl is in our own format, every field known."""
    path = ROOT / "examples" / "trace.jsonl"
    report = Report()
    events = list(parse_file(path, guess(path), Mint("t", lambda: "id", lambda: 1), report))
    assert {event.kind for event in events} >= {PayloadKind.TOOL_CALL, PayloadKind.DATA_SUBJECT_REQUEST}
    assert not report.problems
    assert not report.unknown

"""Personal data in keys."""

import json

import pytest

from lawful.extractors.budget import FREE
from lawful.extractors.candidate import Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.keyed import is_telling, lifted
from lawful.extractors.port import ExtractionSpec, KeyHint, MarkSpec, ToolSpec
from lawful.schemas.event import AgentMessage
from lawful.schemas.view import Finding
from tests.extractors.support import call, event, extract
from tests.extractors.test_pipeline import pipeline


def finding(path: str) -> Finding:
    """A finding somewhere."""
    return Finding(path, 3, 7, "user.name", "d", "1", 1.0)


def key(text: str) -> Field:
    """A key beside the others of a call."""
    return Field("/arguments", text, is_key=True, below=f"/arguments/{text}")


def test_paths_through_a_personal_key_end_at_its_container() -> None:
    """At and below a personal key the container is what was found; beside it nothing changes."""
    keys = {
        "/arguments/votes": key("votes"),
        "/arguments/votes/jane@x.co": Field("/arguments/votes", "jane@x.co"),
        "/arguments/votes/jane@x.co/a/b@x.co": Field("/x", "b@x.co"),
    }
    paths = [
        "/arguments/votes/jane@x.co",
        "/arguments/votes/jane@x.co/a/b@x.co/c",
        "/arguments/votes/other",
        "/arguments",
    ]
    found = lifted(map(finding, paths), keys, lambda one: "@" in one.text)
    assert [(one.path, one.start, one.end) for one in found] == [
        ("/arguments/votes", 0, 0),
        ("/arguments/votes", 0, 0),
        ("/arguments/votes/other", 3, 7),
        ("/arguments", 3, 7),
    ]


def test_a_key_without_a_finding_below_it_is_not_looked_at() -> None:
    """Ordinary calls have many keys and few findings."""
    asked: list[str] = []

    def is_personal(one: Field) -> bool:
        asked.append(one.text)
        return False

    keys = {f"/arguments/{name}": key(name) for name in ("a", "b")}
    assert len(list(lifted([finding("/arguments/a"), finding("/arguments/a/0")], keys, is_personal))) == 2
    assert asked == ["a"]


SCHEMA = {"properties": {"to": {"type": "array", "items": {"properties": {"Kontakt 24h Krogh": {}}}}}}


@pytest.mark.parametrize(
    ("spec", "telling"),
    [
        (ExtractionSpec(), True),
        (ExtractionSpec(tools={"a_tool": ToolSpec(schema=SCHEMA)}), False),
        (ExtractionSpec(tools={"other": ToolSpec(schema=SCHEMA)}), True),
        (ExtractionSpec(key_hints=(KeyHint("kontakt_24h_krogh", "user.name"),)), False),
        (ExtractionSpec(marks=(MarkSpec("system.field.x", path=("arguments", "Kontakt 24h Krogh")),)), False),
        (ExtractionSpec(marks=(MarkSpec("system.field.x", member="Kontakt 24h Krogh"),)), False),
    ],
)
def test_a_name_that_the_policy_knows_may_be_in_a_path(spec: ExtractionSpec, *, telling: bool) -> None:
    """Whoever wrote the policy or the tool's schema wrote no person into it."""
    around = Surroundings(event(call({}, tool="a_tool")), spec, FREE)
    assert is_telling(key("Kontakt 24h Krogh"), around) is telling


@pytest.mark.parametrize("name", ["Mueller, Hans-Peter", "hans_mueller", "王小明", "12 Elm Street", "A1234567"])
def test_no_path_holds_somebody(name: str) -> None:
    """What stands below such a key is found at the object that has it."""
    paths = {found.path for found in extract(pipeline(), call({name: {"note": "secret"}})).findings}
    assert paths == {"/arguments"}


def test_no_path_runs_through_a_sentence() -> None:
    """Paths go into the audit, and the sentence would go with them."""
    content = json.dumps({"the patient is positive and lives in Delft": {"note": "secret"}, "plain": "secret"})
    paths = [finding.path for finding in extract(pipeline(), AgentMessage(content)).findings]
    assert paths == ["/text", "/text/plain"]

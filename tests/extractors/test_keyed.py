"""Personal data in keys."""

import json

import pytest

from lawful.extractors.keyed import is_telling, lifted
from lawful.schemas.event import AgentMessage
from lawful.schemas.view import Finding
from tests.extractors.support import extract
from tests.extractors.test_pipeline import pipeline


def finding(path: str) -> Finding:
    """A finding somewhere."""
    return Finding(path, 3, 7, "user.name", "d", "1", 1.0)


def test_paths_through_a_personal_key_end_at_its_container() -> None:
    """At and below a personal key the container is what was found; beside it nothing changes."""
    containers = {"/arguments/votes/jane@x.co": "/arguments/votes", "/arguments/votes/jane@x.co/a/b@x.co": "/x"}
    paths = [
        "/arguments/votes/jane@x.co",
        "/arguments/votes/jane@x.co/a/b@x.co/c",
        "/arguments/votes/other",
        "/arguments",
    ]
    assert [(one.path, one.start, one.end) for one in lifted(map(finding, paths), containers)] == [
        ("/arguments/votes", 0, 0),
        ("/arguments/votes", 0, 0),
        ("/arguments/votes/other", 3, 7),
        ("/arguments", 3, 7),
    ]


@pytest.mark.parametrize(
    ("key", "telling"),
    [
        ("email", False),
        ("Customer E-Mail Address", False),
        ("0190b0c0-0000-7000-8000-000000000000", False),
        ("2024-05-01T10:00:00Z", False),
        ("order_W1234567", False),
        ("0612345678", True),
        ("ada@intranet", True),
        ("the patient is positive and lives in Delft", True),
        ("x" * 65, True),
    ],
)
def test_a_key_that_says_more_than_a_name_does_may_not_be_in_a_path(key: str, *, telling: bool) -> None:
    """No recogniser knows every number and every sentence."""
    assert is_telling(key) is telling


def test_no_path_runs_through_a_sentence() -> None:
    """Paths go into the audit, and the sentence would go with them."""
    content = json.dumps({"the patient is positive and lives in Delft": {"note": "secret"}, "plain": "secret"})
    paths = [finding.path for finding in extract(pipeline(), AgentMessage(content)).findings]
    assert paths == ["/text", "/text/plain"]

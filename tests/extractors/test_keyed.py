"""Personal data in keys."""

from lawful.extractors.keyed import lifted
from lawful.schemas.view import Finding


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

"""`lawful topics`: how it is said that all is well, or what is not."""

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra import kafka_admin
from lawful.infra.kafka_admin import Problem, TopicReport

WRONG = Problem("lawful.events", "too few partitions", "add some", fatal=True)
ODD = Problem("lawful.audit", "kept for long", "may be meant", fatal=False)


@pytest.mark.parametrize(
    ("problems", "said", "status"),
    [
        ((), "2 topics, all as they must be", Exit.FINE),
        ((ODD,), "2 topics, all as they must be", Exit.FINE),
        ((WRONG, WRONG, ODD), "2 topics, 1 of them not as they must be", Exit.FAULT),
    ],
)
def test_topics_are_counted_once(
    problems: tuple[Problem, ...],
    said: str,
    status: Exit,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """However much is wrong with one; what is only odd does not count."""
    report = TopicReport(("lawful.events", "lawful.audit"), (), problems)
    monkeypatch.setattr(kafka_admin, "inspect_topics", lambda *_: report)
    assert run(["topics", "verify"]) == status
    assert capsys.readouterr().out == f"{said}\n"

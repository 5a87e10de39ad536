"""`lawful ingest`: every event is published in order, every fault is told, the status says which."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from lawful.cli.exits import Exit
from lawful.cli.main import run
from lawful.infra import compose_root
from lawful.schemas.audit import GuardReport
from lawful.schemas.errors import RetryLater
from lawful.schemas.event import AgentEvent, ToolCall, UserMessage
from lawful.schemas.verdict import Decision, Verdict, Violation

Judge = Callable[[AgentEvent], Verdict | None]
SECRET = "ada@example.com"


def verdict(event: AgentEvent, decision: Decision = Decision.FORWARD, *violations: Violation) -> Verdict:
    """A verdict on an event."""
    return Verdict(
        event_id=event.event_id,
        tenant_id=event.tenant_id,
        decision=decision,
        violations=violations,
        policy_id="shopper",
        policy_version="1",
        policy_digest="d",
        recorded_at=1,
    )


class Wire:
    """A transport that answers at once, or never."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.sent: list[AgentEvent] = []
        self.closed = False

    def submit(self, event: AgentEvent) -> "Future[Verdict]":
        """Answers with what the test's judge says."""
        self.sent.append(event)
        future: Future[Verdict] = Future()
        answer = self.judge(event)
        if answer is not None:
            future.set_result(answer)
        return future

    def report(self, report: GuardReport) -> None:
        """Nothing is reported in these tests."""

    def close(self) -> None:
        """Remembers that it was closed."""
        self.closed = True


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Callable[[Judge], Wire]]:
    """Puts a wire in the place of Kafka."""
    made: list[Wire] = []

    def put(judge: Judge) -> Wire:
        made.append(Wire(judge))
        monkeypatch.setattr(compose_root, "transport", lambda _: made[-1])
        return made[-1]

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LAWFUL_PSEUDONYM_KEY", "k" * 32)
    yield put
    assert all(each.closed for each in made)


def chat(path: Path, *texts: str) -> Path:
    """A file of user messages, one a line."""
    lines = [json.dumps({"role": "user", "content": text}) for text in texts]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_every_event_is_published_in_order_and_counted(
    wire: Callable[[Judge], Wire], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """More events than may be under way at once still go out in the file's order."""
    way = wire(verdict)
    texts = [f"message {number}" for number in range(300)]
    assert run(["ingest", "--json", "--policy", "shopper", str(chat(tmp_path / "a.jsonl", *texts))]) == Exit.FINE
    found = json.loads(capsys.readouterr().out)
    assert [event.payload for event in way.sent] == [UserMessage(text) for text in texts]
    assert (found["events"], found["verdicts"], found["unanswered"]) == (300, 300, 0)
    assert found["decisions"] == {"forward": 300, "warn": 0, "redact": 0, "block": 0}
    assert found["files"][0]["format"] == "openai"
    assert {event.policy_id for event in way.sent} == {"shopper"}


def test_faults_are_counted_by_kind_without_content(
    wire: Callable[[Judge], Wire], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The table says rule, reason, purpose and category; what was said stays out."""

    def block(event: AgentEvent) -> Verdict:
        missing = Violation("P1", "consent_missing", Decision.BLOCK, "no consent", purpose="marketing")
        return verdict(event, Decision.BLOCK, missing)

    wire(block)
    assert run(["ingest", str(chat(tmp_path / "a.jsonl", SECRET, SECRET))]) == Exit.FINE
    captured = capsys.readouterr()
    assert "P1 consent_missing" in captured.out
    assert "marketing" in captured.out
    assert SECRET not in captured.out + captured.err
    assert "read as openai" in captured.err


def test_an_event_without_a_verdict_is_status_1(
    wire: Callable[[Judge], Wire], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """After the timeout the rest counts as unanswered."""
    wire(lambda event: verdict(event) if "first" in str(getattr(event.payload, "text", "")) else None)
    path = chat(tmp_path / "a.jsonl", "first", "second")
    assert run(["ingest", "--json", "--timeout", "1", str(path)]) == Exit.FAULT
    assert json.loads(capsys.readouterr().out)["unanswered"] == 1


def test_a_broken_line_is_status_1_and_the_rest_goes_on(
    wire: Callable[[Judge], Wire], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The place of the broken line is told; the lines around it are judged."""
    wire(verdict)
    path = chat(tmp_path / "a.jsonl", "one", "two")
    path.write_text(path.read_text().replace("\n", "\n{broken\n"))
    assert run(["ingest", str(path)]) == Exit.FAULT
    captured = capsys.readouterr()
    assert f"{path}:2:2: no JSON" in captured.err
    assert "2 events, 2 verdicts" in captured.out


def test_a_policy_that_the_workers_do_not_have_is_named_with_a_suggestion(
    wire: Callable[[Judge], Wire], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Events that no policy judged are status 1, whether they name a wrong one or none."""
    unknown = Violation("error", "unknown_policy", Decision.BLOCK, "no policy of this name")
    wire(lambda event: verdict(event, Decision.BLOCK, unknown))
    event = {"session_id": "s", "payload": {"kind": "UserMessage", "text": "hi"}}
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(each) for each in (event | {"policy_id": "shoper"}, event)))
    assert run(["ingest", "--format", "lawful", str(path)]) == Exit.FAULT
    said = capsys.readouterr().err
    assert "1 event blocked unread: the workers have no policy 'shoper'; did you mean 'shopper'?" in said
    assert "no policy is named, and there is no default; set LAWFUL_DEFAULT_POLICY" in said


def test_an_event_that_cannot_be_published_is_a_problem(
    wire: Callable[[Judge], Wire], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The transport's refusal is told by its class, and the rest goes on."""

    def refuse(event: AgentEvent) -> Verdict:
        if getattr(event.payload, "text", "") == SECRET:
            raise RetryLater("no room")
        return verdict(event)

    wire(refuse)
    assert run(["ingest", "--json", str(chat(tmp_path / "a.jsonl", SECRET, "two"))]) == Exit.FAULT
    found = json.loads(capsys.readouterr().out)
    assert (found["verdicts"], found["unanswered"]) == (1, 1)
    assert "RetryLater" in found["problems"][0]


def test_options_fill_in_what_the_trace_does_not_say(wire: Callable[[Judge], Wire], tmp_path: Path) -> None:
    """Subject, purposes and tenant come from the command line."""
    way = wire(verdict)
    path = chat(tmp_path / "a.jsonl", "hi")
    options = ["--subject", "email=ada@example.com", "--purpose", "marketing", "--tenant", "acme"]
    assert run(["ingest", *options, str(path)]) == Exit.FINE
    (event,) = way.sent
    assert (event.tenant_id, event.purposes) == ("acme", ("marketing",))
    assert [(each.scheme, each.value) for each in event.subjects] == [("email", "ada@example.com")]


def test_without_an_installation_it_says_to_start_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody has to know what a pseudonym key is to get going."""
    monkeypatch.chdir(tmp_path)
    assert run(["ingest", str(chat(tmp_path / "a.jsonl", "hi"))]) == Exit.FAULT
    assert "start `lawful up`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--format", "csv", "a.jsonl"], "there is no format 'csv'"),
        (["absent.json"], "absent.json cannot be read"),
        (["--policy", "shoper", "a.jsonl"], "did you mean 'shopper'?"),
        (["broken.json"], "broken.json:2:10: no JSON: Expecting value"),
        (["--subject", "ada", "a.jsonl"], "scheme=value"),
    ],
    ids=["format", "file", "policy", "broken", "subject"],
)
def test_wrong_arguments_are_told(
    arguments: list[str],
    words: str,
    wire: Callable[[Judge], Wire],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Nothing is published; one line says what is wrong."""
    chat(tmp_path / "a.jsonl", "hi")
    (tmp_path / "broken.json").write_text('[\n  {"id": }\n]')
    assert run(["ingest", *arguments]) == Exit.FAULT
    assert words in capsys.readouterr().err


def test_tau2_tasks_of_the_public_benchmark_are_read_whole(
    wire: Callable[[Judge], Wire], shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """114 retail tasks give their messages and all their 550 actions, judged by the shop's policy."""
    way = wire(verdict)
    assert run(["ingest", "--json", str(shared_data / "tau2" / "retail" / "tasks.json")]) == Exit.FINE
    assert json.loads(capsys.readouterr().out)["events"] == len(way.sent)
    assert sum(isinstance(event.payload, ToolCall) for event in way.sent) == 550
    assert {event.policy_id for event in way.sent} == {"shopper"}

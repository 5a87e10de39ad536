"""The recognisers in a row, and what must not break."""

import json
from collections.abc import Callable, Sequence

import pytest

from lawful.extractors.budget import FREE, Budget, TimeUp, TooMuchWork
from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.identifiers import DeclaredSubjects
from lawful.extractors.pipeline import Pipeline
from lawful.extractors.port import Extraction, ExtractionSpec, Extractor, Limits, NotPersonal, ToolSpec, extract_each
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    ConsentGiven,
    Identifier,
    MemoryWrite,
    Payload,
    ToolCall,
    UserMessage,
)
from lawful.schemas.view import ExtractionStatus
from tests.extractors.support import PATIENT, PSEUDONYMS, call, event, extract, places


class Scripted:
    """Finds a word wherever it stands; fails or dawdles when the script says so."""

    name = "scripted"

    def __init__(self, word: str = "secret", act: Callable[[Field], None] = lambda _field: None) -> None:
        self.word = word
        self.act = act

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Every occurrence of the word."""
        self.act(field)
        starts = [at for at in range(len(field.text)) if field.text.startswith(self.word, at)]
        return [Candidate(at, at + len(self.word), "user.name", self.name, "1", 0.9, Strength.PATTERN) for at in starts]


def pipeline(*recognisers: Scripted, clock: Callable[[], float] = lambda: 0.0) -> Pipeline:
    """A pipeline whose clock stands still unless told otherwise."""
    return Pipeline(recognisers or (Scripted(),), clock)


def test_every_occurrence_at_any_depth() -> None:
    """Each place of each field is a finding of its own (A16)."""
    payload = call({"a": "secret and secret", "b": [{"c": "no"}, {"c": ["x", "a secret"]}]})
    assert places(extract(pipeline(), payload)) == [
        ("/arguments/a", 0, 6, "user.name"),
        ("/arguments/a", 11, 17, "user.name"),
        ("/arguments/b/1/c/1", 2, 8, "user.name"),
    ]


def test_a_leaf_that_is_no_string_is_found_whole() -> None:
    """Of a number nothing can be cut out."""
    assert places(extract(pipeline(Scripted("23")), call({"a": 12345}))) == [("/arguments/a", 0, 5, "user.name")]


def test_a_personal_key_makes_its_container_personal() -> None:
    """No path holds what a key says, whatever lies below it (A36)."""
    payload = call({"votes": {"secret": {"why": "a secret"}}, "other": "x"})
    extraction = extract(pipeline(), payload)
    assert places(extraction) == [("/arguments/votes", 0, 0, "user.name")]
    assert "secret" not in repr(extraction)


@pytest.mark.parametrize(
    ("payload", "limits", "status", "reason"),
    [
        (UserMessage("x" * 100), Limits(max_bytes=99), ExtractionStatus.OVERSIZED, "payload_too_large"),
        (call({"a": {"b": 1}}), Limits(max_depth=1), ExtractionStatus.OVERSIZED, "too_deep"),
        (call({"a": [1, 2]}), Limits(max_fields=2), ExtractionStatus.OVERSIZED, "too_many_fields"),
        (UserMessage("secret " * 9), Limits(max_findings=8), ExtractionStatus.OVERSIZED, "too_many_findings"),
        (call({"a": "secret", "b": "secret"}), Limits(max_findings=1), ExtractionStatus.OVERSIZED, "too_many_findings"),
        (ToolCall("t", "c", "secret"), Limits(), ExtractionStatus.FAILED, "arguments_not_json"),
        (ToolCall("t", "c", '{"secret":1,"secret":2}'), Limits(), ExtractionStatus.FAILED, "duplicate_keys"),
    ],
)
def test_what_cannot_be_read_whole_is_withheld_whole(
    payload: UserMessage | ToolCall, limits: Limits, status: ExtractionStatus, reason: str
) -> None:
    """Beyond a limit there are no findings at all, and a status that fails closed (A18)."""
    extraction = extract(pipeline(), payload, ExtractionSpec(limits=limits, message_purposes=("support",)))
    assert (extraction.findings, extraction.status, extraction.status_reason) == ((), status, reason)


def test_a_crash_fails_its_event_and_no_other() -> None:
    """A recogniser that raises is named with the exception's class, without its message (A21, A36)."""

    def crash(field: Field) -> None:
        if "bad" in field.text:
            raise ValueError(field.text)

    crashing = pipeline(Scripted(act=crash))
    failed = extract(crashing, UserMessage("bad secret"))
    assert (failed.status, failed.status_reason) == (ExtractionStatus.FAILED, "detector_failed:scripted:ValueError")
    assert (failed.findings, "secret" in repr(failed)) == ((), False)
    assert extract(crashing, UserMessage("secret")).status is ExtractionStatus.COMPLETE


def test_time_is_looked_at_between_fields_and_recognisers() -> None:
    """An event that uses up its time is a timeout, not a pass; a quick one is not (A21)."""
    now = [0.0]

    def tick(_field: Field) -> None:
        now[0] += 0.4

    slow = pipeline(Scripted(act=tick), clock=lambda: now[0])
    spec = ExtractionSpec(limits=Limits(extraction_ms=1_000))
    assert extract(slow, AgentMessage("secret"), spec).status is ExtractionStatus.COMPLETE
    extraction = extract(slow, AgentMessage('["secret", "b", "c", "d"]'), spec)
    assert (extraction.findings, extraction.status) == ((), ExtractionStatus.TIMEOUT)


class Foresighted(Scripted):
    """Wants to see all fields first."""

    def __init__(self, fails: bool = False) -> None:  # noqa: FBT001, FBT002 - a switch
        super().__init__()
        self.seen: list[list[str]] = []
        self.fails = fails

    def ahead(self, fields: Sequence[tuple[Field, ExtractionSpec]]) -> None:
        """Notes what it sees; or fails."""
        self.seen.append([field.text for field, _ in fields])
        if self.fails:
            raise ValueError


@pytest.mark.parametrize("fails", [False, True])
def test_many_events_are_answered_as_each_alone(fails: bool) -> None:  # noqa: FBT001 - a parameter
    """Recognisers see all events first; what they make of it, and what fails in others, changes no answer."""
    foresighted = Foresighted(fails)
    both = Pipeline([foresighted], lambda: 0.0)
    payloads: list[Payload] = [UserMessage("a secret"), ToolCall("t", "c", "no json"), call({"a": "secret", "b": 1})]
    jobs = [(event(payload), ExtractionSpec()) for payload in payloads]
    assert list(both.extract_each(jobs)) == [pipeline().extract(*job) for job in jobs]
    assert foresighted.seen == [["a secret", "a", "secret", "b", "1"]]
    assert list(extract_each(Plain(), jobs)) == [Extraction()] * 3


class Plain:
    """An extractor that takes one event at a time."""

    def extract(self, event: AgentEvent, spec: ExtractionSpec) -> Extraction:
        """Finds nothing."""
        del event, spec
        return Extraction()


def test_budget() -> None:
    """A budget ends at its deadline, ties included."""
    now = [0.0]
    budget = Budget(lambda: now[0], 1.0)
    assert budget.remaining() == pytest.approx(1.0)
    now[0] = 1.0
    with pytest.raises(TimeUp):
        budget.check()
    with pytest.raises(TimeUp):
        budget.remaining()


def test_essential_comes_from_the_tools_schema() -> None:
    """A required value that would be replaced whole is essential; without a schema nothing is (A17)."""
    schema = {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]}
    payload = call({"to": "secret", "note": "a secret"}, "send")
    findings = extract(pipeline(), payload, ExtractionSpec(tools={"send": ToolSpec(schema=schema)})).findings
    assert {one.path: one.essential for one in findings} == {"/arguments/to": True, "/arguments/note": False}
    assert not any(one.essential for one in extract(pipeline(), payload).findings)


def test_numbers_too_long_for_a_validator_fail_closed() -> None:
    """A number that no validator can hold fails the event."""
    payload = ToolCall("send", "c", json.dumps({"to": "secret"})[:-1] + ', "n": ' + "9" * 10_000 + "}")
    spec = ExtractionSpec(tools={"send": ToolSpec(schema={"type": "object"})})
    assert extract(pipeline(), payload, spec).status_reason == "number_too_long"


def test_the_name_of_a_memory_is_essential() -> None:
    """Replaced, it would name another memory."""
    (finding,) = extract(pipeline(), MemoryWrite("secret", "x")).findings
    assert (finding.path, finding.essential) == ("/key", True)


def test_consents_are_not_read() -> None:
    """What subjects say in consents is structured, and complete as it is."""
    extraction = extract(pipeline(), ConsentGiven(("secret",), evidence="secret"))
    assert (extraction.findings, extraction.status) == ((), ExtractionStatus.COMPLETE)


def test_exempt_values_keep_known_identifiers() -> None:
    """What a policy calls not personal is no finding, unless it is a known identifier of the subject."""
    spec = ExtractionSpec(not_personal=(NotPersonal("item_id", ".*"),))
    both = Pipeline([Scripted(), DeclaredSubjects(PSEUDONYMS)], lambda: 0.0)
    payload = call({"item_id": "secret", "other": "secret"})
    assert places(extract(both, payload, spec)) == [("/arguments/other", 0, 6, "user.name")]
    known = extract(both, payload, spec, (Identifier("customer_id", "secret"),))
    assert places(known)[0] == ("/arguments/item_id", 0, 6, "user.unique_id")


@pytest.mark.parametrize("text", ["4111 1111 1111 1111", "4111111111111111 + 1"])
def test_no_exemption_lets_a_confirmed_number_through(extractor: Extractor, text: str) -> None:
    """A card is no arithmetic, whatever the policy says of the key it stands under."""
    spec = ExtractionSpec(not_personal=(NotPersonal("expression", "[0-9.+*/() -]{1,500}"),), limits=PATIENT)
    findings = extract(extractor, call({"expression": text}), spec).findings
    assert [each.category for each in findings] == ["user.financial.credit_card"]
    assert not extract(extractor, call({"expression": "(8349118980 + 12.50) * 2"}), spec).findings


def test_what_is_too_much_to_read_is_withheld_whole() -> None:
    """Work is counted, not timed: the same event ends in the same way on every machine, and nothing passes unread."""
    limits = Limits(extraction_steps=60)
    assert extract(pipeline(), UserMessage("a secret"), ExtractionSpec(limits=limits)).findings
    long = extract(pipeline(), UserMessage("a secret " * 60), ExtractionSpec(limits=limits))
    assert (long.findings, long.status, long.status_reason) == ((), ExtractionStatus.OVERSIZED, "too_much_to_read")


@pytest.mark.parametrize(
    "unit",
    ["Mr Smith ", "4111 ", "e\u0301", "I have asthma. ", "%41", "name: x, ", "DE89 ", "\u200b1", "Ab. ", "at dot "],
)
def test_no_text_of_64_kib_is_looked_at_beyond_its_steps(extractor: Extractor, unit: str) -> None:
    """Each way to make a reader work ends as read or as withheld, in the same way each time (A20)."""
    spec = ExtractionSpec(limits=Limits(extraction_ms=60_000, extraction_steps=12_000))
    payload = UserMessage(unit * (65_536 // len(unit.encode())))
    first = extract(extractor, payload, spec)
    assert first.status_reason in {"too_much_to_read", "too_many_findings"}
    assert extract(extractor, payload, spec) == first


def test_a_budget_pays_before_the_work() -> None:
    """What cannot be paid for is not looked at."""
    budget = Budget(lambda: 0.0, 1.0, steps=5)
    seen: list[object] = []
    with pytest.raises(TooMuchWork):
        seen += budget.each("abcdef", 2)
    assert budget.steps < 0
    assert list(FREE.each("abcdef", 1 << 62)) == list("abcdef")

"""What is kept of a person after an erasure, who is one person, and what the law keeps alive."""

import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from lawful.cli.app import call
from lawful.client import Guard
from lawful.infra.clickhouse.query import Officer
from lawful.infra.erasure.watch import OverdueWatch
from lawful.infra.keyring import KafkaKeyring
from lawful.schemas.codec import decode, encode
from lawful.schemas.event import (
    ConsentGiven,
    ConsentWithdrawn,
    DataSubjectRequest,
    Identifier,
    IdentityLinked,
    Recipient,
    RecipientKind,
    RequestKind,
    ToolCall,
    UserMessage,
)
from lawful.schemas.sealed import SealedEvent
from lawful.schemas.verdict import Decision, Outcome, Verdict
from tests.acceptance.house import TENANT, House, values
from tests.acceptance.test_audit import Zoe, forms, payloads, weird
from tests.acceptance.test_consent import MARKETING, mail_to
from tests.acceptance.test_erasure import rewind
from tests.engines import Engines
from tests.streams.kit import reasons

__all__ = ["zoe"]
SMALL = "tests.acceptance.small_main"
SECRET = "the payload key of the acceptance tests"


@pytest.fixture
def zoe() -> Zoe:
    """Somebody whose every identifier is new."""
    word = uuid.uuid4().hex[:6].translate(str.maketrans("0123456789", "ghijklmnop"))
    digits = f"{uuid.uuid4().int % 10**4:04}"
    return Zoe(f"zoe.{word}@mail-{word}.org", f"+44207183{digits}", f"zoe_{word}_{digits}", f"Zoe {word.title()}berg")


@pytest.fixture
def sealed(broker_kind: str, engines: Engines, tmp_path: Path) -> Iterator[House]:
    """An installation whose guards seal what they publish."""
    told = values(engines.broker(broker_kind), engines.clickhouse()) | {"payload_key": SECRET}
    with House(told, tmp_path) as made:
        yield made


def test_after_an_erasure_nobody_finds_the_person_anywhere(
    sealed: House, zoe: Zoe, other: Identifier, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A04: a scan of every topic (events, dead letters, changelogs too), of state and audit finds no raw identifier."""
    sealed.start("worker-1", "audit-writer")
    kinds = cycle(RecipientKind)
    plain = [sealed.event(payload, *zoe.identifiers) for payload in payloads(zoe)]
    mentions = [sealed.event(UserMessage(f"about {zoe.all}"), other)]
    events = [*plain, *(weird(event, zoe, next(kinds)) for event in plain[:6]), *mentions]
    verdicts = [each.result(timeout=60) for each in [sealed.transport.submit(event) for event in events]]
    erasures = [sealed.event(DataSubjectRequest(RequestKind.ERASURE, "gone"), each) for each in zoe.identifiers]
    verdicts += [sealed.asked(event) for event in erasures]
    assert any(verdict.outcome is Outcome.ERASED for verdict in verdicts)
    ids = sorted({verdict.event_id for verdict in verdicts})
    sealed.ask_for(len(ids), "SELECT 1 FROM audit WHERE event_id IN {ids:Array(String)}", ids=ids)
    sealed.processes["worker-1"].stop()
    places = {
        "audit": repr(sealed.ask("SELECT * FROM audit")),
        "letters": repr(sealed.ask("SELECT * FROM dead_letters")),
    }
    stored = {name: text.encode() for name, text in places.items()}
    for record in sealed.records(*sealed.every_topic()):
        name = record.topic() or ""
        whole = [bytes(record.key() or b""), record.value() or b"", repr(record.headers()).encode()]
        stored[name] = stored.get(name, b"") + b"\n".join(whole)
    stored |= {str(path): path.read_bytes() for path in sealed.folder.rglob("*") if path.is_file()}
    assert stored[sealed.topics.events]
    assert stored[sealed.topics.changelog("history")]
    assert any(form in encode(plain[0]).lower() for form in forms(zoe)), "the search finds what is there"
    assert {name for name, held in stored.items() if any(form in held.lower() for form in forms(zoe))} == set()
    told = report(sealed, monkeypatch, capsys, *(f"{each.scheme}:{each.value}" for each in zoe.identifiers))
    own, others, keys, _ = told["kept"]
    assert (told["state"], own["readable"], others["readable"], keys["records"]) == ("erased", 0, 1, 0)
    assert own["records"] == len([*plain, *plain[:6], *erasures])
    assert told["keys_destroyed"] == len(told["keys"]) > 0
    assert unreadable(sealed, zoe) == len([*plain, *plain[:6], *erasures])


def report(
    house: House, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0
) -> dict[str, Any]:
    """What `lawful erasure report` says."""
    for name, value in house.environment("officer").items():
        monkeypatch.setenv(name, value)
    capsys.readouterr()
    assert call(["erasure", "report", *arguments, "--tenant", TENANT, "--json"]) == status
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def unreadable(house: House, zoe: Zoe) -> int:
    """How many of a person's events are still in the log; all of their keys are destroyed, and nobody else's."""
    ring = KafkaKeyring(house.settings.kafka, house.topics.keys)
    mine = {house.pseudonym(identifier) for identifier in zoe.identifiers}
    events = [decode(record.value() or b"", SealedEvent) for record in house.records(house.topics.events)]
    theirs = [event for event in events if event.subject not in mine]
    assert {ring.find(event.key_id) is None for event in events if event.subject in mine} == {True}
    assert {ring.find(event.key_id) is None for event in theirs} == {False}
    ring.close()
    return len(events) - len(theirs)


def test_sealed_events_of_an_erased_person_that_are_read_again_stop_nobody(sealed: House, someone: Identifier) -> None:
    """A04, A05: with offsets set back and tables built anew, nothing is dead-lettered, answered or known anew."""
    sealed.start("worker-1", module=SMALL)
    with sealed.guard().session(subject=someone) as session:
        session.user("hello")
        session.consent("marketing")
        assert session.erase().outcome is Outcome.ERASED
    worker = sealed.processes["worker-1"]
    worker.stop()
    rewind(sealed)
    before = {verdict.event_id: verdict for verdict in sealed.read(sealed.topics.verdicts, Verdict)}
    worker.start()
    verdict = sealed.guard().check(UserMessage("hello"), subject=someone)
    assert (verdict.decision, reasons(verdict)) == (Decision.BLOCK, {"subject_erased"})
    enrolled = sealed.guard().check(ConsentGiven(("marketing",), re_enrols=True), subject=someone)
    assert enrolled.outcome is Outcome.RECORDED
    assert sealed.guard().check(UserMessage("hello"), subject=someone).decision is Decision.FORWARD
    assert not sealed.records(sealed.topics.dead_letters)
    after = {verdict.event_id: verdict for verdict in sealed.read(sealed.topics.verdicts, Verdict)}
    assert before == {event_id: after[event_id] for event_id in before}


def test_what_the_law_keeps_survives_and_is_named(house: House, guard: Guard, someone: Identifier) -> None:
    """A07: a purpose under a legal duty to keep passes after an erasure, by pseudonym, and the answer names it."""
    invoice = ToolCall("archive_invoice", "c", json.dumps({"user_id": "mia_li_3668", "order_id": "#W123"}))
    with guard.session(subject=someone) as session:
        session.user("hello")
        session.erase()
    kept = guard.check(invoice, subject=someone)
    assert (kept.decision, kept.exceptions) == (Decision.FORWARD, ("essential.legal_obligation.bookkeeping",))
    mixed = guard.check(invoice, subject=someone, purposes=["essential.service.operations.support"])
    assert (mixed.decision, mixed.exceptions) == (Decision.BLOCK, ())
    row = house.row(kept.event_id)
    assert (row["exceptions"], row["subject"]) == (["essential.legal_obligation.bookkeeping"], house.pseudonym(someone))


def test_one_person_under_two_identifiers(house: House, someone: Identifier) -> None:
    """A13: a withdrawal under one blocks the other; a later link takes the strictest; set apart, both keep it."""
    number, phone = (
        Identifier("customer_id", uuid.uuid4().hex),
        Identifier("phone", f"+4420{uuid.uuid4().int % 10**8:08}"),
    )
    ask = house.guard().check
    assert ask(ConsentGiven((MARKETING,), identifiers=(number,)), subject=someone).decision is Decision.FORWARD
    assert ask(mail_to(someone), subject=number).decision is Decision.FORWARD
    ask(ConsentWithdrawn((MARKETING,)), subject=number)
    assert reasons(ask(mail_to(someone), subject=someone)) == {"consent_withdrawn"}
    sms = ToolCall("send_marketing_sms", "c", json.dumps({"phone": phone.value, "body": "Our new shoes"}))
    assert ask(ConsentGiven((MARKETING,)), subject=phone).outcome is Outcome.RECORDED
    assert ask(sms, subject=phone).decision is Decision.FORWARD
    assert ask(IdentityLinked((phone,)), subject=someone).outcome is Outcome.LINKED
    assert reasons(ask(sms, subject=phone)) == {"consent_withdrawn"}
    parted = ask(IdentityLinked((), (phone,)), subject=someone)
    assert (parted.outcome, house.row(parted.event_id)["outcome"]) == (Outcome.UNLINKED, "unlinked")
    assert reasons(ask(sms, subject=phone)) == {"consent_withdrawn"}
    ask(ConsentGiven((MARKETING,)), subject=replace(phone, value=phone.value.replace("+44", "0044 ")))
    assert ask(sms, subject=phone).decision is Decision.FORWARD
    assert reasons(ask(mail_to(someone), subject=someone)) == {"consent_withdrawn"}


def test_who_had_got_an_erased_persons_data_is_known_and_missed(
    house: House, someone: Identifier, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A06: the ledger names each recipient that got data (Art. 19), when it was told, and who is overdue."""
    duties, crm = "gdpr_duties", Recipient(RecipientKind.THIRD_PARTY, "crm")
    share = ToolCall("share_data", "c", json.dumps({"dataset": "orders", "to": someone.value}))

    def asked(call: ToolCall, recipient: Recipient | None = None) -> Verdict:
        return house.asked(house.event(call, someone, policy_id=duties, recipient=recipient))

    assert asked(ToolCall("inform_person", "c", "{}")).decision is Decision.FORWARD
    assert asked(share, crm).decision is Decision.FORWARD
    assert asked(share, Recipient(RecipientKind.THIRD_PARTY, "mailer")).decision is Decision.FORWARD
    with house.guard(policy=duties).session(subject=someone) as session:
        assert session.erase("gone").outcome is Outcome.ERASED
    assert asked(share, Recipient(RecipientKind.THIRD_PARTY, "late")).decision is Decision.BLOCK
    notice = asked(ToolCall("notify_recipient", "c", json.dumps({"to": "crm"})), crm)
    assert (notice.decision, notice.exceptions) == (Decision.FORWARD, ("essential.legal_obligation.subject_rights",))
    house.row(notice.event_id)
    address = f"email:{someone.value}"
    told = report(house, monkeypatch, capsys, address, "--due-days", "0", status=1)
    assert (told["state"], told["overdue"], len(told["recipients"])) == ("erased", 1, 2)
    by_told = {each["told_at"] is None: each for each in told["recipients"]}
    assert by_told[True]["overdue"]
    assert not by_told[False]["overdue"]
    assert by_told[True]["categories"] == ["user.contact.email"]
    assert [each["purpose"] for each in told["survives"] if each["events"]] == [notice.exceptions[0]]
    assert report(house, monkeypatch, capsys, address)["overdue"] == 0
    assert call(["erasure", "overdue", "--tenant", TENANT, "--due-days", "0", "--json"]) == 1
    late = json.loads(capsys.readouterr().out)["overdue"]
    assert late >= 1
    watch = OverdueWatch(Officer(house.clickhouse), timedelta(0))
    watch.look()
    assert watch.counters.overdue == late

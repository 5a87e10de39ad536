"""What is delivered: the redacted payload, valid, on every channel, whatever the logs are set to."""

import json
from typing import Any

import jsonschema
import pytest

from lawful.client import Blocked, Guard, Tool
from lawful.schemas.event import ConsentGiven, DataSubjectRequest, Identifier, RequestKind, ToolCall, UserMessage
from lawful.schemas.verdict import Decision
from tests.acceptance.house import House

CARD = "4111 1111 1111 1111"
IBAN = "DE89 3704 0044 0532 0130 00"
PHONE = "+44 20 7183 8750"
HEALTH = "She has diabetes."
ADDRESS = "84.120.33.7"
HIDDEN, HIDDEN_ADDRESS = "[user.contact.phone_number]", "[user.device.ip_address]"


def test_every_occurrence_at_any_depth_is_redacted(guard: Guard, someone: Identifier) -> None:
    """A16: the same number again and again, in keys' values, lists and JSON within JSON, is redacted everywhere."""
    got: list[Any] = []
    nested = {"a": [{"b": [PHONE, {"c": f"x {PHONE} y {PHONE}"}]}], "d": json.dumps({"e": [PHONE]}), "f": 7}

    with guard.session(subject=someone) as session:

        @session.tool("report_sales")
        def report(document: object, note: str) -> dict[str, Any]:
            got.append([document, note])
            return {"rows": [{"who": PHONE, "n": 3}], "more": f"{PHONE}, {PHONE}"}

        result = report(nested, f"{PHONE}{PHONE}")
    assert digits(PHONE) not in digits(json.dumps(got))
    assert got[0][0]["f"] == 7
    assert json.dumps(got).count(HIDDEN) >= 5
    assert digits(PHONE) not in digits(json.dumps(result))
    assert result["rows"][0]["n"] == 3


def digits(text: str) -> str:
    """Only the digits."""
    return "".join(char for char in text if char.isdigit())


def test_redacted_arguments_stay_valid_or_the_call_is_blocked(house: House, guard: Guard, someone: Identifier) -> None:
    """A17: types and schema hold after redaction, names and ids are untouched, and a call it would break is blocked."""
    schema = {
        "type": "object",
        "properties": {"region": {"type": "string"}, "note": {"type": "string"}, "rows": {"type": "array"}},
        "required": ["region", "note"],
    }
    calls: list[dict[str, Any]] = []

    def report(**arguments: Any) -> str:
        calls.append(arguments)
        return "done"

    tool = Tool("report_sales", schema=schema)
    strict = Tool("report_sales", schema={**schema, "properties": {"note": {"type": "string", "maxLength": 17}}})
    with guard.session(subject=someone) as session:
        session.call(tool, report, region="north", note=f"call {PHONE}", rows=[1, 2.5, None, True, PHONE])
        with pytest.raises(Blocked) as caught:
            session.call(strict, report, region="north", note=PHONE)
    (arguments,) = calls
    jsonschema.validate(arguments, schema)
    assert arguments == {"region": "north", "note": f"call {HIDDEN}", "rows": [1, 2.5, None, True, HIDDEN]}
    assert caught.value.reason == "redaction_would_break_arguments"
    rows = house.rows(caught.value.verdict.event_id, "verdict", "guard_block")
    assert {row["tool"] for row in rows} == {"report_sales"}


def test_an_argument_the_policys_schema_needs_is_not_destroyed(house: House, someone: Identifier) -> None:
    """A17: where the policy's own schema requires what would be redacted, the worker blocks."""
    house.asked(house.event(ConsentGiven(("third_party_sharing.partners",)), someone))
    call = ToolCall("share_with_partner", "c", json.dumps({"partner": PHONE, "email": someone.value}))
    verdict = house.asked(house.event(call, someone))
    assert verdict.decision is Decision.BLOCK
    assert "redaction_would_break_arguments" in {violation.reason for violation in verdict.violations}


def test_the_recipient_gets_the_redacted_payload_and_else_the_same_bytes(guard: Guard, someone: Identifier) -> None:
    """A19: on every channel what arrives is byte for byte the redacted payload, and without a finding the payload."""
    plain = '  The order   is\tfine, "quoted" — ünïcode 👍 \r\n'
    document = '{ "b": 1.0,  "a": [ "x" ,2e3 ] }'
    with guard.session(subject=someone) as session:
        for text in (plain, document):
            assert session.user(text) == text
            assert session.assistant(text) == text
            assert session.send("other", text) == text
            assert session.remember("k", text).content == text
            assert session.recall("k", text) == text
            assert session.call("report_sales", lambda note: note, note=text) == text


def test_every_channel_is_redacted(guard: Guard, someone: Identifier) -> None:
    """A19: user, assistant, agent, memory, tool call and tool result: each carries exactly the redacted payload."""
    text, safe = f"seen at {ADDRESS} \t today — ok", f"seen at {HIDDEN_ADDRESS} \t today — ok"
    got: list[str] = []

    def report(note: str) -> str:
        got.append(note)
        return text

    with guard.session(subject=someone) as session:
        got += [session.user(text), session.assistant(text), session.send("other", text)]
        got += [session.remember("k", text).content, session.recall("k", text)]
        got.append(session.call("report_sales", report, note=text))
    assert got == [safe] * 7


def story(house: House) -> tuple[list[object], list[str]]:
    """A session with all kinds of decisions: the verdicts, and what the audit says of it."""
    who = Identifier("email", "quiet@example.com")
    mail = ToolCall("send_marketing_email", "c", json.dumps({"to": who.value, "body": "x"}))
    events = [
        house.event(UserMessage(f"My card is {CARD}, I was at {ADDRESS}"), who),
        house.event(mail, who),
        house.event(ConsentGiven(("marketing",)), who),
        house.event(mail, who),
        house.event(ToolCall("report_sales", "c", json.dumps({"note": f"{PHONE} {HEALTH}"})), who),
        house.event(ToolCall("no_such_tool", "c", json.dumps({"iban": IBAN})), who),
        house.event(UserMessage("x"), who, policy_id="no such policy"),
        house.event(DataSubjectRequest(RequestKind.ERASURE, "r"), who),
        house.event(UserMessage("hello"), who),
    ]
    verdicts = [house.asked(event) for event in events]
    told: list[object] = [(each.decision, plain(each.violations), each.obligations) for each in verdicts]
    return told, [house.row(event.event_id)["decision"] for event in events]


def plain(violations: Any) -> list[tuple[str, str, str | None]]:
    """Violations without ids that differ between runs."""
    return [(each.rule, each.reason, each.category) for each in violations]


def test_saying_less_or_more_changes_no_verdict(house: House, bare: House) -> None:
    """A22: with the logs at `error` and at `debug` the same session gets the same decisions and the same audit."""
    bare.start("worker-1", "audit-writer", options=("--log-level", "error"))
    told, decided = story(bare)
    assert (told, decided) == story(house)
    assert set(decided) >= {"forward", "redact", "block"}
    assert bare.said("worker-1") == bare.said("audit-writer") == ""
    assert "DEBUG" in house.said("worker-1")

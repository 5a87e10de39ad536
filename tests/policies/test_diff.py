"""Differences between two versions: each in the author's words, and marked stricter or looser."""

import pytest

from lawful.policies.diff import Direction, diff, golden_changes
from lawful.policies.goldenfile import parse_golden
from lawful.policies.load import load_pack, pack_names, parse_policy

OLD = """\
id: sample
version: "1"
controller: {name: Sample}
purposes:
  service: {legal_basis: contract, necessary: [user.contact, user.name], retention: 30d}
  care: {legal_basis: contract, article9: health_care, necessary: [user.health_and_medical]}
  law: {legal_basis: legal_obligation, necessary: [user.name], survives_erasure: true}
  marketing: {legal_basis: consent, necessary: [user.contact.email]}
tools:
  find: {purposes: [service]}
  mail: {purposes: [marketing.email]}
messages: {purposes: [service]}
actions: {P1: block, P3: redact}
extraction:
  hints: [{keys: [nick], category: user.name}]
  identifiers: [{scheme: order_id, category: user.unique_id, pattern: 'C[0-9]{4}'}]
  not_personal: [{keys: [sku], pattern: '[0-9]{5}'}]
"""


def changes(*replacements: tuple[str, str]) -> list[str]:
    """What the replacements change."""
    text = OLD
    for old, new in replacements:
        assert old in text
        text = text.replace(old, new, 1)
    return [str(change) for change in diff(parse_policy(OLD), parse_policy(text))]


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('version: "1"', 'version: "2"', ["neutral: version: is '2' instead of '1'"]),
        ("{name: Sample}", "{name: Other}", ["neutral: controller: is 'Other' instead of 'Sample'"]),
        (
            "tools:\n",
            "  billing: {legal_basis: contract}\ntools:\n",
            ["looser: purpose billing: is new, on the legal basis contract"],
        ),
        (
            "  law: {legal_basis: legal_obligation, necessary: [user.name], survives_erasure: true}\n",
            "",
            ["stricter: purpose law: is gone: events that claim it violate P2"],
        ),
        (
            "legal_basis: consent",
            "legal_basis: legitimate_interests",
            [
                (
                    "looser: purpose marketing: rests on legitimate_interests instead of consent: "
                    "personal data needs no consent any more"
                )
            ],
        ),
        (
            "service: {legal_basis: contract",
            "service: {legal_basis: consent",
            ["stricter: purpose service: rests on consent instead of contract: personal data now needs consent"],
        ),
        (
            "service: {legal_basis: contract",
            "service: {legal_basis: public_task",
            ["neutral: purpose service: rests on public_task instead of contract"],
        ),
        (
            "article9: health_care",
            "article9: explicit_consent",
            ["stricter: purpose care: Art. 9(2) condition is explicit_consent instead of health_care"],
        ),
        (
            "article9: health_care",
            "article9: public_health",
            ["neutral: purpose care: Art. 9(2) condition is public_health instead of health_care"],
        ),
        ("[user.contact, user.name]", "[user.contact]", ["stricter: purpose service: no longer needs user.name"]),
        (
            "[user.contact, user.name]",
            "[user.contact.email, user.name]",
            ["stricter: purpose service: no longer needs user.contact (of it only user.contact.email)"],
        ),
        ("[user.contact.email]", "[user.contact]", ["looser: purpose marketing: now needs user.contact"]),
        (", survives_erasure: true", "", ["stricter: purpose law: no longer survives an erasure"]),
        ("30d", "60d", ["looser: purpose service: retention is 60 days instead of 30 days"]),
        (", retention: 30d", "", ["looser: purpose service: retention is not stated instead of 30 days"]),
        ("30d", "1d", ["stricter: purpose service: retention is 1 day instead of 30 days"]),
        (
            "messages:",
            "  add: {purposes: [law]}\nmessages:",
            ["looser: tool add: is new, for law; until now it was blocked"],
        ),
        ("  find: {purposes: [service]}\n", "", ["stricter: tool find: is gone: a call of it is blocked"]),
        (
            "find: {purposes: [service]}",
            "find: {purposes: [service], recipient: third_party}",
            ["neutral: tool find: goes to third_party instead of tool"],
        ),
        ("P1: block", "P1: warn", ["looser: actions: a violation of P1 leads to warn instead of block"]),
        ("P3: redact", "P3: block", ["stricter: actions: a violation of P3 leads to block instead of redact"]),
        (
            "actions:",
            "on_extraction_failure: warn\nactions:",
            ["looser: actions: a failed extraction leads to warn instead of block"],
        ),
        ("actions:", "limits: {max_depth: 8}\nactions:", ["stricter: limits: max_depth is 8 instead of 32"]),
        (
            "actions:",
            "redaction: {by_category: {user.name: mask}}\nactions:",
            ["neutral: redaction: user.name is treated by 'mask' instead of 'replace'"],
        ),
        (
            "actions:",
            "redaction: {by_category: {user.name: {generalise: year}}}\nactions:",
            ["neutral: redaction: user.name is treated by 'generalise year' instead of 'replace'"],
        ),
        ("nick", "nick, alias", ["stricter: hint alias: is user.name from now on"]),
        ("scheme: order_id", "scheme: client_id", ["looser: identifier order_id: is no longer found", "stricter: "]),
        ("[0-9]{5}", "[0-9]{6}", ["looser: not personal sku: values like [0-9]{6} pass", "stricter: not personal sku"]),
    ],
)
def test_a_change_is_told_in_words_with_its_direction(old: str, new: str, expected: list[str]) -> None:
    """One change to the text is told as what it does, and as nothing else."""
    found = changes((old, new))
    assert len(found) == len(expected)
    assert all(line.startswith(start) for line, start in zip(found, expected, strict=True))


def test_a_rebound_tool_is_told_with_each_consequence() -> None:
    """Rebinding is neutral; what it lets pass, and what it asks for, is not."""
    assert changes(("find: {purposes: [service]}", "find: {purposes: [marketing]}")) == [
        "neutral: tool find: is for marketing instead of service",
        "stricter: tool find: may no longer carry user.contact, user.name",
        "stricter: tool find: now needs consent to marketing",
    ]
    assert changes(("find: {purposes: [service]}", "find: {purposes: [law]}"))[2:] == [
        "looser: tool find: goes on after an erasure"
    ]


def test_a_purpose_with_a_rule_of_its_own_is_held_against_the_rule_above() -> None:
    """Declaring `marketing.email` by itself is no new purpose where `marketing` was declared."""
    narrower = "  marketing.email: {legal_basis: contract, necessary: [user.contact.email]}\n"
    found = changes(("tools:\n", narrower + "tools:\n"))
    assert found[0] == "neutral: purpose marketing.email: has a rule of its own; until now that of 'marketing' held"
    assert found[1].startswith("looser: purpose marketing.email: rests on contract")


@pytest.mark.parametrize("name", pack_names())
def test_a_policy_does_not_differ_from_itself(name: str) -> None:
    """No changes, and no golden case changes."""
    assert diff(load_pack(name), load_pack(name)) == ()


def test_every_change_turned_around_has_the_opposite_direction() -> None:
    """What is looser one way is stricter the other way."""
    old = parse_policy(OLD)
    new = parse_policy(OLD.replace("P1: block", "P1: warn").replace("30d", "60d").replace(", user.name]", "]"))
    opposite = {Direction.LOOSER: Direction.STRICTER, Direction.STRICTER: Direction.LOOSER}
    there, back = diff(old, new), diff(new, old)
    assert [opposite[change.direction] for change in there] == [change.direction for change in back]


def test_golden_cases_whose_verdict_changes_are_told() -> None:
    """With both verdicts; cases that are answered as before are not."""
    cases = parse_golden(
        "cases:\n"
        "  - name: mail\n    steps: [{event: {tool: mail, finds: [user.contact.email]}, expect: {decision: block}}]\n"
        "  - name: find\n    steps: [{event: {tool: find, finds: [user.name]}, expect: {decision: forward}}]\n"
    )
    (change,) = golden_changes(parse_policy(OLD), parse_policy(OLD.replace("P1: block", "P1: warn")), cases)
    assert (change.direction, change.case, change.step) == (Direction.LOOSER, "mail", 1)
    assert (change.was, change.now) == ("block, P1 consent_missing", "warn, P1 consent_missing")

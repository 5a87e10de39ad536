"""The linter: each kind of flaw is told with its place, packs have none, and comments accept flaws."""

import re

import pytest

from lawful.infra.drafting.keynames import key_names
from lawful.policies.lint import Report, Severity, lint
from lawful.policies.lint.expressions import runs_away, samples
from lawful.policies.load import pack_folder, pack_names

CLEAN = """\
id: sample
version: "1"
controller: {name: Sample}
purposes:
  service: {legal_basis: contract, necessary: [user.contact, user.name]}
  care: {legal_basis: contract, article9: health_care, necessary: [user.health_and_medical]}
  marketing: {legal_basis: consent, necessary: [user.contact.email]}
tools:
  find: {purposes: [service]}
  treat: {purposes: [care]}
  mail: {purposes: [marketing.email]}
messages: {purposes: [service]}
"""


def checked(text: str) -> Report:
    """The report on a text, with extraction's knowledge of names."""
    return lint(text, "policy.yaml", key_names())


def places(report: Report) -> list[tuple[str, int]]:
    """Codes and lines."""
    return [(flaw.code, flaw.place.line) for flaw in report.flaws]


def test_a_policy_without_flaws_has_none() -> None:
    """The sample that all other cases change is clean."""
    assert checked(CLEAN) == Report()


@pytest.mark.parametrize("name", pack_names())
def test_packs_have_no_flaw_that_is_not_accounted_for(name: str) -> None:
    """What the packs do on purpose is allowed with a reason; nothing else is found."""
    file = pack_folder(name) / "policy.yaml"
    assert lint(file.read_text(encoding="utf-8"), str(file), key_names()).flaws == ()


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("tools:\n", "  idle: {legal_basis: contract, necessary: [user.name]}\ntools:\n", "purpose_unclaimed", 8),
        ("necessary: [user.contact.email]", "necessary: []", "purpose_needs_nothing", 7),
        ("[user.contact, user.name]", "[user.contact, user.contact.email, user.name]", "category_covered", 5),
        ("[user.contact, user.name]", "[user.contact, user.name, user.name]", "category_covered", 5),
        ("[user.contact, user.name]", "[user.contact, user.demographic]", "special_below_without_condition", 5),
        ("consent, ", "consent, article9: research, ", "condition_idle", 7),
        ("contract, necessary", "contract, article10: authorised_by_law, necessary", "condition_idle", 5),
        ("find: {purposes: [service]}", "find: {purposes: []}", "tool_without_purpose", 9),
        ("messages: {purposes: [service]}\n", "", "messages_without_purpose", 1),
        ("[marketing.email]", "[marketing.email, marketing]", "purpose_repeated", 11),
        (
            "find: {purposes: [service]}",
            "find: {purposes: [service], schema: {type: object, properties: {dob: {type: string}, x: {}}}}",
            "argument_never_needed",
            9,
        ),
        (
            "treat: {purposes: [care]}",
            "treat: {purposes: [care, service], schema: {type: object, properties: {email: {}, n: {type: integer}}}}",
            "purpose_without_data",
            10,
        ),
        ("messages:", "on_extraction_failure: warn\nmessages:", "action_looser", 12),
        ("messages:", "actions: {undeclared_tool: warn}\nmessages:", "action_looser", 12),
        ("messages:", "redaction: {default: mask, by_category: {user.name: mask}}\nmessages:", "redaction_repeats", 12),
        ("messages:", "redaction: {by_category: {user.name: generalise}}\nmessages:", "generalise_idle", 12),
    ],
)
def test_a_flaw_is_told_with_its_place(old: str, new: str, code: str, line: int) -> None:
    """One change to the clean sample gives that one warning, at the changed line, with what to do."""
    report = checked(CLEAN.replace(old, new, 1))
    assert places(report) == [(code, line)]
    assert report.flaws[0].severity is Severity.WARNING
    assert report.flaws[0].mend


@pytest.mark.parametrize("word", ["P1", "P2", "P3", "P4"])
def test_actions_looser_than_the_defaults_are_said_aloud(word: str) -> None:
    """Each predicate that only warns is told, at its key."""
    report = checked(CLEAN + f"actions:\n  {word}: warn\n")
    assert places(report) == [("action_looser", 14)]


def test_a_required_argument_that_no_purpose_needs_blocks_every_call() -> None:
    """The warning says so, since the tool is of no use as it stands."""
    schema = "{type: object, properties: {dob: {type: string}, x: {}}, required: [dob]}"
    report = checked(CLEAN.replace("find: {purposes: [service]}", f"find: {{purposes: [service], schema: {schema}}}"))
    assert "every call is blocked" in report.flaws[0].why


EXTRACTION = """\
extraction:
  identifiers:
    - {scheme: order_id, category: user.unique_id, pattern: 'C[0-9]{4}', keys: [order]}
    - {scheme: customer_id, category: user.unique_id, pattern: '[A-Z][0-9]{4}', keys: [customer]}
"""


def test_patterns_that_match_the_same_texts_shadow_each_other() -> None:
    """The narrower of two patterns of different schemes is named once, with its place."""
    assert places(checked(CLEAN + EXTRACTION)) == [("pattern_shadowed", 15)]


def test_patterns_of_one_scheme_may_overlap() -> None:
    """Two ways to write one kind of identifier are no flaw."""
    assert not checked(CLEAN + EXTRACTION.replace("order_id", "customer_id")).flaws


@pytest.mark.parametrize(
    ("hints", "code"),
    [
        ("{keys: [clientNo], category: user.name}, {keys: [client_no], category: user.contact}", "hint_contradicts"),
        ("{keys: [client_no], category: user.name}, {keys: [client_no], category: user.name}", "hint_repeats"),
    ],
)
def test_hints_for_one_name_contradict_each_other(hints: str, code: str) -> None:
    """Names are compared as extraction compares them: in snake case."""
    assert places(checked(CLEAN + f"extraction:\n  hints: [{hints}]\n")) == [(code, 14)]


def test_an_identifier_that_is_said_to_be_harmless_is_told() -> None:
    """A `not_personal` pattern that swallows the policy's own identifiers is a flaw."""
    harmless = "  not_personal: [{keys: [customer], pattern: '[A-Z0-9]{5}'}]\n"
    text = CLEAN + EXTRACTION.replace("'C[0-9]{4}'", "'#[0-9]{4}'") + harmless
    assert places(checked(text)) == [("harmless_identifier", 17)]


@pytest.mark.parametrize(
    "pattern",
    [r"(a+)+$", r"(\w+\s?)*x", r".*@.*", r"\d+\d+", r"(\d?\d)*", r"(a|aa)+b", r"(x+x+)+y", r"(?:[a-z]{1,50}){1,50}!"],
)
def test_expressions_that_backtrack_badly_are_seen(pattern: str) -> None:
    """Repeats that can share the same text in many ways are told."""
    assert runs_away(pattern)


def test_a_pattern_that_backtracks_badly_is_told_at_its_place() -> None:
    """Both kinds of patterns of a policy are looked at."""
    text = CLEAN + "extraction:\n  not_personal: [{keys: [k], pattern: '(a+)+b'}]\n"
    assert places(checked(text)) == [("pattern_runs_away", 14)]


@pytest.mark.parametrize(
    "pattern",
    [
        r"(ab+c)*",
        r"(?:[ .\-/()]{0,2}\d){6,16}",
        r"\b[a-z]{2,20}_[a-z]{2,20}_[0-9]{4}\b",
        r"(foo|fob)+",
        r"[0-9.+*/() -]{1,500}",
        r"(?:a,?)+",
        r"(?:[a-z]+-)*[a-z]+",
        r"\w+@\w+\.com",
        r"[^,]+,[^,]+",
        r"(?>a+)+b",
    ],
)
def test_expressions_that_search_swiftly_are_left_alone(pattern: str) -> None:
    """Repeats with something between them, bounds or possession are fine."""
    assert runs_away(pattern) is None


@pytest.mark.parametrize(
    "pattern", [r"\bCU[0-9]{8}\b", r"#W\d{7}", r"(?:a|b)-[^x]{2}", r"(?=.*Z)[A-Z]{3}", r"P-?\d{6}"]
)
def test_samples_match_their_expression(pattern: str) -> None:
    """Made-up texts are matches, or there are none."""
    assert all(re.fullmatch(pattern, text) for text in samples(pattern))


def test_a_policy_that_cannot_be_used_is_told_as_an_error() -> None:
    """Consent cannot survive an erasure: `policy check`'s problems are the linter's errors."""
    report = checked(CLEAN.replace("consent, ", "consent, survives_erasure: true, "))
    assert places(report) == [("invalid", 7)]
    assert report.errors == report.flaws


@pytest.mark.parametrize("text", ["", "a: [", "1", "id: {}"])
def test_texts_that_are_no_policy_are_errors(text: str) -> None:
    """The linter is total."""
    assert checked(text).errors


def test_a_comment_with_a_reason_accepts_a_flaw() -> None:
    """On the line above, or on the line itself; the reason is kept for the report."""
    text = CLEAN.replace(
        "find: {purposes: [service]}", "find: {purposes: []}  # lint: allow tool_without_purpose: adds"
    )
    text += "# lint: allow action_looser: we count first\n# and say so\nactions: {P1: warn}\n"
    report = checked(text)
    assert report.flaws == ()
    assert sorted(each.reason for each in report.allowed) == ["adds", "we count first"]


def test_an_allowance_needs_a_reason_and_a_flaw() -> None:
    """A comment without a reason accepts nothing; one that accepts nothing is told."""
    text = CLEAN + "actions: {P1: warn}  # lint: allow action_looser\n# lint: allow pattern_shadowed: no more\n"
    codes = [code for code, _ in places(checked(text))]
    assert sorted(codes) == ["action_looser", "allowance_idle", "allowance_without_reason"]


def test_a_draft_is_a_warning_and_the_rest_of_it_is_checked() -> None:
    """Drafts are linted like policies."""
    text = "draft: true\n" + CLEAN.replace("find: {purposes: [service]}", "find: {purposes: []}")
    assert places(checked(text)) == [("draft", 1), ("tool_without_purpose", 10)]

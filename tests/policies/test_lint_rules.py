"""The linter on temporal rules, their explanations, and their differences."""

import pytest

from lawful.policies.diff import diff
from lawful.policies.explain_rules import explain_rule
from lawful.policies.lint import lint
from lawful.policies.lint.truth import canonical, truth
from lawful.policies.load import parse_policy
from lawful.policies.mfotl.normal import normalise
from lawful.policies.mfotl.parser import parse
from lawful.schemas.errors import ConfigurationError

BASE = """\
id: sample
version: "1"
controller: {name: Sample}
purposes: {service: {legal_basis: contract, necessary: [user.contact]}}
tools:
  find: {purposes: [service]}
  mail: {purposes: [service]}
messages: {purposes: [service]}
predicates:
  find: {tool: find, args: {who: {path: /arguments/who}, n: {path: /arguments/n, type: int}}}
  mail: {tool: mail, args: {who: {path: /arguments/who}}}
rules:
  - {name: first, formula: 'mail(x) IMPLIES ONCE[0,1h] (EXISTS n. find(x, n))', message: look before you write}
"""


def ruled(*rules: str) -> str:
    """The base with more rules, from line 14 on."""
    return BASE + "".join(f"  - {rule}\n" for rule in rules)


def codes(text: str) -> list[tuple[str, int]]:
    """What the linter says."""
    return [(flaw.code, flaw.place.line) for flaw in lint(text).flaws]


def test_a_sound_rule_has_no_flaw() -> None:
    """The base that all other cases add to is clean."""
    assert codes(BASE) == []


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        ("{name: a, formula: 'find(x, n) AND n > 5 AND n < 3 IMPLIES mail(x)'}", "rule_never_broken"),
        ("{name: a, formula: 'mail(x) AND 1 = 2 IMPLIES FALSE'}", "rule_never_broken"),
        ("{name: a, formula: 'mail(x) AND (ONCE[0,1h] mail(x)) IMPLIES (ONCE[0,1h] mail(x))'}", "rule_never_broken"),
        ("{name: a, formula: 'mail(x) IMPLIES ONCE (EXISTS n. find(x, n))'}", "rule_remembers_for_ever"),
        ("{name: a, formula: 'mail(y) IMPLIES ONCE[0,1h] (EXISTS m. find(y, m))'}", "rule_subsumed"),
        (
            "{name: a, on_violation: warn, formula: 'mail(y) IMPLIES ONCE[0,60m] (EXISTS m. find(y, m))'}",
            "rule_subsumed",
        ),
    ],
)
def test_a_flaw_of_a_rule_is_told_with_its_place(rule: str, code: str) -> None:
    """Rules that hold whatever happens, keep for ever, or say again what another says."""
    assert codes(ruled(rule)) == [(code, 14)]


def test_of_two_equal_rules_the_milder_is_idle_wherever_it_stands() -> None:
    """The stricter one decides."""
    text = BASE.replace("message: look", "on_violation: warn, message: look")
    text += "  - {name: b, formula: 'mail(y) IMPLIES ONCE[0,1h] (EXISTS m. find(y, m))'}\n"
    assert codes(text) == [("rule_subsumed", 13)]


def test_rules_about_other_slices_are_not_the_same() -> None:
    """What holds per session need not hold per subject."""
    again = "{name: b, slice: session, formula: 'mail(x) IMPLIES ONCE[0,1h] (EXISTS n. find(x, n))'}"
    assert codes(ruled(again)) == []


def test_an_empty_interval_is_an_error() -> None:
    """The loader refuses it, and the linter says so at the formula."""
    assert codes(BASE.replace("ONCE[0,1h]", "ONCE(1h,1h]")) == [("invalid", 13)]


def test_a_predicate_that_no_rule_speaks_of_is_told() -> None:
    """It would never be looked for."""
    text = BASE.replace("rules:\n", "  spare: {tool: find}\nrules:\n")
    assert codes(text) == [("predicate_unused", 12)]


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("1 = 1", True),
        ("1 = 2", False),
        ('"a" = "b"', False),
        ("x = x", True),
        ("x < x", False),
        ("p(x) AND (NOT p(x))", False),
        ("p(x) OR (NOT p(x))", True),
        ("x < 3 AND 5 < x", False),
        ("x < 3 AND 3 <= x", False),
        ("x <= 3 AND 3 <= x", None),
        ("x = 3 AND 4 < x", False),
        ("x < 5 AND 3 < x", None),
        ("ONCE[0,1h] (1 = 2)", False),
        ("HISTORICALLY[0,1h] (1 = 1)", True),
        ("p(x) SINCE (1 = 2)", False),
        ("EXISTS x. p(x) AND 1 = 2", False),
        ("p(x)", None),
        ("p(x) IMPLIES p(x)", True),
        ("ONCE p(x)", None),
    ],
)
def test_what_is_plainly_true_or_false_is_seen(formula: str, expected: bool | None) -> None:  # noqa: FBT001 - a table
    """And of what is not, nothing is said."""
    assert truth(normalise(parse(formula))) is expected


def test_names_of_variables_do_not_matter() -> None:
    """Only how they hang together does."""
    assert canonical(parse("p(x, y) AND q(y)")) == canonical(parse("p(a, b) AND q(b)"))
    assert canonical(parse("p(x, y) AND q(y)")) != canonical(parse("p(a, b) AND q(a)"))


def test_a_rule_is_explained_with_every_bracket_and_its_bound() -> None:
    """What breaks it, what then happens and what it keeps."""
    found = explain_rule(parse_policy(BASE), "first")
    assert found.facts["bracketed"] == "(mail(x) IMPLIES (ONCE[0,3600] (EXISTS n. find(x, n))))"
    assert found.facts["keeps"] == {"find": 3600}
    assert found.facts["leads_to"] == "block"
    assert "Keeps at most 1 hour of find per subject." in found.words
    assert found.words[0] == "Look before you write."


def test_an_unknown_rule_is_refused_with_a_suggestion() -> None:
    """Near misses are recognised."""
    with pytest.raises(ConfigurationError) as caught:
        explain_rule(parse_policy(BASE), "frist")
    assert caught.value.hint == "did you mean 'first'?"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (
            "message: look before you write}",
            "message: look before you write, on_violation: warn}",
            "looser: rule first",
        ),
        ("ONCE[0,1h]", "ONCE[0,2h]", "neutral: rule first: says"),
        ("message: look", "slice: session, message: look", "neutral: rule first: is about one session"),
        ("look before", "look once before", "neutral: rule first: is explained in other words"),
        ("path: /arguments/n,", "path: /arguments/m,", "neutral: predicate find: is read off"),
        ("name: first", "name: second", "looser: rule first: is gone"),
    ],
)
def test_changes_of_rules_are_told(old: str, new: str, expected: str) -> None:
    """A rule that goes is looser, one that leads to less is looser; what cannot be decided is neutral."""
    found = diff(parse_policy(BASE), parse_policy(BASE.replace(old, new, 1)))
    assert str(found[0]).startswith(expected)

"""Explanations: what a purpose needs and a tool's call leads to, in facts and in words that agree."""

import json

import pytest

from lawful.infra.drafting.keynames import key_names
from lawful.policies.explain import explain_policy, explain_purpose, explain_tool, span
from lawful.policies.load import load_pack, pack_names, parse_policy
from lawful.policies.model import Policy
from lawful.schemas.errors import ConfigurationError
from tests.policies.samples import TEXT, policy


def said(words: tuple[str, ...], start: str) -> str:
    """The sentence that begins so."""
    return next(sentence for sentence in words if sentence.startswith(start))


@pytest.mark.parametrize(
    ("purpose", "article"),
    [("service", "GDPR Art. 6(1)(b)"), ("law", "GDPR Art. 6(1)(c)"), ("marketing", "GDPR Art. 6(1)(a)")],
)
def test_a_legal_basis_is_told_with_its_article(purpose: str, article: str) -> None:
    """The letter is that of Art. 6(1)."""
    found = explain_purpose(policy(), purpose)
    assert found.facts["article"] == article
    assert article in said(found.words, "Legal basis")


def test_a_condition_for_special_categories_is_told_with_its_article() -> None:
    """The letter is that of Art. 9(2)."""
    assert explain_purpose(policy(), "care").facts["article9_article"] == "GDPR Art. 9(2)(h)"
    assert "GDPR Art. 9(2)(j)" in said(explain_purpose(policy(), "research").words, "Special categories")


def test_what_a_consent_must_name_is_told() -> None:
    """Special categories must be named by the consent itself, whatever else it covers."""
    found = explain_purpose(policy(), "marketing.email")
    assert found.facts["declared"] == "marketing"
    assert found.facts["consent"]["must_name"] == ["user.health_and_medical"]
    assert "'marketing.email'" in said(found.words, "A consent must name")
    assert "user.health_and_medical" in said(found.words, "For user.health")


def test_explicit_consent_is_asked_for_under_another_basis_too() -> None:
    """A contract with `explicit_consent` needs consent to the special categories only."""
    consent = explain_purpose(policy(), "aid").facts["consent"]
    assert consent["covers"] == consent["must_name"] == ["user.health_and_medical"]
    assert explain_purpose(policy(), "care").facts["consent"] is None


def test_who_claims_a_purpose_is_told() -> None:
    """Tools and messages; tools bound to a narrower name count for the broader one."""
    assert explain_purpose(policy(), "service").facts["messages"] is True
    assert explain_purpose(policy(), "marketing").facts["tools"] == ["mail"]
    assert "nothing" in said(explain_purpose(policy(), "care").words, "Claimed by")


def test_what_survives_an_erasure_is_told() -> None:
    """With the article that spares it."""
    assert "Art. 17(3)(b)" in said(explain_purpose(policy(), "law").words, "After an erasure")
    assert "blocked" in said(explain_purpose(policy(), "service").words, "After an erasure")


def test_words_follow_the_policys_actions() -> None:
    """A policy that warns is explained as one that warns."""
    assert "passes with a warning" in said(explain_purpose(policy(P3="warn"), "service").words, "Necessary")


def tool_policy() -> Policy:
    """The sample with a tool that takes a name, a birth date and a diagnosis."""
    schema = "{type: object, properties: {email: {}, diagnosis: {}, ssn: {}}, required: [email, ssn]}"
    return parse_policy(TEXT.replace("find: {purposes: [service]}", f"find: {{purposes: [service], schema: {schema}}}"))


def test_a_tools_arguments_are_told_with_what_becomes_of_them() -> None:
    """What no purpose needs is redacted; where the tool requires it, the call is blocked."""
    found = explain_tool(tool_policy(), "find", key_names())
    fates = {each["argument"]: each["leads_to"] for each in found.facts["arguments"]}
    assert fates == {"email": "forward", "diagnosis": "redact", "ssn": "block"}
    assert "is blocked" in said(found.words, "Argument ssn, required")


def test_an_undeclared_tool_is_explained_too() -> None:
    """The policy decides on tools it does not name."""
    found = explain_tool(policy(), "fnd")
    assert found.facts == {"tool": "fnd", "declared": False, "decision": "block"}
    assert "did you mean 'find'?" in found.words


def test_an_unknown_purpose_is_refused_with_a_suggestion() -> None:
    """No purpose above it is declared either."""
    with pytest.raises(ConfigurationError, match="servise") as caught:
        explain_purpose(policy(), "servise")
    assert caught.value.hint == "did you mean 'service'?"


@pytest.mark.parametrize("name", pack_names())
def test_every_purpose_and_tool_of_the_packs_can_be_explained(name: str) -> None:
    """And the facts are JSON."""
    pack = load_pack(name)
    assert json.dumps(explain_policy(pack).facts)
    assert all(json.dumps(explain_tool(pack, tool, key_names()).facts) for tool in pack.tools)


@pytest.mark.parametrize(
    ("micros", "words"),
    [
        (None, "not stated"),
        (86_400_000_000, "1 day"),
        (2 * 365 * 86_400_000_000, "2 years"),
        (90_000_000, "90 seconds"),
    ],
)
def test_a_length_of_time_is_told_in_its_largest_whole_unit(micros: int | None, words: str) -> None:
    """Nothing is rounded."""
    assert span(micros) == words

from dataclasses import replace
from typing import Any

import pytest

from lawful.extractors.port import IdentifierPattern, KeyHint, NotPersonal
from lawful.policies.channels.model import Channel, Channels, Handling
from lawful.policies.model import (
    Extraction,
    IdentifierRule,
    LegalBasis,
    Limits,
    Policy,
    PurposeRule,
    Redaction,
    RegoRules,
    ToolRule,
    Treatment,
)
from lawful.policies.model import KeyHint as HintRule
from lawful.policies.model import NotPersonal as NotPersonalRule
from lawful.schemas.verdict import Action, Decision, Predicate
from lawful.streams.specs import Bounded, identifier_patterns, make_spec, spec_of
from tests.streams.kit import POLICY

EXTRACTION = Extraction(
    identifiers=(
        IdentifierRule("customer_id", "user.unique_id", r"K\d{4}", keys=("customer",)),
        IdentifierRule("order_id", "user.unique_id", r"#W\d+", keys=("order",), identifies=False),
    ),
    hints=(HintRule(("dob", "birth"), "user.demographic"),),
    not_personal=(NotPersonalRule(("sku",), r"\d+"),),
)
MASKED = Treatment(Action.MASK)
RICH = replace(POLICY, extraction=EXTRACTION, limits=Limits(max_bytes=10), digest="f" * 64)


def test_everything_an_extractor_needs_is_carried_over() -> None:
    """Tools, purposes, identifiers, hints and limits of the policy, in the extractors' words."""
    spec = make_spec(RICH)
    assert spec.tools["send_mail"].purposes == ("marketing",)
    assert spec.message_purposes == ("order",)
    assert spec.identifiers[0] == IdentifierPattern("customer_id", "user.unique_id", r"K\d{4}")
    assert KeyHint("birth", "user.demographic") in spec.key_hints
    assert KeyHint("customer", "user.unique_id", "customer_id") in spec.key_hints
    assert spec.not_personal == (NotPersonal("sku", r"\d+"),)
    assert spec.limits.max_bytes == 10


def test_a_policy_is_never_taken_for_another_one_with_its_digest() -> None:
    """Whoever builds a policy by hand may leave the digest of another one in it."""
    assert spec_of(POLICY).message_purposes == ("order",)
    assert spec_of(replace(POLICY, message_purposes=("care",))).message_purposes == ("care",)
    assert spec_of(POLICY).message_purposes == ("order",)


def test_what_identifies_a_thing_points_to_nobody() -> None:
    """An order number is a finding without a subject, and no reason to hide a session id."""
    spec = make_spec(RICH)
    assert spec.identifiers[1].scheme is None
    assert KeyHint("order", "user.unique_id") in spec.key_hints
    assert [pattern.pattern for pattern in identifier_patterns(RICH)] == [r"K\d{4}"]


NEEDS = frozenset({"user.name", "user.contact", "user.demographic"})
ALL = PurposeRule("order", LegalBasis.CONTRACT, NEEDS)
SETTLED = replace(POLICY, purposes={"order": ALL}, tools={"ship": ToolRule("ship", ("order",))})


BLOCKED = Handling(Decision.BLOCK)


def to_all(**said: Any) -> Channels:
    """One channel that everything travels."""
    return Channels(rules={"all": Channel("all", **said)})


@pytest.mark.parametrize(
    ("policy", "matter"),
    [
        (SETTLED, False),
        (POLICY, True),
        (replace(SETTLED, purposes={"order": replace(ALL, legal_basis=LegalBasis.CONSENT)}), True),
        (replace(SETTLED, purposes={"order": replace(ALL, necessary=frozenset({"user.name"}))}), True),
        (replace(SETTLED, purposes={"order": ALL, "ads": PurposeRule("ads", LegalBasis.CONTRACT)}), True),
        (replace(SETTLED, message_purposes=()), True),
        (replace(SETTLED, tools={"ship": ToolRule("ship", ())}), True),
        (replace(SETTLED, undeclared_tool=Decision.WARN), True),
        (replace(SETTLED, actions={**SETTLED.actions, Predicate.ERASURE: Decision.REDACT}), True),
        (replace(SETTLED, rego=RegoRules((), ())), True),
        (replace(SETTLED, channels=to_all(categories={"user.contact.phone_number": BLOCKED})), False),
        (replace(SETTLED, channels=to_all(categories={"user.contact": BLOCKED})), True),
        (replace(SETTLED, channels=to_all(otherwise=BLOCKED)), True),
    ],
)
def test_names_are_looked_for_where_a_rule_could_ask_for_them(policy: Policy, matter: bool) -> None:  # noqa: FBT001
    """A model is spared only where no decision can depend on it."""
    assert make_spec(policy).names is matter


def test_how_to_generalise_is_carried_over() -> None:
    """The categories whose text keeps some of its meaning, each with its way."""
    redaction = Redaction(by_category={"user.demographic": Treatment(Action.GENERALISE), "user.name": MASKED})
    generalised = make_spec(replace(POLICY, redaction=redaction)).generalised
    assert generalised["user.demographic.date_of_birth"] == "year"
    assert not {"user.name", "user.contact.email", "user.demographic.gender"} & set(generalised)


def test_a_policy_is_translated_once() -> None:
    """The same policy is the same spec; another one is another."""
    assert spec_of(RICH) is spec_of(RICH)
    assert spec_of(RICH) is not spec_of(POLICY)


def test_no_policy_has_no_patterns() -> None:
    """Without a policy only the general patterns count."""
    assert identifier_patterns(None) == ()


def test_a_pattern_that_takes_for_ever_is_taken_to_match_in_time() -> None:
    """One string must not hold up everything behind it, and what is not known is withheld."""
    assert Bounded(r"(a|aa)+$").search("a" * 200 + "!")


def test_a_pattern_is_found_or_not() -> None:
    """The usual case."""
    assert Bounded(r"K\d{4}").search("session-K1234")
    assert Bounded(r"K\d{4}").search("session-k1234")
    assert not Bounded(r"K\d{4}").search("session-1")

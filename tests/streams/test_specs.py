from dataclasses import replace

from lawful.extractors.port import IdentifierPattern, KeyHint, NotPersonal
from lawful.policies.model import Extraction, IdentifierRule, Limits
from lawful.policies.model import KeyHint as HintRule
from lawful.policies.model import NotPersonal as NotPersonalRule
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


def test_what_identifies_a_thing_points_to_nobody() -> None:
    """An order number is a finding without a subject, and no reason to hide a session id."""
    spec = make_spec(RICH)
    assert spec.identifiers[1].scheme is None
    assert KeyHint("order", "user.unique_id") in spec.key_hints
    assert [pattern.pattern for pattern in identifier_patterns(RICH)] == [r"K\d{4}"]


def test_a_policy_is_translated_once() -> None:
    """The same digest is the same spec; another digest is another."""
    assert spec_of(RICH) is spec_of(replace(RICH))
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
    assert not Bounded(r"K\d{4}").search("session-1")

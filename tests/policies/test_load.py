"""Reading policies, and what is said about those that cannot be read."""

from pathlib import Path

import pytest

from lawful.policies.load import load_pack, load_policy, pack_folder, pack_names, parse_policy
from lawful.policies.model import Article9, LegalBasis, Treatment
from lawful.policies.problems import InvalidPolicy
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import RecipientKind
from lawful.schemas.verdict import Action, Decision, Predicate
from tests.policies.samples import TEXT

GOOD = """\
id: shop
version: "1"
controller: {name: Shop}
purposes:
  essential.service:
    legal_basis: contract
    necessary: [user.contact]
  marketing.communications.email:
    legal_basis: consent
    necessary:
      - user.contact.email
tools:
  mail:
    purposes: [marketing.communications.email]
    schema:
      type: object
      properties: {to: {type: string}}
messages: {purposes: [essential.service]}
"""

# What is changed in the good policy; where the error is; what it says; what it suggests.
WRONG = [
    ('version: "1"', "version: 1.0", "2:10", "'version' must be text", 'write it in quotes: "1.0"'),
    ("id: shop\n", "", "1:1", "the key 'id' is missing", ""),
    ("id: shop", "id: My Shop", "1:5", "'My Shop' is no id", "lower-case letters"),
    (
        "controller: {name: Shop}",
        "controler: {name: Shop}",
        "3:1",
        "unknown key 'controler'",
        "did you mean 'controller'?",
    ),
    ("{name: Shop}", "{nam: Shop}", "3:14", "unknown key 'nam' in 'controller'", "did you mean 'name'?"),
    (
        "legal_basis: contract",
        "legal_bases: contract",
        "6:5",
        "unknown key 'legal_bases'",
        "did you mean 'legal_basis'?",
    ),
    (
        "legal_basis: consent",
        "legal_basis: concent",
        "9:18",
        "'concent' is no value for 'legal_basis'",
        "did you mean 'consent'?",
    ),
    ("    legal_basis: contract\n", "", "5:3", "the key 'legal_basis' is missing in 'purposes.essential.service'", ""),
    ("[user.contact]", "[user.contct]", "7:17", "'user.contct' is no data category", "did you mean 'user.contact'?"),
    (
        "      - user.contact.email",
        "      - user.contact.mail",
        "11:9",
        "'user.contact.mail' is no data category",
        "did you mean 'user.contact.email'?",
    ),
    (
        "purposes: [marketing.communications.email]",
        "purposes: [marketing.comunications.email]",
        "14:16",
        "the purpose 'marketing.comunications.email' is not one of this policy's",
        "did you mean 'marketing.communications.email'?",
    ),
    (
        "  marketing.communications.email:\n",
        "  marketing.comunications.email:\n",
        "8:3",
        "the purpose 'marketing.comunications.email' looks misspelt",
        "did you mean 'marketing.communications.email'?",
    ),
    (
        "{purposes: [essential.service]}",
        "{purposes: [essential]}",
        "18:23",
        "the purpose 'essential' is not one of this policy's",
        "did you mean 'essential.service'?",
    ),
    (
        "{purposes: [essential.service]}",
        "{purposes: [zzz]}",
        "18:23",
        "the purpose 'zzz' is not one",
        "declare it under 'purposes'",
    ),
    ("  essential.service:\n", "  Essential Service:\n", "5:3", "'Essential Service' is no purpose", "a dotted key"),
    ("[user.contact]", "[user.health_and_medical]", "7:17", "without a condition of Art. 9(2)", "add 'article9'"),
    (
        "[user.contact]",
        "[user.biometric.voice]",
        "7:17",
        "needs the special category 'user.biometric.voice'",
        "health_care",
    ),
    ("[user.contact]", "[user.criminal_history]", "7:17", "without an authorisation under Art. 10", "add 'article10"),
    ("necessary: [user.contact]", "necessary: user.contact", "7:16", "'necessary': input should be a valid list", ""),
    (
        "necessary: [user.contact]",
        "survives_erasure: true",
        "7:5",
        "cannot survive an erasure on the legal basis 'contract'",
        "Art. 17(3)(b)",
    ),
    ("necessary: [user.contact]", "retention: soon", "7:16", "'soon' is no retention", "such as 30d"),
    (
        "necessary: [user.contact]",
        "necessary: []\n    necessary: []",
        "8:5",
        "the key 'necessary' is there twice",
        "keep one",
    ),
    ("type: object", "type: objekt", "16:13", "this is no JSON Schema", ""),
    ("      type: object\n", "", "15:5", "a tool's arguments are a JSON object", "add 'type: object'"),
    (
        "{to: {type: string}}",
        "{to: {$ref: 'https://example.com/x'}}",
        "17:31",
        "a schema may only refer to itself",
        "copy",
    ),
    (
        "messages:",
        "actions: {P1: allow}\nmessages:",
        "18:15",
        "'allow' is no value for 'P1'",
        "one of: warn, redact, block",
    ),
    (
        "messages:",
        "actions: {P5: block}\nmessages:",
        "18:11",
        "unknown key 'P5' in 'actions'",
        "the keys are P1, P2, P3, P4, undeclared_tool",
    ),
    (
        "messages:",
        "on_extraction_failure: redact\nmessages:",
        "18:24",
        "'redact' is no value for 'on_extraction_failure'",
        "one of: block, warn",
    ),
    (
        "messages:",
        f"limits: {{extraction_steps: {10**31}}}\nmessages:",
        "18:28",
        "'extraction_steps': input should be less than or equal to 10000000",
        "",
    ),
    ("messages:", "limits: {max_bytes: 0}\nmessages:", "18:21", "'max_bytes': input should be greater than", ""),
    (
        "messages:",
        "redaction: {by_category: {user.nam: mask}}\nmessages:",
        "18:27",
        "'user.nam' is no data category",
        "did you mean 'user.name'?",
    ),
    (
        "messages:",
        "redaction: {by_category: {user.name: {generalise: weeks}}}\nmessages:",
        "18:38",
        "'user.name': no treatment; there are remove, mask",
        "",
    ),
    (
        "messages:",
        "redaction: {by_category: {user.name: blur}}\nmessages:",
        "18:38",
        "{generalise: ...} with month, year, decade, band",
        "",
    ),
    (
        "messages:",
        "extraction: {identifiers: [{scheme: x, category: user.name, pattern: '('}]}\nmessages:",
        "18:70",
        "this is no regular expression",
        "",
    ),
    (
        "messages:",
        "extraction: {not_personal: [{keys: [x], pattern: '.*'}]}\nmessages:",
        "18:50",
        "matches nothing at all",
        "",
    ),
    (
        "messages:",
        "extraction: {hints: [{keys: [], category: user.name}]}\nmessages:",
        "18:29",
        "'keys': list should have at least 1 item",
        "",
    ),
    ("{name: Shop}", "{name: Shop", "4:9", "this is not YAML", ""),
    (
        "id: shop",
        "id: !python/name:os.system x",
        "1:5",
        "the tag !python/name:os.system has no meaning here",
        "plain data",
    ),
    ("id: shop", "? [a]\n: b\nid: shop", "1:3", "a key must be plain text", ""),
    (GOOD, "", "1:1", "the file is empty", "pack"),
    (GOOD, "- a\n", "1:1", "this must be a mapping with the keys 'id', 'version', 'controller', 'purposes'", ""),
    (GOOD, "a: 1\n---\nb: 2\n", "2:1", "this is not YAML", ""),
]


def test_a_good_policy_is_compiled() -> None:
    """What is written is what is judged by."""
    policy = parse_policy(TEXT)
    assert policy.purposes["care"].article9 is Article9.HEALTH_CARE
    assert policy.purposes["marketing"].legal_basis is LegalBasis.CONSENT
    assert policy.purposes_of_tool("mail") == ("marketing.email",)
    assert policy.purposes_of_tool("unheard_of") == ()
    assert policy.tools["mail"].recipient is RecipientKind.TOOL
    assert policy.message_purposes == ("service",)
    rule = policy.rule("marketing.email.weekly")
    assert rule is not None
    assert rule.key == "marketing"
    assert policy.rule("market") is None


def test_defaults_are_the_strict_ones() -> None:
    """A policy that says nothing about actions blocks, and redacts only excess."""
    policy = parse_policy(TEXT)
    assert dict(policy.actions) == {
        Predicate.CONSENT: Decision.BLOCK,
        Predicate.PURPOSE: Decision.BLOCK,
        Predicate.MINIMISATION: Decision.REDACT,
        Predicate.ERASURE: Decision.BLOCK,
        Predicate.ERROR: Decision.BLOCK,
    }
    assert policy.undeclared_tool is Decision.BLOCK
    assert policy.redaction.of("user.name") == Treatment(Action.REPLACE)


def test_everything_that_can_be_said_is_kept() -> None:
    """Actions, redaction, limits, durations and identifiers arrive."""
    policy = parse_policy(
        GOOD.replace("necessary: [user.contact]", "retention: 2w")
        + """\
actions: {P2: warn, P3: block}
on_extraction_failure: warn
redaction: {default: remove, by_category: {user.contact: mask}}
limits: {max_bytes: 10, max_depth: 2, extraction_ms: 5}
extraction:
  identifiers: [{scheme: order_id, category: user.unique_id, pattern: 'W[0-9]+', keys: [order], identifies: false}]
  hints: [{keys: [nick], category: user.account.username, scheme: nick}]
  not_personal: [{keys: [sku], pattern: '[0-9]{8}'}]
"""
    )
    assert policy.purposes["essential.service"].retention == 14 * 86_400_000_000
    assert policy.undeclared_tool is Decision.WARN
    assert policy.actions[Predicate.ERROR] is Decision.WARN
    assert policy.redaction.of("user.contact.email") == Treatment(Action.MASK)
    assert policy.redaction.of("user.name") == Treatment(Action.REMOVE)
    assert (policy.limits.max_bytes, policy.limits.max_depth, policy.limits.extraction_ms) == (10, 2, 5)
    assert policy.extraction.identifiers[0].keys == ("order",)
    assert not policy.extraction.identifiers[0].identifies
    assert policy.extraction.hints[0].scheme == "nick"
    assert policy.extraction.not_personal[0].pattern == "[0-9]{8}"


@pytest.mark.parametrize(("good", "bad", "place", "message", "hint"), WRONG)
def test_what_is_wrong_is_said_with_its_place(good: str, bad: str, place: str, message: str, hint: str) -> None:
    """File, line and column, what is wrong, and what would be right."""
    assert good in GOOD
    with pytest.raises(InvalidPolicy) as raised:
        parse_policy(GOOD.replace(good, bad, 1), "shop.yaml")
    line, column = map(int, place.split(":"))
    told = {(each.place.file, each.place.line, each.place.column) for each in raised.value.problems}
    assert ("shop.yaml", line, column) in told, [str(each) for each in raised.value.problems]
    (problem,) = (each for each in raised.value.problems if (each.place.line, each.place.column) == (line, column))
    assert message in problem.message
    assert hint in problem.hint
    assert str(raised.value).startswith("shop.yaml:")


def test_all_that_is_wrong_is_said_at_once() -> None:
    """The first problem is the message; the others are there too."""
    text = GOOD.replace("[user.contact]", "[user.a, user.b]").replace("[essential.service]", "[x]")
    with pytest.raises(InvalidPolicy, match="and 2 more") as raised:
        parse_policy(text)
    assert [each.place.line for each in raised.value.problems] == [7, 7, 18]


def test_anchors_cannot_blow_a_file_up() -> None:
    """Nine lines that stand for a billion are refused early."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    with pytest.raises(InvalidPolicy, match="too large or too deep"):
        parse_policy("\n".join(lines))


def test_depth_is_limited() -> None:
    """A thousand brackets are refused, whoever gets to them first."""
    with pytest.raises(InvalidPolicy):
        parse_policy("a: " + "[" * 1000 + "]" * 1000)


def test_the_digest_is_of_what_is_said() -> None:
    """Comments, order, quotes and defaults written out do not count; a word does."""
    policy = parse_policy(GOOD)
    reordered = "\n".join(reversed(GOOD.strip().split("\n")[:3])) + "\n" + GOOD.split("\n", 3)[3]
    said_again = parse_policy("# a comment\n" + reordered + "actions: {P1: block}\nrules: []\n")
    assert said_again.digest == policy.digest
    assert len(policy.digest) == 64
    assert parse_policy(GOOD.replace("name: Shop", "name: Shops")).digest != policy.digest
    assert parse_policy(GOOD + "actions: {P3: warn}\n").digest != policy.digest


def test_the_digest_is_stable() -> None:
    """The audit refers to it: a change of its form is a decision, not an accident."""
    assert parse_policy(GOOD).digest == "c3050d217c9847d7eb825794124ca43677aeeb283ec369d35c937e0e9bd2642f"


def test_a_folder_stands_for_its_policy(tmp_path: Path) -> None:
    """A pack's folder may be named instead of the file."""
    (tmp_path / "policy.yaml").write_text(GOOD)
    assert load_policy(tmp_path) == load_policy(tmp_path / "policy.yaml")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """Absent, not text, or enormous: said without a traceback."""
    with pytest.raises(ConfigurationError, match="cannot be read"):
        load_policy(tmp_path / "absent.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"id: caf\xe9")
    with pytest.raises(ConfigurationError, match="not UTF-8"):
        load_policy(tmp_path / "latin.yaml")
    (tmp_path / "huge.yaml").write_bytes(b"#" * 2_000_001)
    with pytest.raises(ConfigurationError, match="larger than"):
        load_policy(tmp_path / "huge.yaml")


def test_packs() -> None:
    """Four come with the product, and a near miss gets a suggestion."""
    assert pack_names() == ("airline", "finassist", "gdpr_duties", "medagent", "shopper")
    assert [load_pack(name).id for name in pack_names()] == list(pack_names())
    with pytest.raises(ConfigurationError, match="did you mean 'shopper'"):
        pack_folder("shoper")
    with pytest.raises(ConfigurationError, match="the packs are airline"):
        load_pack("")
    with pytest.raises(ConfigurationError, match="there is no policy pack"):
        load_pack("../packs/shopper")


@pytest.mark.parametrize(
    ("said", "category", "treatment"),
    [
        ("user.name: placeholder", "user.name.first", Treatment(Action.PLACEHOLDER)),
        ("user.name: hash", "user.name", Treatment(Action.HASH)),
        ("user.name: hash", "user.contact.email", Treatment(Action.REPLACE)),
        (
            "user.demographic: {generalise: month}",
            "user.demographic.date_of_birth",
            Treatment(Action.GENERALISE, "month"),
        ),
        ("user.demographic: generalise", "user.demographic.date_of_birth", Treatment(Action.GENERALISE, "year")),
        ("user.demographic: generalise", "user.demographic.age_range", Treatment(Action.GENERALISE, "band")),
        ("user.contact: generalise", "user.contact.address.street", Treatment(Action.GENERALISE, "region")),
        ("user.contact: generalise", "user.contact.email", Treatment(Action.GENERALISE)),
        ("user: {generalise: band 5}", "user.demographic.age_range", Treatment(Action.GENERALISE, "band 5")),
    ],
)
def test_each_category_is_treated_as_its_nearest_name_says(said: str, category: str, treatment: Treatment) -> None:
    """A word, or how to generalise; without it, the category's own way."""
    assert parse_policy(f"{TEXT}redaction: {{by_category: {{{said}}}}}\n").redaction.of(category) == treatment


def test_how_to_generalise_is_part_of_the_digest() -> None:
    """A policy that leaves more is another policy."""
    digests = {
        parse_policy(f"{TEXT}redaction: {{by_category: {{user.demographic: {said}}}}}\n").digest
        for said in ("generalise", "{generalise: year}", "{generalise: decade}")
    }
    assert len(digests) == 3


def test_the_steps_of_reading_can_be_set() -> None:
    """A policy whose tools return long records says so; the default written out is not said."""
    policy = parse_policy(GOOD)
    assert parse_policy(GOOD + "limits: {extraction_steps: 45000}\n").digest == policy.digest
    more = parse_policy(GOOD + "limits: {extraction_steps: 400000}\n")
    assert (more.limits.extraction_steps, more.digest != policy.digest) == (400_000, True)
    assert parse_policy(GOOD + "limits: {extraction_steps: 10000000}\n").limits.extraction_steps == 10_000_000

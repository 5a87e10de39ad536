"""Drafts from tool definitions: guessed by words, marked for review, and loadable but for their mark."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.infra.drafting.draft import make_draft
from lawful.infra.drafting.guesses import guess_purpose, guess_recipient
from lawful.infra.drafting.keynames import key_names
from lawful.infra.drafting.toolfile import Tool, read_tools
from lawful.infra.drafting.writing import review_marks, write_draft
from lawful.policies.lint import lint
from lawful.policies.load import parse_policy
from lawful.policies.model import Article9, LegalBasis, Policy
from lawful.policies.problems import InvalidPolicy
from lawful.policies.written import read_written
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import RecipientKind


def schema(*names: str) -> dict[str, Any]:
    """Parameters of these names."""
    return {"type": "object", "properties": {name: {"type": "string"} for name in names}}


def drafted(*tools: Tool) -> str:
    """The text of a draft."""
    return write_draft(make_draft(tools, "sample"))


def policy_of(*tools: Tool) -> Policy:
    """The policy that a draft would be."""
    return read_written(drafted(*tools)).policy()


@pytest.mark.parametrize(
    ("name", "description", "purpose"),
    [
        ("get_user_details", "", "essential.service.operations.support"),
        ("findOrder", "", "essential.service.operations.support"),
        ("lookup-account", "", "essential.service.operations.support"),
        ("send_marketing_email", "", "marketing.communications.email"),
        ("sendPromoSms", "", "marketing.communications.sms"),
        ("launch_campaign", "", "marketing.communications"),
        ("refund_order", "", "essential.service.payment_processing"),
        ("make_payment", "", "essential.service.payment_processing"),
        ("transfer_to_human_agents", "", "essential.service.operations.support"),
        ("share_profile_with_partner", "", "third_party_sharing"),
        ("get_patient", "", "healthcare.treatment"),
        ("schedule_appointment", "", "healthcare.appointments"),
        ("screen_candidate", "", "employment.recruitment"),
        ("send_reminder", "", "essential.service.notifications"),
        ("check_fraud", "", "essential.fraud_detection"),
        ("monthly_report", "", "analytics.reporting"),
        ("blast", "Sends the newsletter by email. It may get users.", "marketing.communications.email"),
        ("x1", "Shows a user's order.", ""),
        ("calculate", "Evaluates an expression.", ""),
    ],
)
def test_a_purpose_is_guessed_from_words(name: str, description: str, purpose: str) -> None:
    """The name counts before the description, and consent before contract; no word, no guess."""
    assert guess_purpose(Tool(name, description)).value == purpose


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("share_with_partner", "third_party"),
        ("send_email", "user"),
        ("get_user", "tool"),
        ("export_data", "third_party"),
    ],
)
def test_a_recipient_is_guessed_from_the_name(name: str, kind: str) -> None:
    """What nothing tells is the tool itself."""
    assert guess_recipient(Tool(name)).value == kind


def test_categories_come_from_the_names_of_arguments() -> None:
    """Nested ones too; a name is a person's name beside other things of a person."""
    person = {"type": "object", "properties": {"name": {"type": "string"}, "dob": {"type": "string"}}}
    tool = Tool("get_user", schema={"type": "object", "properties": {"person": person, "sku": {"type": "string"}}})
    rule = policy_of(tool).purposes["essential.service.operations.support"]
    assert rule.necessary == {"user.name", "user.demographic.date_of_birth"}


def test_special_categories_get_the_strictest_condition() -> None:
    """Where the purpose has no usual condition, the subject must consent explicitly."""
    support = policy_of(Tool("get_user", schema=schema("diagnosis"))).purposes["essential.service.operations.support"]
    care = policy_of(Tool("get_patient", schema=schema("diagnosis"))).purposes["healthcare.treatment"]
    assert support.article9 is Article9.EXPLICIT_CONSENT
    assert care.article9 is Article9.HEALTH_CARE


def test_criminal_records_are_left_out_with_a_word_about_it() -> None:
    """No draft claims an authorisation under Art. 10."""
    text = drafted(Tool("get_user", schema=schema("criminal_record", "email")))
    assert "user.criminal_history is left out" in text
    assert read_written(text).policy().purposes["essential.service.operations.support"].necessary == {
        "user.contact.email"
    }


def test_marketing_rests_on_consent() -> None:
    """The guess that asks more of the controller is made."""
    rule = policy_of(Tool("send_marketing_email", schema=schema("email"))).purposes["marketing.communications.email"]
    assert rule.legal_basis is LegalBasis.CONSENT
    assert policy_of(Tool("send_marketing_email")).tools["send_marketing_email"].recipient is RecipientKind.USER


def test_a_tool_that_nothing_tells_about_gets_no_purpose() -> None:
    """Personal data in it is blocked until somebody says what it is for."""
    assert policy_of(Tool("think")).tools["think"].purposes == ()


def test_a_draft_is_refused_until_its_mark_is_deleted() -> None:
    """Then the same text is a policy."""
    text = drafted(Tool("get_user", schema=schema("email")))
    with pytest.raises(InvalidPolicy, match="draft whose guesses nobody has confirmed"):
        parse_policy(text)
    assert parse_policy(text.replace("draft: true\n", "", 1)).digest == read_written(text).policy().digest


def test_every_guess_is_marked_with_its_reason() -> None:
    """Each tool's purpose, each category, each legal basis and the controller have a mark."""
    text = drafted(Tool("send_marketing_email", schema=schema("email")))
    marks = "\n".join(review_marks(text))
    for reason in (
        "'marketing' and 'email' in its name",
        "'email' of send_marketing_email",
        "legal basis",
        "controller",
    ):
        assert any(reason in line for line in marks.splitlines()) or reason == "controller"
    assert "who answers for the processing" in marks


def test_a_draft_lints_without_errors() -> None:
    """The linter says that it is a draft."""
    report = lint(drafted(Tool("get_user", schema=schema("email"))), "policy.yaml", key_names())
    assert not report.errors
    assert [flaw.code for flaw in report.flaws] == ["draft"]


def test_schemas_lose_prose_and_keep_what_validates() -> None:
    """Examples hold real data now and then; a property that is called `description` stays."""
    said = {"type": "string", "examples": ["jane@example.com"], "description": "hers", "maxLength": 80}
    tool = Tool("get_user", schema={"type": "object", "title": "T", "properties": {"description": said}})
    kept = policy_of(tool).tools["get_user"].schema
    assert kept == {"type": "object", "properties": {"description": {"type": "string", "maxLength": 80}}}


@pytest.mark.parametrize(
    "bad", [{"type": "string"}, {"type": 3}, {"type": "object", "properties": {"a": {"$ref": "https://x.example/y"}}}]
)
def test_a_schema_that_cannot_be_used_is_left_out_with_a_reason(bad: dict[str, Any]) -> None:
    """The rest of the tool is drafted all the same."""
    text = drafted(Tool("get_user", schema=bad))
    assert "# review: no schema: its parameters cannot be used" in text
    assert read_written(text).policy().tools["get_user"].schema is None


BARE = {"name": "get_user", "description": "Finds one.", "parameters": schema("email")}


@pytest.mark.parametrize(
    "data",
    [
        [{"type": "function", "function": BARE}],
        [BARE],
        BARE,
        {"tools": [{"type": "function", "function": BARE}]},
        {"functions": [BARE]},
        [{"name": "get_user", "description": "Finds one.", "inputSchema": schema("email")}],
        {"jsonrpc": "2.0", "id": 1, "result": {"tools": [{**BARE, "inputSchema": schema("email")}]}},
        [{"name": "get_user", "description": "Finds one.", "input_schema": schema("email")}],
        [{"type": "function", **BARE, "strict": True}],
    ],
)
def test_the_common_forms_of_tool_definitions_are_read(data: Any) -> None:
    """OpenAI's two, requests that hold them, MCP's and Anthropic's all mean the same tool."""
    assert read_tools(json.dumps(data), "tools.json") == (Tool("get_user", "Finds one.", schema("email")),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "tools.json:1:1: this is not JSON"),
        ("{", "tools.json:1:2: this is not JSON"),
        ("[" * 100_000, "nested too deeply"),
        ("[]", "has 0 tools"),
        ("3", "holds no tool definitions"),
        ('{"paths": {}}', "holds no tool definitions"),
        ("[3]", "tool 1 is no JSON object"),
        ('[{"description": "x"}]', "tool 1 has no usable 'name'"),
        ('[{"name": ""}]', "tool 1 has no usable 'name'"),
        ('[{"name": "a\\nb"}]', "tool 1 has no usable 'name'"),
        ('[{"type": "web_search", "name": "x"}]', "type other than 'function'"),
        ('[{"type": "function", "function": 3}]', "'function' is no JSON object"),
        ('[{"name": "x", "description": 3}]', "'description' is no text"),
        ('[{"name": "x", "parameters": []}]', "no JSON Schema object"),
        ('[{"name": "x"}, {"name": "x"}]', "defines the tool 'x' twice"),
    ],
)
def test_what_holds_no_tools_is_refused_with_the_place(text: str, message: str) -> None:
    """The message says which entry is wrong."""
    with pytest.raises(ConfigurationError, match=message.replace("[", r"\[")):
        read_tools(text, "tools.json")


_TEXT = st.text(max_size=24)
_LEAVES = st.fixed_dictionaries(
    {}, optional={"type": st.sampled_from(["string", "object", "wrong"]), "enum": st.lists(_TEXT)}
)
_SCHEMAS = st.none() | st.fixed_dictionaries(
    {}, optional={"type": st.just("object"), "properties": st.dictionaries(_TEXT, _LEAVES, max_size=3)}
)
_NAMES = _TEXT.filter(lambda name: bool(name.strip()) and name.isprintable())


@settings(max_examples=60, deadline=None)
@given(st.lists(st.builds(Tool, _NAMES, _TEXT, _SCHEMAS), min_size=1, max_size=3, unique_by=lambda tool: tool.name))
def test_whatever_the_tools_are_called_the_draft_loads(tools: list[Tool]) -> None:
    """No name, description or schema breaks the YAML, or ends up as something else."""
    policy = policy_of(*tools)
    assert set(policy.tools) == {tool.name for tool in tools}

"""Which channels an event travels: whatever is not known of a recipient counts against it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawful.policies.channels.matching import channels_of, fits
from lawful.policies.load import parse_policy
from lawful.policies.model import Policy
from lawful.schemas.event import (
    AgentEvent,
    AgentMessage,
    AssistantMessage,
    ConsentGiven,
    Identifier,
    MemoryRead,
    MemoryWrite,
    Payload,
    Recipient,
    RecipientKind,
    ToolCall,
    ToolResult,
    UserMessage,
)
from lawful.schemas.legible import plain_id

HEAD = """
id: sample
version: "1"
controller: {name: Sample}
purposes:
  service: {legal_basis: contract, necessary: [user]}
tools:
  export: {purposes: [service], recipient: third_party}
  find: {purposes: [service]}
messages: {purposes: [service]}
roles: {doctor: [doctor, "dr-*"], supervisor: [supervisor]}
regions: {US: ["acme-*", export]}
recipients:
  - name: it
    categories: {user: block}
"""


def policy(*lines: str) -> Policy:
    """A policy with one channel that says these things."""
    return parse_policy(HEAD + "".join(f"    {line}\n" for line in lines))


def event(payload: Payload, recipient: Recipient | None = None, agent: str = "front") -> AgentEvent:
    """An event of that agent."""
    return AgentEvent(
        event_id="e",
        occurred_at=0,
        tenant_id="t",
        source="urn:test",
        agent_id=agent,
        session_id="s",
        payload=payload,
        recipient=recipient,
        subjects=(Identifier("email", "ada@example.com"),),
    )


def to(kind: RecipientKind, name: str, region: str | None = None) -> AgentEvent:
    """A message to that recipient."""
    return event(AgentMessage("hi"), Recipient(kind, name, region))


AGENT, LLM, USER, OTHER = RecipientKind.AGENT, RecipientKind.LLM, RecipientKind.USER, RecipientKind.THIRD_PARTY


@pytest.mark.parametrize(
    ("said", "travels", "does_not"),
    [
        ("to: {kind: llm}", to(LLM, "any"), to(AGENT, "any")),
        ("to: {kind: [llm, third_party]}", to(OTHER, "any"), to(USER, "any")),
        ("to: {id: 'night-*'}", to(AGENT, "Night-shift"), to(AGENT, "day-shift")),
        ("to: {role: supervisor}", to(AGENT, "supervisor"), to(AGENT, "doctor")),
        ("to: {role: supervisor}", to(USER, "Supervisor"), to(USER, "dr-house")),
        ("to: {region: US}", to(LLM, "m", "US"), to(LLM, "m", "DE")),
        ("to: {region: US}", to(LLM, "m"), to(LLM, "m", "DE")),
        ("to: {region: US}", to(OTHER, "acme-mail", "DE"), to(OTHER, "other", "DE")),
        ("to: {outside: [DE, FR]}", to(OTHER, "m", "US"), to(OTHER, "m", "FR")),
        ("to: {outside: [DE, FR]}", to(OTHER, "m"), to(OTHER, "m", "de")),
        ("except: {role: doctor}", to(AGENT, "supervisor"), to(AGENT, "dr-house")),
        ("except: {role: doctor, kind: agent}", to(USER, "dr-house"), to(AGENT, "dr-house")),
        ("except: {id: 'dr-*'}", to(AGENT, "DR-house"), to(AGENT, "dr-house")),
        ("except: {region: [DE, FR]}", to(LLM, "m"), to(LLM, "m", "FR")),
        ("except: {outside: [US]}", to(LLM, "m", "US"), to(LLM, "m", "FR")),
        ("from: {id: 'ward-*'}", event(AgentMessage("x"), agent="ward-3"), event(AgentMessage("x"), agent="front")),
        ("from: {kind: tool}", event(ToolResult("find", "c", "x")), event(ToolCall("find", "c", "{}"))),
        ("from: {id: find}", event(ToolResult("find", "c", "x")), event(ToolResult("export", "c", "x"))),
        ("from: {id: somebody}", event(MemoryRead("k", "x")), event(UserMessage("x"))),
        ("to: {kind: user}", event(AssistantMessage("x")), event(UserMessage("x"))),
        ("to: {id: front}", event(UserMessage("x")), event(UserMessage("x"), agent="back")),
        ("to: {kind: memory}", event(MemoryWrite("k", "x")), event(MemoryRead("k", "x"))),
        ("to: {kind: third_party}", event(ToolCall("export", "c", "{}")), event(ToolCall("find", "c", "{}"))),
        ("to: {kind: tool, id: find}", event(ToolCall("find", "c", "{}")), event(ToolCall("export", "c", "{}"))),
        ("to: {role: supervisor}", event(AgentMessage("x")), event(ConsentGiven(("service",)))),
        ("to: {kind: third_party}", event(AgentMessage("x")), event(AssistantMessage("x"))),
    ],
)
def test_a_channel_is_travelled_by_whom_it_is_about(said: str, travels: AgentEvent, does_not: AgentEvent) -> None:
    """By kind, id, role and region, by the sender, and by all whom nobody has named."""
    assert channels_of(travels, policy(said)) == ("it",)
    assert channels_of(does_not, policy(said)) == ()


@pytest.mark.parametrize(
    ("said", "travels"),
    [
        ("to: {id: find}", True),
        ("to: {kind: tool, id: [find]}", True),
        ("to: {id: mailer}", True),
        ("to: {id: export}", False),
        ("to: {outside: [DE]}", False),
        ("except: {id: mailer}", False),
        ("except: {id: find}", True),
    ],
)
def test_a_call_goes_to_its_tool_whomever_else_it_names(said: str, travels: bool) -> None:  # noqa: FBT001
    """Naming another recipient takes no call off its tool's channels; where that recipient is, the tool may be, too."""
    call = event(ToolCall("find", "c", "{}"), Recipient(RecipientKind.TOOL, "mailer", "DE"))
    assert channels_of(call, policy(said)) == (("it",) if travels else ())


@pytest.mark.parametrize(
    "written",
    [
        "outreach ",
        "\u00a0Outreach\n",
        "out\u200breach",
        "\ufeffoutreach\x00",
        "\uff4futreach",
        "outreach\u2800",
        "out\u00adreach",
    ],
)
def test_an_id_is_read_as_it_looks(written: str) -> None:
    """A sender takes nothing off a channel by what cannot be seen, in an event's id or in the policy's."""
    rules = [policy(f"{end}: {who}") for end in ("to", "from") for who in ("{id: outreach}", '{id: "out*\u200breach"}')]
    sent = event(AgentMessage("x"), Recipient(AGENT, written), agent=written)
    assert [channels_of(sent, each) for each in rules] == [("it",)] * 4
    assert channels_of(event(UserMessage("x"), agent=written), rules[0]) == ("it",)
    assert channels_of(event(ToolCall(written, "c", "{}")), rules[0]) == ("it",)


@pytest.mark.parametrize(
    ("said", "travels"),
    [
        ("to: {role: supervisor}", to(AGENT, "supervisor\u200b")),
        ("to: {region: US}", to(OTHER, "acme-mail ", "DE")),
        ("to: {region: US}", to(LLM, "m", "\uff35S\u200b")),
        ("to: {region: US}", to(LLM, "m", " ")),
        ("to: {id: nobody}", to(AGENT, "\u200b ")),
        ("from: {id: nobody}", event(AgentMessage("x"), agent="\u200b")),
        ("except: {id: doctor}", to(AGENT, "doctor\u200b")),
        ("except: {role: doctor}", to(AGENT, "doctor ")),
        ("except: {region: US}", to(OTHER, "acme-mail\u200b")),
        ("except: {outside: [US]}", to(LLM, "m", "\u200b")),
        ("except: {id: 'doctor\u200b*'}", to(AGENT, "nurse")),
    ],
)
def test_what_is_not_written_plainly_counts_against_the_recipient(said: str, travels: AgentEvent) -> None:
    """Roles and regions go by the id as it looks, an id of nothing is none, and nobody is exempt by a likeness."""
    assert channels_of(travels, policy(said)) == ("it",)


def test_who_is_exempt_by_kind_may_have_any_id() -> None:
    """Ids play no part there; a policy's own is read as it looks."""
    assert channels_of(to(USER, "Bob "), policy("except: {kind: user}")) == ()
    assert channels_of(to(AGENT, "doctor"), policy('except: {id: "doctor\u200b "}')) == ()


def test_the_regions_of_a_policy_are_read_as_they_look() -> None:
    """Two spellings of one region are one, in its list and in its channels."""
    head = HEAD.replace("regions: {US:", 'regions: {"\uff35S": ["other "], US:')
    rules = parse_policy(head + '    to: {region: "US\u200b"}\n')
    assert channels_of(to(OTHER, "acme-mail", "DE"), rules) == channels_of(to(OTHER, "other", "DE"), rules) == ("it",)
    assert channels_of(to(OTHER, "third", "DE"), rules) == ()


def test_a_policy_that_says_nothing_of_recipients_has_no_channels() -> None:
    """So nothing is looked up for it."""
    without = parse_policy(HEAD[: HEAD.index("recipients:")])
    assert without.channels is None
    assert channels_of(to(AGENT, "any"), without) == ()


@given(st.text())
def test_a_plain_id_is_plain_already(text: str) -> None:
    """So it does not matter how often an id is read."""
    assert plain_id(plain_id(text)) == plain_id(text)


@given(st.text(alphabet="ab", max_size=12), st.text(alphabet="ab*", max_size=8))
def test_a_pattern_fits_as_in_file_names(name: str, pattern: str) -> None:
    """`*` is any run of characters, every other character itself; checked against a slow reading of that."""

    def slow(text: str, left: str) -> bool:
        if not left:
            return not text
        if left[0] == "*":
            return slow(text, left[1:]) or (bool(text) and slow(text[1:], left))
        return text[:1] == left[0] and slow(text[1:], left[1:])

    assert fits(name, pattern) == slow(name, pattern)

"""Tasks of tau2-bench: what the user wants, then the tool calls of the reference solution.

The user's request and what the user knows become one message; each action a tool call. The
customer is the one whose id the task's actions or the user's own words give; a task that
never names one is about nobody known.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from lawful.infra.ingest.documents import Document
from lawful.infra.ingest.fields import fields_of
from lawful.infra.ingest.mint import Mint
from lawful.infra.ingest.report import Report, UnreadableTrace
from lawful.infra.ingest.values import a_list, a_text, an_object, as_json, first_text
from lawful.schemas.event import AgentEvent, Identifier, Recipient, RecipientKind, ToolCall, UserMessage

NAME = "tau2"
_POLICIES = {"retail": "shopper", "airline": "airline"}
_USER_ID = re.compile(r"\b[a-z]+_[a-z]+_\d{3,}\b")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_SCENARIO = "user_scenario.instructions"
_FIELDS = fields_of(
    used=(
        "id",
        f"{_SCENARIO}.domain",
        f"{_SCENARIO}.reason_for_call",
        f"{_SCENARIO}.known_info",
        "evaluation_criteria.actions[].action_id",
        "evaluation_criteria.actions[].name",
        "evaluation_criteria.actions[].arguments.**",
    ),
    left_out=(
        "description",
        "issues",
        "annotations",
        "user_scenario.persona",
        f"{_SCENARIO}.task_instructions",
        f"{_SCENARIO}.unknown_info",
        "evaluation_criteria.communicate_info",
        "evaluation_criteria.nl_assertions",
        "evaluation_criteria.reward_basis",
        "evaluation_criteria.actions[].info",
    ),
)


def looks_like(value: object) -> bool:
    """Whether a document is a tau2 task."""
    return isinstance(value, dict) and "user_scenario" in value and "evaluation_criteria" in value


def parse(documents: Iterable[Document], mint: Mint, report: Report) -> Iterator[AgentEvent]:
    """Events of tasks, in the order of the file. A list of tasks is one document."""
    for document in documents:
        tasks = document.value if isinstance(document.value, list) else [document.value]
        for number, task in enumerate(tasks, start=1):
            try:
                yield from _task(an_object(task, f"task {number}"), mint, report)
            except UnreadableTrace as error:
                report.problem(document.place, f"task {number}: {error}")


def _task(task: dict[str, Any], mint: Mint, report: Report) -> list[AgentEvent]:
    task_id = first_text(task, "id")
    if task_id is None:
        raise UnreadableTrace("a task needs an id")
    scenario = an_object(task.get("user_scenario"), "user_scenario")
    instructions = an_object(scenario.get("instructions"), _SCENARIO)
    criteria = an_object(task.get("evaluation_criteria") or {}, "evaluation_criteria")
    actions = [an_object(each, "an action") for each in a_list(criteria.get("actions"), "actions")]
    domain = first_text(instructions, "domain") or "tau2"
    said = "\n\n".join(
        text for name in ("reason_for_call", "known_info") if (text := first_text(instructions, name)) is not None
    )
    payloads: list[UserMessage | ToolCall] = [UserMessage(said)] if said else []
    payloads += [_call(action) for action in actions]
    subject = _subject(said, actions)
    _FIELDS.account(task, report)
    agent = f"tau2-{domain}-agent"
    return [
        mint.event(
            payload,
            format_name=NAME,
            session_id=f"tau2-{domain}-{task_id}",
            task_id=task_id,
            agent_id=agent,
            recipient=_recipient(payload, agent),
            subjects=(subject,) if subject else (),
            policy_id=_POLICIES.get(domain),
        )
        for payload in payloads
    ]


def _call(action: dict[str, Any]) -> ToolCall:
    name = a_text(action.get("name"), "an action's name")
    arguments = an_object(action.get("arguments") or {}, f"the arguments of {name}")
    return ToolCall(tool=name, call_id=first_text(action, "action_id") or name, arguments=as_json(arguments))


def _recipient(payload: UserMessage | ToolCall, agent: str) -> Recipient:
    if isinstance(payload, ToolCall):
        return Recipient(RecipientKind.TOOL, payload.tool)
    return Recipient(RecipientKind.AGENT, agent)


def _subject(said: str, actions: list[dict[str, Any]]) -> Identifier | None:
    """The customer: by user id where one is given, else by e-mail address."""
    arguments: list[dict[str, Any]] = [each.get("arguments") or {} for each in actions]
    for scheme, name, pattern in (("customer_id", "user_id", _USER_ID), ("email", "email", _EMAIL)):
        named = next((text for each in arguments if (text := first_text(each, name))), None)
        found = pattern.search(said)
        value = named or (found.group() if found else None)
        if value:
            return Identifier(scheme, value)
    return None

"""LangGraph: a `ToolNode` behind the guard."""

from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import Command, interrupt

from lawful.adapters.langgraph import Wrappers, guarded
from lawful.client import AsyncGuard, Guard
from tests.adapters.conftest import Office
from tests.adapters.tools import NOTE, SEEN, WHO, Desk


@pytest.fixture
def desk() -> Desk:
    """The tools."""
    return Desk()


def graph(desk: Desk, wrappers: Wrappers, *more: Any) -> Any:
    """One node that runs tools."""
    tools = [tool(desk.find_order), tool(desk.send_mail), *more]
    built = StateGraph(MessagesState)
    built.add_node("tools", ToolNode(tools, **wrappers))
    built.add_edge(START, "tools")
    return built.compile(checkpointer=InMemorySaver())


def asks(name: str, **arguments: Any) -> dict[str, Any]:
    """A model that wants one tool call."""
    return {"messages": [AIMessage("", tool_calls=[{"name": name, "args": arguments, "id": "1", "type": "tool_call"}])]}


CONFIG: Any = {"configurable": {"thread_id": "t"}}


def last(state: Any) -> ToolMessage:
    """What the model reads next."""
    message = state["messages"][-1]
    assert isinstance(message, ToolMessage)
    return message


def test_a_call_runs_redacted_and_its_result_is_seen_redacted(office: Office, desk: Desk) -> None:
    """The tool gets what may be passed, the model sees what may be seen."""
    guard = office.guard()
    with guard.session(subject=WHO):
        answer = last(graph(desk, guarded(guard)).invoke(asks("find_order", note=NOTE), CONFIG))
    assert desk.got == [SEEN]
    assert (answer.content, answer.status) == (f"1 order; {SEEN}", "success")
    assert office.judged() == ["ToolCall", "ToolResult"]


def test_what_may_pass_passes_unchanged(office: Office, desk: Desk) -> None:
    """Nothing is hidden that need not be."""
    guard = office.guard("lenient")
    with guard.session(subject=WHO):
        answer = last(graph(desk, guarded(guard)).invoke(asks("find_order", note=NOTE), CONFIG))
    assert (desk.got, answer.content) == ([NOTE], f"1 order; {NOTE}")


def test_a_blocked_call_is_an_error_that_the_model_reads(office: Office, desk: Desk) -> None:
    """The tool does not run; the message says which rule and why."""
    guard = office.guard()
    with guard.session(subject=WHO):
        answer = last(graph(desk, guarded(guard)).invoke(asks("send_mail", note=WHO.value), CONFIG))
    assert desk.got == []
    assert answer.status == "error"
    assert "consent_missing" in str(answer.content)
    assert WHO.value not in str(answer.content)


def test_no_verdict_in_time_is_a_block(silent: Guard, desk: Desk) -> None:
    """Without an answer nothing runs."""
    with silent.session(subject=WHO):
        answer = last(graph(desk, guarded(silent)).invoke(asks("find_order", note="x"), CONFIG))
    assert desk.got == []
    assert "no_verdict" in str(answer.content)


async def test_an_awaited_graph_is_guarded_too(office: Office, desk: Desk) -> None:
    """The same by `ainvoke`."""
    guard = office.async_guard()
    built = graph(desk, guarded(guard))
    with guard.session(subject=WHO):
        answer = last(await built.ainvoke(asks("find_order", note=NOTE), CONFIG))
        stopped = last(await built.ainvoke(asks("send_mail", note=WHO.value), CONFIG))
    assert (desk.got, answer.content) == ([SEEN], f"1 order; {SEEN}")
    assert "consent_missing" in str(stopped.content)


def test_a_graph_that_must_be_awaited_blocks_where_it_is_not(async_silent: AsyncGuard, desk: Desk) -> None:
    """The wrong way to run it lets nothing through."""
    answer = last(graph(desk, guarded(async_silent)).invoke(asks("find_order", note="x"), CONFIG))
    assert (desk.got, answer.status) == ([], "error")


def test_a_human_may_give_other_arguments_which_are_judged_too(office: Office, desk: Desk) -> None:
    """A block interrupts the graph; no answer of a human passes unjudged."""
    guard = office.guard()
    built = graph(desk, guarded(guard, ask_human=True))
    with guard.session(subject=WHO):
        waiting = built.invoke(asks("send_mail", note=WHO.value), CONFIG)
        assert waiting["__interrupt__"][0].value["reasons"] == ["consent_missing"]
        again = built.invoke(Command(resume={"arguments": {"note": f"again {WHO.value}"}}), CONFIG)
        assert again["__interrupt__"]
        assert desk.got == []
        answer = last(built.invoke(Command(resume={"arguments": {"note": "nobody"}}), CONFIG))
    assert (desk.got, answer.content) == (["nobody"], "sent")


def test_a_human_may_leave_it_blocked(office: Office, desk: Desk) -> None:
    """Any other answer means no."""
    guard = office.guard()
    built = graph(desk, guarded(guard, ask_human=True))
    with guard.session(subject=WHO):
        built.invoke(asks("send_mail", note=WHO.value), CONFIG)
        answer = last(built.invoke(Command(resume="yes, do it"), CONFIG))
    assert (desk.got, answer.status) == ([], "error")


def test_a_tool_may_still_interrupt_the_graph_itself(office: Office, desk: Desk) -> None:
    """What a tool asks of the graph gets there, and its result is judged once it has one."""

    @tool
    def find_order(note: str) -> str:
        """Asks somebody first."""
        return f"{interrupt('sure?')}; {NOTE}"

    guard = office.guard()
    built = graph(desk, guarded(guard), find_order)
    with guard.session(subject=WHO):
        waiting = built.invoke(asks("find_order", note="x"), CONFIG)
        assert waiting["__interrupt__"][0].value == "sure?"
        answer = last(built.invoke(Command(resume="sure"), CONFIG))
    assert answer.content == f"sure; {SEEN}"

"""LangGraph: one argument puts a `ToolNode` behind the guard."""

from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from local import MAIL, SHOPPER, get_user_details, send_marketing_email, transport

from lawful.adapters.langgraph import guarded
from lawful.client import Guard


def main(guard: Guard) -> None:
    """What a model would read after asking for two tools."""
    graph = StateGraph(MessagesState)
    graph.add_node("tools", ToolNode([tool(get_user_details), tool(send_marketing_email)], **guarded(guard)))
    graph.add_edge(START, "tools")
    asked = {"get_user_details": {"user_id": SHOPPER}, "send_marketing_email": MAIL}
    calls = [{"name": name, "args": args, "id": name, "type": "tool_call"} for name, args in asked.items()]
    with guard.session(subject=("customer_id", SHOPPER)):
        for answer in graph.compile().invoke({"messages": [AIMessage("", tool_calls=calls)]})["messages"][1:]:
            print(answer.content)


if __name__ == "__main__":
    with Guard(transport(), agent="shop-bot", policy="shopper") as guard:
        main(guard)

"""OpenTelemetry: agents without an adapter are watched by the GenAI spans that they already emit.

```python
provider.add_span_processor(GenAISpans(guard))
```

A span tells what has happened, so nothing is stopped here: every event gets its verdict and its place in
the audit trail. Content is in spans only where the instrumentation was told to capture it. Source:
OpenTelemetry's semantic conventions for generative AI (status: development).
"""

import json
import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any, Final

from opentelemetry.sdk.trace import ReadableSpan, SpanProcessor
from opentelemetry.trace import format_span_id, format_trace_id

from lawful.client import AsyncGuard, Guard
from lawful.client.scope import IdentifierLike
from lawful.schemas.event import AssistantMessage, Payload, ToolCall, ToolResult, UserMessage
from lawful.schemas.verdict import Verdict

log: Final = logging.getLogger(__name__)

Attributes = Mapping[str, Any]
Subject = Callable[[Attributes], IdentifierLike | None]

_PREFIX: Final = "gen_ai."


def end_user(attributes: Attributes) -> IdentifierLike | None:
    """The person whom a span names by `user.id` or, before, `enduser.id`."""
    found = attributes.get("user.id") or attributes.get("enduser.id")
    return ("customer_id", str(found)) if found else None


class GenAISpans(SpanProcessor):
    """Publishes what ended spans tell of tool calls and messages.

    Args:
        guard: speaks for agents; a span's own agent id and conversation go into the event.
        subject: whom a span is about.
        heard: called with each verdict once there is one, in the transport's thread: to count, or to alarm.
    """

    def __init__(
        self,
        guard: Guard | AsyncGuard,
        *,
        subject: Subject = end_user,
        heard: Callable[[Verdict], object] | None = None,
    ) -> None:
        self._guard = guard
        self._subject = subject
        self._heard = heard

    def on_end(self, span: ReadableSpan) -> None:
        """Publishes and goes on: an application never waits for its telemetry, nor fails with it."""
        attributes = span.attributes or {}
        if not any(name.startswith(_PREFIX) for name in attributes):
            return
        try:
            for payload in payloads(attributes):
                verdict = self._guard.publish(
                    payload,
                    subject=self._subject(attributes),
                    session_id=_text(attributes.get("gen_ai.conversation.id")),
                    agent=_text(attributes.get("gen_ai.agent.id") or attributes.get("gen_ai.agent.name")),
                    traceparent=_traceparent(span),
                )
                verdict.add_done_callback(self._tell)
        except Exception as error:  # noqa: BLE001 - whatever it is, the application goes on
            log.warning("a span was not published: %s", type(error).__name__)

    def _tell(self, verdict: "Future[Verdict]") -> None:
        if self._heard is None or verdict.cancelled() or verdict.exception() is not None:
            return
        try:
            self._heard(verdict.result())
        except Exception as error:  # noqa: BLE001 - a future would log it with its text
            log.warning("whoever wanted to hear of verdicts failed: %s", type(error).__name__)


def payloads(attributes: Attributes) -> Iterator[Payload]:
    """What a span's attributes tell, in the order in which it happened."""
    tool = _text(attributes.get("gen_ai.tool.name"))
    if tool is not None:
        call = _text(attributes.get("gen_ai.tool.call.id")) or ""
        yield ToolCall(tool, call, _json(attributes.get("gen_ai.tool.call.arguments"), "{}"))
        if (result := attributes.get("gen_ai.tool.call.result")) is not None:
            yield ToolResult(tool, call, _json(result, ""))
        return
    if asked := _last(attributes.get("gen_ai.input.messages"), "user"):
        yield UserMessage(asked)
    if said := _last(attributes.get("gen_ai.output.messages"), "assistant"):
        yield AssistantMessage(said)


def _last(raw: Any, role: str) -> str:
    """The text of the last message of a role: a conversation's earlier ones were in earlier spans."""
    messages = json.loads(raw) if isinstance(raw, str) else raw
    of_role = [one for one in messages or () if isinstance(one, Mapping) and one.get("role") == role]
    parts = of_role[-1].get("parts", ()) if of_role else ()
    return "\n".join(str(part["content"]) for part in parts if isinstance(part, Mapping) and "content" in part)


def _json(value: Any, default: str) -> str:
    if value is None:
        return default
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


def _traceparent(span: ReadableSpan) -> str | None:
    context = span.get_span_context()
    if context is None:
        return None
    return f"00-{format_trace_id(context.trace_id)}-{format_span_id(context.span_id)}-{int(context.trace_flags):02x}"

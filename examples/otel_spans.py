"""OpenTelemetry: an agent without an adapter is watched by its GenAI spans."""

import json
from queue import Queue

from local import MAIL, transport
from opentelemetry.sdk.trace import TracerProvider

from lawful.adapters.otel import GenAISpans
from lawful.client import Guard


def main(guard: Guard) -> None:
    """The span ends, the event is judged and audited; nothing is stopped."""
    provider, verdicts = TracerProvider(), Queue()
    provider.add_span_processor(GenAISpans(guard, heard=verdicts.put))
    with provider.get_tracer("agent").start_as_current_span("execute_tool") as span:
        span.set_attributes({"gen_ai.tool.name": "send_marketing_email", "gen_ai.agent.id": "mailer"})
        span.set_attributes({"user.id": "carl_fox_5678", "gen_ai.tool.call.arguments": json.dumps(MAIL)})
    verdict = verdicts.get(timeout=60)
    print(f"{verdict.decision.name.lower()} in trace {span.get_span_context().trace_id:032x}")
    print(*[violation.message for violation in verdict.violations], sep="\n")


if __name__ == "__main__":
    with Guard(transport(), agent="watcher", policy="shopper") as guard:
        main(guard)

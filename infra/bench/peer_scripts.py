"""What runs in a peer's own environment, with that package's public names only.

Each script defines `make()`, which gives `decide(before, event)`: whether the event is stopped, after those before it.
The rules say as much of P1 to P4 as the package's own language can say about one event; where it sees a trace, about
the trace. What is excessive is a card's number, which every one of them can recognise.
"""

from typing import Final

HARNESS: Final = """
import json, sys, time, statistics, warnings
warnings.simplefilter("ignore")
with open(sys.argv[1]) as file:
    given = json.load(file)
decide = make()
found = {"version": __import__("importlib.metadata").metadata.version(sys.argv[2])}
for event in given["events"][:10]:
    decide([], event)
rounds = []
for _ in range(given["rounds"]):
    times = []
    for event in given["events"]:
        begun = time.perf_counter()
        decide([], event)
        times.append((time.perf_counter() - begun) * 1000)
    rounds.append(statistics.median(times))
found["rounds"] = rounds
found["stopped"] = {name: bool(decide(events[:-1], events[-1])) for name, events in given["cases"].items()}
print("JSON " + json.dumps(found))
"""

_AGENT_GOVERNANCE: Final = """
from agent_os.policies import PolicyEvaluator
from agent_os.policies.schema import PolicyAction, PolicyCondition, PolicyDefaults
from agent_os.policies.schema import PolicyDocument, PolicyOperator, PolicyRule

def make():
    def rule(name, field, operator, value):
        condition = PolicyCondition(field=field, operator=operator, value=value)
        return PolicyRule(name=name, condition=condition, action=PolicyAction.DENY)
    rules = [
        rule("purpose", "purpose", PolicyOperator.NOT_IN, given["purposes"]),
        rule("card", "text", PolicyOperator.MATCHES, "([0-9][ -]?){15,16}"),
    ]
    document = PolicyDocument(name="bench", rules=rules, defaults=PolicyDefaults(action=PolicyAction.ALLOW))
    evaluator = PolicyEvaluator(policies=[document])
    def decide(before, event):
        context = {"tool_name": event["tool"], "purpose": event["purpose"], "text": event["text"]}
        return not evaluator.evaluate(context).allowed
    return decide
"""

_INVARIANT: Final = """
from invariant.analyzer import LocalPolicy

RULES = '''
raise "purpose" if:
    (call: ToolCall)
    not (call.function.arguments.purpose in %s)

raise "card" if:
    (call: ToolCall)
    match(".*([0-9][ -]?){15,16}.*", call.function.arguments.text)

raise "erased" if:
    (request: ToolCall) -> (call: ToolCall)
    request.function.name == "DataSubjectRequest"
    request.function.arguments.subject == call.function.arguments.subject
'''

def message(number, event):
    arguments = {"subject": event["subject"], "purpose": event["purpose"], "text": event["text"]}
    function = {"name": event["tool"] or event["kind"], "arguments": arguments}
    call = {"id": str(number), "type": "function", "function": function}
    return {"role": "assistant", "content": None, "tool_calls": [call]}

def make():
    policy = LocalPolicy.from_string(RULES % json.dumps(given["purposes"]))
    def decide(before, event):
        trace = [message(number, each) for number, each in enumerate([*before, event])]
        return bool(policy.analyze_pending(trace[:-1], trace[-1:]).errors)
    return decide
"""

_LLM_GUARD: Final = """
from llm_guard.output_scanners import Sensitive

def make():
    scanner = Sensitive(entity_types=["CREDIT_CARD"], redact=False)
    def decide(before, event):
        return not scanner.scan("", event["text"])[1]
    return decide
"""

_OPENAI_GUARDRAILS: Final = """
import asyncio
from guardrails.checks.text.pii import PIIConfig, PIIEntity, pii

def make():
    config, loop = PIIConfig(entities=[PIIEntity.CREDIT_CARD], block=True), asyncio.new_event_loop()
    def decide(before, event):
        return loop.run_until_complete(pii(None, event["text"], config)).tripwire_triggered
    return decide
"""

SCRIPTS: Final = {
    "agent-governance-toolkit-core": _AGENT_GOVERNANCE,
    "invariant-ai": _INVARIANT,
    "llm-guard": _LLM_GUARD,
    "openai-guardrails": _OPENAI_GUARDRAILS,
}

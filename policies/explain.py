"""`lawful policy explain`: a policy in plain words, for officers who read no YAML.

An explanation is data (`facts`, for programs) and sentences (`words`, for people) that say the same.
Both come from the look-ups that the judge uses, so that what is explained is what happens.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lawful.policies.arguments import Argument, arguments_of
from lawful.policies.keynames import KeyNames, category_of
from lawful.policies.labels.model import Labels, WithoutPlace
from lawful.policies.model import Article9, LegalBasis, Policy, PurposeRule, ToolRule
from lawful.policies.problems import did_you_mean
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Micros
from lawful.schemas.taxonomy import categories, covers, is_personal, special_kind
from lawful.schemas.verdict import Decision, Predicate

if TYPE_CHECKING:
    from lawful.policies.rules.model import Rule

_LETTERS = "abcdefghij"
_BASES = {
    LegalBasis.CONSENT: "the subject's consent",
    LegalBasis.CONTRACT: "a contract with the subject",
    LegalBasis.LEGAL_OBLIGATION: "a legal obligation",
    LegalBasis.VITAL_INTERESTS: "vital interests",
    LegalBasis.PUBLIC_TASK: "a public task",
    LegalBasis.LEGITIMATE_INTERESTS: "legitimate interests",
}
_PASSIVE = {
    Decision.FORWARD: "passes",
    Decision.WARN: "passes with a warning",
    Decision.REDACT: "is redacted",
    Decision.BLOCK: "is blocked",
}
_UNITS = (("year", 365 * 86_400), ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1))


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a policy says of one thing.

    Attributes:
        kind: policy, purpose, tool, rule or channel.
        facts: JSON-able.
        words: sentences, the same in plain words.
    """

    kind: str
    name: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    words: tuple[str, ...] = ()


def article_of_basis(basis: LegalBasis) -> str:
    """The article that a legal basis rests on."""
    return f"GDPR Art. 6(1)({_LETTERS[list(LegalBasis).index(basis)]})"


def article_of_condition(condition: Article9) -> str:
    """The article that a condition for special categories rests on."""
    return f"GDPR Art. 9(2)({_LETTERS[list(Article9).index(condition)]})"


def explain_purpose(policy: Policy, purpose: str) -> Explanation:
    """What a purpose needs, who claims it, and what becomes of it.

    Raises:
        ConfigurationError: the policy declares neither it nor a purpose above it.
    """
    rule = policy.rule(purpose)
    if rule is None:
        raise _unknown("purpose", purpose, policy.purposes)
    tools = sorted(name for name, tool in policy.tools.items() if _claims(policy, rule, tool.purposes, purpose))
    messages = _claims(policy, rule, policy.message_purposes, purpose)
    facts = {
        "purpose": purpose,
        "declared": rule.key,
        "description": rule.description,
        "legal_basis": rule.legal_basis.value,
        "article": article_of_basis(rule.legal_basis),
        "article9": rule.article9.value if rule.article9 else None,
        "article9_article": article_of_condition(rule.article9) if rule.article9 else None,
        "article10": rule.article10.value if rule.article10 else None,
        "necessary": sorted(rule.necessary),
        "consent": _consent(rule, purpose),
        "tools": tools,
        "messages": messages,
        "retention_seconds": rule.retention // 1_000_000 if rule.retention else None,
        "survives_erasure": rule.survives_erasure,
    }
    return Explanation("purpose", purpose, facts, tuple(_of_purpose(policy, rule, purpose, tools, messages=messages)))


def _claims(policy: Policy, rule: PurposeRule, names: Iterable[str], purpose: str) -> bool:
    return any(policy.rule(name) is rule and (covers(purpose, name) or covers(name, purpose)) for name in names)


def _consent(rule: PurposeRule, purpose: str) -> dict[str, Any] | None:
    """What a consent has to name; nothing if the purpose asks for none."""
    special = _named(rule)
    if not rule.by_consent and not special:
        return None
    return {
        "purpose": purpose,
        "covers": sorted(rule.necessary) if rule.by_consent else special,
        "must_name": special,
        "article": "GDPR Art. 9(2)(a)" if special else "GDPR Art. 6(1)(a)",
    }


def _named(rule: PurposeRule) -> list[str]:
    """The special categories that a consent must name itself."""
    if not rule.by_explicit_consent:
        return []
    special = {key for key in categories() if special_kind(key) is not None and rule.needs(key)}
    return sorted(key for key in special if not any(other != key and covers(other, key) for other in special))


def _of_purpose(policy: Policy, rule: PurposeRule, purpose: str, tools: list[str], *, messages: bool) -> Iterator[str]:
    if rule.description:
        yield rule.description + "."
    if rule.key != purpose:
        yield f"The policy does not list it; the rule for '{rule.key}' above it holds."
    yield f"Legal basis: {_BASES[rule.legal_basis]}, {article_of_basis(rule.legal_basis)}."
    if rule.article9 is not None:
        yield f"Special categories: allowed by '{rule.article9.value}', {article_of_condition(rule.article9)}."
    if rule.article10 is not None:
        yield f"Criminal convictions and offences: allowed by '{rule.article10.value}', GDPR Art. 10."
    yield from _of_consent(policy, rule, purpose)
    excess = _PASSIVE[policy.actions[Predicate.MINIMISATION]]
    needed = ", ".join(sorted(rule.necessary)) or "nothing"
    yield f"Necessary: {needed}. What no claimed purpose needs {excess} (P3)."
    claimed = [*(["messages"] if messages else []), *tools]
    yield f"Claimed by: {', '.join(claimed) if claimed else 'nothing; only an agent that declares it itself'}."
    yield _of_erasure(policy, survives=rule.survives_erasure)
    yield f"Kept for: {span(rule.retention)} (declared for the record, not judged)."


def _of_consent(policy: Policy, rule: PurposeRule, purpose: str) -> Iterator[str]:
    lacking = _PASSIVE[policy.actions[Predicate.CONSENT]]
    special = ", ".join(_named(rule))
    if rule.by_consent:
        yield (
            f"A consent must name '{purpose}' or a purpose above it, and cover the categories that an event holds; "
            f"without one, personal data {lacking} (P1)."
        )
    if special:
        yield f"For {special} the consent must name the category itself; a broad 'user' is not enough (P1)."


def _of_erasure(policy: Policy, *, survives: bool) -> str:
    if survives:
        return "After an erasure: goes on, if every purpose of the event does (GDPR Art. 17(3)(b))."
    return f"After an erasure: whatever touches the subject {_PASSIVE[policy.actions[Predicate.ERASURE]]} (P4)."


def explain_tool(policy: Policy, tool: str, names: KeyNames | None = None) -> Explanation:
    """What a call of a tool leads to.

    A tool that the policy does not name has an explanation too: the policy says what becomes of it.
    """
    rule = policy.tools.get(tool)
    if rule is None:
        action = policy.undeclared_tool
        hint = did_you_mean(tool, policy.tools)
        words = (
            f"The policy does not name this tool: a call of it {_PASSIVE[action]} (P2).",
            *([hint] if hint else []),
        )
        return Explanation("tool", tool, {"tool": tool, "declared": False, "decision": action.word}, words)
    found = arguments_of(rule.schema) if rule.schema is not None else ()
    arguments = [_argument(policy, rule, each, names or KeyNames()) for each in found]
    purposes = [policy.rule(name) for name in rule.purposes]
    facts = {
        "tool": tool,
        "declared": True,
        "description": rule.description,
        "recipient": rule.recipient.value,
        "purposes": [explain_purpose(policy, name).facts for name in rule.purposes],
        "arguments": arguments,
        "survives_erasure": bool(purposes) and all(each is not None and each.survives_erasure for each in purposes),
    }
    return Explanation("tool", tool, facts, tuple(_of_tool(policy, rule, facts)))


def _argument(policy: Policy, tool: ToolRule, argument: Argument, names: KeyNames) -> dict[str, Any]:
    category = category_of(policy, names, argument.name)
    return {
        "argument": argument.path,
        "required": argument.required,
        "category": category,
        "leads_to": _fate(policy, tool, argument, category).word,
    }


def _fate(policy: Policy, tool: ToolRule, argument: Argument, category: str | None) -> Decision:
    """What P3 does about the argument when it holds what its name says."""
    rules = [rule for name in tool.purposes if (rule := policy.rule(name)) is not None]
    if category is None or not is_personal(category) or any(rule.needs(category) for rule in rules):
        return Decision.FORWARD
    action = policy.actions[Predicate.MINIMISATION]
    return Decision.BLOCK if action is Decision.REDACT and argument.required else action


def _of_tool(policy: Policy, rule: ToolRule, facts: Mapping[str, Any]) -> Iterator[str]:
    if rule.description:
        yield rule.description + "."
    yield f"Goes to: {rule.recipient.value}."
    if not rule.purposes:
        yield "Is for nothing: personal data in it violates P2, unless the agent declares a purpose."
    for name in rule.purposes:
        purpose = policy.rule(name)
        if purpose is not None:
            yield f"Purpose {name}: {_BASES[purpose.legal_basis]}, {article_of_basis(purpose.legal_basis)}."
            yield from _of_consent(policy, purpose, name)
    needed = sorted({each for purpose in facts["purposes"] for each in purpose["necessary"]})
    excess = _PASSIVE[policy.actions[Predicate.MINIMISATION]]
    yield f"May carry: {', '.join(needed) or 'no personal data'}. Anything else {excess} (P3)."
    for each in facts["arguments"]:
        if each["category"] is not None:
            fate = _PASSIVE[next(word for word in Decision if word.word == each["leads_to"])]
            must = ", required" if each["required"] else ""
            yield f"Argument {each['argument']}{must}: {each['category']} by its name; {fate}."
    yield _of_erasure(policy, survives=facts["survives_erasure"])


def span(length: Micros | None) -> str:
    """A length of time in its largest whole unit."""
    if length is None:
        return "not stated"
    seconds = length // 1_000_000
    unit, size = next((each for each in _UNITS if seconds % each[1] == 0 and seconds >= each[1]), _UNITS[-1])
    count = seconds // size
    return f"{count} {unit}{'' if count == 1 else 's'}"


def explain_policy(policy: Policy) -> Explanation:
    """The whole policy at a glance."""
    facts = {
        "policy": policy.id,
        "version": policy.version,
        "digest": policy.digest,
        "controller": {"name": policy.controller.name, "contact": policy.controller.contact},
        "purposes": [explain_purpose(policy, key).facts for key in policy.purposes],
        "tools": {name: list(tool.purposes) for name, tool in policy.tools.items()},
        "messages": list(policy.message_purposes),
        "channels": sorted(policy.channels.rules) if policy.channels else [],
        "combinations": sorted(policy.channels.combinations) if policy.channels else [],
        "labels": _labels(policy.labels),
        "rules": {rule.name: rule.formula for rule in _rules(policy)},
        "actions": {predicate.value: action.word for predicate, action in policy.actions.items()},
        "undeclared_tool": policy.undeclared_tool.word,
    }
    return Explanation("policy", policy.id, facts, tuple(_of_policy(policy)))


def _of_policy(policy: Policy) -> Iterator[str]:
    contact = f" ({policy.controller.contact})" if policy.controller.contact else ""
    yield f"{policy.description or policy.id}, version {policy.version}, of {policy.controller.name}{contact}."
    for key, rule in policy.purposes.items():
        tools = sum(any(policy.rule(name) is rule for name in tool.purposes) for tool in policy.tools.values())
        survives = "; survives an erasure" if rule.survives_erasure else ""
        basis = f"{_BASES[rule.legal_basis]}, {article_of_basis(rule.legal_basis)}"
        yield f"Purpose {key}: {basis}; {tools} {'tool' if tools == 1 else 'tools'}{survives}."
    yield f"Messages are for: {', '.join(policy.message_purposes) or 'nothing'}."
    if policy.channels is not None:
        names = ", ".join(sorted(policy.channels.rules)) or "none"
        yield f"Channels: {names}; see 'explain --recipient'."
        together = ", ".join(sorted(policy.channels.combinations))
        if together:
            yield f"Combinations: {together}; see 'explain --recipient'."
    yield from _of_labels(policy.labels)
    for each in _rules(policy):
        yield f"Rule {each.name}: {each.message}; else {each.decision.word}."
    led = ", ".join(f"{predicate.value} {action.word}" for predicate, action in policy.actions.items())
    yield f"Violations lead to: {led}; a tool that is not named {policy.undeclared_tool.word}."


def _labels(labels: Labels) -> dict[str, Any]:
    return {
        "from": sorted(kind.value for kind in labels.givers),
        "keep_seconds": labels.keep // 1_000_000,
        "without_place": labels.without_place.value,
        "declassify": {
            name: {
                "why": each.why,
                "agents": sorted(each.agents),
                "purposes": list(each.purposes),
                "categories": list(each.categories),
            }
            for name, each in sorted(labels.declassify.items())
        },
    }


def _of_labels(labels: Labels) -> Iterator[str]:
    facts = _labels(labels)
    givers = ", ".join(facts["from"]) or "nothing"
    yield f"Labels are given by: {givers}; what they cause has them for {span(labels.keep)}."
    withheld = labels.without_place is WithoutPlace.WITHHOLD
    yield f"A label that would have to be redacted {'withholds the content' if withheld else 'blocks the event'}."
    for name, each in facts["declassify"].items():
        lifted, agents = ", ".join(each["categories"]), ", ".join(each["agents"])
        yield f"Declassification {name}: {agents} may lift {lifted} for {', '.join(each['purposes'])}: {each['why']}."


def _rules(policy: Policy) -> "list[Rule]":
    return [] if policy.rules is None else [rule for each in policy.rules.slices.values() for rule in each.rules]


def _unknown(kind: str, name: str, known: Iterable[str]) -> ConfigurationError:
    names = sorted(known)
    hint = did_you_mean(name, names) or f"it has {', '.join(names) or f'no {kind}s'}"
    return ConfigurationError(f"the policy has no {kind} '{name}'", hint=hint)

# The verdict: the strictest violation wins. Ask for `data.lawful.verdict`.
package lawful

import rego.v1

violation(rule, reason, purpose, category) := ruled(rule, reason, purpose, category, decision) if {
	not reason == "nobody_to_consent"
	decision := input.policy.actions[rule]
}

violation(rule, "nobody_to_consent", purpose, category) := ruled(rule, "nobody_to_consent", purpose, category, decision) if {
	ordinary
	decision := input.policy.actions[rule]
}

violation(rule, "nobody_to_consent", purpose, category) := ruled(rule, "nobody_to_consent", purpose, category, "block") if {
	not ordinary
}

ruled(rule, reason, purpose, category, decision) := {
	"rule": rule,
	"reason": reason,
	"purpose": purpose,
	"category": category,
	"decision": decision,
}

violations contains violation("error", concat("_", ["extraction", input.view.status]), null, null) if {
	ordinary
	input.view.status != "complete"
}

# Where redaction is due but would take from a tool what it requires, the event is blocked.
breakages contains ruled(one.rule, "redaction_would_break_arguments", null, finding.category, "block") if {
	some one in violations
	one.decision == "redact"
	some finding in input.view.findings
	finding.essential
	concerns(one, finding)
}

concerns(one, finding) if one.category == finding.category

concerns(one, finding) if {
	one.category == null
	finding.category in found
}

all_violations := violations | breakages

decision := [word | some word, place in rank; place == strictest][0]

strictest := max({0} | {rank[one.decision] | some one in all_violations})

default exceptions := set()

exceptions := claimed if {
	ordinary
	survives
	erased
	strictest < rank.block
}

verdict := {
	"decision": decision,
	"violations": all_violations,
	"exceptions": exceptions,
}

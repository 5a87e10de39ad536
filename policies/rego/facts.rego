# What the predicates talk about, derived from {view, at, history, policy}.
# `data.taxonomy.special` maps category keys to "article9", "article10" or "children".
package lawful

import rego.v1

# The key and every name above it: a.b.c, a.b, a.
line(key) := {concat(".", array.slice(parts, 0, n)) |
	parts := split(key, ".")
	some n in numbers.range(1, count(parts))
}

personal(category) if not "system" in line(category)

# The nearest flag at or above the category. Of names above one key, the longest sorts last.
special_kind(category) := data.taxonomy.special[max(flagged)] if {
	flagged := {name | some name in line(category); data.taxonomy.special[name]}
	count(flagged) > 0
}

claimed := {claim.purpose | some claim in input.view.purposes}

# An inferred purpose justifies nothing; it can only make a verdict stricter.
relied := {claim.purpose | some claim in input.view.purposes; claim.provenance != "inferred"}

# The declared purpose that answers for a claimed one: itself, or the nearest above it.
declared_as(purpose) := max(names) if {
	names := {name | some name in line(purpose); input.policy.purposes[name]}
	count(names) > 0
}

rule_of(purpose) := input.policy.purposes[declared_as(purpose)]

undeclared contains purpose if {
	some purpose in claimed
	not declared_as(purpose)
}

needs(rule, category) if {
	some name in line(category)
	name in rule.necessary
}

found contains finding.category if {
	some finding in input.view.findings
	personal(finding.category)
}

excess contains category if {
	some category in found
	every purpose in relied - undeclared { not needs(rule_of(purpose), category) }
}

# Excess that the policy only warns about goes through, so it needs a ground like the rest.
passing := found if rank[input.policy.actions.P3] < rank.redact

passing := found - excess if rank[input.policy.actions.P3] >= rank.redact

# What a purpose's ground must carry.
carries(rule, category) if needs(rule, category)

carries(_, category) if category in excess

survives if {
	count(relied) > 0
	count(undeclared) == 0
	every purpose in claimed { rule_of(purpose).survives_erasure }
}

rank := {"forward": 0, "warn": 1, "redact": 2, "block": 3}

ordinary if not input.view.kind in {"ConsentGiven", "ConsentWithdrawn", "DataSubjectRequest", "IdentityLinked"}

# A person who is only mentioned: purposes and minimisation are judged with the principal.
whole if {
	ordinary
	input.view.role != "mentioned"
}

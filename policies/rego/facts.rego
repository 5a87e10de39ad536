# What the predicates talk about, derived from {view, at, history, policy}.
# `data.taxonomy.special` maps category keys to "article9", "article10" or "children".
package lawful

import rego.v1

# The key and every name above it: a.b.c, a.b, a.
line(key) := {concat(".", array.slice(parts, 0, n)) |
	parts := split(key, ".")
	some n in numbers.range(1, count(parts))
}

ordinary if not input.view.kind in {"ConsentGiven", "ConsentWithdrawn", "DataSubjectRequest", "IdentityLinked"}

# A person who is only mentioned: purposes and minimisation are judged with the principal.
whole if {
	ordinary
	input.view.role != "mentioned"
}

# Purposes ---------------------------------------------------------------------------------

claimed := {claim.purpose | some claim in input.view.purposes}

# An inferred or inherited purpose justifies nothing; it can only make a verdict stricter.
relied := {claim.purpose | some claim in input.view.purposes; not claim.provenance in {"inferred", "inherited"}}

purpose_line[purpose] := line(purpose) if some purpose in claimed

# The declared purpose that answers for a claimed one: itself, or the nearest above it.
# Of names above one key, the longest sorts last.
rule_of[purpose] := input.policy.purposes[max(names)] if {
	some purpose in claimed
	names := {name | some name in purpose_line[purpose]; input.policy.purposes[name]}
	count(names) > 0
}

declared := {purpose | some purpose, _ in rule_of}

undeclared := claimed - declared

by_consent contains purpose if {
	some purpose in declared
	rule_of[purpose].legal_basis == "consent"
}

# Special categories rest on explicit consent where the policy says so, or says nothing else.
explicit contains purpose if {
	some purpose in declared
	rule_of[purpose].article9 == "explicit_consent"
}

explicit contains purpose if {
	some purpose in by_consent
	rule_of[purpose].article9 == null
}

survives if {
	count(relied) > 0
	count(undeclared) == 0
	every purpose in claimed { rule_of[purpose].survives_erasure }
}

# Categories -------------------------------------------------------------------------------

category_line[category] := line(category) if {
	some finding in input.view.findings
	category := finding.category
}

found contains category if {
	some category, names in category_line
	not "system" in names
}

# The nearest flag at or above the category.
special_kind[category] := data.taxonomy.special[max(flagged)] if {
	some category in found
	flagged := {name | some name in category_line[category]; data.taxonomy.special[name]}
	count(flagged) > 0
}

# The found categories that a purpose needs.
needed[purpose] := categories if {
	some purpose in declared
	categories := {category |
		some category in found
		some name in category_line[category]
		name in rule_of[purpose].necessary
	}
}

justified := {category | some purpose in relied & declared; some category in needed[purpose]}

excess := found - justified

# Excess that the policy only warns about goes through, so it needs a ground like the rest.
passing := found if rank[input.policy.actions.P3] < rank.redact

passing := found - excess if rank[input.policy.actions.P3] >= rank.redact

# What a purpose's ground must carry.
carried[purpose] := passing & (needed[purpose] | excess) if some purpose in declared

rank := {"forward": 0, "warn": 1, "redact": 2, "block": 3}

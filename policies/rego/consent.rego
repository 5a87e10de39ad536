# P1, consent: GDPR Art. 6(1)(a), 7, 9 and 10.
package lawful

import rego.v1

now := max({input.at.recorded_at} | {entry.recorded_at | some entry in input.history})

judges_consent if whole

judges_consent if {
	ordinary
	some entry in input.history
	has_opinion(entry.fact)
}

has_opinion(fact) if fact.type in {"consent", "withdrawal"}

has_opinion(fact) if is_erasure(fact)

by_consent(rule) if rule.legal_basis == "consent"

# Special categories rest on explicit consent where the policy says so, or says nothing else.
explicit(rule) if rule.article9 == "explicit_consent"

explicit(rule) if {
	by_consent(rule)
	rule.article9 == null
}

asks_consent contains purpose if {
	count(found) > 0
	some purpose in claimed - undeclared
	by_consent(rule_of(purpose))
}

asks_consent contains purpose if {
	some purpose in claimed - undeclared
	some _ in scope(purpose)
}

carried(purpose) := {category | some category in passing; carries(rule_of(purpose), category)}

# What the consent must cover: what the purpose needs, else all that passes ...
scope(purpose) := carried(purpose) if {
	by_consent(rule_of(purpose))
	count(carried(purpose)) > 0
}

scope(purpose) := passing if {
	by_consent(rule_of(purpose))
	count(carried(purpose)) == 0
}

# ... and on another legal basis only the special categories that need it.
scope(purpose) := special if {
	not by_consent(rule_of(purpose))
	explicit(rule_of(purpose))
	special := {category | some category in carried(purpose); special_kind(category) == "article9"}
}

# A fact that ends every consent for the purpose given before it.
ends(fact, _) if is_erasure(fact)

ends(fact, _) if {
	fact.type == "withdrawal"
	fact.purposes == null
}

ends(fact, purpose) if {
	fact.type == "withdrawal"
	fact.purposes != null
	some name in fact.purposes
	name in line(purpose)
}

# -1 where nothing ended it.
last_end(purpose) := max({-1} | {place | some place, entry in input.history; ends(entry.fact, purpose)})

given(purpose) := {place |
	some place, entry in input.history
	place > last_end(purpose)
	entry.fact.type == "consent"
	some name in entry.fact.purposes
	name in line(purpose)
}

in_force(purpose) := {place |
	some place in given(purpose)
	not expired(input.history[place].fact)
}

expired(fact) if {
	fact.expires_at != null
	now >= fact.expires_at
}

# A special category under explicit consent must be named: a broad name does not do.
must_name(purpose, category) if {
	explicit(rule_of(purpose))
	special_kind(category)
}

names(purpose, category) := special if {
	must_name(purpose, category)
	special := {name | some name in line(category); special_kind(name)}
}

names(purpose, category) := line(category) if not must_name(purpose, category)

covered(purpose, category) if {
	some place in in_force(purpose)
	covering(input.history[place].fact, purpose, category)
}

covering(fact, purpose, category) if {
	fact.categories == null
	not must_name(purpose, category)
}

covering(fact, purpose, category) if {
	fact.categories != null
	some name in fact.categories
	name in names(purpose, category)
}

violations contains violation("P1", "nobody_to_consent", purpose, null) if {
	judges_consent
	input.view.subject == null
	some purpose in asks_consent
}

lacking contains purpose if {
	judges_consent
	input.view.subject != null
	some purpose in asks_consent
}

violations contains violation("P1", reason, purpose, category) if {
	some purpose in lacking
	count(in_force(purpose)) > 0
	some category in scope(purpose)
	not covered(purpose, category)
	reason := uncovered_reason(purpose, category)
}

uncovered_reason(purpose, category) := "explicit_consent_missing" if must_name(purpose, category)

uncovered_reason(purpose, category) := "consent_not_covering_category" if not must_name(purpose, category)

violations contains violation("P1", absence(purpose), purpose, null) if {
	some purpose in lacking
	count(in_force(purpose)) == 0
}

absence(purpose) := "consent_expired" if {
	count(given(purpose)) > 0
} else := "consent_withdrawn" if {
	last_end(purpose) >= 0
} else := "consent_missing"

violations contains violation("P1", "article9_condition_missing", purpose, category) if {
	judges_consent
	some purpose in claimed - undeclared
	some category in passing
	carries(rule_of(purpose), category)
	special_kind(category) == "article9"
	rule_of(purpose).article9 == null
	not by_consent(rule_of(purpose))
}

violations contains violation("P1", "article10_condition_missing", purpose, category) if {
	judges_consent
	some purpose in claimed - undeclared
	some category in passing
	carries(rule_of(purpose), category)
	special_kind(category) == "article10"
	rule_of(purpose).article10 == null
}

violations contains violation("P1", "nobody_to_consent", null, null) if {
	input.view.fact.type == "consent"
	input.view.subject == null
}

# P1, consent: GDPR Art. 6(1)(a), 7, 9 and 10.
package lawful

import rego.v1

now := max({input.at.recorded_at} | {entry.recorded_at | some entry in input.history})

judges_consent if whole

# Who is only mentioned is asked once there is an opinion to go by.
judges_consent if {
	ordinary
	some entry in input.history
	has_opinion(entry.fact)
}

has_opinion(fact) if fact.type in {"consent", "withdrawal"}

has_opinion(fact) if is_erasure(fact)

# What the consent must cover: what the purpose needs, else all that passes ...
scope[purpose] := carried[purpose] if {
	some purpose in by_consent
	count(carried[purpose]) > 0
}

scope[purpose] := passing if {
	some purpose in by_consent
	count(carried[purpose]) == 0
}

# ... and on another legal basis only the special categories that need it.
scope[purpose] := special if {
	some purpose in explicit - by_consent
	special := {category | some category in carried[purpose]; special_kind[category] == "article9"}
}

asks_consent contains purpose if {
	count(found) > 0
	some purpose in by_consent
}

asks_consent contains purpose if {
	some purpose, categories in scope
	count(categories) > 0
}

# Places in the history of what ends every consent for the purpose given before it; -1 where nothing did.
last_end[purpose] := max(({-1} | ends_all) | named) if {
	some purpose in asks_consent
	named := {place | some name in purpose_line[purpose]; some place in ends_named[name]}
}

ends_all contains place if {
	some place, entry in input.history
	is_erasure(entry.fact)
}

ends_all contains place if {
	some place, entry in input.history
	entry.fact.type == "withdrawal"
	entry.fact.purposes == null
}

ends_named[name] contains place if {
	some place, entry in input.history
	entry.fact.type == "withdrawal"
	entry.fact.purposes != null
	some name in entry.fact.purposes
}

gives_named[name] contains place if {
	some place, entry in input.history
	entry.fact.type == "consent"
	some name in entry.fact.purposes
}

given[purpose] := places if {
	some purpose in asks_consent
	places := {place |
		some name in purpose_line[purpose]
		some place in gives_named[name]
		place > last_end[purpose]
	}
}

in_force[purpose] := places if {
	some purpose, all_places in given
	places := {place | some place in all_places; not expired(input.history[place].fact)}
}

expired(fact) if {
	fact.expires_at != null
	now >= fact.expires_at
}

# A special category under explicit consent must be named: a broad name does not do.
must_name(purpose, category) if {
	purpose in explicit
	special_kind[category]
}

# The names in a consent that cover a category. A name is special if it, or one above it, is flagged.
covering_names(purpose, category) := category_line[category] if not must_name(purpose, category)

covering_names(purpose, category) := special_names[category] if must_name(purpose, category)

special_names[category] := names if {
	some category in found
	names := {name | some name in category_line[category]; flagged(name)}
}

flagged(category) if {
	some name in line(category)
	data.taxonomy.special[name]
}

covered(purpose, category) if {
	some place in in_force[purpose]
	covering(input.history[place].fact, purpose, category)
}

covering(fact, purpose, category) if {
	fact.categories == null
	not must_name(purpose, category)
}

covering(fact, purpose, category) if {
	fact.categories != null
	some name in covering_names(purpose, category)
	name in fact.categories
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
	count(in_force[purpose]) > 0
	some category in scope[purpose]
	not covered(purpose, category)
	reason := uncovered_reason(purpose, category)
}

uncovered_reason(purpose, category) := "explicit_consent_missing" if must_name(purpose, category)

uncovered_reason(purpose, category) := "consent_not_covering_category" if not must_name(purpose, category)

violations contains violation("P1", absence(purpose), purpose, null) if {
	some purpose in lacking
	count(in_force[purpose]) == 0
}

absence(purpose) := "consent_expired" if {
	count(given[purpose]) > 0
} else := "consent_withdrawn" if {
	last_end[purpose] >= 0
} else := "consent_missing"

violations contains violation("P1", "article9_condition_missing", purpose, category) if {
	judges_consent
	some purpose in declared - by_consent
	rule_of[purpose].article9 == null
	some category in carried[purpose]
	special_kind[category] == "article9"
}

violations contains violation("P1", "article10_condition_missing", purpose, category) if {
	judges_consent
	some purpose in declared
	rule_of[purpose].article10 == null
	some category in carried[purpose]
	special_kind[category] == "article10"
}

violations contains violation("P1", "nobody_to_consent", null, null) if {
	input.view.fact.type == "consent"
	input.view.subject == null
}

# P4, erasure: GDPR Art. 17.
package lawful

import rego.v1

is_erasure(fact) if {
	fact.type == "request"
	fact.kind == "erasure"
}

last_erasure := max({-1} | {place | some place, entry in input.history; is_erasure(entry.fact)})

last_enrolment := max({-1} | {place |
	some place, entry in input.history
	entry.fact.type == "consent"
	entry.fact.re_enrols
})

erased if last_erasure > last_enrolment

violations contains ruled("P4", "subject_erased", null, null, erasure_decision) if {
	ordinary
	erased
	not survives
}

# Redaction needs something that can be redacted.
default erasure_decision := "block"

erasure_decision := input.policy.actions.P4 if input.policy.actions.P4 != "redact"

erasure_decision := "redact" if {
	input.policy.actions.P4 == "redact"
	count(found) > 0
}

# A plain consent does not lift an erasure; one that re-enrols does, for what comes after.
violations contains ruled("P4", "subject_erased", null, null, "block") if {
	input.view.fact.type == "consent"
	input.view.subject != null
	erased
	not input.view.fact.re_enrols
}

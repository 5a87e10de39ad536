# P3, data minimisation: GDPR Art. 5(1)(c).
package lawful

import rego.v1

violations contains violation("P3", "category_not_necessary", null, category) if {
	whole
	some category in excess
	not would_break(category)
}

violations contains ruled("P3", "redaction_would_break_arguments", null, category, "block") if {
	whole
	some category in excess
	would_break(category)
}

would_break(category) if {
	input.policy.actions.P3 == "redact"
	essential(category)
}

essential(category) if {
	some finding in input.view.findings
	finding.category == category
	finding.essential
}

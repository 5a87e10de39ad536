# P2, purpose limitation: GDPR Art. 5(1)(b).
package lawful

import rego.v1

violations contains ruled("P2", "tool_not_declared", null, null, input.policy.undeclared_tool) if {
	whole
	input.view.tool != null
	not input.view.tool in input.policy.tools
}

violations contains violation("P2", "purpose_not_declared", purpose, null) if {
	whole
	some purpose in undeclared
}

violations contains violation("P2", "purpose_missing", null, null) if {
	whole
	count(found) > 0
	count(relied) == 0
}

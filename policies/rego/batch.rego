# A whole trace in one call: ask for `data.lawful.batch` with the input {"trace": [document, ...]},
# each document being the input of a single decision. The verdicts come in the order of the trace.
package lawful

import rego.v1

batch := [decided |
	some one in input.trace
	decided := verdict with input as one
]

"""What makes the audit trail tamper-evident: a keyed hash chain per log partition, and signed anchors of its heads."""

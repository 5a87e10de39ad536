"""The audit trail's database: how it is made, written and read."""

"""Avro bytes, fast: functions generated once per record (`generate.pair`)."""

"""The path of a record, without Kafka: annotate, judge, combine, answer, audit."""

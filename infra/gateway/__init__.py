"""The gateway: agents write to one topic, what may pass arrives at each recipient's own, already redacted."""

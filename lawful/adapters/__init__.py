"""The guard in the words of agent frameworks: one file a framework, each behind an extra of its name."""

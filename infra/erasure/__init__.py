"""What became of an erasure: what was destroyed, what stays, and who must be told."""

"""Maris's three case studies as conversations between agents: what leaks without channels, and what still works."""

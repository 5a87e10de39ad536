"""Attacks in eight families on four trades, each with benign sessions of the same build."""

"""Extraction in processes of its own, which can be stopped when they hang."""

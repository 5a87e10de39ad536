"""Watching: metrics, health and traces of workers and audit writers."""

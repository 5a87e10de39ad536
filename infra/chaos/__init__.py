"""Faults put into a running installation, and whether anything was lost, doubled or decided wrongly."""

"""Auditors put together from settings, their keys committed to, and their votes held against both."""

"""Attacks on the monitor, an oracle of their success that knows no monitor, and what both are measured against."""

"""Decides whether an attack succeeded, from what was let through and what is true. Knows no monitor."""

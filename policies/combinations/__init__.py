"""What one recipient may not learn of one person together, added up over a session."""

"""Talks about travel, insurance and homes, in the manner of ConVerse: what firewalls stop and what they cost."""

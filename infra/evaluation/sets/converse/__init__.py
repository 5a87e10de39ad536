"""ConVerse's own files: its personas, its attacks on them, and how far each comes with our firewalls."""

"""The one place that knows Presidio and spaCy."""

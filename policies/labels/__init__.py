"""Labels: what an event carries on to those that it causes, also when the words differ (acceptance A42)."""

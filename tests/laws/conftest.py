"""How laws are drawn: no deadline per example, since a busy machine is no counter-example."""

from hypothesis import HealthCheck, settings

settings.register_profile("laws", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("laws")

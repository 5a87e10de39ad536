"""The four predicates of the GDPR that every event is held against.

Each is a pure function from a `Case` to violations, in a file of its own. They don't know of each
other; the lattice puts their answers together.
"""

from lawful.policies.predicates.consent import consent
from lawful.policies.predicates.erasure import erasure
from lawful.policies.predicates.minimisation import minimisation
from lawful.policies.predicates.purpose import purpose

__all__ = ["consent", "erasure", "minimisation", "purpose"]

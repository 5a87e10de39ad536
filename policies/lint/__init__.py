"""`lawful policy lint`: what a policy says that its author hardly meant.

`lawful.policies.checks` refuses what cannot be used. A linter warns of what can be: purposes that
nothing claims, arguments that no purpose needs, patterns that shadow each other.
"""

from lawful.policies.lint.allowances import Allowed
from lawful.policies.lint.flaw import Flaw, Severity
from lawful.policies.lint.report import Report, lint

__all__ = ["Allowed", "Flaw", "Report", "Severity", "lint"]

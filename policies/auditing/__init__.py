"""Auditors: others who look at what was decided, and can only make it stricter.

After MAS-Shield: a few sentries, drawn so that nobody can know them before and everybody can check
them afterwards, look at every verdict of the heavy tier. Unless all of them agree with it, the
whole pool votes. Nothing here asks anybody: `lawful.streams.auditing` does.
"""

from lawful.policies.auditing.port import Auditor, Brief, Opinion
from lawful.policies.auditing.sentries import commitment, draw
from lawful.policies.auditing.voting import RULE, Ballot, doubtful, settle

__all__ = ["RULE", "Auditor", "Ballot", "Brief", "Opinion", "commitment", "doubtful", "draw", "settle"]

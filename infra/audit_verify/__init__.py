"""Checks the audit's hash chains and anchors, and names the first row that is not as it was written."""

from lawful.infra.audit_verify.report import ChainReport, Fault, Kind, VerifyReport
from lawful.infra.audit_verify.verify import Keys, verify

__all__ = ["ChainReport", "Fault", "Keys", "Kind", "VerifyReport", "verify"]

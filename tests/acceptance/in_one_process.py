"""A guard over the real extractor and a policy of its own, all in this process."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from lawful.client import Guard
from lawful.extractors import build_extractor
from lawful.extractors.port import Extractor
from lawful.policies.load import parse_policy
from lawful.policies.model import Policy
from lawful.policies.policyset import PolicySet
from lawful.schemas.audit import AuditKind, AuditRecord, GuardReport
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.streams.inprocess import InProcessTransport

KEY = Pseudonymiser(master=b"0123456789abcdef")
POLICY = """\
id: desk
version: "1"
controller: {name: Desk}
purposes:
  service: {legal_basis: contract, necessary: [user.unique_id, user.behavior]}
tools:
  note: {purposes: [service]}
  ship:
    purposes: [service]
    schema:
      type: object
      properties:
        to: {type: string}
        date_of_birth: {type: string, format: date}
        age: {type: integer, minimum: 0}
        tags: {type: array, items: {type: string}}
        mail: {type: string, format: email}
        code: {type: string, pattern: "^[A-Z]{3}$"}
        extra: {type: object}
      required: [to]
messages: {purposes: [service]}
limits: {extraction_ms: 60000, max_bytes: %d, max_depth: 12}
redaction:
  default: replace
  by_category: {%s}
"""


@lru_cache(maxsize=1)
def extractor() -> Extractor:
    """The extractor as it ships, loaded once."""
    return build_extractor(KEY)


@lru_cache(maxsize=32)
def policy(by_category: str = "", max_bytes: int = 20_000) -> Policy:
    """The desk's policy, with what it says of categories."""
    return parse_policy(POLICY % (max_bytes, by_category))


@dataclass
class Desk:
    """A guard, and what its transport wrote down."""

    guard: Guard
    rows: list[AuditRecord | GuardReport] = field(default_factory=list)

    def schema(self, tool: str) -> dict[str, Any]:
        """The JSON Schema of a tool's arguments."""
        return dict(policy().tools[tool].schema or {})

    def kinds(self) -> list[AuditKind]:
        """What was written down, in order."""
        return [row.kind for row in self.rows]


@contextmanager
def desk(by_category: str = "", *, max_bytes: int = 20_000, given: Extractor | None = None) -> Iterator[Desk]:
    """A guard that is closed afterwards."""
    rows: list[AuditRecord | GuardReport] = []
    policies = PolicySet.of([policy(by_category, max_bytes)])
    transport = InProcessTransport(policies, given or extractor(), KEY, audit=rows.append)
    with Guard(transport, agent="clerk", deadline_ms=60_000) as guard:
        yield Desk(guard, rows)


def digits(value: Any) -> str:
    """Only the letters and digits of all that a value says, in small letters."""
    return "".join(char for char in json.dumps(value, ensure_ascii=False).lower() if char.isalnum())

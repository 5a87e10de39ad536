"""What a linter says: a flaw, where it stands, why it matters and how to mend it."""

from dataclasses import dataclass
from enum import StrEnum

from lawful.policies.keynames import KeyNames, category_of
from lawful.policies.model import Policy
from lawful.policies.written import Written
from lawful.schemas.errors import Place
from lawful.schemas.yamltree import Path


class Severity(StrEnum):
    """`error`: the policy cannot be used. `warning`: it can, but hardly says what was meant."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Flaw:
    """One thing that is probably not meant.

    Attributes:
        code: stable snake_case word; `# lint: allow <code>: <reason>` beside the place accepts it.
        message: what.
        why: what comes of it.
        mend: what to do about it.
    """

    code: str
    place: Place
    message: str
    why: str = ""
    mend: str = ""
    severity: Severity = Severity.WARNING

    def __str__(self) -> str:
        said = "; ".join(part for part in (self.message, self.why, self.mend) if part)
        return f"{self.place}: {self.severity.value} {self.code}: {said}"


@dataclass(frozen=True, slots=True)
class Desk:
    """What lies before a check: the text with its places, and the policy it makes."""

    written: Written
    policy: Policy
    names: KeyNames

    def flaw(  # noqa: PLR0913 - a flaw's fields, in their order
        self, code: str, path: Path, message: str, why: str = "", mend: str = "", *, key: bool = False
    ) -> Flaw:
        """A warning at a part of the file."""
        return Flaw(code, self.written.tree.place(path, key=key), message, why, mend)

    def category_of(self, name: str) -> str | None:
        """The category of a member by its name: what the policy says, else what extraction knows."""
        return category_of(self.policy, self.names, name)

"""Tags that stand for a text without saying it: equal for equal texts, and nothing else.

Keyed (HMAC-SHA256), since a bare hash of an e-mail address is found by trying. A placeholder is good for one
session, so that an agent can tell two people apart without anybody linking sessions by it; a hash
is good for a tenant, so that records can be joined. Written in letters only: digits would be taken
for somebody's number again.
"""

from dataclasses import dataclass
from typing import Final

from lawful.schemas.pseudonym import Pseudonymiser, legible
from lawful.schemas.verdict import Action

_LETTERS: Final = str.maketrans("0123456789abcdef", "bcdfghjklmnpqrst")
_SHORT: Final = 8  # letters of a placeholder: some 4 billion in one session
_LONG: Final = 16


@dataclass(frozen=True, slots=True)
class Tags:
    """The tags of one session.

    Attributes:
        pseudonymiser: the tenant's key.
    """

    pseudonymiser: Pseudonymiser
    tenant_id: str
    session_id: str

    def of(self, action: Action, category: str, text: str) -> str:
        """The tag of a text, of a category, for `hash` or `placeholder`. Case and spacing do not count."""
        scope, length = (self.session_id, _SHORT) if action is Action.PLACEHOLDER else ("", _LONG)
        same = " ".join(legible(text).casefold().split())
        content = f"tag\0{action.value}\0{scope}\0{category}\0{same}"
        return self.pseudonymiser.of_content(self.tenant_id, content)[:length].translate(_LETTERS)

"""The topic in which a recipient finds what was passed on to it.

The name is made so that no agent can choose another's: tenant, kind and id are parts of their own, a part
that is no plain word becomes a keyed digest behind it, and people never stand in it by name. All of a
tenant's inboxes share a prefix, so one rule of access covers them.
"""

import re
from typing import Final

from lawful.schemas.envelope import holds_identifier
from lawful.schemas.event import Recipient, RecipientKind
from lawful.schemas.pseudonym import Pseudonymiser
from lawful.schemas.topics import Topics

_PLAIN: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_OTHER: Final = re.compile(r"[^a-z0-9]+")
_PERSONS: Final = (RecipientKind.USER, RecipientKind.THIRD_PARTY)
_LONGEST: Final = 48
_DIGITS: Final = 24


def inbox_of(topics: Topics, pseudonymiser: Pseudonymiser, tenant_id: str, recipient: Recipient) -> str:
    """The name of a recipient's inbox: `<prefix>.inbox.<tenant>.<kind>.<id>`.

    Plain words (lower case, digits, single hyphens) stay as they are. Two recipients never share an inbox,
    nor two tenants.
    """
    person = recipient.kind in _PERSONS
    tenant = _part(pseudonymiser, tenant_id, "tenant", tenant_id, hidden=False)
    name = _part(pseudonymiser, tenant_id, recipient.kind.value, recipient.id, hidden=person)
    return f"{topics.inbox_prefix}{tenant}.{recipient.kind.value.replace('_', '-')}.{name}"


def _part(pseudonymiser: Pseudonymiser, tenant_id: str, what: str, text: str, *, hidden: bool) -> str:
    hidden = hidden or holds_identifier(text)
    if not hidden and len(text) <= _LONGEST and _PLAIN.fullmatch(text):
        return text
    # Two hyphens: no plain word has them, so no digest can be taken for somebody's name.
    digest = pseudonymiser.of_content(tenant_id, f"inbox\0{what}\0{text}")[:_DIGITS]
    said = "" if hidden else _OTHER.sub("-", text.lower()).strip("-")[:_LONGEST].rstrip("-")
    return f"{said or 'x'}--{digest}"

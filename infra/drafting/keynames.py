"""What extraction knows about member names, for tools that read policies.

Policies and extractors do not know each other; this is the one place where a tool of the policy's
author asks the extractors' table.
"""

from lawful.extractors.hints import key_table, longest_suffix
from lawful.extractors.keynames import normalise_key
from lawful.policies.keynames import KeyNames


def category_of_name(name: str) -> str | None:
    """The category of a member's values, where the name alone tells (`billing_email`, `dob`)."""
    table, key = key_table(), normalise_key(name)
    return table.exact.get(key) or longest_suffix(table.anywhere, key)


def key_names() -> KeyNames:
    """Extraction's knowledge in the words of policies' tools."""
    return KeyNames(normalise_key, category_of_name)

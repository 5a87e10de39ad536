"""The words every policy's rules may use without declaring them, and what they mean at an event."""

from collections.abc import Mapping
from typing import Final

from lawful.policies.mfotl.signature import Argument, Signature, Type
from lawful.policies.rules.model import Kind, Parameter, Predicate

CONSENT: Final = "consent"
WITHDRAWN: Final = "withdrawn"
ERASED: Final = "erased"
CATEGORY: Final = "category"
PURPOSE: Final = "purpose"
TOOL: Final = "tool"

FACTS: Final = frozenset({CONSENT, WITHDRAWN, ERASED})
"""What happens to a subject's standing: it cannot be blocked."""

BUILT_IN: Final[Mapping[str, Predicate]] = {
    CONSENT: Predicate(CONSENT, (Parameter("purpose", Kind.PURPOSE),)),
    WITHDRAWN: Predicate(WITHDRAWN, (Parameter("purpose", Kind.PURPOSE),)),
    ERASED: Predicate(ERASED),
    CATEGORY: Predicate(CATEGORY, (Parameter("category", Kind.CATEGORY),)),
    PURPOSE: Predicate(PURPOSE, (Parameter("purpose", Kind.PURPOSE),)),
    TOOL: Predicate(TOOL, (Parameter("tool", Kind.TOOL),)),
}
"""`consent(p)` and `withdrawn(p)` hold when they are given, for every purpose they reach; `erased()`
when an erasure is requested; `category(c)`, `purpose(p)` and `tool(t)` at an event in which data of
this category (or one below it) was found, that claims the purpose (or one below it), that is a call
or an answer of the tool."""


def signature_of(predicates: Mapping[str, Predicate]) -> Signature:
    """The signature of a policy's own predicates and the built-in ones."""
    return {name: tuple(map(_argument, each.parameters)) for name, each in {**BUILT_IN, **predicates}.items()}


def _argument(parameter: Parameter) -> Argument:
    kind: Type = "int" if parameter.kind is Kind.INT else "string"
    return Argument(parameter.name, kind)

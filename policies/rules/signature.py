"""The words that a policy's rules may use, as MonPoly's `.sig` has them."""

from lawful.policies.mfotl.signature import Signature, show_signature
from lawful.policies.model import Policy
from lawful.policies.rules import vocabulary


def signature_of(policy: Policy) -> Signature:
    """The predicates of a policy: those that its rules use, and the built-in ones."""
    return vocabulary.signature_of(policy.rules.predicates if policy.rules else {})


def signature_text(policy: Policy) -> str:
    """The same as a `.sig` file."""
    return show_signature(signature_of(policy))

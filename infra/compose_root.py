"""The composition root: the one place where settings become parts that work together.

Every port's implementation is chosen here and nowhere else. Parts that are slow to import are
imported when they are built, so that a command pays for what it uses.
"""

from typing import TYPE_CHECKING

from lawful.infra.settings import Settings
from lawful.policies.load import pack_folder, pack_names
from lawful.policies.policyset import PolicySet

if TYPE_CHECKING:
    from lawful.streams.inprocess import InProcessTransport
    from lawful.streams.kernel import Kernel

def policies(settings: Settings) -> PolicySet:
    """The loaded policies: the operator's folder, else the packs that come along.

    Raises:
        ConfigurationError: anything is wrong with any of them, or there is no such default.
    """
    if settings.policies_dir is not None:
        return PolicySet.load([settings.policies_dir], settings.default_policy)
    folders = [pack_folder(name) for name in pack_names()]
    return PolicySet.load(folders, settings.default_policy)


def kernel(settings: Settings) -> "Kernel":
    """Policies, a warm extractor and pseudonyms (takes two to three seconds).

    Raises:
        ConfigurationError: a policy, the model or the pseudonym key is missing or wrong.
    """
    from lawful.extractors import build_extractor
    from lawful.streams.kernel import Kernel

    pseudonymiser = settings.pseudonymiser()
    return Kernel(
        policies=policies(settings),
        extractor=build_extractor(pseudonymiser, model=settings.model),
        pseudonymiser=pseudonymiser,
        skew_bound=settings.skew_ms * 1_000,
        max_subjects=settings.max_subjects,
    )


def in_process(settings: Settings) -> "InProcessTransport":
    """A guard's transport without Kafka: the same kernel, in this process."""
    from lawful.streams.inprocess import InProcessTransport

    parts = kernel(settings)
    return InProcessTransport(parts.policies, parts.extractor, parts.pseudonymiser)

"""The chain's parts as this installation's settings have them."""

import logging
import time

from lawful.infra.audit_chain.anchor_file import AnchorFile
from lawful.infra.audit_chain.anchor_topic import AnchorTopic
from lawful.infra.audit_chain.keys import ChainKeys, PublicKey, SigningKey, derived_master
from lawful.infra.audit_chain.notary import NoNotary, Notary, Publisher, SigningNotary
from lawful.infra.settings import Settings
from lawful.schemas.errors import ConfigurationError

logger = logging.getLogger(__name__)


def chain_keys(settings: Settings) -> ChainKeys:
    """What rows are hashed under.

    Raises:
        ConfigurationError: there is neither a chain key nor a pseudonym key.
    """
    if settings.audit.chain_key:
        return ChainKeys(settings.audit.chain_key)
    if not settings.pseudonym_key:
        raise ConfigurationError(
            "there is no key for the audit's hash chain",
            hint="set LAWFUL_AUDIT_CHAIN_KEY_FILE to a file with at least 16 random bytes; keep it with the audit",
        )
    logger.warning(
        "the audit's chain key is derived from the pseudonym key, which guards have, too; set a key of its own"
    )
    return ChainKeys(derived_master(settings.pseudonym_key))


def public_key(settings: Settings) -> PublicKey | None:
    """What anchors are checked with; `None` if there is no key.

    Raises:
        ConfigurationError: a key cannot be read.
    """
    if settings.audit.public_key is not None:
        return PublicKey.read(settings.audit.public_key)
    return SigningKey.parse(settings.audit.signing_key).public if settings.audit.signing_key else None


def notary(settings: Settings) -> Notary:
    """Who signs the chains' ends, and where they are kept.

    Raises:
        ConfigurationError: the signing key cannot be read.
    """
    if not settings.audit.signing_key:
        logger.warning(
            "no signing key: the ends of the audit's chains are not signed, so a cut-off tail would not show"
        )
        return NoNotary()
    key = SigningKey.parse(settings.audit.signing_key)
    return SigningNotary(key, publishers(settings), settings.audit.anchor_ms / 1_000, time.time)


def publishers(settings: Settings) -> list[Publisher]:
    """Where anchors go: the topic, and a file if one is named."""
    found: list[Publisher] = [AnchorTopic(settings.kafka, settings.topics.anchors)]
    if settings.audit.anchor_file is not None:
        found.append(AnchorFile(settings.audit.anchor_file))
    return found

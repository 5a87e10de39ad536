"""What `lawful doctor` looks at in the audit's proof: keys of the chain, and anchors that keep up with it."""

from collections.abc import Iterator, Mapping
from typing import Final

from lawful.infra.audit_chain.anchor_topic import read
from lawful.infra.clickhouse.client import connect, mapped
from lawful.infra.findings import Finding, State
from lawful.infra.settings import Settings
from lawful.schemas.audit import AnchorKind

_GRACE_MS: Final = 60_000
_ENDS: Final = (
    "SELECT log_partition, max(chain_no), toUnixTimestamp64Milli(now64(3)) - toUnixTimestamp64Milli(max(logged_at)) "
    "FROM chain WHERE log_topic = {topic:String} GROUP BY log_partition"
)


def chain_key(settings: Settings) -> Finding:
    """Whether rows are hashed under a key that nobody but the audit writers has."""
    if settings.audit.chain_key:
        return Finding("chain key", State.FINE, "set")
    hint = "set LAWFUL_AUDIT_CHAIN_KEY_FILE to a file with at least 16 random bytes; keep it as long as the audit"
    if settings.pseudonym_key:
        return Finding("chain key", State.NOTE, "derived from the pseudonym key, which guards have, too", hint)
    return Finding("chain key", State.WRONG, "there is none, so no audit writer starts", hint)


def anchors(settings: Settings) -> Iterator[Finding]:
    """Whether the ends of the chains are signed, and the signatures keep up with the rows.

    Raises:
        LawfulError: Kafka or ClickHouse cannot be asked.
    """
    signed = {
        anchor.partition: anchor.number
        for anchor in sorted(read(settings.kafka, settings.topics.anchors), key=lambda each: each.number)
        if anchor.kind is AnchorKind.HEAD and anchor.topic == settings.topics.audit
    }
    late = sorted(number for number, end in _ends(settings).items() if _late(settings, end, signed.get(number, 0)))
    if not signed and not settings.audit.signing_key:
        hint = "give the audit writers LAWFUL_AUDIT_SIGNING_KEY_FILE, an Ed25519 key in PEM"
        yield Finding("anchors", State.NOTE, "none: a tail that is cut off would not show", hint)
    elif late:
        words = f"rows that no anchor covers in partitions {', '.join(map(str, late))}"
        yield Finding(
            "anchors", State.WRONG, words, "is an audit writer with the signing key running? Its log says why"
        )
    else:
        yield Finding("anchors", State.FINE, f"chains that are signed up to their ends: {len(signed)}")


def _late(settings: Settings, end: tuple[int, int], signed: int) -> bool:
    """Whether the newest row has been waiting for its anchor for too long."""
    number, age_ms = end
    return number > signed and age_ms > 2 * settings.audit.anchor_ms + _GRACE_MS


def _ends(settings: Settings) -> Mapping[int, tuple[int, int]]:
    client = connect(settings.clickhouse)
    try:
        with mapped("reading the ends of the chains"):
            rows = client.query(_ENDS, parameters={"topic": settings.topics.audit}).result_rows
    finally:
        client.close()
    return {int(partition): (int(number), int(age)) for partition, number, age in rows}

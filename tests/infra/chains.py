"""Hash chains for tests: keys, and rows as links."""

from collections.abc import Mapping, Sequence

from lawful.infra.audit_chain.keys import ChainKeys, SigningKey, new_signing_key
from lawful.infra.audit_chain.link import Head, Linker
from lawful.infra.audit_writer.batch import linked
from lawful.infra.audit_writer.ports import Batch
from lawful.infra.audit_writer.store import ClickHouseStore
from lawful.infra.clickhouse.rows import Partition, Row

CHAIN_KEY = b"the chain key of the tests"
KEYS = ChainKeys(CHAIN_KEY)
LINKER = Linker(KEYS)
SIGNING_PEM = new_signing_key()
SIGNING_KEY = SigningKey.parse(SIGNING_PEM)


def batches(rows: Sequence[Row], heads: Mapping[Partition, Head] | None = None) -> list[Batch]:
    """Audit rows as links behind these heads."""
    return linked(rows, heads or {}, LINKER)


def write(store: ClickHouseStore, rows: Sequence[Row]) -> None:
    """Adds rows to the chains that the store has."""
    topics = {row.place.topic for row in rows}
    heads = {Partition(topic, number): head for topic in sorted(topics) for number, head in store.heads(topic).items()}
    for batch in batches(rows, heads):
        store.insert(batch)

"""Anchors: what is signed, and how they are kept in files."""

import base64
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawful.infra.audit_chain import anchor_file, keys
from lawful.infra.audit_chain.anchor_file import AnchorFile
from lawful.infra.audit_chain.keys import ChainKeys, PublicKey, SigningKey, derived_master, new_signing_key
from lawful.infra.audit_chain.link import Head
from lawful.infra.audit_chain.own import chain_keys, public_key
from lawful.infra.audit_chain.statement import genuine, line, read_line, signed
from lawful.infra.audit_verify.evidence import anchors, latest
from lawful.infra.clickhouse.rows import Partition
from lawful.infra.settings import AuditSettings, Settings
from lawful.schemas.audit import Anchor, AnchorKind
from lawful.schemas.codec import decode, encode
from lawful.schemas.errors import ConfigurationError, InvalidRecord
from tests.infra.chains import CHAIN_KEY, SIGNING_KEY, SIGNING_PEM

CHAIN = Partition("t.audit", 3)


def made(number: int = 7, at: int = 1_000, kind: AnchorKind = AnchorKind.HEAD) -> Anchor:
    """A signed one."""
    return signed(kind, CHAIN, Head(number * 2, number, "ab" * 32), at=at, key=SIGNING_KEY)


def test_a_signature_covers_every_field() -> None:
    """Whatever is changed, it is not genuine any more; and it is nobody else's."""
    anchor = made()
    assert genuine(anchor, SIGNING_KEY.public)
    assert not genuine(anchor, SigningKey.parse(new_signing_key()).public)
    others: dict[str, Any] = {
        "kind": AnchorKind.RETENTION,
        "topic": "u",
        "row_hash": "x",
        "key_id": "x",
        "signature": base64.b64encode(b"x" * 64).decode(),
    }
    for field in fields(Anchor):
        changed = replace(anchor, **{field.name: others.get(field.name, 1)})
        assert not genuine(changed, SIGNING_KEY.public), field.name
    assert not genuine(replace(anchor, signature="no base64"), SIGNING_KEY.public)


@settings(deadline=None)  # the first one compiles the codec
@given(st.text(), st.integers(-(2**31), 2**31 - 1), st.integers(-(2**63), 2**63 - 1))
def test_an_anchor_reads_back_from_its_line_and_from_the_topic(topic: str, partition: int, number: int) -> None:
    """Both forms keep what was signed."""
    head = Head(number, number, "ab")
    anchor = signed(AnchorKind.RETENTION, Partition(topic, partition), head, at=1, key=SIGNING_KEY)
    assert read_line(line(anchor)) == anchor
    assert decode(encode(anchor), Anchor) == anchor
    assert "\n" not in line(anchor)


@pytest.mark.parametrize("text", ["", "[]", "{}", "null", '{"kind": "head"}', line(made()).replace('"head"', '"tail"')])
def test_a_line_that_is_no_anchor_is_refused(text: str) -> None:
    """Also where it is JSON."""
    with pytest.raises(InvalidRecord):
        read_line(text)


def test_a_line_with_a_number_where_a_text_belongs_is_refused() -> None:
    """Types are what they were."""
    with pytest.raises(InvalidRecord):
        read_line(line(made()).replace('"partition": 3', '"partition": true'))


def test_a_file_keeps_what_was_appended(tmp_path: Path) -> None:
    """Two writers append; a last line that was cut off is passed over; another line that is none is told."""
    path = tmp_path / "anchors.jsonl"
    for number in (1, 2):
        AnchorFile(path).publish([made(number)])
    AnchorFile(path).close()
    assert anchor_file.read(path) == [made(1), made(2)]
    with path.open("a") as file:
        file.write(line(made(3))[:40])
    assert anchor_file.read(path) == [made(1), made(2)]
    with path.open("a") as file:
        file.write("\nnonsense\n")
    with pytest.raises(ConfigurationError, match="line 3"):
        anchor_file.read(path)
    with pytest.raises(ConfigurationError, match="cannot be read"):
        anchor_file.read(tmp_path / "none")


def test_anchors_come_from_every_file_once(tmp_path: Path) -> None:
    """The installation's own file and copies; of each chain the latest head as of a time can be asked for."""
    own, copy = tmp_path / "own", tmp_path / "copy"
    AnchorFile(own).publish([made(1, at=10), made(2, at=20)])
    AnchorFile(copy).publish([made(2, at=20), made(3, at=30), made(9, at=5, kind=AnchorKind.RETENTION)])
    found = anchors(Settings(audit=AuditSettings(anchor_file=own)), [copy], topic=False)
    assert sorted(each.number for each in found) == [1, 2, 3, 9]
    assert latest(found) == [made(3, at=30)]
    assert latest(found, before=20) == [made(2, at=20)]


def test_keys_come_from_settings(tmp_path: Path) -> None:
    """A chain key of its own, else one derived from the pseudonym key, else none at all, which is told."""
    given_key = Settings(audit=AuditSettings(chain_key=CHAIN_KEY, signing_key=SIGNING_PEM))
    pseudonym_key = b"a pseudonym key of some length"
    derived = chain_keys(Settings(pseudonym_key=pseudonym_key))
    assert chain_keys(given_key).hash("acme", b"x") != derived.hash("acme", b"x")
    assert derived.hash("acme", b"x") != derived.hash("other", b"x")
    assert derived_master(pseudonym_key) != pseudonym_key
    with pytest.raises(ConfigurationError, match="LAWFUL_AUDIT_CHAIN_KEY_FILE"):
        chain_keys(Settings())
    path = tmp_path / "public.pem"
    path.write_bytes(SIGNING_KEY.public.pem())
    by_file = public_key(Settings(audit=AuditSettings(public_key=path)))
    by_key = public_key(given_key)
    assert by_file is not None
    assert by_key is not None
    assert by_file.key_id == by_key.key_id == SIGNING_KEY.public.key_id
    assert public_key(Settings()) is None


def test_a_key_of_another_kind_is_told_and_not_shown(tmp_path: Path) -> None:
    """The message says what to do and quotes nothing."""
    path = tmp_path / "other.pem"
    path.write_text("hunter2")
    with pytest.raises(ConfigurationError, match="public key") as public:
        PublicKey.read(path)
    with pytest.raises(ConfigurationError, match="openssl genpkey") as private:
        SigningKey.parse(b"hunter2")
    assert "hunter2" not in f"{public.value}{private.value}"


def test_chain_keys_of_tenants_without_number_take_no_memory_without_bound() -> None:
    """A tenant's id is a sender's word: derived keys are at hand for so many, and the same when made anew."""
    chain = ChainKeys(CHAIN_KEY)
    first = chain.of("tenant-0")
    assert len({chain.of(f"tenant-{n}") for n in range(5_000)}) == 5_000
    assert chain.of("tenant-0") == first
    assert keys._derived.cache_info().currsize <= 4_096

"""What `lawful up` leaves for the other commands: readable by its owner only, complete or not at all."""

import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from lawful.infra.audit_chain.keys import PublicKey, SigningKey
from lawful.infra.installation import Installation, audit_keys, pseudonym_key
from lawful.infra.settings_load import load_settings
from lawful.schemas.errors import ConfigurationError


def installation(tmp_path: Path, pid: int = 0) -> Installation:
    """An installation whose key is in `tmp_path`."""
    return Installation(
        pid=pid or os.getpid(),
        values={"kafka.bootstrap": "127.0.0.1:1", "clickhouse.port": "2"},
        passwords={"owner": "o-secret", "writer": "w-secret", "officer": "f-secret"},
        key_file=str(pseudonym_key(tmp_path)),
    )


def test_it_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    """Saving and loading is the identity, and no draft stays behind."""
    mine = installation(tmp_path)
    mine.save(tmp_path / "up.json")
    assert Installation.load(tmp_path / "up.json") == mine
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pseudonym.key", "up.json"]


@pytest.mark.parametrize("name", ["up.json", "pseudonym.key"])
def test_only_the_owner_can_read_it(tmp_path: Path, name: str) -> None:
    """Passwords and the pseudonym key are nobody else's business."""
    installation(tmp_path).save(tmp_path / "up.json")
    assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600


def test_the_key_is_made_once(tmp_path: Path) -> None:
    """The same folder keeps its key: pseudonyms stay the same."""
    first = pseudonym_key(tmp_path).read_bytes()
    assert pseudonym_key(tmp_path).read_bytes() == first
    assert len(first) >= 32


def test_the_audit_s_keys_are_made_once_and_belong_together(tmp_path: Path) -> None:
    """Secrets are their owner's; the public key checks what the signing key signs, and is for everybody."""
    keys = audit_keys(tmp_path)
    secret = [keys.chain, keys.signing]
    before = [path.read_bytes() for path in secret]
    assert audit_keys(tmp_path) == keys
    assert [path.read_bytes() for path in secret] == before
    assert {stat.S_IMODE(path.stat().st_mode) for path in secret} == {0o600}
    signing = SigningKey.parse(keys.signing.read_bytes())
    assert PublicKey.read(keys.public).signed(b"x", signing.sign(b"x"))
    assert not PublicKey.read(keys.public).signed(b"y", signing.sign(b"x"))


def test_commands_find_the_audit_s_keys(tmp_path: Path) -> None:
    """Their files are named like the pseudonym key's."""
    keys = audit_keys(tmp_path)
    mine = replace(installation(tmp_path), audit_key_files={"audit.chain_key": str(keys.chain)})
    mine.save(tmp_path / "up.json")
    assert Installation.load(tmp_path / "up.json") == mine
    assert load_settings(mine.environment("officer")).audit.chain_key == keys.chain.read_bytes()


def test_passwords_are_not_in_its_repr(tmp_path: Path) -> None:
    """A log line that holds the object tells no password."""
    assert "secret" not in repr(installation(tmp_path))


def test_each_user_gets_settings_of_its_own(tmp_path: Path) -> None:
    """The environment of a user is enough to build its settings."""
    settings = load_settings(installation(tmp_path).environment("officer"))
    assert (settings.clickhouse.user, settings.clickhouse.password) == ("officer", "f-secret")
    assert settings.kafka.bootstrap == "127.0.0.1:1"
    assert settings.pseudonym_key == pseudonym_key(tmp_path).read_bytes()


def test_a_process_that_ended_is_not_alive(tmp_path: Path) -> None:
    """A file that a killed `lawful up` left behind is recognised."""
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    assert installation(tmp_path).alive
    assert not installation(tmp_path, pid=child.pid).alive


def test_no_file_is_no_installation(tmp_path: Path) -> None:
    """Without `lawful up`, commands go by settings and defaults."""
    assert Installation.load(tmp_path / "up.json") is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"pid": "x"}'])
def test_a_file_of_another_kind_is_told(tmp_path: Path, text: str) -> None:
    """A file that is not ours is an error with a remedy, never a traceback."""
    (tmp_path / "up.json").write_text(text)
    with pytest.raises(ConfigurationError, match="remove the file"):
        Installation.load(tmp_path / "up.json")

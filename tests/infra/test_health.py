"""What the doctor sees on this machine: disk, secrets, clear text, ports."""

from pathlib import Path
from typing import NamedTuple

import pytest

from lawful.infra.findings import State
from lawful.infra.health_machine import clear_text, data_folder, open_ports, private_files, secret_file
from lawful.infra.settings import ClickHouseSettings, KafkaSettings, Settings
from lawful.infra.settings_load import load_settings


class Usage(NamedTuple):
    """As `shutil.disk_usage` gives it."""

    total: int
    used: int
    free: int


GIB = 1 << 30


@pytest.mark.parametrize(
    ("free", "state"), [(100 * GIB, State.FINE), (3 * GIB, State.NOTE), (GIB // 2, State.WRONG), (0, State.WRONG)]
)
def test_disk_space(free: int, state: State, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Little is a note, next to nothing is wrong; a folder that is not there yet is seen by its parent's disk."""
    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage(200 * GIB, 0, free))
    found = data_folder(tmp_path / "not" / "yet")
    assert found.state is state
    assert bool(found.hint) is (state is not State.FINE)


def test_a_data_folder_that_is_a_file_is_wrong(tmp_path: Path) -> None:
    """Nothing can be kept there."""
    (tmp_path / "file").touch()
    assert data_folder(tmp_path / "file").state is State.WRONG


@pytest.mark.parametrize(
    ("mode", "state"), [(0o600, State.FINE), (0o400, State.FINE), (0o640, State.NOTE), (0o644, State.WRONG)]
)
def test_who_can_read_a_secret(mode: int, state: State, tmp_path: Path) -> None:
    """Its owner alone; a group is worth a note; everybody is wrong, and the remedy is a command."""
    path = tmp_path / "key"
    path.write_text("hidden")
    path.chmod(mode)
    found = secret_file("LAWFUL_PSEUDONYM_KEY_FILE", path)
    assert found.state is state
    assert "hidden" not in found.words
    assert (f"chmod 600 {path}" in found.hint) is (state is not State.FINE)


def test_a_secret_that_is_not_there_is_wrong(tmp_path: Path) -> None:
    """The setting that names it is named."""
    found = secret_file("kafka.ssl_key_location", tmp_path / "none")
    assert (found.what, found.state) == ("kafka.ssl_key_location", State.WRONG)


def test_every_file_with_a_secret_is_looked_at(tmp_path: Path) -> None:
    """Those that variables name, and the private keys for TLS."""
    key = tmp_path / "key"
    key.write_text("k" * 32)
    env = {"LAWFUL_PSEUDONYM_KEY_FILE": str(key), "LAWFUL_KAFKA_SASL_PASSWORD_FILE": str(key)}
    env |= {"LAWFUL_KAFKA_SSL_KEY_LOCATION": "/tls.key", "LAWFUL_KAFKA_SECURITY_PROTOCOL": "SASL_SSL"}
    assert dict(private_files(load_settings(env), env)) == {
        "LAWFUL_KAFKA_SASL_PASSWORD_FILE": key,
        "LAWFUL_PSEUDONYM_KEY_FILE": key,
        "kafka.ssl_key_location": Path("/tls.key"),
    }


@pytest.mark.parametrize(
    ("bootstrap", "protocol", "host", "secure", "found"),
    [
        ("127.0.0.1:9092,localhost:9093,[::1]:1", "PLAINTEXT", "127.0.0.1", False, []),
        ("kafka:9092", "PLAINTEXT", "localhost", False, ["Kafka's transport"]),
        ("kafka:9092", "SASL_PLAINTEXT", "localhost", False, ["Kafka's transport"]),
        ("PLAINTEXT://10.0.0.7:9092", "PLAINTEXT", "db", False, ["Kafka's transport", "ClickHouse's transport"]),
        ("kafka:9092", "SSL", "db", True, []),
    ],
)
def test_what_travels_in_clear_text(
    bootstrap: str,
    protocol: str,
    host: str,
    secure: bool,  # noqa: FBT001 - a case
    found: list[str],
) -> None:
    """Over loopback it may; over a network it is worth a note."""
    settings = Settings(
        kafka=KafkaSettings(bootstrap=bootstrap, security_protocol=protocol),
        clickhouse=ClickHouseSettings(host=host, secure=secure),
    )
    assert [each.what for each in clear_text(settings)] == found


def test_ports_that_others_reach_are_told() -> None:
    """Metrics on loopback are nobody's business; on all addresses they are worth a note."""
    assert list(open_ports(Settings(metrics_port=1))) == []
    assert list(open_ports(Settings(listen_host="0.0.0.0"))) == []  # noqa: S104 - the case in question
    (found,) = open_ports(Settings(metrics_port=9464, listen_host="0.0.0.0"))  # noqa: S104 - the case in question
    assert (found.state, "9464" in found.words) == (State.NOTE, True)

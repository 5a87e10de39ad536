"""Settings: from where, in which order, and what is said when one is wrong."""

from pathlib import Path

import pytest

from lawful.infra.settings import AuditFailure, Settings, Store
from lawful.infra.settings_load import catalogue, load_settings, variable
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Identifier

KEY = "k" * 32


def test_defaults_need_no_environment() -> None:
    """Without any setting there is a complete object."""
    assert load_settings({}) == Settings()


def test_the_command_line_wins_over_the_environment_over_the_file(tmp_path: Path) -> None:
    """Each source overrides the one below it, name by name."""
    file = tmp_path / "lawful.toml"
    file.write_text('partitions = 2\ntopic_prefix = "file"\n[kafka]\nbootstrap = "file:1"\n[clickhouse]\nport = 1\n')
    env = {"LAWFUL_KAFKA_BOOTSTRAP": "env:1", "LAWFUL_TOPIC_PREFIX": "env"}
    settings = load_settings(env, file=file, overrides={"topic_prefix": "cli", "partitions": None})
    assert settings.topic_prefix == "cli"
    assert settings.kafka.bootstrap == "env:1"
    assert settings.clickhouse.port == 1
    assert settings.partitions == 2


def test_a_yaml_file_named_by_the_environment_is_read(tmp_path: Path) -> None:
    """`LAWFUL_CONFIG` names a file; durations may have units."""
    file = tmp_path / "lawful.yaml"
    file.write_text(
        "store: memory\nskew_ms: 5m\naudit:\n  failure: reject\n  batch_ms: 2s\nclickhouse: {secure: yes}\n"
    )
    settings = load_settings({"LAWFUL_CONFIG": str(file)})
    assert settings.store is Store.MEMORY
    assert settings.skew_ms == 300_000
    assert (settings.audit.failure, settings.audit.batch_ms) == (AuditFailure.REJECT, 2_000)
    assert settings.clickhouse.secure is True


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("clickhouse.port", "http", "a whole number"),
        ("clickhouse.port", "70000", "at most 65535"),
        ("clickhouse.database", "a; DROP DATABASE b", "matches"),
        ("audit.failure", "ignore", "'permit', 'reject'"),
        ("audit.batch_ms", "soon", "a duration"),
        ("dead_letters.ratio", "nan", "a number"),
        ("clickhouse.secure", "maybe", "true or false"),
        ("kafka.security_protocol", "TLS", "'SASL_SSL'"),
        ("store", "redis", "'memory', 'rocksdb'"),
        ("partitions", "0", "at least 1"),
    ],
)
def test_a_wrong_value_is_named_with_its_source(name: str, value: str, expected: str) -> None:
    """The message says which setting, from where, and what was expected."""
    with pytest.raises(ConfigurationError) as caught:
        load_settings({variable(name): value})
    assert repr(name) in str(caught.value)
    assert f"the environment variable {variable(name)}" in str(caught.value)
    assert expected in str(caught.value)


@pytest.mark.parametrize("name", ["LAWFUL_KAFKA_BOOTSTRP", "LAWFUL_CLICKHOUSE_PASWORD"])
def test_a_misspelt_variable_is_not_passed_over(name: str) -> None:
    """A variable that looks like a setting but is none is an error with a suggestion."""
    with pytest.raises(ConfigurationError, match="did you mean LAWFUL_"):
        load_settings({name: "x"})


def test_variables_of_others_are_left_alone() -> None:
    """Variables that resemble no setting are somebody else's."""
    assert load_settings({"LAWFUL_SHARED_DATA": "/data", "PATH": "/bin"}) == Settings()


def test_an_unknown_name_in_a_file_is_refused(tmp_path: Path) -> None:
    """A file may hold settings only; the nearest one is suggested."""
    file = tmp_path / "lawful.toml"
    file.write_text('[kafka]\nbootsrap = "x:1"\n')
    with pytest.raises(ConfigurationError, match=r"did you mean 'kafka\.bootstrap'"):
        load_settings({}, file=file)


@pytest.mark.parametrize(("name", "text"), [("a.toml", "x = ["), ("a.yaml", "a: [b"), ("b.yaml", "- a")])
def test_a_broken_file_is_named(tmp_path: Path, name: str, text: str) -> None:
    """A file that cannot be parsed is an error that names it and quotes nothing of it."""
    file = tmp_path / name
    file.write_text(text)
    with pytest.raises(ConfigurationError, match=name):
        load_settings({}, file=file)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """A file that is not there is an error."""
    with pytest.raises(ConfigurationError, match="cannot read"):
        load_settings({"LAWFUL_CONFIG": str(tmp_path / "none.toml")})


def test_secrets_are_in_no_repr_and_no_error() -> None:
    """Neither the object nor a message about a bad secret shows it."""
    env = {
        "LAWFUL_PSEUDONYM_KEY": KEY,
        "LAWFUL_CLICKHOUSE_PASSWORD": "hidden-1",
        "LAWFUL_KAFKA_SASL_PASSWORD": "hidden-2",
        "LAWFUL_KAFKA_SECURITY_PROTOCOL": "SASL_SSL",
    }
    shown = repr(load_settings(env))
    assert KEY not in shown
    assert "hidden" not in shown
    with pytest.raises(ConfigurationError, match="at least 16 bytes, found 5") as caught:
        load_settings({"LAWFUL_PSEUDONYM_KEY": "short"})
    assert "short" not in str(caught.value)


def test_a_secret_can_come_from_a_file(tmp_path: Path) -> None:
    """`<variable>_FILE` names a file; the newline at its end is no part of the secret."""
    file = tmp_path / "key"
    file.write_bytes(bytes(range(128, 160)) + b"\n")
    settings = load_settings({"LAWFUL_PSEUDONYM_KEY_FILE": str(file)})
    assert settings.pseudonym_key == bytes(range(128, 160))
    with pytest.raises(ConfigurationError, match="both"):
        load_settings({"LAWFUL_PSEUDONYM_KEY_FILE": str(file), "LAWFUL_PSEUDONYM_KEY": KEY})


def test_without_a_key_there_are_no_pseudonyms() -> None:
    """A process that needs the key says so; one that does not never asks."""
    with pytest.raises(ConfigurationError, match="no pseudonym key"):
        Settings().pseudonymiser()
    pseudonym = (
        load_settings({"LAWFUL_PSEUDONYM_KEY": KEY}).pseudonymiser().of("acme", Identifier("email", "a@example.org"))
    )
    assert len(pseudonym) == 64


def test_security_settings_reach_librdkafka() -> None:
    """What is set is passed under librdkafka's names; what is not is left to its defaults."""
    env = {
        "LAWFUL_KAFKA_SECURITY_PROTOCOL": "SASL_SSL",
        "LAWFUL_KAFKA_SASL_PASSWORD": "p",
        "LAWFUL_KAFKA_SASL_MECHANISM": "PLAIN",
    }
    options = load_settings(env).kafka.librdkafka()
    assert options["sasl.password"] == "p"
    assert options["security.protocol"] == "SASL_SSL"
    assert "ssl.ca.location" not in options


def test_a_reply_prefix_that_would_match_our_own_topics_is_refused() -> None:
    """An event must not make a worker write into the audit topic."""
    assert Settings().allowed_reply_prefix == "lawful.replies."
    with pytest.raises(ConfigurationError, match="prefix of reply topics"):
        _ = Settings(reply_prefix="lawful.").allowed_reply_prefix


def test_every_setting_is_explained() -> None:
    """`lawful doctor` and the documentation can list all of them with a sentence."""
    assert all(sentence for _, _, sentence in catalogue())
    assert len({name for _, name, _ in catalogue()}) == len(catalogue()) > 30

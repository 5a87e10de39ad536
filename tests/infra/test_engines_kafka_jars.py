"""Whether Apache Kafka can run from jars here is answered with a reason, never with a crash."""

from pathlib import Path

import pytest

from lawful.infra.engines import containers, kafka_jars


def program(folder: Path, name: str, says: str) -> None:
    """A stand-in for a program on the path."""
    file = folder / name
    file.write_text(f"#!/bin/sh\necho '{says}' >&2\n")
    file.chmod(0o755)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A path with nothing on it, and an empty cache."""
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("shutil.which", lambda name: str(tmp_path / name) if _has(tmp_path, name) else None)
    return tmp_path


def _has(folder: Path, name: str) -> bool:
    return (folder / name).exists()


def test_no_java_is_told(path: Path) -> None:
    """Nothing on the path."""
    assert kafka_jars.missing() == "no Java"


@pytest.mark.parametrize(
    ("says", "missing"),
    [
        ('openjdk version "1.8.0_392"', "Java 1 is older than 17"),
        ('openjdk version "11.0.2"', "Java 11 is older than 17"),
    ],
)
def test_an_old_java_is_told(path: Path, says: str, missing: str) -> None:
    """Kafka 4 needs 17."""
    program(path, "java", says)
    assert kafka_jars.missing() == missing


def test_no_maven_is_told_unless_the_jars_are_there(path: Path) -> None:
    """Maven is needed once."""
    program(path, "java", 'openjdk version "21.0.1"')
    assert kafka_jars.missing() == "no Maven"
    kafka_jars.jars_folder().mkdir(parents=True)
    assert kafka_jars.missing() == ""
    assert kafka_jars.fetch_jars() == kafka_jars.jars_folder()


@pytest.mark.parametrize("address", ["unix:///no/such/socket", "tcp://127.0.0.1:1", "ssh://somewhere", "nonsense"])
def test_a_docker_that_does_not_answer_is_told(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    """Whatever stands in DOCKER_HOST, the answer is a reason."""
    monkeypatch.setenv("DOCKER_HOST", address)
    assert containers.missing() == f"Docker does not answer at {address}"

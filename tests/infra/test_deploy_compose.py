"""The compose file is checked for structure here; Docker is what runs it."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

import lawful.infra
from lawful.infra.clickhouse import grants
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.engines.containers import CLICKHOUSE_IMAGE, KAFKA_IMAGE
from lawful.infra.engines.kafka_jars import POM
from lawful.infra.settings_load import catalogue

DEPLOY = Path(lawful.infra.__file__).parent / "deploy"
PASSWORDS = {f"LAWFUL_{user.upper()}_PASSWORD" for user in ("owner", "writer", "officer", "retention")}


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """The compose file."""
    document: dict[str, Any] = YAML(typ="safe").load(DEPLOY / "compose.yaml")
    return document


@pytest.fixture(scope="module")
def users() -> dict[str, ET.Element]:
    """The users in ClickHouse's file."""
    tree = ET.parse(DEPLOY / "clickhouse" / "users.xml")  # noqa: S314 - our own file
    return {user.tag: user for user in tree.getroot().iterfind("users/*")}


def granted(user: ET.Element) -> tuple[str, ...]:
    """What stands between GRANT and the end, for each grant."""
    return tuple((query.text or "").removeprefix("GRANT ") for query in user.iterfind("grants/query"))


def test_every_service_is_pinned_checked_and_local(compose: dict[str, Any]) -> None:
    """A fixed version, a health check, and ports for this machine only."""
    assert set(compose["services"]) == {"kafka", "schema-registry", "clickhouse"}
    for name, service in compose["services"].items():
        assert re.search(r":\d+\.\d+(\.\d+)?$", service["image"]), name
        assert service["healthcheck"]["test"][0] == "CMD", name
        assert all(port.startswith("127.0.0.1:") for port in service["ports"]), name


def test_tests_and_deployment_run_the_same_versions(compose: dict[str, Any]) -> None:
    """The images of the tests' containers, the jars, and the compose file go together."""
    services = compose["services"]
    assert services["kafka"]["image"] == KAFKA_IMAGE
    assert services["clickhouse"]["image"] == CLICKHOUSE_IMAGE
    assert f"<version>{KAFKA_IMAGE.rpartition(':')[2]}</version>" in POM.read_text()


def test_kafka_keeps_the_pipeline_s_promises(compose: dict[str, Any]) -> None:
    """KRaft, the broker's clock, and no topics by accident."""
    kafka = compose["services"]["kafka"]["environment"]
    assert kafka["KAFKA_PROCESS_ROLES"] == "broker,controller"
    assert kafka["KAFKA_LOG_MESSAGE_TIMESTAMP_TYPE"] == "LogAppendTime"
    assert kafka["KAFKA_AUTO_CREATE_TOPICS_ENABLE"] == "false"


def test_volumes_and_mounted_files_exist(compose: dict[str, Any]) -> None:
    """Every volume is declared, every mounted file is here."""
    mounts = [m for service in compose["services"].values() for m in service.get("volumes", [])]
    for source in (mount.split(":")[0] for mount in mounts):
        assert (DEPLOY / source).is_file() if source.startswith(".") else source in compose["volumes"], source


def test_no_password_has_a_default(compose: dict[str, Any], users: dict[str, ET.Element]) -> None:
    """Each password must be given, and there is no user without one."""
    given = compose["services"]["clickhouse"]["environment"]
    assert {name for name in given if name.endswith("_PASSWORD")} == PASSWORDS
    assert all(given[name].startswith(f"${{{name}:?") for name in PASSWORDS)
    assert users.pop("default").get("remove") == "remove"
    assert {_from_env(user) for user in users.values()} == PASSWORDS


def _from_env(user: ET.Element) -> str | None:
    password = user.find("password")
    return None if password is None else password.get("from_env")


def test_users_have_the_least_grants(users: dict[str, ET.Element]) -> None:
    """The file says what the code says."""
    assert granted(users[grants.OWNER]) == grants.owner("lawful")
    assert granted(users[grants.WRITER]) == grants.writer("lawful")
    assert granted(users[grants.OFFICER]) == grants.officer("lawful")
    assert granted(users[grants.RETENTION]) == grants.retention("lawful")


@pytest.mark.service
def test_clickhouse_accepts_the_file_s_grants(users: dict[str, ET.Element]) -> None:
    """The real parser takes every grant, for tables that do not exist yet."""
    rights = {name: granted(user) for name, user in users.items() if name != "default"}
    with EmbeddedClickHouse(grants=rights) as clickhouse:
        for user in rights:
            client = clickhouse.client(user)
            shown = "\n".join(row[0] for row in client.query("SHOW GRANTS").result_rows)
            client.close()
            assert "ON lawful." in shown, user


def test_the_notes_name_settings_that_exist() -> None:
    """Every LAWFUL_* variable in the notes is a setting, a secret's file, or a password of the compose file."""
    known = {variable for _, variable, _ in catalogue()}
    named = set(re.findall(r"LAWFUL_[A-Z_]*[A-Z]", (DEPLOY / "README.md").read_text()))
    unknown = {name for name in named - PASSWORDS if name.removesuffix("_FILE") not in known}
    assert not {name for name in unknown if not any(other.startswith(name + "_") for other in known)}

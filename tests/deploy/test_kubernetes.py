"""The manifests say what the product understands: settings, commands, ports, probes; and give no more than that."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from ruamel.yaml import YAML

from lawful.cli.app import app
from lawful.infra.clickhouse.grants import RETENTION
from lawful.infra.settings import Settings
from lawful.infra.settings_load import catalogue, load_settings
from lawful.infra.telemetry.health import Pulse
from lawful.infra.telemetry.serving import serving

FOLDER = Path(__file__).parents[2] / "infra" / "deploy" / "kubernetes"
FILES = sorted(FOLDER.glob("*.yaml"))


def documents(path: Path) -> list[dict[str, Any]]:
    """The objects of a file."""
    return [each for each in YAML(typ="safe").load_all(path.read_text(encoding="utf-8")) if each]


OBJECTS = [each for path in FILES for each in documents(path)]


def of_kind(*kinds: str) -> list[dict[str, Any]]:
    """Objects of these kinds."""
    return [each for each in OBJECTS if each["kind"] in kinds]


SETTINGS: dict[str, str] = of_kind("ConfigMap")[0]["data"]


def containers() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Every container with its pod."""
    for each in of_kind("StatefulSet", "Job", "CronJob"):
        pod = each["spec"].get("jobTemplate", each)["spec"]["template"]["spec"]
        for container in (*pod.get("initContainers", ()), *pod["containers"]):
            yield f"{each['metadata']['name']}/{container['name']}", container, pod


CONTAINERS = pytest.mark.parametrize(
    ("container", "pod"), [each[1:] for each in containers()], ids=[each[0] for each in containers()]
)


def environment(container: dict[str, Any]) -> dict[str, str]:
    """What a container's process is told."""
    own = {each["name"]: each.get("value", "pod-0") for each in container.get("env", ())}
    return SETTINGS | own


def test_every_file_is_applied() -> None:
    """The list of resources is the folder's content, and each object has a name."""
    listed = set(documents(FOLDER / "kustomization.yaml")[0]["resources"])
    assert listed == {path.name for path in FILES} - {"kustomization.yaml"}
    assert all(each["metadata"]["name"] for each in OBJECTS if each["kind"] != "Kustomization")


@CONTAINERS
def test_settings_are_understood(container: dict[str, Any], pod: dict[str, Any], tmp_path: Path) -> None:
    """Each variable is a setting, its value is accepted, and every secret comes from a file that is mounted."""
    told = environment(container)
    names = {variable for _, variable, _ in catalogue()}
    assert {name.removesuffix("_FILE") for name in told} <= names
    mounts = [each["mountPath"] for each in container["volumeMounts"]]
    files = [value for name, value in told.items() if name.endswith("_FILE")]
    assert all(any(value.startswith(f"{mount}/") for mount in mounts) for value in files)
    (tmp_path / "secret").write_text("s" * 32)
    settings = load_settings(
        {name: str(tmp_path / "secret") if name.endswith("_FILE") else value for name, value in told.items()}
    )
    assert settings.kafka.security_protocol == "SASL_SSL"
    assert settings.clickhouse.secure


@CONTAINERS
def test_commands_exist(container: dict[str, Any], pod: dict[str, Any]) -> None:
    """The arguments are a command of the application."""
    command: Any = typer.main.get_command(app)
    for word in container["args"]:
        assert word in command.commands, container["args"]
        command = command.commands[word]


@CONTAINERS
def test_pods_may_do_little(container: dict[str, Any], pod: dict[str, Any]) -> None:
    """No root, no rights to gain, nothing to write but what is mounted, no token of the cluster."""
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["automountServiceAccountToken"] is False
    security = container["securityContext"]
    assert security["readOnlyRootFilesystem"]
    assert not security["allowPrivilegeEscalation"]
    assert security["capabilities"] == {"drop": ["ALL"]}
    volumes = {each["name"] for each in pod["volumes"]} | {"data"}
    assert {each["name"] for each in container["volumeMounts"]} <= volumes


@pytest.mark.parametrize(
    ("name", "further"),
    [("lawful-worker", set()), ("lawful-gateway", set()), ("lawful-erasure-watch", {"clickhouse-officer.password"})],
)
def test_only_writers_get_keys_of_the_audit(name: str, further: set[str]) -> None:
    """The chain's key and the signing key are the writers' alone; each gets no other login than its own."""
    workers = next(each for each in of_kind("StatefulSet") if each["metadata"]["name"] == name)
    (secret,) = [each["secret"] for each in workers["spec"]["template"]["spec"]["volumes"] if "secret" in each]
    assert {each["key"] for each in secret["items"]} == {"pseudonym.key", "kafka.password"} | further


def test_old_months_go_once_a_month_by_a_user_who_can_do_nothing_else() -> None:
    """Never two at once, no second try where the audit does not verify, and no login but retention's own."""
    (each,) = of_kind("CronJob")
    assert re.fullmatch(r"\d+ \d+ ([1-9]|1\d|2[0-8]) \* \*", each["spec"]["schedule"])
    assert each["spec"]["concurrencyPolicy"] == "Forbid"
    job = each["spec"]["jobTemplate"]["spec"]
    pod = job["template"]["spec"]
    assert (job["backoffLimit"], pod["restartPolicy"]) == (0, "Never")
    (container,) = pod["containers"]
    assert container["args"] == ["audit", "retain"]
    assert environment(container)["LAWFUL_CLICKHOUSE_USER"] == RETENTION
    (secret,) = [volume["secret"] for volume in pod["volumes"] if "secret" in volume]
    logins = {item["key"] for item in secret["items"] if item["key"].startswith("clickhouse-")}
    assert logins == {"clickhouse-retention.password"}


@pytest.mark.parametrize("name", ["lawful-worker", "lawful-audit-writer", "lawful-gateway", "lawful-erasure-watch"])
def test_probes_ask_what_is_served(name: str) -> None:
    """Paths and ports of probes and metrics are those that a process with these settings opens."""
    each = next(one for one in of_kind("StatefulSet") if one["metadata"]["name"] == name)
    (container,) = each["spec"]["template"]["spec"]["containers"]
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    assert ports == {"metrics": int(SETTINGS["LAWFUL_METRICS_PORT"]), "health": int(SETTINGS["LAWFUL_HEALTH_PORT"])}
    pages = served()
    for probe in ("startupProbe", "livenessProbe", "readinessProbe"):
        asked = container[probe]["httpGet"]
        assert ports[asked["port"]] == int(SETTINGS["LAWFUL_HEALTH_PORT"])
        assert asked["path"] in pages
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    annotations = each["spec"]["template"]["metadata"]["annotations"]
    assert int(annotations["prometheus.io/port"]) == ports["metrics"]


def served() -> set[str]:
    """The pages that a process with a health port has."""
    import socket  # noqa: PLC0415 - here only
    from contextlib import closing  # noqa: PLC0415 - here only

    from prometheus_client import CollectorRegistry  # noqa: PLC0415 - here only

    with closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        port = int(found.getsockname()[1])
    with serving(Settings(health_port=port), CollectorRegistry(), Pulse()) as pages:
        return set(pages)


def test_selectors_match_and_names_are_stable() -> None:
    """Each set finds its own pods, each pod's name is its instance's, and there are no more workers than partitions."""
    for each in of_kind("StatefulSet"):
        labels = each["spec"]["template"]["metadata"]["labels"]
        assert each["spec"]["selector"]["matchLabels"] == labels
        (container,) = each["spec"]["template"]["spec"]["containers"]
        named = next(one for one in container["env"] if one["name"] == "LAWFUL_INSTANCE_ID")
        assert named["valueFrom"]["fieldRef"]["fieldPath"] == "metadata.name"
        assert each["spec"]["replicas"] <= int(SETTINGS["LAWFUL_PARTITIONS"])
        assert each["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] >= 60
        services = [one for one in of_kind("Service") if one["metadata"]["name"] == each["spec"]["serviceName"]]
        assert [one["spec"]["selector"] for one in services] == [labels]

"""Dashboard, alerts, runbook and the page of metrics: each names what there is, and nothing is left out."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from lawful.infra.telemetry.catalogue import METRICS, STANDARD
from tests.deploy.promql import balanced, labels, metrics

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "infra" / "deploy"
RUNBOOK = (ROOT / "docs" / "runbook.md").read_text(encoding="utf-8")
ANYWHERE = {"job", "instance", "le"}
"""Labels that Prometheus adds, or a histogram has."""


def load(path: Path) -> Any:
    """A YAML file."""
    return YAML(typ="safe").load(path.read_text(encoding="utf-8"))


def alerts() -> list[dict[str, Any]]:
    """Every alert rule."""
    groups = load(DEPLOY / "prometheus" / "alerts.yaml")["groups"]
    return [rule for group in groups for rule in group["rules"]]


def dashboard() -> dict[str, Any]:
    """The Grafana dashboard."""
    found: dict[str, Any] = json.loads((DEPLOY / "grafana" / "lawful.json").read_text(encoding="utf-8"))
    return found


def targets(kind: str) -> Iterator[dict[str, Any]]:
    """Queries of the dashboard's panels to one kind of data source."""
    for panel in dashboard()["panels"]:
        for target in panel.get("targets", []):
            if target["datasource"]["type"] == kind:
                yield target


EXPRESSIONS = [rule["expr"] for rule in alerts()] + [target["expr"] for target in targets("prometheus")]


def known(name: str) -> set[str]:
    """The labels of a series, if it is one of the catalogue's."""
    stem = re.sub(r"_(bucket|sum|count)$", "", name)
    metric = METRICS.get(stem if stem in METRICS else name)  # type: ignore[call-overload]
    if metric is not None:
        return set(metric.labels)
    assert name in STANDARD, f"no such metric: {name}"
    return set()


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_ask_for_what_there_is(expression: str) -> None:
    """Every metric of an alert or a panel is in the catalogue, and has the labels that are asked for."""
    assert balanced(expression)
    asked = metrics(expression)
    assert asked
    assert labels(expression) - ANYWHERE <= set().union(*(known(name) for name in asked))


def test_the_reader_of_expressions_finds_names_and_labels() -> None:
    """Metrics, matchers and groupings; functions, durations and numbers are none."""
    expression = (
        'histogram_quantile(0.9, sum by (le, stage) (rate(x_bucket{a="1",b!~"c"}[5m] offset 1d))) > 2 and on(d) y'
    )
    assert metrics(expression) == {"x_bucket", "y"}
    assert labels(expression) == {"le", "stage", "a", "b", "d"}
    assert balanced(expression)
    assert not balanced("sum(x))")
    with pytest.raises(AssertionError, match="no such metric"):
        known("lawful_nothing_total")


def test_every_metric_is_watched() -> None:
    """What is told is shown or alarms: nothing is counted that nobody looks at, but for what names a version."""
    used = {re.sub(r"_(bucket|sum|count)$", "", name) for each in EXPRESSIONS for name in metrics(each)}
    assert set(METRICS) - used == set()


def test_every_alert_has_a_section_in_the_runbook_and_the_other_way_round() -> None:
    """With what it means, where to look and what to do; each alert says where its section is."""
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", RUNBOOK, flags=re.MULTILINE | re.DOTALL))
    assert set(sections) == {rule["alert"] for rule in alerts()}
    assert all(part in text for text in sections.values() for part in ("**Means.**", "**Look.**", "**Do.**"))
    links = {rule["alert"]: rule["annotations"]["runbook"] for rule in alerts()}
    assert links == {name: f"docs/runbook.md#{name.lower()}" for name in sections}


def test_alerts_say_how_urgent_they_are() -> None:
    """Page, ticket or info, once each name, and a sentence for whoever is woken."""
    names = [rule["alert"] for rule in alerts()]
    assert len(set(names)) == len(names) > 10
    assert {rule["labels"]["severity"] for rule in alerts()} == {"page", "ticket", "info"}
    assert all(rule["annotations"]["summary"] for rule in alerts())
    used = {label for rule in alerts() for label in re.findall(r"\$labels\.(\w+)", rule["annotations"]["summary"])}
    assert used <= {label for metric in METRICS.values() for label in metric.labels} | ANYWHERE


def test_links_inside_the_runbook_lead_somewhere() -> None:
    """A section that sends to another one names one that is there."""
    names = {name.lower() for name in re.findall(r"^## (\w+)$", RUNBOOK, flags=re.MULTILINE)}
    assert set(re.findall(r"\]\(#(\w+)\)", RUNBOOK)) <= names


def test_the_page_of_metrics_is_the_catalogue() -> None:
    """docs/metrics.md has a row for each metric, in the catalogue's own words."""
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(lawful_\w+)` \| (\w+) \| ([\w ]+) \| (.+?) \| (.+) \|$", page, flags=re.MULTILINE)
    wanted = [
        (
            metric.name,
            metric.kind.value,
            metric.process.value,
            ", ".join(f"`{label}`" for label in metric.labels) or "none",
            metric.meaning,
        )
        for metric in METRICS.values()
    ]
    assert rows == wanted


def test_prometheus_scrapes_the_jobs_that_alerts_speak_of() -> None:
    """The names of jobs are the same, and the rules' file is there."""
    config = load(DEPLOY / "prometheus" / "prometheus.yaml")
    jobs = {each["job_name"] for each in config["scrape_configs"]}
    assert {job for each in EXPRESSIONS for job in re.findall(r'job="([\w-]+)"', each)} == jobs
    assert all((DEPLOY / "prometheus" / name).exists() for name in config["rule_files"])


def test_the_dashboard_is_laid_out_on_a_grid() -> None:
    """Ids are unique, no panel covers another, and data sources are variables, not somebody's ids."""
    panels = dashboard()["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        place = panel["gridPos"]
        cells = {(place["x"] + x, place["y"] + y) for x in range(place["w"]) for y in range(place["h"])}
        assert not cells & taken, panel["title"]
        assert max(x for x, _ in cells) < 24
        taken |= cells
    names = {f"${{{each['name']}}}" for each in dashboard()["templating"]["list"]}
    assert {target["datasource"]["uid"] for panel in panels for target in panel.get("targets", [])} == names

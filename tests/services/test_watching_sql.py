"""What dashboard and runbook ask the audit is answered, for an officer, by the views there are."""

import re
from collections.abc import Iterator

import pytest

from lawful.infra.clickhouse.migrate import migrate
from lawful.infra.clickhouse.query import Officer
from lawful.infra.engines.clickhouse import EmbeddedClickHouse
from lawful.infra.settings import ClickHouseSettings
from tests.deploy.test_watching import RUNBOOK, targets
from tests.docs.pages import ROOT

FROM_DOCS = re.findall(r'`lawful audit sql "(.*?)"`', RUNBOOK, flags=re.DOTALL)
FROM_DASHBOARD = [target["rawSql"] for target in targets("grafana-clickhouse-datasource")]


@pytest.fixture(scope="module")
def officer(request: pytest.FixtureRequest) -> Iterator[Officer]:
    """Asks an empty audit."""
    clickhouse: EmbeddedClickHouse = request.getfixturevalue("engines").clickhouse()

    def login(user: str) -> ClickHouseSettings:
        password = clickhouse.password(user)
        return ClickHouseSettings(port=clickhouse.port, database="watching", user=user, password=password)

    migrate(login("owner"))
    yield Officer(login("officer"))
    client = clickhouse.client()
    client.command("DROP DATABASE watching")
    client.close()


def without_macros(sql: str) -> str:
    """What Grafana's plugin makes of a query."""
    sql = re.sub(r"\$__timeFilter\((\w+)\)", r"\1 >= toDateTime(0) AND \1 <= now()", sql)
    return re.sub(r"\$__timeInterval\((\w+)\)", r"toStartOfInterval(toDateTime(\1), INTERVAL 60 second)", sql)


@pytest.mark.parametrize("sql", FROM_DASHBOARD + FROM_DOCS, ids=lambda sql: re.sub(r"\W+", "-", sql)[:40])
def test_the_audit_answers(officer: Officer, sql: str) -> None:
    """Every query of a panel and of a runbook section runs on the packaged migrations."""
    assert "$__" not in without_macros(sql)
    asked = f"SELECT count() FROM ({without_macros(sql)})"  # noqa: S608 - our own pages' queries
    assert officer.ask(asked).rows == [(0,)]


def test_there_are_queries_to_try() -> None:
    """The tests above are about something."""
    assert len(FROM_DASHBOARD) >= 7
    assert len(FROM_DOCS) >= 5
    assert (ROOT / "docs" / "runbook.md").exists()

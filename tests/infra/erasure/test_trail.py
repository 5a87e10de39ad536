"""What the trail says of a tenant that it knows nothing of."""

from typing import Any, cast

import pytest

from lawful.infra.clickhouse.query import Answer, Officer
from lawful.infra.erasure.trail import Trail
from lawful.schemas.errors import ConfigurationError


class FakeOfficer:
    """Has an event of each of some tenants."""

    def __init__(self, *tenants: str) -> None:
        self.tenants = tenants

    def ask(self, sql: str, parameters: dict[str, Any]) -> Answer:
        """Whether there is one of this tenant, or of which others there is one."""
        own = [(1,) for tenant in self.tenants if tenant == parameters["tenant"]]
        others = [(tenant,) for tenant in self.tenants if tenant != parameters["tenant"]]
        return Answer(("tenant_id",), others if "DISTINCT" in sql else own)


def trail(tenant: str, *known: str) -> Trail:
    """Of a tenant, where these have events."""
    return Trail(cast("Officer", FakeOfficer(*known)), tenant)


def test_a_tenant_without_any_event_is_an_error() -> None:
    """A near name is suggested, else some that have events; one with events is fine."""
    trail("acme", "acme", "other").heard_of()
    for tenant, known, hint in (
        ("acne", ("acme", "zeta"), "did you mean 'acme'"),
        ("nosuch", ("acme", "zeta"), "there are events of acme, zeta"),
        ("nosuch", (), "there are events of nobody"),
    ):
        with pytest.raises(ConfigurationError, match="no event at all") as raised:
            trail(tenant, *known).heard_of()
        assert hint in raised.value.hint

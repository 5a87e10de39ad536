"""Guards and workers of different releases have to come to the same digest."""

import json
from dataclasses import asdict, replace

from hypothesis import given

from lawful.schemas.digest import digest_of
from lawful.schemas.event import AgentEvent
from lawful.schemas.pseudonym import Pseudonymiser
from tests.records import records

PEOPLE = Pseudonymiser(master=b"a master key of the tests, no secret")


@given(records(AgentEvent))
def test_a_digest_is_of_the_payloads_fields_as_sorted_json(event: AgentEvent) -> None:
    """This form is a promise: audit rows hold digests for years."""
    event = replace(event, tenant_id="t")
    told = json.dumps([event.kind.value, asdict(event.payload)], sort_keys=True, separators=(",", ":"))
    assert digest_of(event, PEOPLE) == PEOPLE.of_content("t", told)

"""What is found about the system and nobody's data decides nothing."""

from dataclasses import replace

from hypothesis import given

from lawful.policies.judge import judge
from lawful.schemas.history import History
from lawful.schemas.view import Finding, View
from tests.laws.worlds import NOW, histories, ordinary_views
from tests.policies.samples import at, policy


@given(ordinary_views(), histories(), NOW)
def test_evidence_of_a_purpose_or_of_a_seeming_consent_changes_no_verdict(seen: View, past: History, time: int) -> None:
    """A sentence like "yes, send me offers" is told to the officer; it is no consent and no offence."""
    told = Finding("/text", 0, 6, "system.operations", "purposes.consent_like", "1", 0.7)
    here = at(past.through + 1, time)
    plain = judge(seen, here, past, policy())
    more = judge(replace(seen, findings=(*seen.findings, told)), here, past, policy())
    assert (more.verdict, more.history) == (plain.verdict, plain.history)

import pytest

from lawful.schemas.event import ConsentGiven, ConsentWithdrawn, Identifier, UserMessage
from lawful.schemas.verdict import Decision
from tests.streams.kit import ADA, Log, reasons


@pytest.mark.parametrize("blank", ["", "  ", "\u200b"])
def test_a_blank_identifier_is_nobodys(blank: str) -> None:
    """Two people whose address is unknown must not share a consent."""
    log, nobody = Log(), Identifier("email", blank)
    assert reasons(log.consent(nobody)) == {"nobody_to_consent"}
    assert reasons(log.mail(nobody)) == {"nobody_to_consent"}


def test_a_blank_identifier_beside_another_one_does_not_link() -> None:
    """Everybody who has one would become one person."""
    log, nobody = Log(), Identifier("email", "")
    log.add(ConsentGiven(("marketing",), identifiers=(nobody,)), ADA)
    assert log.add(UserMessage("hi"), nobody).decision is Decision.FORWARD
    assert len(log.replayed.verdicts) == 2
    assert all(row.link is None for row in log.replayed.tables.rows.values())


@pytest.mark.parametrize("purposes", [(), ("Marketing",), ("marketing ", "order"), ("",)])
def test_a_withdrawal_that_names_no_purpose_as_purposes_are_named_withdraws_all(purposes: tuple[str, ...]) -> None:
    """It is told to be recorded, so it must not come to nothing."""
    log = Log()
    log.consent(ADA)
    log.add(ConsentWithdrawn(purposes), ADA)
    assert reasons(log.mail(ADA)) == {"consent_withdrawn"}


def test_a_withdrawal_of_another_purpose_leaves_the_consent() -> None:
    """What is named properly is taken at its word."""
    log = Log()
    log.consent(ADA)
    log.withdraw(ADA, purposes=("personalize",))
    assert log.mail(ADA).decision is Decision.FORWARD

"""Who a person is, read off the state: links followed, and those set apart left out."""

from lawful.infra.erasure.state import State, person
from lawful.schemas.codec import encode
from lawful.schemas.event import Identifier
from tests.streams.kit import ADA, ADA_ID, BOB, Log, pseudonym

PHONE = Identifier("phone", "+31612345678")


def state_of(log: Log) -> State:
    """The rows as Kafka has them."""
    rows = log.replayed.rows
    return State(
        {name: row.link for name, row in rows.items() if row.link is not None},
        {name: encode(row.history) for name, row in rows.items()},
    )


def known(*people: Identifier) -> Log:
    """A log in which these people have been seen."""
    log = Log()
    for who in people:
        log.say("hello", who)
    return log


def test_all_identifiers_of_a_person_are_found_from_any_of_them() -> None:
    """Whichever pseudonym is the root."""
    log = known(ADA, ADA_ID, PHONE, BOB)
    log.link(ADA, ADA_ID)
    log.link(ADA_ID, PHONE)
    mine = {pseudonym(who) for who in (ADA, ADA_ID, PHONE)}
    for who in (ADA, ADA_ID, PHONE):
        assert set(person(state_of(log), [pseudonym(who)]).pseudonyms) == mine


def test_whoever_was_set_apart_is_somebody_else() -> None:
    """In both directions, though their histories lie in one row."""
    log = known(ADA, PHONE)
    log.link(ADA, PHONE)
    log.unlink(ADA, PHONE)
    log.erase(ADA)
    state = state_of(log)
    one, other = (person(state, [pseudonym(who)]) for who in (ADA, PHONE))
    assert (one.pseudonyms, one.erased) == ((pseudonym(ADA),), True)
    assert (other.pseudonyms, other.erased) == ((pseudonym(PHONE),), False)


def test_nobody_is_known_of_whom_there_is_no_row() -> None:
    """The pseudonym is theirs all the same."""
    stranger = person(state_of(known(ADA)), [pseudonym(BOB)])
    assert (stranger.pseudonyms, stranger.facts, stranger.erased) == ((pseudonym(BOB),), 0, False)

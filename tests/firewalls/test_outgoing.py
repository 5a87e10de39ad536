"""The outgoing firewall: what is left of records, and what is added up."""

from pathlib import Path
from typing import Any

import pytest

from lawful.firewalls import (
    Abstraction,
    Dropped,
    FirewallSession,
    Outgoing,
    Released,
    load_abstraction,
    load_population,
    parse_abstraction,
    population,
)
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.event import Recipient, RecipientKind

AGENCY = Recipient(RecipientKind.THIRD_PARTY, "agency")
OTHER = Recipient(RecipientKind.THIRD_PARTY, "other")

PEOPLE = """
abstraction: people
version: "1"
fields:
  zip: {allow: true, then: [region]}
  age: {allow: true, then: [band 10]}
  sex: allow
  city: allow
combinations:
  - {name: two, fields: [zip, age, sex], most: 2, to: [third_party], action: %s}
"""


def rules(action: str = "block") -> Abstraction:
    """At most two of three, for third parties."""
    return parse_abstraction(PEOPLE % action)


def release(record: Any, pack: str = "travel") -> Released:
    """What a travel agency learns in a session of its own."""
    return Outgoing(load_abstraction(pack)).release(record, AGENCY, FirewallSession())


def test_each_key_is_treated_as_its_rule_says() -> None:
    """Blocked, generalised, allowed, listed values only, lengths instead of dates; keys in any spelling."""
    released = release({
        "destination": "Lisbon",
        "dateOfBirth": "1985-03-15",
        "age": 34,
        "budget": 1250,
        "start": "2026-05-01",
        "end": "2026-05-06",
        "diet": ["vegan", "no nuts since the operation"],
        "passport": "X1234567",
        "calendar": [{"title": "Oncologist", "start": "2026-05-02"}],
    })  # fmt: skip
    assert released.record == {
        "destination": "Lisbon",
        "dateOfBirth": "1985",
        "age": "30-39",
        "budget": "1000-5000",
        "start": "2026-05",
        "end": "2026-05",
        "nights": 5,
        "diet": ["vegan"],
        "calendar": [{"start": "2026-05"}],
    }
    assert released.withheld == (
        Dropped("calendar.title", "blocked", 1),
        Dropped("diet", "not_allowed", 1),
        Dropped("passport_number", "blocked", 1),
    )


@pytest.mark.parametrize("record", [{"note": "x"}, {"profile": {"diary": "x"}}, "text", ["a"], {"age": {"n": "x"}}])
def test_what_no_rule_names_is_blocked(record: Any) -> None:
    """Unknown keys, free texts, and objects where a value should be: none of it passes, nor its name."""
    released = release(record)
    assert released.record is None
    assert {(each.key, each.reason) for each in released.withheld} == {("", "unknown_key")}


def test_a_key_carries_nothing_past_its_words() -> None:
    """A key that means a field's and says more is written as the field's."""
    assert release({"age \u6c34\u6c34": 34}).record == {"age": "30-39"}


def test_what_is_not_understood_is_not_guessed() -> None:
    """A date that is none is blocked rather than passed."""
    assert release({"start": "when my treatment ends"}).withheld == (Dropped("start", "not_generalised", 1),)


def test_one_recipient_gets_only_so_many_of_a_combination() -> None:
    """The third of three fields stays, whichever it is and however often it is asked for; others get theirs."""
    outgoing, session = Outgoing(rules()), FirewallSession()
    assert outgoing.release({"sex": "f"}, AGENCY, session).record == {"sex": "f"}
    assert outgoing.release({"zip": "10115"}, AGENCY, session).record == {"zip": "10115"}
    for _ in range(2):
        again = outgoing.release({"age": 34, "city": "Berlin", "sex": "f"}, AGENCY, session)
        assert again.record == {"city": "Berlin", "sex": "f"}
        assert again.withheld == (Dropped("age", "combination", 1),)
    assert outgoing.release({"age": 34}, OTHER, session).record == {"age": 34}
    assert outgoing.release({"age": 34}, AGENCY, session, subject="partner").record == {"age": 34}


def test_a_combination_may_ask_for_the_coarsest_form_instead() -> None:
    """`generalise` passes what is one too many in its last form."""
    released = Outgoing(rules("generalise")).release({"sex": "f", "zip": "10115", "age": 34}, AGENCY, FirewallSession())
    assert Dropped("sex", "combination", 1) in released.withheld  # it has no coarser form


def test_a_kind_that_no_combination_names_is_not_limited() -> None:
    """`to` says whom a combination is about."""
    record = {"sex": "f", "zip": "10115", "age": 34}
    assert Outgoing(rules()).release(record, Recipient(RecipientKind.USER, "u"), FirewallSession()).record == record


def test_another_value_of_the_same_person_is_not_told() -> None:
    """A second value of a field that counts would be a second fact."""
    outgoing, session = Outgoing(rules()), FirewallSession()
    outgoing.release({"zip": "10115"}, AGENCY, session)
    assert outgoing.release({"zip": "80331"}, AGENCY, session).withheld == (Dropped("zip", "otherwise_disclosed", 1),)


CROWD = """
abstraction: people
version: "1"
fields:
  zip: {allow: true, then: [region]}
  age: {allow: true, then: [band 10]}
population: {k: 3, fields: [zip, age], scope: %s}
"""


def table(folder: Path) -> Path:
    """Ten people: four in one postal code, the others spread over its region; one far away among few."""
    rows = ["zip,age,count", "10115,34,4", "10117,34,1", "10119,36,1", "10999,38,1", "80331,34,1", "80333,51,2"]
    path = folder / "people.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("record", "told"),
    [
        ({"zip": "10115", "age": 34}, {"zip": "10115", "age": 34}),
        ({"zip": "10117", "age": 34}, {"zip": "10***", "age": "30-39"}),
        ({"zip": "80331"}, {"zip": "80***"}),
    ],
)
def test_a_rare_value_goes_out_coarser_or_not_at_all(tmp_path: Path, record: Any, told: Any) -> None:
    """With a table of people, what would leave fewer than k of them is generalised further, then blocked."""
    abstraction = parse_abstraction(CROWD % "recipient")
    outgoing = Outgoing(abstraction, load_population(table(tmp_path), abstraction))
    assert outgoing.release(record, AGENCY, FirewallSession()).record == told


def test_recipients_of_a_kind_may_be_taken_together(tmp_path: Path) -> None:
    """`scope: kind` adds up what different third parties were told."""
    for scope, told in (("recipient", {"age": 34}), ("kind", {"age": "30-39"})):
        abstraction = parse_abstraction(CROWD % scope)
        outgoing = Outgoing(abstraction, load_population(table(tmp_path), abstraction))
        session = FirewallSession()
        outgoing.release({"zip": "10117"}, AGENCY, session)
        assert outgoing.release({"age": 34}, OTHER, session).record == told


def test_without_a_table_there_is_nobody_to_hide_among() -> None:
    """Fields of `population` stay if no table was given."""
    released = Outgoing(parse_abstraction(CROWD % "recipient")).release({"zip": "10115"}, AGENCY, FirewallSession())
    assert released.withheld == (Dropped("zip", "too_unique", 1),)


@pytest.mark.parametrize(
    ("rows", "says"),
    [("age,sex\n34,f", "no column 'zip'"), ("zip,age,count\n1,2,many", "is no whole number"), ("", None)],
)
def test_a_wrong_table_is_refused(tmp_path: Path, rows: str, says: str | None) -> None:
    """A column that is missing and a count that is none are told; an empty table hides nobody."""
    path = tmp_path / "people.csv"
    path.write_text(rows, encoding="utf-8")
    abstraction = parse_abstraction(CROWD % "recipient")
    if says is None:
        assert load_population(path, abstraction).people(load_population(path, abstraction).everyone()) == 0
    else:
        with pytest.raises(ConfigurationError, match=says):
            load_population(path, abstraction)


def test_a_refusal_does_not_single_out_either() -> None:
    """If one person alone would be refused, so are as many others as k needs."""
    abstraction = parse_abstraction(CROWD % "recipient")
    zips = ["10115", "10115", "10115", "10117", "10117", "10999", "80331"]
    people = population([{"zip": each, "age": "34"} for each in zips], ("zip", "age"))
    told = [Outgoing(abstraction, people).release({"zip": each}, AGENCY, FirewallSession()).record for each in zips]
    assert told == [None, None, None, *[{"zip": "10***"}] * 3, None]

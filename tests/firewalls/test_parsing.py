"""The two kinds of YAML file: packs are right, and what is wrong is told at its place."""

import pytest

from lawful.firewalls import load_abstraction, load_protocol, pack_names, parse_abstraction, parse_protocol
from lawful.schemas.errors import ConfigurationError
from lawful.schemas.problems import InvalidFile


@pytest.mark.parametrize("pack", pack_names())
def test_packs_can_be_used(pack: str) -> None:
    """Each pack has a protocol and an abstraction of its name."""
    assert load_protocol(pack).id == load_abstraction(pack).id == pack


def test_there_are_three_packs() -> None:
    """Travel, insurance and real estate."""
    assert set(pack_names()) >= {"insurance", "real_estate", "travel"}


PROTOCOL = 'protocol: p\nversion: "1"\nfields:\n'


@pytest.mark.parametrize(
    ("line", "text", "says"),
    [
        (4, "  a: {type: chioce, values: [x]}", "did you mean 'choice'"),
        (4, "  a: {values: [x]}", "'a' has no type"),
        (4, "  a: {type: integer, min: 1}", "'max' is missing"),
        (4, "  a: {type: time, form: x}", "unknown key 'form'"),
        (4, "  a: {type: email}", "contact data is off"),
        (4, "  a: {type: name}", "needs a category"),
        (4, "  A: {type: time}", "'A' is no name"),
        (5, "  a: {type: time}\n  b: {type: time, labels: [A]}", "'A' already means 'a'"),
        (4, "  a: {type: choice, values: {x: [y], z: [Y]}}", "means both 'x' and 'z'"),
        (4, "  a: {type: decimal, min: 2, max: 1}", "'min' is more than 'max'"),
        (4, "  a: {type: money, currencies: [euro], min: 0, max: 1}", "money needs its currencies"),
        (4, "  a: {type: list, of: {type: list}}", "no value for 'type'"),
    ],
)
def test_a_wrong_protocol_is_told_at_its_place(line: int, text: str, says: str) -> None:
    """Each problem has file and line, and what would be right."""
    with pytest.raises(InvalidFile) as caught:
        parse_protocol(PROTOCOL + text, "p.yaml")
    told = [problem for problem in caught.value.problems if says in str(problem)]
    assert told
    assert told[0].place.line == line


ABSTRACTION = 'abstraction: a\nversion: "1"\nfields:\n  age: {generalise: band 10}\n  ssn: block\n'


@pytest.mark.parametrize(
    ("line", "text", "says"),
    [
        (6, "  x: {generalise: yaer}", "no way to generalise"),
        (6, "  x: {allow: true, block: true}", "exactly one of"),
        (6, "  x: alow", "did you mean 'allow'"),
        (6, "  Age: allow", "'Age' is no name"),
        (6, "  x: {allow: true, labels: [age]}", "are the same key"),
        (7, "combinations:\n  - {name: c, fields: [age, agee], most: 1}", "did you mean 'age'"),
        (7, "combinations:\n  - {name: c, fields: [age, ssn], most: 1}", "blocked anyway"),
        (7, "combinations:\n  - {name: c, fields: [age], most: 1}", "never too many"),
        (6, "population: {k: 1, fields: [age]}", "from 2 to"),
        (7, "derived:\n  n: {from: a.x, to: b.y}", "keys of one object"),
    ],
)
def test_a_wrong_abstraction_is_told_at_its_place(line: int, text: str, says: str) -> None:
    """Each problem has file and line, and what would be right."""
    with pytest.raises(InvalidFile) as caught:
        parse_abstraction(ABSTRACTION + text, "a.yaml")
    told = [problem for problem in caught.value.problems if says in str(problem)]
    assert told
    assert told[0].place.line == line


def test_an_unknown_pack_is_told_with_the_known_ones() -> None:
    """A name that is nearly one is suggested."""
    with pytest.raises(ConfigurationError, match="did you mean 'travel'"):
        load_protocol("travell")

"""Strict reading of JSON."""

import json

import pytest

from lawful.schemas.strict_json import (
    Number,
    Unreadable,
    escape,
    literal,
    nested,
    parse,
    parse_container,
    plain,
    rewrapped,
)


@pytest.mark.parametrize("text", ["", "nope", "{", '{"a":}', "[NaN]", '{"a": Infinity}', "[1,]", "'a'"])
def test_what_is_no_json_is_none(text: str) -> None:
    """Text that RFC 8259 does not allow is not JSON, Python's extensions included."""
    assert parse(text) == (False, None)


def test_numbers_keep_their_text() -> None:
    """A number is kept as it was written, however long."""
    digits = "9" * 10_000
    assert parse(f"[1.0, 1e400, {digits}]") == (True, ["1.0", "1e400", digits])
    assert all(isinstance(number, Number) for number in parse("[1, -2.5]")[1])


@pytest.mark.parametrize("text", ['{"a":1,"a":1}', '[{"b":{"c":1,"c":2}}]', '{"a":1,"\\u0061":2}'])
def test_duplicate_keys_are_refused(text: str) -> None:
    """Two members of one name mean different things to different readers."""
    with pytest.raises(Unreadable, match="duplicate_keys"):
        parse(text)


def test_keys_that_nobody_can_write_are_refused() -> None:
    """Half of a surrogate pair in a key would stand in the place of what is found below it; in a value it may."""
    with pytest.raises(Unreadable, match="lone_surrogate"):
        parse('{"a": [{"\\ud83d": 1}]}')
    assert parse('{"\\ud83d\\ude00": "\\ud83d"}') == (True, {"😀": "\ud83d"})


def test_bottomless_nesting_is_refused() -> None:
    """Nesting beyond what a reader can follow is too deep, not a crash."""
    with pytest.raises(Unreadable, match="too_deep"):
        parse("[" * 200_000 + "]" * 200_000)


@pytest.mark.parametrize("text", ["12", '"a"', "null", " 1 "])
def test_scalars_are_text_where_json_may_stand(text: str) -> None:
    """Only an object or an array makes a document of a text."""
    assert parse_container(text) == (False, None)


def test_containers_may_have_white_space_around_them() -> None:
    """Leading white space does not hide JSON."""
    assert parse_container(' \n {"a": "b"} ') == (True, {"a": "b"})


@pytest.mark.parametrize(
    ("value", "text"), [(True, "true"), (False, "false"), (None, "null"), (Number("1.50"), "1.50")]
)
def test_literals_are_their_json(value: object, text: str) -> None:
    """A leaf that is no string has its JSON as text."""
    assert literal(value) == text


def test_plain_turns_numbers_into_numbers() -> None:
    """A validator sees numbers, and an unholdable one is refused."""
    assert plain(parse('{"a": [1, 2.5, "3"]}')[1]) == {"a": [1, 2.5, "3"]}
    with pytest.raises(Unreadable, match="number_too_long"):
        plain(Number("9" * 10_000))


def test_keys_are_escaped() -> None:
    """Slashes and tildes of a key are RFC 6901's."""
    assert escape("a/b~c") == "a~1b~0c"


def test_wrapped_json_is_taken_out_and_put_back() -> None:
    """As many strings of JSON as it stood in, it stands in again."""
    for layers in range(4):
        text = rewrapped('{"a": "ü"}', layers)
        assert nested(text) == ({"a": "ü"}, layers)
    assert json.loads(rewrapped("x", 1)) == "x"


def test_wrapping_without_end_is_refused() -> None:
    """Beyond reason it is withheld, and cheaply."""
    with pytest.raises(Unreadable, match="too_deep"):
        nested(rewrapped("{}", 10))

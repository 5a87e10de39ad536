"""Many expressions at once."""

from types import SimpleNamespace

import pytest

from lawful.extractors.linear import Conditions, shadow


def test_a_shadow_has_a_byte_per_character() -> None:
    """Whatever is not ASCII is one and the same."""
    assert shadow("a\u00e9\U0001f600z\ud83d") == b"a\xff\xffz\xff"


def test_what_is_met_is_told() -> None:
    """Of several expressions, those that match somewhere."""
    conditions = Conditions([r"\d{3}", "cat", r"\x{ff}"])
    assert list(conditions.met(b"a cat")) == [1]
    assert sorted(conditions.met(shadow("\u00e9 123"))) == [0, 2]
    assert list(conditions.met(b"")) == []


def test_where_nothing_is_known_all_may_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """RE2 answers nothing at all when it is out of memory: then nothing is ruled out."""
    conditions = Conditions(["cat", "dog"])
    monkeypatch.setattr(conditions, "_set", SimpleNamespace(Match=lambda _text: None))
    assert list(conditions.met(b"a cat")) == [0, 1]

"""Words beside a hit, in short texts and long ones."""

import pytest

from lawful.extractors.presidio.context import Vocabulary, Words


@pytest.mark.parametrize("before", ["", "x" * 2_000])
def test_a_long_text_is_asked_for_all_words_at_once(before: str) -> None:
    """The answer is the same as for a short one, parts of words and words from outside included."""
    words = Words(f"{before} Telephone 5", ("IBAN",), Vocabulary(["tel", "phone", "bank", ""]))
    assert words.may_hold(["bank", "tel"])
    assert words.may_hold(["phone"])
    assert words.may_hold(["iban"])
    assert not words.may_hold(["bank"])

"""What was made of the last text."""

from lawful.extractors.lately import lately


def test_one_text_is_remembered_and_no_more() -> None:
    """The same text is made once; another is made anew, and the first is forgotten."""
    made: list[str] = []

    @lately
    def loud(text: str) -> str:
        made.append(text)
        return text.upper()

    first, second = "ab" * 20, "cd" * 20
    assert [loud(first), loud(first), loud(second), loud(first)] == [
        first.upper(),
        first.upper(),
        second.upper(),
        first.upper(),
    ]
    assert made == [first, second, first]

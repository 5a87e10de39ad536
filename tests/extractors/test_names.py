"""Names of persons and what only looks like them."""

import pytest

from lawful.extractors.names import accept_guess, accept_label, listed_names, looks_like_name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Hi, I'm Yusuf Rossi in zipcode 19122.", ["Yusuf Rossi"]),
        ("records for John Smith (SSN", ["John Smith"]),
        ("Hello John Smith and Alice Johnson-Lee", ["John Smith", "Alice Johnson-Lee"]),
        ("Maria de la Cruz called", ["Maria de la Cruz"]),
        ("John Q. Public", ["John Q. Public"]),
        ("Dr. Marcus Thorne", ["Marcus Thorne"]),
        ("Mrs Levy Smith", ["Levy Smith"]),
        ("Patrick O'Brien wrote", ["Patrick O'Brien"]),
        ("You are Lucas (lucas_santos)", ["Lucas"]),
        ("my name is Amelia", ["Amelia"]),
        ("The Nicole S Lange version", ["Nicole S Lange"]),
        ("Víctor Cantú said", ["Víctor Cantú"]),
        ("Namihiko Iijima lives at 2954 Kalda", ["Namihiko Iijima"]),
        ("Free Parking was born in", []),
        ("Lars: What a wife.\nHope: yes", ["Lars"]),
        ("I would like to remove my kid Rachel from the will", ["Rachel"]),
        ("they drove to Lake Rachel and back to the Rachel", []),
        ("john smith", []),
        ("The Water Bottle and Office Chair", []),
        ("John wrote to the office", []),
        ("Grant Access to the Team", []),
        ("I am Happy to help, this is Great", []),
        ("Will Call tomorrow", []),
        ("Paris Hotel", []),
        ("Thomas Street 5", []),
        ("#John Smith/x", []),
        ("Max Limit reached for Item Total", []),
        ("Ian Bluetooth Speaker", []),
    ],
)
def test_listed_names(text: str, names: list[str]) -> None:
    """A listed first name with a surname behind it, or an introduction; not products, places and verbs."""
    assert [text[start:end] for start, end in listed_names(text)] == names


@pytest.mark.parametrize("text", ["Dylan Lee", "Dr. Chang", "Attorney Pugh", " Claudia Cox "])
def test_values_that_are_names(text: str) -> None:
    """A value that is nothing but a name looks like one."""
    assert looks_like_name(text)


@pytest.mark.parametrize("text", ["Desk Lamp", "New York", "aws", "", "Dylan Lee bought a lamp", "Dr", "Doctor who"])
def test_values_that_are_none(text: str) -> None:
    """Products, towns and sentences do not."""
    assert not looks_like_name(text)


@pytest.mark.parametrize(
    ("text", "guess", "kept"),
    [
        ("please ask Daiki Sanchez about the order", "Daiki Sanchez", "Daiki Sanchez"),
        ("please ask Oyelaran Adeyemi's brother about it", "Oyelaran Adeyemi's", "Oyelaran Adeyemi"),
        ("I talked to Mr. Thorne about the plan", "Thorne", "Thorne"),
        ("we think that Sofia should decide this", "Sofia", "Sofia"),
        ("the Wireless Earbuds are in my cart today", "Wireless Earbuds", None),
        ("order W2378156 for me and my friends", "W2378156", None),
        ("Oyelaran Adeyemi", "Oyelaran Adeyemi", None),
        ("SKU LAMP for the shop that we run", "LAMP", None),
        ("we shipped it to Zorblax yesterday morning", "Zorblax", None),
        ("we fly with Delta Airlines to the coast", "Delta Airlines", None),
        ("tell them Grace\nand more words that follow", "Grace\nand", None),
        ("it is ... not a name of anybody", "...", None),
    ],
)
def test_a_models_guess_needs_evidence(text: str, guess: str, kept: str | None) -> None:
    """A guess that a span is a person is kept with the form of a name and some evidence, and trimmed."""
    start = text.index(guess)
    accepted = accept_guess(text, start, start + len(guess))
    assert (text[accepted[0] : accepted[1]] if accepted else None) == kept


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("John Smith ", "John Smith"),
        ("Oyelaran Adeyemi, 34", "Oyelaran Adeyemi"),
        ("Dr. Chang", "Chang"),
        ("none yet", None),
    ],
)
def test_behind_a_label_any_capitals_are_a_name(value: str, name: str | None) -> None:
    """Behind `Patient:` a name needs not be listed."""
    span = accept_label(value, 0, len(value))
    assert (value[slice(*span)] if span else None) == name

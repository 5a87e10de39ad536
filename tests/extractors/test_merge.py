"""One reading per place."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from lawful.extractors.candidate import Candidate, Strength
from lawful.extractors.merge import merge
from lawful.schemas.taxonomy import covers, special_kind
from tests.extractors.support import spans

CATEGORIES = (
    "user.name", "user.name.first", "user.contact.email", "user.contact.phone_number", "user.unique_id",
    "user.health_and_medical", "user.contact.address", "user.contact.address.city", "user.workplace",
)  # fmt: skip


def hit(  # noqa: PLR0917 - the parts of one record
    start: int,
    end: int,
    category: str,
    strength: Strength = Strength.PATTERN,
    score: float = 0.8,
    subject: str | None = None,
) -> Candidate:
    """A hit of no detector in particular."""
    return Candidate(start, end, category, "d", "1", score, strength, subject)


def test_two_detectors_of_one_thing_are_one_finding() -> None:
    """Equal span and category: the stronger detector stays, with whom it names."""
    email = hit(0, 9, "user.contact.email", subject="p")
    assert (
        merge([hit(0, 9, "user.contact.email", Strength.IDENTIFIER, 1.0, "p"), email])[0].strength
        is Strength.IDENTIFIER
    )
    assert [one.subject for one in merge([hit(0, 9, "user.contact.email", Strength.KEY), email])] == [None, "p"]


def test_a_stronger_reading_of_the_same_characters_wins() -> None:
    """Digits are a card or a phone, not both."""
    card, phone = (
        hit(0, 16, "user.financial.credit_card", score=1.0),
        hit(0, 14, "user.contact.phone_number", score=0.6),
    )
    assert merge([phone, card]) == [card]


def test_names_inside_an_address_are_no_persons() -> None:
    """A guess inside what a field's name explains goes."""
    address, guess = hit(0, 40, "user.contact.address", Strength.KEY), hit(4, 20, "user.name", Strength.GUESS)
    assert merge([guess, address]) == [address]


def test_what_stands_in_personal_prose_is_content() -> None:
    """A card number in a note about work is not explained by the note."""
    note, card = hit(0, 60, "user.workplace", Strength.KEY), hit(10, 29, "user.financial.credit_card")
    assert merge([note, card]) == [note, card]


def test_special_categories_stay() -> None:
    """What Art. 9 protects is told whatever else stands there."""
    name, term = hit(0, 30, "user.name", Strength.KEY), hit(5, 8, "user.health_and_medical", Strength.LEXICON)
    assert merge([term, name]) == [name, term]


def test_every_person_stays() -> None:
    """A cover does not hide whom the text identifies."""
    whole = hit(0, 20, "user.contact.email", Strength.KEY)
    one, other = hit(0, 9, "user.contact.email", subject="p"), hit(11, 20, "user.contact.email", subject="q")
    assert merge([whole, one, other]) == [one, whole, other]


def test_one_number_is_one_person() -> None:
    """The same digits with and without an area code do not make two persons."""
    whole, part = (
        hit(0, 14, "user.contact.phone_number", subject="p"),
        hit(6, 14, "user.contact.phone_number", subject="q"),
    )
    known = hit(0, 14, "user.contact.phone_number", Strength.IDENTIFIER, 1.0, "r")
    assert merge([part, whole]) == [whole]
    assert merge([part, whole, known]) == [known]


def test_digits_of_a_verified_number_are_nobodys_phone() -> None:
    """The last groups of an account number do not call anyone; a note's do."""
    iban, phone = (
        hit(0, 22, "user.financial.bank_account", score=1.0),
        hit(10, 22, "user.contact.phone_number", subject="p"),
    )
    assert merge([phone, iban]) == [iban]
    note = hit(0, 60, "user.workplace", Strength.KEY)
    assert merge([phone, note]) == [note, phone]


def test_a_rest_is_not_left_in_clear() -> None:
    """Of a longer weak reading, most of which nothing explains, nothing is dropped."""
    name, email = hit(0, 30, "user.name", Strength.GUESS), hit(20, 30, "user.contact.email", score=1.0)
    assert spans(merge([name, email])) == [(0, 30, "user.name"), (20, 30, "user.contact.email")]


def test_a_longer_hit_of_the_same_category_contains_the_shorter() -> None:
    """`Dr. Jane Doe` says all that `Jane Doe` says."""
    long, short = hit(0, 12, "user.name", Strength.GUESS), hit(4, 12, "user.name.first", Strength.LEXICON)
    assert merge([short, long]) == [long]


def alike(one: str, other: str) -> bool:
    """Whether two categories are of one kind."""
    return covers(one, other) or covers(other, one)


hits = st.builds(
    lambda start, length, category, strength, score, subject: hit(
        start, start + length, category, strength, score, subject
    ),
    st.integers(0, 12),
    st.integers(1, 12),
    st.sampled_from(CATEGORIES),
    st.sampled_from(Strength),
    st.sampled_from([0.5, 0.8, 1.0]),
    st.sampled_from([None, None, "p", "q"]),
)


@given(st.lists(hits, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_hits_does_not_matter(found: list[Candidate], random: "st.random.Random") -> None:  # type: ignore[name-defined] # hypothesis hides it
    """Any order gives the same findings, and merging again changes nothing."""
    shuffled = list(found)
    random.shuffle(shuffled)
    merged = merge(found)
    assert merge(shuffled) == merged
    assert merge(merged) == merged


@given(st.lists(hits, min_size=1, max_size=8))
def test_no_person_and_nothing_special_is_lost(found: list[Candidate]) -> None:
    """Whoever was named, and whatever Art. 9 protects, is still in the result."""
    merged = merge(found)
    for one in found:
        if one.subject:
            named = [other for other in merged if other.subject and other.start < one.end and one.start < other.end]
            verified = any(other.score == 1.0 and other.start < one.end and one.start < other.end for other in found)
            assert verified or any(
                other.subject == one.subject or alike(other.category, one.category) for other in named
            )
        if special_kind(one.category):
            assert any(covers(other.category, one.category) for other in merged)


def test_many_hits_are_merged_as_few_are() -> None:
    """Each is held against its neighbours only: those far apart have nothing to do with each other."""
    cluster = [
        Candidate(0, 20, "user.contact", "a", "1", 0.5, Strength.PATTERN),
        Candidate(4, 20, "user.contact.email", "b", "1", 0.9, Strength.PATTERN),
        Candidate(10, 16, "user.name", "c", "1", 0.6, Strength.GUESS),
        Candidate(15, 90, "user.contact.email", "d", "1", 0.4, Strength.GUESS),
    ]
    one = [(hit.start, hit.end, hit.category) for hit in merge(cluster)]
    many = [
        replace(hit, start=hit.start + shift, end=hit.end + shift) for shift in range(0, 60_000, 100) for hit in cluster
    ]
    merged = [(hit.start, hit.end, hit.category) for hit in merge(many)]
    assert merged == [
        (start + shift, end + shift, category) for shift in range(0, 60_000, 100) for start, end, category in one
    ]


def test_the_end_of_an_account_number_is_no_phone_number() -> None:
    """What a checksum confirms explains its digits, also where a field's name says what the whole is."""
    iban = hit(0, 22, "user.financial.bank_account", score=1.0)
    named = hit(0, 22, "user.financial.bank_account", Strength.KEY, 0.9)
    phone = hit(10, 22, "user.contact.phone_number", subject="somebody")
    assert merge([iban, phone, named]) == [named]
    assert phone in merge([phone, named])

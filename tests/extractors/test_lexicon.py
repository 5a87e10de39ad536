"""Terms of special categories."""

import pytest

from lawful.extractors.config import DATA, load_yaml
from lawful.extractors.fields import Field
from lawful.extractors.lexicon import Lexicons
from lawful.extractors.sentences import sentences
from lawful.schemas.event import Identifier
from lawful.schemas.taxonomy import special_kind
from tests.extractors.support import around, found

HEALTH, CRIME = "user.health_and_medical", "user.criminal_history"
RELIGION, POLITICS = "user.demographic.religious_belief", "user.demographic.political_opinion"
SEXUAL, RACE = "user.demographic.sexual_orientation", "user.demographic.race_ethnicity"
UNION = "user.lawful.trade_union_membership"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I was diagnosed with diabetes", [("diabetes", HEALTH)]),
        ("My mother takes metformin.", [("metformin", HEALTH)]),
        ("John Smith has HIV", [("HIV", HEALTH)]),
        ("the patient suffers from schizophrenia", [("schizophrenia", HEALTH)]),
        ("She is pregnant; ship it", [("pregnant", HEALTH)]),
        ("he was convicted of fraud", [("convicted", CRIME), ("fraud", CRIME)]),
        ("somebody tried fraud with my card", []),
        ("my house had a burglary", []),
        ("ich nehme Metformin gegen Diabetes", [("Metformin", HEALTH), ("Diabetes", HEALTH)]),
        ("meine Mutter hat Brustkrebs", [("Brustkrebs", HEALTH)]),
        ("on m'a diagnostiqué de l'épilepsie", [("épilepsie", HEALTH)]),
        ("mi padre padece diabetes", [("diabetes", HEALTH)]),
        ("él es musulmán", [("musulmán", RELIGION)]),
        ("er ist katholisch", [("katholisch", RELIGION)]),
        ("je suis juive", [("juive", RELIGION)]),
        ("sie ist SPD-Mitglied", [("SPD-Mitglied", POLITICS)]),
        ("ella es militante de Podemos", [("de Podemos", POLITICS)]),
        ("podemos cambiar mi reserva", []),
        ("mon frère est homosexuel", [("homosexuel", SEXUAL)]),
        ("ich bin in der IG Metall", [("IG Metall", UNION)]),
        ("je suis adhérent à la CGT", [("CGT", UNION)]),
        ("estoy afiliado a la UGT", [("UGT", UNION)]),
        ("su uso de la cuenta", []),
        ("a shop steward told me", [("shop steward", UNION)]),
        ("she is of Turkish descent", [("of Turkish descent", RACE)]),
        ("ich bin kurdischer Herkunft", [("kurdischer Herkunft", RACE)]),
        ("je suis d'origine algérienne", [("d'origine algérienne", RACE)]),
        ("er wurde wegen Diebstahls verurteilt", [("Diebstahls", CRIME), ("verurteilt", CRIME)]),
        ("mon vol est annulé", []),
        ("il a fait de la prison pour vol", [("de la prison", CRIME), ("vol", CRIME)]),
        ("I carry BRCA1", [("BRCA1", "user.health_and_medical.genetic")]),
        ("Christian wrote to me", []),
        ("my friend Christian Bale", []),
        ("please ask Christian about his order", []),
        ("thank you, Christian, for my refund", []),
        ("he is Christian", [("Christian", RELIGION)]),
        ("she is a devout Christian", [("Christian", RELIGION)]),
        ("he is Christian Bale", []),
        ("Ms. Gay called about her order", []),
        ("my colleague Roxane Gay", []),
        ("my brother is gay", [("gay", SEXUAL)]),
        ("he is openly gay", [("gay", SEXUAL)]),
        ("we walked in the gay rights march", []),
        ("I love Christian music and jewish deli food", []),
        ("I wrote a book about cancer and my own asthma", [("asthma", HEALTH)]),
        ("my cancer awareness group", []),
        ("I ordered a book; I have lupus", [("lupus", HEALTH)]),
        ("I ordered a film because I have epilepsy", [("epilepsy", HEALTH)]),
        ("I am Muslim", [("Muslim", "user.demographic.religious_belief")]),
        ("my wife is a lesbian", [("lesbian", "user.demographic.sexual_orientation")]),
        ("I voted for them", [("voted for", "user.demographic.political_opinion")]),
        ("I am Hispanic", [("Hispanic", "user.demographic.race_ethnicity")]),
        ("our research on diabetes", []),
        ("We donate to cancer charity", []),
        ("Diabetes is on the rise", []),
        ("he likes aids and tools", []),
        ("the Great Depression hit us", []),
        ("my tropical depression forecast", []),
        ("I ordered a stroker and a cancerian mug", []),
        ("Size: lupus", []),
        ("I am happy. Diabetes is common.", []),
    ],
)
def test_terms_need_a_person(text: str, expected: list[tuple[str, str]]) -> None:
    """A term counts beside a word that says of whom, in one sentence, and not in talk about the topic."""
    assert found(Lexicons(), text) == expected


SOMEBODY = around(subjects=(Identifier("email", "ada@example.com"),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- underwent chemotherapy in 2021", [("chemotherapy", HEALTH)]),
        ("Leidet an Asthma, nimmt Cortison", [("Asthma", HEALTH)]),
        ("souffre de diabète", [("diabète", HEALTH)]),
        ("PMH: diabetes, asthma", [("diabetes", HEALTH), ("asthma", HEALTH)]),
        ("Underwent surgery?", []),
        ("Convicted of fraud", [("Convicted", CRIME), ("fraud", CRIME)]),
        ("Hypertension has many causes", []),
    ],
)
def test_notes_leave_out_whom_they_are_about(text: str, expected: list[tuple[str, str]]) -> None:
    """A sentence that begins with what only people do is about somebody, unless it asks."""
    assert found(Lexicons(), text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Has a sealed juvenile felony record", [("felony", CRIME)]),
        ("Has diabetes and takes metformin", [("diabetes", HEALTH), ("metformin", HEALTH)]),
        ("Is HIV positive", [("HIV", HEALTH)]),
        ("Tiene asma", [("asma", HEALTH)]),
        ("Hat Asthma seit 2019", [("Asthma", HEALTH)]),
        ("Metformin 500 mg BID", [("Metformin", HEALTH)]),
        ("Atorvastatin, Sertraline\nsent by courier", [("Atorvastatin", HEALTH), ("Sertraline", HEALTH)]),
        ("Chronic Back Pain", [("Back Pain", HEALTH)]),
        ("Depression since 2019", [("Depression", HEALTH)]),
        ("Has diabetes?!", []),
        ("Has diabetes research stopped", []),
        ("Has wheelchair access.", []),
        ("Has kosher meals on request.", []),
        ("Has insulin in stock", []),
        ("Takes a stroke width and a fill", []),
        ("Tested against the depression dataset", []),
        ("Kosher", []),
        ("Democrat", []),
        ("Disabled", []),
        ("Stroke, surgery", []),
        ("Diabetes?", []),
        ("diabetes research", []),
        ("metformin in stock", []),
        ("Christian", []),
        ("Fraud", []),
    ],
)
def test_notes_of_an_event_about_somebody(text: str, expected: list[tuple[str, str]]) -> None:
    """Where the event says of whom, what is said of things as well counts, and lines of terms of health."""
    assert found(Lexicons(), text, SOMEBODY) == expected
    assert found(Lexicons(), text) == []


def test_notes_in_json() -> None:
    """Members that hold prose are read as prose is; a search is about a topic."""
    note = Field("/content/note", "Metformin 500 mg", ("note",), frozenset({"note", "price"}), is_json=True)
    assert found(Lexicons(), note, SOMEBODY) == [("Metformin", HEALTH)]
    topic = Field("/arguments/topic", "Metformin 500 mg", ("topic",), frozenset({"topic"}), is_json=True)
    assert found(Lexicons(), topic, SOMEBODY) == []


def test_an_object_about_a_person_is_a_cue() -> None:
    """In a record of a person no further cue is needed."""
    field = Field("/content/note", "migraine", ("note",), frozenset({"note", "patient_id"}), is_json=True)
    assert found(Lexicons(), field) == [("migraine", HEALTH)]
    other = Field("/content/note", "migraine", ("note",), frozenset({"note", "price"}), is_json=True)
    assert found(Lexicons(), other) == []


def test_every_occurrence() -> None:
    """All terms of a sentence are found (A16)."""
    assert len(found(Lexicons(), "I have asthma, asthma and epilepsy")) == 3


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One. Two", ["One.", "Two"]),
        ("about 3.5 mg e.g. daily", ["about 3.5 mg e.g. daily"]),
        ("a\nb; c | d", ["a", "b", " c ", " d"]),
        ("", []),
    ],
)
def test_sentences(text: str, parts: list[str]) -> None:
    """Sentences end where a reader would say so."""
    assert [text[start:end] for start, end in sentences(text)] == parts


def test_a_surname_is_no_confession() -> None:
    """A field that is named a name holds one, whatever else the word means."""
    field = Field("/arguments/last_name", "Gay", ("last_name",), frozenset({"last_name", "email"}), is_json=True)
    assert found(Lexicons(), field) == []


def test_every_list_speaks_the_taxonomy() -> None:
    """Every category of the lists exists, is special, and has terms in all four languages where words differ."""
    data = load_yaml(DATA / "lexicon.yaml")["categories"]
    assert all(special_kind(category) is not None for category in data)
    assert all({"en", "de", "fr", "es"} <= set(lists) for lists in data.values() if "any" not in lists)

"""Words that tell what GDPR Art. 9 and 10 protect, beside a word that says of whom.

One pass of Aho-Corasick finds the terms of all languages; only then is the sentence looked at: it
needs a cue of the term's language, and must not speak of the term as a topic. Words that are names
as well (`Christian`, `Gay`) need a word that says what somebody is. Notes need no cue (`notes.py`).
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from operator import itemgetter

from lawful.extractors.candidate import Candidate, Strength, Surroundings
from lawful.extractors.fields import Field
from lawful.extractors.folding import folded
from lawful.extractors.hints import is_about_person, key_table
from lawful.extractors.lexicon_table import ANY, Lexicon, Term, lexicon
from lawful.extractors.names import listed_names
from lawful.extractors.notes import Place, Sentence, opens_note, says_nothing_else
from lawful.extractors.sentences import sentences

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_PER_PLACE, _PER_TERM = 3, 15  # steps
_NEAR = 2  # words between a term and one that makes it a topic
_NAMES = ("user.name",)


class Lexicons:
    """Finds terms of the special categories in prose and JSON."""

    name = "lexicon"

    def find(self, field: Field, around: Surroundings) -> list[Candidate]:
        """Terms in sentences that are about somebody."""
        if field.is_key or not field.is_string:
            return []
        lists, text = lexicon(), folded(field.text)
        places = sorted(around.budget.each(_places(lists, field.text, text), _PER_PLACE), key=itemgetter(0, 1))
        if not places or _is_name(field):
            return []
        of_person = field.is_json and is_about_person(key_table(), field)
        about_somebody = bool(around.event.subjects) and (not field.is_json or field.key in lists.prose_keys)
        starts = [start for start, _, _ in places]
        hits = set[Candidate]()
        for first, last in sentences(field.text):
            here = places[bisect_left(starts, first) : bisect_left(starts, last)]
            if here:
                around.budget.spend(len(here) * (_PER_TERM + (last - first) // 4))
                sentence = _sentence(field.text[first:last], about_somebody=about_somebody)
                terms = [(start - first, end - first, term) for start, end, term in here]
                hits.update(
                    Candidate(
                        first + start, first + end, term.category, term.detector, lists.version, 0.7, Strength.LEXICON
                    )
                    for start, end, term in _telling(lists, sentence, terms, of_person=of_person)
                )
        return list(hits)


def _sentence(text: str, *, about_somebody: bool) -> Sentence:
    words = [(folded(word.group()), *word.span()) for word in _WORD.finditer(text)]
    return Sentence(text, words, about_somebody)


def _telling(lists: Lexicon, sentence: Sentence, terms: list[Place], *, of_person: bool) -> Iterator[Place]:
    """The terms that are said of somebody."""
    of_whom = of_person or says_nothing_else(lists, sentence, terms)
    for place in terms:
        if _is_meant(lists, sentence, place) and (
            of_whom or _is_personal(lists, sentence, place[2]) or opens_note(lists, sentence, place)
        ):
            yield place


def _is_name(field: Field) -> bool:
    return (key_table().anywhere.get(field.key) or "").startswith(_NAMES)


def _places(lists: Lexicon, original: str, text: str) -> Iterator[tuple[int, int, Term]]:
    """Whole-word occurrences of terms; what is written in capitals in the lists stands so in the text."""
    for index, start, end in lists.automaton.find_matches_as_indexes(text, overlapping=True):
        for term in lists.by_fragment[index]:
            span = term.span(text, start, end)
            if span is not None and (term.loud is None or term.loud in original[slice(*span)]):
                yield *span, term


def _is_meant(lists: Lexicon, sentence: Sentence, place: Place) -> bool:
    """Whether a term is no topic, no name and, of a crime, no victim's word."""
    start, end, term = place
    before = sentence.before(start)
    if lists.topics.intersection((*before[-_NEAR:], *sentence.after(end)[:_NEAR])):
        return False
    if term.is_name and not _says_what_one_is(lists, sentence.text, (start, end), before):
        return False
    return not term.needs or bool(sentence.said & lists.came_of_it)


def _is_personal(lists: Lexicon, sentence: Sentence, term: Term) -> bool:
    """Whether a sentence says of whom."""
    cues = lists.all_cues if term.language == ANY else lists.cues[term.language]
    parts = sentence.said | {
        part for word in sentence.said if "'" in word for part in word.split("'")
    }  # j'ai, l'a, m'a
    return bool(parts & cues) or next(listed_names(sentence.text), None) is not None


def _says_what_one_is(lists: Lexicon, sentence: str, span: tuple[int, int], before: list[str]) -> bool:
    """Whether `Christian` is a belief: behind `is` or `a`, and not beside another capitalised word."""
    start, end = span
    if not before or before[-1] not in lists.says_what_one_is:
        return False
    following = _WORD.match(sentence, end + 1) if sentence[end : end + 1] == " " else None
    return not (sentence[start].isupper() and following is not None and following.group()[0].isupper())

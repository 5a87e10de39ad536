"""Words that tell what GDPR Art. 9 and 10 protect, beside a word that says of whom.

One pass of Aho-Corasick finds the terms of all languages; only then is the sentence looked at: it
needs a cue of the term's language, and must not speak of the term as a topic. Words that are names
as well (`Christian`, `Gay`) need a word that says what somebody is. Notes leave out whom they are about:
`Has diabetes` begins with what somebody does; `Metformin 500 mg` in an event about somebody is no talk of a topic.
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
from lawful.extractors.sentences import sentences

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)?")
_PER_PLACE, _PER_TERM = 3, 15  # steps
_NEAR = 2  # words between a term and one that makes it a topic
_NOTE = 200  # characters that a line of nothing but terms may have
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
        is_noted = not field.is_json and bool(around.event.subjects)
        hits = set[Candidate]()
        starts = [start for start, _, _ in places]
        for first, last in sentences(field.text):
            sentence = field.text[first:last]
            terms = places[bisect_left(starts, first) : bisect_left(starts, last)]
            of_whom = of_person or (is_noted and _says_nothing_else(lists, sentence, first, terms))
            for start, end, term in terms:
                around.budget.spend(_PER_TERM + (last - first) // 4)
                within = (start - first, end - first)
                if _counts(lists, sentence, within, term, of_person=of_whom):
                    hits.add(Candidate(start, end, term.category, term.detector, lists.version, 0.7, Strength.LEXICON))
        return list(hits)


def _is_name(field: Field) -> bool:
    return (key_table().anywhere.get(field.key) or "").startswith(_NAMES)


def _places(lists: Lexicon, original: str, text: str) -> Iterator[tuple[int, int, Term]]:
    """Whole-word occurrences of terms; what is written in capitals in the lists stands so in the text."""
    for index, start, end in lists.automaton.find_matches_as_indexes(text, overlapping=True):
        for term in lists.by_fragment[index]:
            span = term.span(text, start, end)
            if span is not None and (term.loud is None or term.loud in original[slice(*span)]):
                yield *span, term


def _counts(lists: Lexicon, sentence: str, span: tuple[int, int], term: Term, *, of_person: bool) -> bool:
    words = [(folded(word.group()), *word.span()) for word in _WORD.finditer(sentence)]
    before = [word for word, _, end in words if end <= span[0]]
    after = [word for word, start, _ in words if start >= span[1]]
    if lists.topics.intersection((*before[-_NEAR:], *after[:_NEAR])):
        return False
    if term.is_name and not _says_what_one_is(lists, sentence, span, before):
        return False
    said = {word.replace("\u2019", "'") for word, _, _ in words}
    if term.needs and not said & lists.came_of_it:
        return False
    return of_person or _leaves_out_whom(lists, sentence, words) or _is_personal(lists, sentence, said, term)


def _leaves_out_whom(lists: Lexicon, sentence: str, words: list[tuple[str, int, int]]) -> bool:
    """Whether a note begins with what somebody does or is: `Has diabetes`."""
    return bool(words) and words[0][0] in lists.opens_notes and not sentence.rstrip().endswith("?")


def _says_nothing_else(lists: Lexicon, sentence: str, first: int, terms: list[tuple[int, int, Term]]) -> bool:
    """Whether there are terms and words of measure and degree: `Metformin 500 mg, chronic back pain`."""
    if not terms or len(sentence) > _NOTE:
        return False
    covered = [(start - first, end - first) for start, end, _ in terms]
    return all(
        folded(word.group()) in lists.beside_terms or any(a <= word.start() and word.end() <= b for a, b in covered)
        for word in _WORD.finditer(sentence)
    )


def _is_personal(lists: Lexicon, sentence: str, said: set[str], term: Term) -> bool:
    cues = lists.all_cues if term.language == ANY else lists.cues[term.language]
    parts = said | {part for word in said if "'" in word for part in word.split("'")}  # j'ai, l'a, m'a
    return bool(parts & cues) or next(listed_names(sentence), None) is not None


def _says_what_one_is(lists: Lexicon, sentence: str, span: tuple[int, int], before: list[str]) -> bool:
    """Whether `Christian` is a belief: behind `is` or `a`, and not beside another capitalised word."""
    start, end = span
    if not before or before[-1] not in lists.says_what_one_is:
        return False
    following = _WORD.match(sentence, end + 1) if sentence[end : end + 1] == " " else None
    return not (sentence[start].isupper() and following is not None and following.group()[0].isupper())

"""spaCy's small and medium networks for names, run in batches of sentences by plain matrix products.

spaCy steps through each text token by token in its own layers. The weights are the same here, but
what depends on a word alone is remembered, and whole batches go through each layer at once: a
tenth of the time, and the same names (a test holds them to spaCy's own). The architecture is
spaCy's: hash embeddings, windows of three with maxout and layer norms (`Tok2Vec.v2`), and a
classifier of transitions (`TransitionBasedParser.v2`).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from spacy.attrs import IS_SPACE, NORM, ORTH
from spacy.language import Language
from spacy.tokens import Doc

from lawful.extractors.ner.embedding import Mixing, best, embedding, product

Floats = NDArray[np.float32]
_WORDS = 50_000  # whose vectors are remembered: 20 MB
_PAD = 4  # rows between texts: as far as the layers look
_ONE = 2  # starts, where there is one text


@dataclass(frozen=True, slots=True)
class Layer:
    """A window of three, and what mixes it."""

    mixing: Mixing

    def over(self, rows: Floats) -> Floats:
        """The rows that have neighbours on both sides, with what the layer adds to them."""
        count, width = len(rows) - 2, rows.shape[1]
        # Three rows one behind the other are a row of the window: nothing has to be copied for it.
        window = np.ndarray((count, 3 * width), np.float32, rows, strides=rows.strides)
        found = self.mixing.over(window)
        found += rows[1:-1]
        return found


@dataclass(frozen=True, slots=True)
class Batch:
    """Texts on their way through the network.

    Attributes:
        docs: the texts, as tokens.
        starts: where each one's tokens start in the arrays; one more than there are texts.
        is_space: of each token.
        features: what each token says in each of the classifier's three places.
        outside: scores of all transitions where no name is open.
    """

    docs: Sequence[Doc]
    starts: list[int]
    is_space: NDArray[np.bool_]
    features: Floats
    outside: Floats


class Network:
    """The network of a model's `ner`.

    Args:
        nlp: the model. Another one of the same words and weights may take its place.

    Raises:
        Unfamiliar: it is built in another way.
    """

    def __init__(self, nlp: Language) -> None:
        self.nlp = nlp
        ner: Any = nlp.get_pipe("ner")
        try:
            self._read(ner)
        except (KeyError, ValueError, IndexError, AttributeError, TypeError) as error:
            raise Unfamiliar(type(error).__name__) from error
        self._rows: dict[tuple[int, int], int] = {}
        self._table = np.zeros((1_024, self._width), np.float32)

    def _read(self, ner: Any) -> None:
        tok2vec, _, linear = ner.model.get_ref("tok2vec").layers
        lower, upper = ner.model.get_ref("lower"), ner.model.get_ref("upper")
        self._embedding, encode = embedding(tok2vec.get_ref("embed")), tok2vec.get_ref("encode")
        self._layers = _layers(encode)
        self._width = encode.get_dim("nO")
        weights = lower.get_param("W")
        places, hidden, self._pieces, inner = weights.shape
        if places != 3 or self._pieces < 2 or encode.attrs["pad"] != _PAD:  # noqa: PLR2004 - what is known
            raise ValueError
        self.places = places
        narrow, bias = linear.get_param("W").T, linear.get_param("b")
        lowered = weights.transpose(0, 2, 1, 3).reshape(places * self._pieces * hidden, inner).T
        # Nothing happens between the two products, so they are one.
        self._features = np.ascontiguousarray(narrow @ lowered), bias @ lowered
        self._bias = np.ascontiguousarray(lower.get_param("b").T.reshape(-1))
        self.pad = np.ascontiguousarray(lower.get_param("pad")[0].transpose(0, 2, 1).reshape(places, -1))
        self._upper = np.ascontiguousarray(upper.get_param("W").T), upper.get_param("b")
        self.moves = [ner.moves.get_class_name(number) for number in range(ner.moves.n_moves)]
        self.unseen = frozenset(ner.model.attrs["unseen_classes"])

    def run(self, texts: Sequence[str]) -> Batch:
        """Texts as tokens, with all that can be said of them at once."""
        docs = [self.nlp.make_doc(text) for text in texts]
        arrays = [doc.to_array([ORTH, NORM, IS_SPACE]) for doc in docs]
        starts = [0]
        for array in arrays:
            starts.append(starts[-1] + len(array))
        vectors = self._encoded(self._embedded(docs, arrays), starts)
        features = product(vectors, *self._features).reshape(len(vectors), self.places, -1)
        is_space = np.concatenate([array[:, 2] for array in arrays]).astype(bool) if arrays else np.zeros(0, bool)
        outside = self.scores(features[:, 0] + (self.pad[1] + self.pad[2]))
        return Batch(docs, starts, is_space, features, outside)

    def scores(self, summed: Floats) -> Floats:
        """Scores of all transitions, from the sum of the features in all three places."""
        weights, bias = self._upper
        found: Floats = best(summed + self._bias, self._pieces) @ weights + bias
        return found

    def _embedded(self, docs: Sequence[Doc], arrays: Sequence[NDArray[Any]]) -> Floats:
        """The vector of each token's word, by itself."""
        words = [[(orth, norm) for orth, norm, _ in array.tolist()] for array in arrays]
        if len(self._rows) > _WORDS:
            self._rows.clear()
        for doc, row in zip(docs, words, strict=True):
            new = {word: place for place, word in enumerate(row) if word not in self._rows}
            if new:
                for word, vector in zip(new, self._embedding.vectors(doc, list(new.values())), strict=True):
                    self._learn(word, vector)
        found: Floats = self._table[[self._rows[word] for row in words for word in row]]
        return found

    def _learn(self, word: tuple[int, int], vector: Floats) -> None:
        row = self._rows.setdefault(word, len(self._rows))
        if row == len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        self._table[row] = vector

    def _encoded(self, vectors: Floats, starts: Sequence[int]) -> Floats:
        """Each token's vector among its neighbours."""
        lengths = np.diff(starts)
        shift = np.repeat(_PAD * np.arange(1, len(starts)), lengths)
        places = np.arange(len(vectors)) + shift
        rows = np.zeros((len(vectors) + _PAD * len(starts), self._width), np.float32)
        rows[places] = vectors
        for layer in self._layers:
            rows = layer.over(rows)
        # Each layer leaves out a row at either end: those before the first text and behind the last one.
        found: Floats = rows if len(starts) == _ONE else rows[places - _PAD]
        return found


class Unfamiliar(Exception):
    """A model that is built in another way than the networks that are known here."""


def _layers(encode: Any) -> tuple[Layer, ...]:
    maxouts = [node for node in encode.walk() if node.name == "maxout"]
    norms = [node for node in encode.walk() if node.name == "layernorm"]
    windows = [node for node in encode.walk() if node.name == "expand_window"]
    if not len(maxouts) == len(norms) == len(windows) or any(one.attrs["window_size"] != 1 for one in windows):
        raise ValueError
    return tuple(Layer(Mixing.of(maxout, norm)) for maxout, norm in zip(maxouts, norms, strict=True))

"""A word's vector by itself, worked out from the model's weights without the layers around them.

spaCy hashes a few features of a word (its norm, prefix, suffix and shape), adds up rows of a table for each, and
mixes them in one layer. For the one new word of a sentence, what stands around that in spaCy costs ten times as
much. A model that has more in it, such as vectors of its own, is asked in spaCy's way.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray
from spacy.tokens import Doc

Floats = NDArray[np.float32]
_EPSILON: Final = np.float32(1e-8)
_FEW, _SOME = 12, 64  # rows


class Embedding(Protocol):
    """Gives vectors of words."""

    def vectors(self, doc: Doc, places: Sequence[int]) -> Floats:
        """The vectors of some of a text's tokens, in their order."""
        ...


@dataclass(frozen=True, slots=True)
class Mixing:
    """Maxout over `pieces`, and a layer norm.

    Attributes:
        weights: the pieces' columns one behind the other.
    """

    weights: Floats
    bias: Floats
    pieces: int
    gain: Floats
    shift: Floats

    @classmethod
    def of(cls, maxout: Any, norm: Any) -> "Mixing":
        """From a model's two layers."""
        weights, bias = maxout.get_param("W"), maxout.get_param("b")
        wide, pieces, inner = weights.shape
        return cls(
            weights=np.ascontiguousarray(weights.transpose(1, 0, 2).reshape(pieces * wide, inner).T),
            bias=np.ascontiguousarray(bias.T.reshape(-1)),
            pieces=pieces,
            gain=norm.get_param("G"),
            shift=norm.get_param("b"),
        )

    def over(self, rows: Floats) -> Floats:
        """What the layers make of rows."""
        found = best(product(rows, self.weights, self.bias), self.pieces)
        width = found.shape[1]
        found -= (np.add.reduce(found, axis=1) / width)[:, None]
        variance = np.einsum("ij,ij->i", found, found) / width + _EPSILON
        found *= (1 / np.sqrt(variance))[:, None]
        found *= self.gain
        found += self.shift
        return found


def product(rows: Floats, weights: Floats, bias: Floats) -> Floats:
    """Rows times weights, and the bias."""
    count = len(rows)
    found = np.empty((count, weights.shape[1]), np.float32)
    # OpenBLAS multiplies a few rows without packing the weights first, which is what it takes longest over.
    size = _FEW if count <= _SOME else count
    for first in range(0, count, size):
        np.dot(rows[first : first + size], weights, out=found[first : first + size])
    found += bias
    return found


def best(rows: Floats, pieces: int) -> Floats:
    """The largest of each unit's pieces, which stand one behind the other."""
    width = rows.shape[1] // pieces
    found: Floats = np.maximum(rows[:, :width], rows[:, width : 2 * width])
    for piece in range(2, pieces):
        np.maximum(found, rows[:, piece * width : (piece + 1) * width], out=found)
    return found


class Hashed:
    """The embedding of models without vectors of their own.

    Args:
        embed: the model's.

    Raises:
        ValueError: it is built in another way.
    """

    def __init__(self, embed: Any) -> None:
        extract, listed, hashing, mixing, apart = embed.layers
        names = [one.name for one in (extract, listed, apart)]
        (hashed,), (mixed,) = hashing.layers, mixing.layers
        maxout, norm = (one for one in mixed.walk() if one.name in {"maxout", "layernorm"})
        if names != ["extract_features", "list2ragged", "ragged2list"] or maxout.name != "maxout":
            raise ValueError
        self._columns = extract.attrs["columns"]
        self._tables = [_table(one) for one in hashed.layers]
        self._ops = maxout.ops
        self._mixing = Mixing.of(maxout, norm)

    def vectors(self, doc: Doc, places: Sequence[int]) -> Floats:
        """See `Embedding`."""
        ids = doc.to_array(self._columns)[places].astype(np.uint64)
        hashed = [
            self._ops.gather_add(rows, self._ops.hash(np.ascontiguousarray(ids[:, column]), seed) % len(rows))
            for column, seed, rows in self._tables
        ]
        return self._mixing.over(np.concatenate(hashed, axis=1))


def _table(chain: Any) -> tuple[int, int, Floats]:
    """A feature's place, the seed of its hash, and its rows."""
    pick, hashed = chain.layers
    _, column = pick.attrs["index"]
    if hashed.name != "hashembed":
        raise ValueError
    return column, hashed.attrs["seed"], hashed.get_param("E")


class Asked:
    """Any embedding, asked in spaCy's way.

    Args:
        embed: the model's.
    """

    def __init__(self, embed: Any) -> None:
        self._embed = embed

    def vectors(self, doc: Doc, places: Sequence[int]) -> Floats:
        """See `Embedding`."""
        (rows,) = self._embed.predict([doc])
        found: Floats = rows[places]
        return found


def embedding(embed: Any) -> Embedding:
    """The fastest way to a model's vectors of words."""
    try:
        return Hashed(embed)
    except (ValueError, KeyError, AttributeError, TypeError):
        return Asked(embed)

"""From scores to names: spaCy's greedy transitions (begin, in, last, unit, out).

Where no name is open, the scores do not depend on what came before, so they are there for all
tokens at once; only within a name does one step need the one before it.
"""

from bisect import bisect_right
from collections.abc import Iterator

import numpy as np

from lawful.extractors.ner.network import Batch, Network

Span = tuple[int, int, str]


class Decoder:
    """Reads names off a network's scores.

    Args:
        network: whose transitions they are.
    """

    def __init__(self, network: Network) -> None:
        self._network = network
        self._moves = network.moves
        kinds = ["" if number in network.unseen else move[:2] for number, move in enumerate(network.moves)]
        self._begins = np.flatnonzero([kind == "B-" for kind in kinds])
        self._opens = np.array([kind in {"B-", "U-"} for kind in kinds])
        allowed = self._opens | np.array([kind == "O" for kind in kinds])
        self._barred = np.where(allowed, 0, -np.inf).astype(np.float32)
        self._goes_on = {move[2:]: number for number, move in enumerate(network.moves) if move.startswith("I-")}
        self._ends = {move[2:]: number for number, move in enumerate(network.moves) if move.startswith("L-")}

    def spans(self, batch: Batch) -> list[list[Span]]:
        """The names of each text, as tokens from, to and label."""
        scores = batch.outside + self._barred
        if batch.is_space.any():
            scores[np.ix_(batch.is_space, self._opens)] = -np.inf
        lasts = [start - 1 for before, start in zip(batch.starts, batch.starts[1:], strict=False) if start > before]
        scores[np.array(lasts, dtype=np.intp)[:, None], self._begins] = -np.inf
        best = scores.argmax(axis=1)
        opening = np.flatnonzero(self._opens[best]).tolist()
        names: list[list[Span]] = [[] for _ in batch.docs]
        text = 0
        for start, end, label in self._names(batch, best.tolist(), opening):
            while start >= batch.starts[text + 1]:
                text += 1
            names[text].append((start - batch.starts[text], end - batch.starts[text], label))
        return names

    def _names(self, batch: Batch, best: list[int], opening: list[int]) -> Iterator[Span]:
        until = 0
        for start in opening:
            if start < until:
                continue
            move = self._moves[best[start]]
            last = batch.starts[bisect_right(batch.starts, start)] - 1
            until = start + 1 if move.startswith("U-") else self._end(batch, start, last, move[2:])
            yield start, until, move[2:]

    def _end(self, batch: Batch, start: int, last: int, label: str) -> int:
        """Behind the last token of a name that begins at `start`."""
        goes_on, ends = self._goes_on[label], self._ends[label]
        features = batch.features
        token = start + 1
        while token < last:
            (scores,) = self._network.scores((features[token, 0] + features[start, 1] + features[token - 1, 2])[None])
            # spaCy takes the first of equals.
            if (scores[ends], -ends) > (scores[goes_on], -goes_on):
                break
            token += 1
        return token + 1

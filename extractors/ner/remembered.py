"""What a model guessed in a sentence before: agents repeat themselves, and each other."""

from collections import OrderedDict
from collections.abc import Sequence
from hashlib import blake2b
from secrets import token_bytes
from threading import Lock
from typing import Final, Protocol

from lawful.extractors.ner.model import Guess

_ENTRIES: Final = 65_536


class Guesser(Protocol):
    """What is needed of `model.Model`."""

    @property
    def version(self) -> str:
        """Of the model."""
        ...

    def guesses(self, texts: Sequence[str]) -> list[tuple[Guess, ...]]:
        """The names in each text; one text's do not depend on the others."""
        ...


class Remembered:
    """A model with a memory. Keyed by a keyed digest: a dump of memory holds no table of sentences.

    Args:
        model: guesses.
        entries: how many sentences to remember, some 200 bytes each.
    """

    def __init__(self, model: Guesser, entries: int = _ENTRIES) -> None:
        self._model = model
        self._entries = entries
        self._known: OrderedDict[bytes, tuple[Guess, ...]] = OrderedDict()
        self._lock = Lock()
        self._secret = token_bytes(32)
        self.version = model.version

    def guesses(self, texts: Sequence[str]) -> list[tuple[Guess, ...]]:
        """The names in each text."""
        keys = [self._key(text) for text in texts]
        with self._lock:
            known = {key: found for key in keys if (found := self._known.get(key)) is not None}
            for key in known:
                self._known.move_to_end(key)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            fresh = dict(zip(new, self._model.guesses(list(new.values())), strict=True))
            known.update(fresh)
            self._learn(fresh)
        return [known[key] for key in keys]

    def forget(self) -> None:
        """Knows nothing any more; for measuring."""
        with self._lock:
            self._known.clear()

    def _learn(self, found: dict[bytes, tuple[Guess, ...]]) -> None:
        with self._lock:
            self._known.update(found)
            while len(self._known) > self._entries:
                self._known.popitem(last=False)

    def _key(self, text: str) -> bytes:
        return blake2b(text.encode(errors="surrogatepass"), key=self._secret, digest_size=16).digest()

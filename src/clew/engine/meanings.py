"""The encoder, lent to a kernel that asks for the tokens and vectors of several texts."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache

from clew.engine.vectors import FITTED, held_vector, hold_vector
from clew.kernel.ground.meanings import Meanings
from clew.model.utterance import TokenVectors
from clew.ports.embeddings import Embedder, OneThread, TokenEmbedder

# Lists come again with every message: the tokens of so many texts are kept.
_MOST = 2_000
_TOKENS: OrderedDict[tuple[str, str], TokenVectors] = OrderedDict()


class Lent:
    """What an embedder makes of texts, each made once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self._space = embedder, str(embedder.space)

    def tokens(self, text: str) -> TokenVectors:
        key = (self._space, text)
        found = _TOKENS.get(key)
        if found is None:
            assert isinstance(self._embedder, TokenEmbedder)
            found = _TOKENS[key] = self._embedder.tokens(text)
            while len(_TOKENS) > _MOST:
                _TOKENS.popitem(last=False)
        return found

    def vector(self, text: str) -> Sequence[float]:
        found = held_vector(self._space, text)
        if found is None:
            found = self._embedder.embed([text])[0]
            hold_vector(self._space, text, found)
        return found

    def one_thread(self) -> AbstractContextManager[object]:
        return self._embedder.one_thread() if isinstance(self._embedder, OneThread) else nullcontext()


def lend(embedder: Embedder | None) -> Meanings | None:
    """None where there is no encoder, or another than the readers were fitted to."""
    if embedder is None or not isinstance(embedder, TokenEmbedder) or not str(embedder.space).startswith(FITTED):
        return None
    return Lent(embedder)


@cache
def at_hand() -> Meanings | None:
    """The encoder of this machine, for a kernel that is asked without any parts."""
    from clew.engine.bootstrap import make_embedder

    return lend(make_embedder())

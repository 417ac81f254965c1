"""The encoder, lent to a kernel that asks for the tokens and vectors of several texts."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cache

from clew.engine.vectors import FITTED, held_vector, hold_vector, tokens_by
from clew.kernel.read.meanings import Meanings
from clew.model.utterance import TokenVectors
from clew.ports.embeddings import Embedder, OneThread, TokenEmbedder


class Lent:
    """What an embedder makes of texts; nothing where it fails."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder, self._space = embedder, str(embedder.space)

    def tokens(self, text: str) -> TokenVectors | None:
        return tokens_by(self._embedder, text)

    def vectors(self, texts: Sequence[str]) -> list[Sequence[float]] | None:
        """Those that are not held yet are made in one call, which costs little more than one text alone."""
        found = {text: held for text in texts if (held := held_vector(self._space, text)) is not None}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        try:
            made = dict(zip(missing, self._embedder.embed(missing), strict=True)) if missing else {}
        except Exception:  # a broken embedder costs its vectors, never the turn
            return None
        for text, vector in made.items():
            hold_vector(self._space, text, vector)
            found[text] = vector
        return [found[text] for text in texts]

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

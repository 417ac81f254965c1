"""The small learned tagger: which words of a message carry something durable, and what it is (weights are policy).

Enters: a text's tokens with the encoder's vectors, and the text's own vector. Leaves: spans with scores.
Everything is added up in whole numbers, which give the same sum in any order, whatever library adds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from typing import Any

from clew.kernel.read.linear import sums
from clew.kernel.statements.features import Mention, Word, bags, mentions, signs, words_of
from clew.kernel.statements.naming import attribute_sums
from clew.model.utterance import TokenVectors
from clew.policy.reader import ReaderPolicy, weights

KINDS = ("self", "person", "pet")
STATUS = ("is", "not", "ended", "future", "past")
STANCE = (None, "like", "dislike")
DILATIONS = (1, 2, 4)
_EMBEDDING, _SENTENCE = 1.4, 16.0
_GRID = 1 << 10
_LIMIT = 512.0
_DECIMALS = 4


@dataclass(frozen=True, slots=True)
class Span:
    """A run of tokens that carries a value; `scores` are chances, from 0 to 1."""

    start: int
    end: int
    told: float
    inside: float
    attributes: tuple[tuple[str, float], ...]
    kind: str
    kind_score: float
    status: str
    stance: str | None


@dataclass(frozen=True, slots=True)
class Tagged:
    spans: tuple[Span, ...]
    told: float
    mentions: tuple[Mention, ...]


@lru_cache(maxsize=4)
def _loaded(name: str, sha256: str) -> Mapping[str, Any] | None:
    import numpy as np

    arrays = weights(name, sha256)
    if arrays is None:
        return None
    out: dict[str, Any] = {}
    for key, value in arrays.items():
        # The bag's table stays small; the rest is multiplied as exact whole numbers in floats.
        keep = key in ("bag", "names")
        out[key] = value if keep else value.astype(np.float64)
    return out


def _whole(x: Any) -> Any:
    import numpy as np

    return np.rint(np.clip(x, -_LIMIT, _LIMIT) * _GRID)


def _linear(w: Mapping[str, Any], key: str, whole: Any) -> Any:
    return (whole @ w[key]) * (w[key + "_s"] / _GRID)


def tag(text: str, vector: Sequence[float], tokens: TokenVectors, policy: ReaderPolicy,
        breaks: Sequence[int] = ()) -> Tagged:  # fmt: skip
    """`breaks` are token indices where a new part begins; no window reaches over one."""
    import numpy as np

    w = _loaded(policy.statements, policy.statements_sha256)
    found = mentions(text, policy)
    n = min(len(tokens.spans), policy.tokens_max)
    if w is None or not n:
        return Tagged((), 0.0, tuple(found))
    words = words_of(text)
    starts = np.array([0, *(b for b in breaks if 0 < b < n)], dtype=np.int64)
    lens = np.diff(np.append(starts, n))
    owner = np.repeat(np.arange(len(starts)), lens)
    h, vec = _states(w, text, words, found, vector, tokens, n, starts, lens, policy)
    whole = _whole(h)
    q = _softmax(_linear(w, "bio", whole) + w["bio_b"])
    top = np.maximum.reduceat(whole, starts, axis=0)
    mean = np.rint(np.add.reduceat(whole, starts, axis=0) / lens[:, None])
    pooled = np.concatenate([top, mean, np.tile(vec, (len(starts), 1))], axis=1)
    names = w["names"].tolist()
    said = [sums(part, vector, policy.told, policy.told_sha256) for part in _parts(text, tokens, starts)]
    odds = (_linear(w, "told", pooled) + w["told_b"])[:, 0]
    w_tag, w_word, shift = policy.told_weights
    told = 1 / (1 + np.exp(-(w_tag * odds + w_word * np.array([row.get("", 0.0) for row in said]) + shift)))
    runs = _runs(np.round(q, _DECIMALS), starts, lens, told[owner] >= policy.sure, policy)
    if not runs:
        return Tagged((), round(float(told.max()), _DECIMALS), tuple(found))
    s, e = np.array([r[0] for r in runs]), np.array([r[1] for r in runs])
    total = np.concatenate([np.zeros((1, whole.shape[1])), np.cumsum(whole, axis=0)])
    inside = np.rint((total[e] - total[s]) / (e - s)[:, None])
    m = owner[s]
    before = np.maximum(s - 1, starts[m])
    seen = np.concatenate([inside, top[m], whole[before], np.tile(vec, (len(m), 1))], axis=1)
    state = _whole(np.maximum(_linear(w, "span", seen) + w["span_b"], 0))
    sums_of = {head: _linear(w, head, state) + w[head + "_b"] for head in ("attribute", "kind", "status", "stance")}
    lent = [
        attribute_sums(text, tokens.spans[first][0], tokens.spans[last - 1][1], vector, policy)
        for first, last, _ in runs
    ]
    by_words = np.array([[row.get(name, 0.0) for name in names] for row in lent])
    sums_of["attribute"] = sums_of["attribute"] + policy.attribute_share * by_words
    heads = {head: _softmax(row).round(_DECIMALS) for head, row in sums_of.items()}
    spans = []
    for i, (first, last, score) in enumerate(runs):
        chance = heads["attribute"][i].tolist()
        best = sorted(range(len(names)), key=lambda k: (-chance[k], k))[:5]
        kind = int(heads["kind"][i].argmax())
        spans.append(Span(
            tokens.spans[first][0], tokens.spans[last - 1][1], round(float(told[m[i]]), _DECIMALS), score,
            tuple((names[k], chance[k]) for k in best), KINDS[kind], float(heads["kind"][i][kind]),
            STATUS[int(heads["status"][i].argmax())], STANCE[int(heads["stance"][i].argmax())],
        ))  # fmt: skip
    return Tagged(tuple(spans), round(float(told.max()), _DECIMALS), tuple(found))


def _states(w: Mapping[str, Any], text: str, words: Sequence[Word], found: Sequence[Mention], vector: Sequence[float],
            tokens: TokenVectors, n: int, starts: Any, lens: Any, policy: ReaderPolicy) -> tuple[Any, Any]:  # fmt: skip
    """One row of numbers for each token, with what stands around it; and the text's vector on the grid."""
    import numpy as np

    at, k = [], 0
    for start, _ in tokens.spans[:n]:
        while k < len(words) - 1 and words[k].end <= start:
            k += 1
        at.append(k)
    grams: Any
    marks: Any
    if words:
        table = w["bag"]
        grams = np.stack([table[list(bag)].sum(axis=0, dtype=np.int64) / sqrt(len(bag)) for bag in bags(words)])
        marks = np.array(signs(text, words, found, policy), dtype=np.float64)
    else:
        grams = w["bag"][[0]].astype(np.float64)
        marks = np.zeros((1, w["sign"].shape[0]))
    vec = _whole(np.asarray(vector, dtype=np.float64) * _SENTENCE)
    x = _linear(w, "in", _whole(np.asarray(tokens.matrix[:n], dtype=np.float64) * _EMBEDDING))
    x = x + (_linear(w, "gram", _whole(grams * w["bag_s"])) + _linear(w, "sign", marks * _GRID))[at]
    x = np.maximum(x + _linear(w, "sent", vec) + w["in_b"], 0)
    first = np.repeat(starts, lens)
    last = first + np.repeat(lens, lens)
    here = np.arange(n)
    for layer, dilation in enumerate(DILATIONS):
        padded = np.zeros((n + 1, x.shape[1]))
        padded[:n] = _whole(x)
        before = np.where(here - dilation >= first, here - dilation, n)
        after = np.where(here + dilation < last, here + dilation, n)
        seen = np.concatenate([padded[before], padded[:n], padded[after]], axis=1)
        x = x + np.maximum(_linear(w, f"conv{layer}", seen) + w[f"conv{layer}_b"], 0)
    return x, vec


def _softmax(x: Any) -> Any:
    import numpy as np

    e = np.exp(x - x.max(axis=1, keepdims=True))
    # Few columns, added in their order.
    return e / np.cumsum(e, axis=1)[:, -1:]


def _parts(text: str, tokens: TokenVectors, starts: Any) -> list[str]:
    places = [0, *(tokens.spans[i][0] for i in starts.tolist()[1:]), len(text)]
    return [text[a:b] for a, b in pairwise(places)]


def _runs(q: Any, starts: Any, lens: Any, sure: Any, policy: ReaderPolicy) -> list[tuple[int, int, float]]:
    """Runs of tokens inside a value, cut where another value begins.

    In a part that surely tells something and shows no such run, the likeliest tokens make one.
    """
    inside = (1 - q[:, 0]).tolist()
    begins = q[:, 1].tolist()
    runs: list[tuple[int, int, float]] = []
    for first, length in zip(starts.tolist(), lens.tolist(), strict=True):
        last = first + length
        found = _above(inside, begins, first, last, policy.at_token, policy.at_begin)
        best = max(inside[first:last])
        if not found and sure[first] and best >= policy.at_least:
            found = _above(inside, begins, first, last, max(policy.at_least, best / 2), policy.at_begin)
        runs += found
    return runs


def _above(inside: list[float], begins: list[float], first: int, last: int, at: float, begin: float
           ) -> list[tuple[int, int, float]]:  # fmt: skip
    runs: list[tuple[int, int, float]] = []
    i = first
    while i < last:
        if inside[i] < at:
            i += 1
            continue
        start = i
        i += 1
        while i < last and inside[i] >= at and begins[i] < begin:
            i += 1
        runs.append((start, i, round(max(inside[start:i]), _DECIMALS)))
    return runs

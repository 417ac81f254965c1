"""The small network of answers: how likely each of the things known answers a question.

Every word of the question is read beside every word of what may answer it, and the other way round; then every
candidate beside the others. It knows words by the encoder's vectors; what the trees make of each (chooser.py) is among
its signs. It runs in whole numbers, so that the same question gives the same bytes on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from clew.kernel.read.exact import GRID, Weights, beside, linear, loaded, normed, softmax, whole
from clew.kernel.read.meanings import Meanings
from clew.kernel.recall.known import Known, Question
from clew.policy.recall import AnswersNetwork

# What a token of something known is: a word, the value that was read, what was said before. The last is of a question.
WORD, VALUE, EARLIER, PAD, ASKS = range(5)
# So many tokens of the question, of what may answer it and of what was said before that are read, and so many answers.
ASKED, TOLD, BEFORE, LOOKED_AT = 32, 40, 12, 20
_GIST = 8.0
_OWN, _SUMS, _SUM_UNIT = 4.0, 8.0, 4.0
_UNIT = 1000
_DECIMALS = 4
_FAR = -1.0


def parts_of(known: Known) -> list[tuple[str, int, tuple[int, int] | None]]:
    """The texts of it that are read, what each is, and where in it the value stands."""
    at = known.words.lower().find(known.value.lower()) if known.value else -1
    out: list[tuple[str, int, tuple[int, int] | None]] = [(known.before, EARLIER, None)] if known.before else []
    out.append((known.words, WORD, (at, at + len(known.value)) if at >= 0 else None))
    if known.value and at < 0:
        out.append((known.value, VALUE, None))
    return out


def spread(own: Any) -> Any:
    """Thousandths, so that counts and lengths do not outweigh chances."""
    x = np.asarray(own, dtype=np.float64) / _UNIT
    return np.sign(x) * np.log1p(np.abs(x))


def weigh(
    question: Question,
    known: Sequence[Known],
    signs: Any,
    sums: Sequence[float],
    meanings: Meanings,
    policy: AnswersNetwork,
) -> dict[int, float]:
    """By place, the chance of the likeliest by the trees; empty where there are no weights or nothing to read.

    signs: what the trees see of each.   sums: what they make of it, as the logarithm of odds.
    """
    w = loaded(policy.file, policy.sha256)
    if w is None or not known:
        return {}
    order = sorted(range(len(known)), key=lambda i: (-sums[i], i))[:LOOKED_AT]
    given = _seen(question, [known[i] for i in order], meanings)
    if given is None:
        return {}
    own = np.clip((spread(signs[order]) - w["own_mean"]) / w["own_spread"], -_OWN, _OWN)
    trees = np.clip(np.array([sums[i] for i in order]), -_SUMS, _SUMS) / _SUM_UNIT
    own = np.hstack([own, trees[:, None]])
    with meanings.one_thread():
        made = sum(1 / (1 + np.exp(-_run(w, f"{n}_", given, own))) for n in range(int(w["nets"]))) / w["nets"]
    return dict(zip(order, np.round(made, _DECIMALS).tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    """A row for each token of the question, and of all candidates with what each token is and where each begins.

    same: which token of the question is which of theirs.   All of it is the same for every net.
    """

    asked: Any
    told: Any
    same: Any
    kinds: Any
    starts: tuple[int, ...]
    gist: Any
    gists: Any


def _seen(question: Question, known: Sequence[Known], meanings: Meanings) -> _Given | None:
    asked = meanings.tokens(question.text)
    if asked is None or not asked.spans:
        return None
    rows, kinds, starts = [], [], [0]
    for one in known:
        early: list[tuple[Any, int]] = []
        here: list[tuple[Any, int]] = []
        for said, kind, value in parts_of(one):
            tokens = meanings.tokens(said)
            if tokens is None:
                return None
            for (a, b), row in zip(tokens.spans, tokens.matrix, strict=True):
                inside = value is not None and a < value[1] and b > value[0]
                (early if kind == EARLIER else here).append((row, VALUE if inside else kind))
        both = early[-BEFORE:] + here[:TOLD]
        rows += [row for row, _ in both]
        kinds += [kind for _, kind in both]
        starts.append(starts[-1] + len(both))
    if not rows:
        return None
    empty = np.zeros(len(question.vector))
    mine, theirs = np.asarray(asked.matrix[:ASKED], dtype=np.float64), np.array(rows, dtype=np.float64)
    # What begins alike and adds up alike is the same.
    same = (mine[:, None, :8] == theirs[None, :, :8]).all(axis=2)
    same &= mine.sum(axis=1)[:, None] == theirs.sum(axis=1)[None]
    gists = np.array([empty if k.vector is None else k.vector for k in known], dtype=np.float64) * _GIST
    return _Given(
        whole(mine),
        whole(theirs),
        same,
        np.array(kinds),
        tuple(starts),
        whole(np.asarray(question.vector, dtype=np.float64)[None] * _GIST),
        whole(gists),
    )


def _run(w: Weights, net: str, given: _Given, own: Any) -> Any:
    """The score of each candidate."""
    asked, told, same, starts = given.asked, given.told, given.same, given.starts
    count, long = len(starts) - 1, len(asked)
    a, k = whole(linear(w, net + "match", asked)), whole(linear(w, net + "match", told))
    sizes = np.sqrt((a * a).sum(axis=1)), np.sqrt((k * k).sum(axis=1))
    fit = (a @ k.T) / np.maximum(sizes[0][:, None] * sizes[1][None], 1e-9)
    by_asked = _each(np.maximum, fit.T, starts, _FAR)
    same_asked = _each(np.maximum, same.T.astype(np.float64), starts)
    zero = np.zeros_like(by_asked)
    signs = np.stack(
        [by_asked, _lead(by_asked), same_asked, same_asked - same_asked.mean(axis=0), zero, zero], axis=2
    ).reshape(count * long, -1)
    none = np.zeros(len(told))
    of_told = np.stack([none, none, none, none, fit.max(axis=0), same.any(axis=0).astype(np.float64)], axis=1)
    mark = w[net + "mark"] * w[net + "mark_s"]
    question = np.tile(linear(w, net + "token", asked) + mark[ASKS], (count, 1))
    hq = np.maximum(question + linear(w, net + "sign", whole(signs)), 0)
    ht = np.maximum(linear(w, net + "token", told) + mark[given.kinds] + linear(w, net + "sign", whole(of_told)), 0)
    hq = _around(w, net, 0, hq, range(0, count * long + 1, long))
    ht = _around(w, net, 1, ht, starts)
    nq, nt = whole(normed(w, f"{net}norm2", hq, 1e-5)), whole(normed(w, f"{net}norm2", ht, 1e-5))
    asks, tells = whole(linear(w, net + "ask", nq)), whole(linear(w, net + "tell", nt))
    met_q, met_t = _meeting(asks, tells, nq, nt, starts)
    vq, vt = _met(w, net, nq, met_q), _met(w, net, nt, met_t)
    pooled = np.hstack([*_both(vq, range(0, count * long + 1, long)), *_both(vt, starts)])
    about = np.maximum(linear(w, net + "gist", given.gist), 0).repeat(count, axis=0)
    alike = linear(w, net + "alike", given.gist) * linear(w, net + "alike", given.gists)
    z = np.maximum(linear(w, net + "one", whole(np.hstack([pooled, about, alike, own]))), 0)
    mean = np.rint(whole(z).sum(axis=0, keepdims=True) / count) / GRID
    most = z.max(axis=0, keepdims=True)
    z = np.hstack([z, mean.repeat(count, axis=0), most.repeat(count, axis=0)])
    z = np.maximum(linear(w, net + "two", whole(z)), 0)
    return linear(w, net + "member", whole(z))[:, 0]


def _each(join: Any, rows: Any, starts: Sequence[int], none: float = 0.0) -> Any:
    """The rows of each stretch joined into one; `none` where a stretch is empty."""
    begins, ends = np.array(starts[:-1]), np.array(starts[1:])
    some = begins < ends
    out = np.full((len(begins), rows.shape[1]), none)
    if some.any():
        out[some] = join.reduceat(rows, begins[some], axis=0)
    return out


def _around(w: Weights, net: str, layer: int, h: Any, starts: Sequence[int]) -> Any:
    """Each token with its neighbours; nothing stands before the first of a stretch and after its last."""
    state = whole(normed(w, f"{net}norm{layer}", h, 1e-5))
    seen = beside(state, 3, 1)
    width = state.shape[1]
    begins = [start for start in starts[:-1] if start < len(state)]
    seen[begins, :width] = 0.0
    seen[[end - 1 for end in starts[1:] if end], 2 * width :] = 0.0
    return h + np.maximum(linear(w, f"{net}near{layer}", seen), 0)


def _meeting(asks: Any, tells: Any, nq: Any, nt: Any, starts: Sequence[int]) -> tuple[Any, Any]:
    """What each token of the question finds in a candidate, and each of the candidate's in the question.

    All candidates at once, each as long as the longest: empty places are looked at by nobody, and hold nothing.
    """
    sizes = np.diff(starts)
    count, most = len(sizes), max(1, int(sizes.max()))
    places = np.arange(most)
    filled = places < sizes[:, None]
    at = np.where(filled, np.array(starts[:-1])[:, None] + places, len(nt))
    told, heard = (np.vstack([rows, np.zeros((1, rows.shape[1]))])[at] for rows in (tells, nt))
    asked, own = asks.reshape(count, -1, asks.shape[1]), nq.reshape(count, -1, nq.shape[1])
    e = (asked @ told.transpose(0, 2, 1)) / (GRID * GRID * asks.shape[1] ** 0.5)
    # Where there is no token at all, whatever is looked at holds nothing.
    seen = np.where((filled | (sizes == 0)[:, None])[:, None], e, -np.inf)
    met_q = np.rint(whole(softmax(seen)) @ heard / GRID)
    met_t = np.rint(whole(softmax(e.transpose(0, 2, 1))) @ own / GRID)
    return met_q.reshape(nq.shape), met_t[filled]


def _met(w: Weights, net: str, own: Any, met: Any) -> Any:
    """Each token beside what it meets on the other side; both are whole."""
    return np.maximum(linear(w, net + "met", np.hstack([own, met, whole(own / GRID * (met / GRID))])), 0)


def _both(x: Any, starts: Sequence[int]) -> tuple[Any, Any]:
    """The most and the mean over the tokens of each stretch."""
    sizes = np.maximum(np.diff(starts), 1)[:, None]
    return _each(np.maximum, x, starts), np.rint(_each(np.add, whole(x), starts) / sizes) / GRID


def _lead(near: Any) -> Any:
    """How far each candidate stands above the best of the others, for each token."""
    order = np.sort(near, axis=0)
    best, second = order[-1], order[-2] if len(order) > 1 else np.full(near.shape[1], _FAR)
    return np.where(near == best, near - second, near - best)

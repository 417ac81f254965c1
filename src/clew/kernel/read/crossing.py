"""A small network that reads one text beside others: every word of it beside every word of them.

A sister who was told of as a nurse and is spoken of as a doctor shows there; so do two statements that tell the same
in other words. It runs in whole numbers: the same texts give the same bytes on every machine. bench/train/crossing.py
trains it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from clew.frozen import dataclass
from clew.kernel.read.exact import GRID, Weights, beside, linear, normed, softmax, whole
from clew.model.utterance import TokenVectors

# So many tokens of the text, of what is beside it and of the message that it answers are read.
SAID, HELD, ASKED = 96, 112, 48
_KNOWN, _USER, _DRAFT = range(3)
_GIST = 8.0
_EPSILON = 1e-5
_SAME = 8
RowsOf = Callable[[str], TokenVectors | None]


@dataclass(frozen=True, slots=True, eq=False)
class Crossing:
    """Rows of tokens: the text's, and those of what is beside it with the message's behind them, from `user` on."""

    said: Any
    about: Any
    user: int


def crossed(said_text: str, known: Sequence[str], asked_text: str, rows_of: RowsOf) -> Crossing | None:
    """None where nothing can be read."""
    import numpy as np

    said, asked = _rows(rows_of(said_text)), _rows(rows_of(asked_text))[:ASKED]
    if not len(said):
        return None
    said = said[:SAID]
    held = [rows for one in known if len(rows := _rows(rows_of(one)))]
    if held:
        # What shares most words with the text comes first; there is room for so much.
        starts = np.cumsum([0, *map(len, held[:-1])])
        shared = np.logical_or.reduceat(_same(said, held), starts, axis=1).sum(axis=0)
        held = [held[i] for i in np.argsort(-shared, kind="stable")]
    about = np.concatenate(held)[:HELD] if held else said[:0]
    return Crossing(said, np.concatenate([about, asked]) if len(asked) else about, len(about))


def sums(w: Weights, seen: Crossing, own: Sequence[float], gists: tuple[Sequence[float], Sequence[float]]) -> Any:
    """What each name gets, the first of them for none of the others; the mean of the networks that are shipped."""
    import numpy as np

    numbers = np.asarray(own, dtype=np.float64)
    both = np.array(gists, dtype=np.float64) * _GIST
    same = _same(seen.said, [seen.about])
    return sum(_run(w, f"{n}_", seen, same, numbers, both) for n in range(int(w["nets"]))) / w["nets"]


def _rows(tokens: TokenVectors | None) -> Any:
    import numpy as np

    return np.asarray(tokens.matrix if tokens is not None and tokens.spans else (), dtype=np.float64)


def _same(a: Any, others: Sequence[Any]) -> Any:
    """Which tokens of the one are the very tokens of the others, one behind the other."""
    import numpy as np

    begins = np.concatenate([b[:, :_SAME] for b in others])
    sums = np.concatenate([b.sum(axis=1) for b in others])
    return (a[:, None, :_SAME] == begins[None]).all(axis=2) & (a.sum(axis=1)[:, None] == sums[None])


def _run(w: Weights, net: str, seen: Crossing, same: Any, own: Any, gists: Any) -> Any:
    import numpy as np

    said, about = whole(seen.said), whole(seen.about)
    length, others = len(said), len(about)
    mark = w[net + "mark"] * w[net + "mark_s"]
    signs, back = np.zeros((length, 6)), np.zeros((others, 6))
    if others:
        x, y = whole(linear(w, net + "match", said)), whole(linear(w, net + "match", about))
        sizes = np.sqrt((x * x).sum(axis=1)), np.sqrt((y * y).sum(axis=1))
        fit = (x @ y.T) / np.maximum(sizes[0][:, None] * sizes[1][None], 1e-9)
        for column, part in ((0, slice(0, seen.user)), (3, slice(seen.user, others))):
            if fit[:, part].shape[1]:
                signs[:, column] = fit[:, part].max(axis=1)
                signs[:, column + 1], signs[:, column + 2] = same[:, part].any(axis=1), 1
        back[:, 0], back[:, 1] = fit.max(axis=0), same.any(axis=0)
    kinds = np.where(np.arange(others) < seen.user, _KNOWN, _USER)
    hs = np.maximum(linear(w, net + "token", said) + mark[_DRAFT] + linear(w, net + "sign", whole(signs)), 0)
    hs = _around(w, net, 1, _around(w, net, 0, hs))
    ns = whole(normed(w, net + "norm3", hs, _EPSILON))
    heard = np.zeros((2, hs.shape[1]))
    found = np.zeros_like(ns)
    if others:
        ha = np.maximum(linear(w, net + "token", about) + mark[kinds] + linear(w, net + "sign", whole(back)), 0)
        ha = _around(w, net, 2, ha)
        na = whole(normed(w, net + "norm3", ha, _EPSILON))
        asks, tells = whole(linear(w, net + "ask", ns)), whole(linear(w, net + "tell", na))
        fits = softmax((asks @ tells.T) / (GRID * GRID * asks.shape[1] ** 0.5))
        found = np.rint(whole(fits) @ na / GRID)
        if others > seen.user:
            mine = whole(ha[seen.user :])
            heard = np.stack([np.maximum(mine.max(axis=0), 0), np.rint(mine.sum(axis=0) / len(mine))]) / GRID
    met = np.concatenate([ns, found, np.rint(ns * found / GRID)], axis=1)
    v = np.maximum(linear(w, net + "met", met), 0)
    near = beside(whole(normed(w, net + "norm4", v, _EPSILON)), 3, 1)
    last = whole(np.maximum(linear(w, net + "near3", near), 0))
    pooled = (last.max(axis=0) / GRID, np.rint(last.sum(axis=0) / length) / GRID)
    gist = np.maximum(linear(w, net + "gist", whole(gists.reshape(1, -1))), 0)[0]
    first, second = linear(w, net + "alike", whole(gists))
    z = np.concatenate([*pooled, *heard, gist, first * second, own])[None]
    z = np.maximum(linear(w, net + "one", whole(z)), 0)
    return linear(w, net + "two", whole(z))[0]


def _around(w: Weights, net: str, layer: int, h: Any) -> Any:
    """Each token with its neighbours."""
    import numpy as np

    state = whole(normed(w, f"{net}norm{layer}", h, _EPSILON))
    return h + np.maximum(linear(w, f"{net}near{layer}", beside(state, 3, 1)), 0)

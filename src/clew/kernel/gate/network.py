"""The small network of drafts: what a draft looks like beside what is known and the message that it answers.

Every word of the draft is read beside every word of what may be spoken of, so that a sister who is told of as a nurse
and spoken of as a doctor shows. It runs in whole numbers: the same draft gives the same bytes on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from clew.frozen import dataclass
from clew.kernel.read.exact import GRID, Weights, beside, linear, loaded, normed, softmax, whole
from clew.model.utterance import TokenVectors
from clew.policy.gate import DraftNetwork

# So many tokens of the draft, of what is known and of the message are read.
SAID, HELD, ASKED = 96, 112, 48
_KNOWN, _USER, _DRAFT = range(3)
_GIST = 8.0
_EPSILON = 1e-5
_SAME = 8


@dataclass(frozen=True, slots=True, eq=False)
class _Read:
    """Rows of tokens: the draft's, and those of what is known with the message's behind them, from `user` on."""

    said: Any
    about: Any
    user: int


def odds(
    draft: str,
    known: Sequence[str],
    user: str,
    numbers: Sequence[float],
    gists: tuple[Sequence[float], Sequence[float]],
    rows_of: Callable[[str], TokenVectors | None],
    policy: DraftNetwork,
) -> tuple[float, ...]:
    """For each name the log-odds against a good reply; empty where there are no weights or nothing to read."""
    import numpy as np

    w = loaded(policy.file, policy.sha256)
    seen = _read(draft, known, user, rows_of) if w is not None else None
    if w is None or seen is None:
        return ()
    own = np.asarray(numbers, dtype=np.float64)
    both = np.array(gists, dtype=np.float64) * _GIST
    made = sum(_run(w, f"{n}_", seen, own, both) for n in range(int(w["nets"]))) / w["nets"]
    return tuple((made[1:] - made[0]).tolist())


def _read(
    draft: str, known: Sequence[str], user: str, rows_of: Callable[[str], TokenVectors | None]
) -> _Read | None:
    import numpy as np

    said, asked = _rows(rows_of(draft)), _rows(rows_of(user))[:ASKED]
    if not len(said):
        return None
    said = said[:SAID]
    held = [_rows(rows_of(text)) for text in known]
    # What shares most words with the draft comes first; there is room for so much.
    held = sorted((one for one in held if len(one)), key=lambda one: -int(_same(said, one).any(axis=1).sum()))
    about = np.concatenate(held)[:HELD] if held else said[:0]
    return _Read(said, np.concatenate([about, asked]) if len(asked) else about, len(about))


def _rows(tokens: TokenVectors | None) -> Any:
    import numpy as np

    return np.asarray(tokens.matrix if tokens is not None and tokens.spans else (), dtype=np.float64)


def _same(a: Any, b: Any) -> Any:
    """Which tokens of the one are the very tokens of the other."""
    begins = (a[:, None, :_SAME] == b[None, :, :_SAME]).all(axis=2)
    return begins & (a.sum(axis=1)[:, None] == b.sum(axis=1)[None])


def _run(w: Weights, net: str, seen: _Read, own: Any, gists: Any) -> Any:
    import numpy as np

    said, about = whole(seen.said), whole(seen.about)
    length, others = len(said), len(about)
    mark = w[net + "mark"] * w[net + "mark_s"]
    signs, back = np.zeros((length, 6)), np.zeros((others, 6))
    if others:
        x, y = whole(linear(w, net + "match", said)), whole(linear(w, net + "match", about))
        sizes = np.sqrt((x * x).sum(axis=1)), np.sqrt((y * y).sum(axis=1))
        fit = (x @ y.T) / np.maximum(sizes[0][:, None] * sizes[1][None], 1e-9)
        same = _same(seen.said, seen.about)
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

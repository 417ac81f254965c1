"""The small network of follow-ups: which candidate a message takes, if any, and what the message does.

Every word is read beside every candidate, then every candidate beside the others. It knows words by the encoder's
vectors and by how they fit the list (kernel/ground/traits.py); what the rules found is among its signs. It runs in
whole numbers, so that the same message gives the same bytes on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.kernel.ground.cards import card, fit
from clew.kernel.ground.options import OptionSet, Positions
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.reader import ACTS, ActsRead
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.said import said
from clew.kernel.ground.traits import of_candidates, of_meaning, of_message, of_words, shown
from clew.kernel.read.exact import Weights, beside, linear, loaded, normed, softmax, whole
from clew.kernel.read.follow_up import follow_up
from clew.kernel.read.meanings import Meanings
from clew.model.evidence import Said
from clew.policy.ground import GroundPolicy, NetworkPolicy

Matrix = npt.NDArray[np.float64]
# So many tokens of the message, of the assistant's last words and of a candidate are read.
SAID, HEARD, SHOWN = 48, 28, 18
_GIST = 8.0
_LAYERS = 2
_DECIMALS = 4
# Scores of acts are hundredths of a logarithm, as far down as this.
_UNIT, _LEAST = 100, -1000


@dataclass(frozen=True, slots=True)
class Weighed:
    """The chance of each candidate looked at to be taken, alone or with others; the rest is for taking none."""

    positions: Positions
    chances: tuple[float, ...]
    # Whether each is among what is taken.
    members: tuple[float, ...]
    read: ActsRead
    # The chance of each first act, in the order of ACTS.
    acts: tuple[float, ...]

    @property
    def best(self) -> int:
        return self.positions[max(range(len(self.chances)), key=lambda i: (self.chances[i], -i))]

    @property
    def meant(self) -> Positions:
        """The best one, with the others that are taken together with it."""
        together = tuple(p for p, m in zip(self.positions, self.members, strict=True) if m > 0.5)
        return (self.best, *(p for p in together if p != self.best)) if self.best in together else (self.best,)

    def chance(self, meant: Sequence[int]) -> float:
        return sum(c for p, c in zip(self.positions, self.chances, strict=True) if p in meant)

    def does(self, *acts: Said) -> float:
        """The chance that the first act is one of these."""
        return sum(self.acts[ACTS.index(a)] for a in acts)


def weigh(
    text: str,
    options: OptionSet,
    offered: int | None,
    assistant: str | None,
    pointed: Pointed,
    found: Resolution,
    meanings: Meanings,
    policy: GroundPolicy,
) -> Weighed | None:
    """None where there are no weights, nothing to read or nothing to choose from."""
    w = loaded(policy.network.file, policy.network.sha256)
    looked_at = _looked_at(text, options, offered, pointed, found, policy)
    if w is None or not looked_at:
        return None
    given = seen(text, options, looked_at, offered, assistant, pointed, found, meanings, policy)
    if given is None:
        return None
    made = [_scored(w, f"{n}_", read(w, f"{n}_", given)) for n in range(int(w["nets"]))]
    chances = sum(softmax(np.concatenate([[0.0], m[0]]))[1:] for m in made) / len(made)
    members = sum(1 / (1 + np.exp(-m[1])) for m in made) / len(made)
    first = sum(softmax(m[2][: len(ACTS)]) for m in made) / len(made)
    second = sum(softmax(m[2][len(ACTS) :]) for m in made) / len(made)
    return Weighed(
        looked_at, _told(chances), _told(members), _acts(_told(first), _told(second), policy.network), _told(first)
    )


def _told(values: Any) -> tuple[float, ...]:
    return tuple(np.round(values, _DECIMALS).tolist())


def _acts(first: tuple[float, ...], second: tuple[float, ...], policy: NetworkPolicy) -> ActsRead:
    best = ACTS[max(range(len(ACTS)), key=lambda i: (first[i], -i))]
    follows = max(range(1, len(second)), key=lambda i: (second[i], -i))
    two = second[0] < 1 - policy.second_at and ACTS[follows - 1] is not best
    scores = tuple(max(_LEAST, round(_UNIT * float(np.log(max(p, 1e-9))))) for p in first)
    return ActsRead((best, ACTS[follows - 1]) if two else (best,), scores)


def _looked_at(
    text: str, options: OptionSet, offered: int | None, pointed: Pointed, found: Resolution, policy: GroundPolicy
) -> Positions:
    """All of a short list; of a long one what is offered, pointed at, found or fits a word."""
    count, most = len(options.candidates), policy.network.candidates
    if count <= most:
        return tuple(range(count))
    near = [*pointed.positions, *found.matches[:most], *(p for p in (offered, found.winner) if p is not None)]
    words = [w for w in said(text, policy).words if w not in policy.pointing.empty]
    own = [card(c, policy.pointing) for c in options.candidates]
    near += [p for p, c in enumerate(own) if any(fit(word, c, policy.pointing) for word in words)]
    return tuple(sorted(dict.fromkeys(near)))[:most]


@dataclass(frozen=True, slots=True, eq=False)
class _Given:
    """What the network is given, in whole numbers where it is multiplied."""

    # A row for each token of the assistant's words and of the message; which of them are the message's.
    rows: Any
    said: Any
    # By candidate and token.
    signs: Any
    # The tokens of all candidates, and where those of each begin.
    shown: Any
    starts: tuple[int, ...]
    own: Any
    shared: Any
    gist: Any
    gists: Any


def seen(
    text: str, options: OptionSet, looked_at: Positions, offered: int | None, assistant: str | None,
    pointed: Pointed, found: Resolution, meanings: Meanings, policy: GroundPolicy,
) -> _Given | None:  # fmt: skip
    candidates = [options.candidates[p] for p in looked_at]
    cards = [card(c, policy.pointing) for c in candidates]
    spoken = follow_up(text)
    told, names = [shown(c) for c in candidates], [c.label for c in candidates]
    said, heard = meanings.tokens(spoken.text), meanings.tokens(assistant) if assistant else None
    listed = [found_in for t in told if (found_in := meanings.tokens(t)) is not None]
    texts = (*told, *names, *spoken.remarks)
    vectors = meanings.vectors(texts)
    if said is None or not said.spans or len(listed) < len(told) or vectors is None:
        return None
    spans, size = said.spans[:SAID], len(candidates)
    whole_of, named, by_part = np.split(np.array(vectors), (size, 2 * size))
    rows, signs = [said.matrix[:SAID]], [of_words(spoken.standing, spans, cards, policy)]
    if heard is not None and assistant and heard.spans:
        rows.insert(0, heard.matrix[-HEARD:])
        signs.insert(0, of_words(follow_up(assistant).standing, heard.spans[-HEARD:], cards, policy))
    before = len(rows[0]) if len(rows) > 1 else 0
    tokens = [t.matrix[:SHOWN] for t in listed]
    own = of_candidates(text, options, looked_at, offered, assistant, pointed, found, policy)
    return _Given(
        np.concatenate(rows).astype(np.float64),
        np.arange(before + len(spans)) >= before,
        np.concatenate(signs).transpose(1, 0, 2),
        np.concatenate(tokens).astype(np.float64),
        tuple(np.cumsum([0, *(len(t) for t in tokens)]).tolist()),
        np.hstack([own, of_meaning(by_part, whole_of, named)]),
        of_message(text, options, offered, assistant, pointed, found, policy),
        by_part[0] * _GIST,
        whole_of * _GIST,
    )


def read(w: Weights, net: str, given: _Given) -> Any:
    """A row for each candidate: what its words, those of the message and what is counted of both come to."""
    rows, listed = whole(given.rows), whole(given.shown)
    count, length = given.signs.shape[:2]
    side = w[net + "side"] * w[net + "side_s"]
    x = linear(w, net + "token", rows) + np.where(given.said[:, None], side[0], side[1])
    near = _near(whole(linear(w, net + "match", rows)), whole(linear(w, net + "match", listed)), given.starts)
    offered = np.broadcast_to(given.own[:, :1], near.shape)
    beside_it = np.stack([near, _lead(near), offered], axis=2)
    signs = np.concatenate([given.signs, beside_it], axis=2).reshape(count * length, -1)
    h = np.maximum(np.tile(x, (count, 1)) + linear(w, net + "sign", whole(signs)), 0)
    for layer in range(_LAYERS):
        state = whole(normed(w, f"{net}norm{layer}", h, 1e-5)).reshape(count, length, -1)
        around = np.concatenate([beside(state[c], 3, 1) for c in range(count)])
        h = h + np.maximum(linear(w, f"{net}near{layer}", around), 0)
    h = h.reshape(count, length, -1)
    mine = h[:, given.said]
    other = h[:, ~given.said].max(axis=1) if not given.said.all() else np.zeros((count, h.shape[2]))
    mean = np.rint(whole(mine).sum(axis=1) / mine.shape[1]) / whole(np.ones(1))
    kind = np.maximum(linear(w, net + "kind", listed), 0)
    kinds = np.array([
        kind[a:b].max(axis=0) if b > a else np.zeros(kind.shape[1])
        for a, b in pairwise(given.starts)
    ])  # fmt: skip
    gist, gists = whole(given.gist[None]), whole(given.gists)
    about = np.maximum(linear(w, net + "gist", gist), 0).repeat(count, axis=0)
    alike = linear(w, net + "alike", gist) * linear(w, net + "alike", gists)
    shared = np.broadcast_to(given.shared, (count, len(given.shared)))
    return np.concatenate([mine.max(axis=1), mean, other, kinds, about, alike, given.own, shared], axis=1)


def _scored(w: Weights, net: str, rows: Any) -> tuple[Any, Any, Any]:
    """The scores of the candidates against zero for none, whether each is taken, and the scores of the acts."""
    z = np.maximum(linear(w, net + "one", whole(rows)), 0)
    z = np.maximum(linear(w, net + "two", whole(np.concatenate([z, *_among(z)], axis=1))), 0)
    most, middle = (v[:1] for v in reversed(_among(z)))
    acts = linear(w, net + "acts", whole(np.concatenate([most, middle], axis=1)))[0]
    z = whole(z)
    return linear(w, net + "score", z)[:, 0], linear(w, net + "member", z)[:, 0], acts


def _among(z: Any) -> tuple[Any, Any]:
    """The mean and the most of all candidates, for each of them."""
    mean = np.rint(whole(z).sum(axis=0, keepdims=True) / len(z)) / whole(np.ones(1))
    return mean.repeat(len(z), axis=0), z.max(axis=0, keepdims=True).repeat(len(z), axis=0)


def _near(said: Any, listed: Any, starts: tuple[int, ...]) -> Any:
    """How near each token is by meaning to the nearest token of each candidate."""
    sizes = np.sqrt((said * said).sum(axis=1)), np.sqrt((listed * listed).sum(axis=1))
    fits = (said @ listed.T) / np.maximum(sizes[0][:, None] * sizes[1][None], 1e-9)
    return np.array(
        [fits[:, a:b].max(axis=1) if b > a else np.full(len(said), -1.0) for a, b in pairwise(starts)]
    )


def _lead(near: Any) -> Any:
    """How far each candidate stands above the best of the others, for each token."""
    order = np.sort(near, axis=0)
    best, second = order[-1], order[-2] if len(order) > 1 else np.full(near.shape[1], -1.0)
    return np.where(near == best, near - second, near - best)

"""The small learned chooser: which candidate a message takes, if any, weighed against taking none.

Every candidate has a sum of small integers and taking none has zero, so that the same message gives the same bytes
on every machine. What the rules and the pointing found are among its features.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from clew.kernel.ground.cards import Card, card, fit
from clew.kernel.ground.options import OptionSet, Positions
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.resolution import Resolution
from clew.kernel.ground.said import said
from clew.policy.ground import ChooserPolicy, GroundPolicy

# Part of everybody's features, so that "thanks" speaks against every candidate at once.
_SHARED = "*"
# Candidates that nothing speaks for are told by a few features only.
_BARE = ("-", "x")
_MIX = 0x9E3779B1


@dataclass(frozen=True, slots=True)
class Choice:
    """`scores` of the candidates looked at; zero is the score of taking none."""

    scores: tuple[tuple[int, int], ...] = ()

    @property
    def best(self) -> int | None:
        return max(self.scores, key=lambda ps: (ps[1], -ps[0]))[0] if self.scores else None

    def lead(self, meant: Positions) -> int:
        """How far the best of these stands above taking none and above every other candidate."""
        own = [s for p, s in self.scores if p in meant]
        others = [s for p, s in self.scores if p not in meant]
        return max(own) - max((0, *others)) if own else -max((0, *others))


def choose(
    text: str,
    options: OptionSet,
    offered: int | None,
    heard: Sequence[str],
    pointed: Pointed,
    found: Resolution,
    policy: GroundPolicy,
) -> Choice:
    """`heard` are the reader's features of the message; a long list is not read this closely."""
    chooser = policy.chooser
    rows = features(text, options, offered, heard, pointed, found, policy)
    table = _weights(chooser)
    return Choice(tuple((p, int(table[sorted(hashed)].sum())) for p, hashed in rows))


def features(
    text: str,
    options: OptionSet,
    offered: int | None,
    heard: Sequence[str],
    pointed: Pointed,
    found: Resolution,
    policy: GroundPolicy,
) -> list[tuple[int, set[int]]]:
    """The buckets of each candidate: its own standing, and the message in the light of that standing."""
    looked_at = _looked_at(options, offered, pointed, found, policy)
    if not looked_at:
        return []
    size = policy.chooser.buckets
    cards = {p: card(options.candidates[p], policy.pointing) for p in looked_at}
    spoken = [w for w in said(pointed.chosen or text, policy).words if w not in _empty(policy)]
    fits = {p: [fit(w, own, policy.pointing) for w in spoken] for p, own in cards.items()}
    totals = {p: sum(row) for p, row in fits.items()}
    context = [zlib.crc32(name.encode()) for name in heard]
    shared = [(h * _MIX + zlib.crc32(_SHARED.encode())) % size for h in context]
    out: list[tuple[int, set[int]]] = []
    for p, own in cards.items():
        role = _role(p, offered, pointed, totals)
        names = _standing(p, role, own, fits, totals, pointed, found)
        hashed = {zlib.crc32(name.encode()) % size for name in names}
        if role not in _BARE:
            mark = zlib.crc32(role.encode())
            hashed.update(shared)
            hashed.update((h * _MIX + mark) % size for h in context)
        out.append((p, hashed))
    return out


def _looked_at(
    options: OptionSet, offered: int | None, pointed: Pointed, found: Resolution, policy: GroundPolicy
) -> Positions:
    """All of a short list; of a long one what is offered, pointed at or found."""
    count = len(options.candidates)
    if count <= policy.chooser.candidates:
        return tuple(range(count))
    near = {*pointed.positions, *found.matches[: policy.chooser.candidates]}
    near |= {p for p in (offered, found.winner) if p is not None}
    return tuple(sorted(near)[: policy.chooser.candidates])


def _role(p: int, offered: int | None, pointed: Pointed, totals: Mapping[int, int]) -> str:
    if p in pointed.excluded:
        return "x"
    here = "o" if p == offered else ""
    if p in pointed.positions:
        return here + ("s" if pointed.several else "w" if len(pointed.positions) == 1 else "m")
    if here:
        return "op" if pointed.positions else "o"
    best = max(totals.values())
    alone = best and totals[p] == best and sum(t == best for t in totals.values()) == 1
    return "f" if alone and not pointed.positions else "-"


def _standing(
    p: int,
    role: str,
    own: Card,
    fits: Mapping[int, list[int]],
    totals: Mapping[int, int],
    pointed: Pointed,
    found: Resolution,
) -> list[str]:
    mine = fits[p]
    best = max(mine, default=0)
    fitting = sum(1 for f in mine if f)
    only = sum(1 for i, f in enumerate(mine) if f and not any(row[i] for j, row in fits.items() if j != p))
    foreign = min(3, len(pointed.foreign))
    share = 4 * fitting // max(1, len(mine))
    ahead = max(-3, min(3, (totals[p] - max((t for i, t in totals.items() if i != p), default=0)) // 2))
    whose = "mine" if found.winner == p else "other" if found.winner is not None else "none"
    among = "in" if p in found.matches else "out"
    named = min(4, 4 * sum(1 for f in mine if f >= 4) // max(1, len(own.name)))
    return [
        f"role:{role}",
        f"rule:{found.rule}:{whose}",
        f"rule:{found.rule}:{whose}:{role}",
        f"won:{whose}:{role}:{foreign}",
        f"block:{found.blocked}:{among}:{role}",
        f"fit:{role}:{best}:{min(3, fitting)}",
        f"only:{role}:{min(2, only)}:{share}",
        f"only:{min(2, only)}:{best}",
        f"ahead:{role}:{ahead}",
        f"how:{role}:{pointed.how}:{pointed.strength}",
        f"how:{role}:{pointed.how}:{foreign}",
        f"foreign:{role}:{foreign}:{share}",
        f"name:{role}:{named}",
        f"count:{role}:{min(5, len(fits))}",
        f"gone:{role}:{min(2, len(pointed.excluded))}",
    ]


@lru_cache(maxsize=4)
def _weights(policy: ChooserPolicy) -> npt.NDArray[np.int32]:
    raw = zlib.decompress(base64.b85decode(policy.weights))
    return np.frombuffer(raw, dtype=np.int8).astype(np.int32)


@lru_cache(maxsize=8)
def _empty(policy: GroundPolicy) -> frozenset[str]:
    return frozenset(policy.pointing.empty)

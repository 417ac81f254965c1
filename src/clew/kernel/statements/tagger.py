"""The small learned tagger: which words of a message carry something durable, and what it is (weights are policy).

Enters: a text's tokens with the encoder's vectors, and the text's own vector. Leaves: spans with scores.
Everything is added up in whole numbers, which give the same sum in any order, whatever library adds them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from typing import Any

from clew.frozen import dataclass
from clew.kernel.read.exact import GRID, Weights, linear, loaded, softmax, whole
from clew.kernel.read.linear import sums
from clew.kernel.statements.features import SIGNS, Mention, Word, bags, mentions, signs, words_of
from clew.kernel.statements.naming import attribute_sums
from clew.kernel.statements.network import sentence, states
from clew.model.utterance import TokenVectors
from clew.policy.reader import ReaderPolicy
from clew.programs import program

KINDS = ("self", "person", "pet")
STATUS = ("is", "not", "ended", "future", "past")
STANCE = (None, "like", "dislike")
_HEADS = ("attribute", "kind", "status", "stance")
_DECIMALS = 4
_NAMES = ("name", "called")
# Of whom a value may be, as many are told.
_OWNERS = 4


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose a value may be. subject: None for somebody known by name alone. at: where the word for them stands."""

    subject: str | None
    chance: float
    at: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Span:
    """A run of tokens that carries a value; `scores` are chances, from 0 to 1. owners: the likeliest first."""

    start: int
    end: int
    told: float
    inside: float
    attributes: tuple[tuple[str, float], ...]
    kind: str
    kind_score: float
    status: str
    stance: str | None
    owners: tuple[Owner, ...] = ()


@dataclass(frozen=True, slots=True)
class Tagged:
    spans: tuple[Span, ...]
    told: float
    mentions: tuple[Mention, ...]


def tag(text: str, vector: Sequence[float], tokens: TokenVectors, policy: ReaderPolicy,
        breaks: Sequence[int] = (), more: Sequence[Mention] = ()) -> Tagged:  # fmt: skip
    """`breaks` are token indices where a new part begins; no window reaches over one.

    more: people known by other words than their relation.
    """
    import numpy as np

    w = loaded(policy.statements, policy.statements_sha256)
    near = mentions(text, policy)
    found = sorted({*near, *more}, key=lambda m: (m.start, -m.end))
    n = min(len(tokens.spans), policy.tokens_max)
    if w is None or not n:
        return Tagged((), 0.0, tuple(found))
    starts = np.array([0, *(b for b in breaks if 0 < b < n)], dtype=np.int64)
    lens = np.diff(np.append(starts, n))
    owner = np.repeat(np.arange(len(starts)), lens)
    vec = sentence(vector)
    words, marks = _marks(text, tokens, n, near, policy)
    made = [
        states(w, tokens.matrix[a:b], words[a:b], marks[a:b], vec) for a, b in pairwise([*starts.tolist(), n])
    ]
    held = whole(np.concatenate(made))
    q = softmax(linear(w, "bio", held))
    top = np.maximum.reduceat(held, starts, axis=0)
    mean = np.rint(np.add.reduceat(held, starts, axis=0) / lens[:, None])
    pooled = np.concatenate([top, mean, np.tile(vec, (len(starts), 1))], axis=1)
    said = [sums(part, vector, policy.told, policy.told_sha256) for part in _texts(text, tokens, starts)]
    odds = linear(w, "told", pooled)[:, 0]
    w_tag, w_word, shift = policy.told_weights
    told = 1 / (1 + np.exp(-(w_tag * odds + w_word * np.array([row.get("", 0.0) for row in said]) + shift)))
    runs = _runs(np.round(q, _DECIMALS), starts, lens, told[owner] >= policy.sure, policy)
    if not runs:
        return Tagged((), round(float(told.max()), _DECIMALS), tuple(found))
    seen = _Seen(w, text, vector, tokens, policy, held, top, starts, lens, owner, vec)
    runs = [part for run in runs for part in _parted(run, seen)]
    heads, m = _heads(seen, [run[:2] for run in runs]), owner[[run[0] for run in runs]]
    names = w["names"].tolist()
    owners = _owners(seen, [run[:2] for run in runs], heads, found) if "owned" in w else [()] * len(runs)
    spans = []
    for i, (first, last, score) in enumerate(runs):
        chance = heads["attribute"][i].tolist()
        best = sorted(range(len(names)), key=lambda k: (-chance[k], k))[:5]
        kind = int(heads["kind"][i].argmax())
        spans.append(Span(
            tokens.spans[first][0], tokens.spans[last - 1][1], round(float(told[m[i]]), _DECIMALS), score,
            tuple((names[k], chance[k]) for k in best), KINDS[kind], float(heads["kind"][i][kind]),
            STATUS[int(heads["status"][i].argmax())], STANCE[int(heads["stance"][i].argmax())], owners[i],
        ))  # fmt: skip
    return Tagged(tuple(spans), round(float(told.max()), _DECIMALS), tuple(found))


@dataclass(frozen=True, slots=True)
class _Seen:
    """A message as the network sees it: what `tag` made of it on the way."""

    w: Weights
    text: str
    vector: Sequence[float]
    tokens: TokenVectors
    policy: ReaderPolicy
    held: Any
    top: Any
    starts: Any
    lens: Any
    owner: Any
    vec: Any

    def place(self, first: int, last: int) -> tuple[int, int]:
        return self.tokens.spans[first][0], self.tokens.spans[last - 1][1]


def _heads(seen: _Seen, runs: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """For each run of tokens the chances of each attribute, kind of subject, status and stance."""
    import numpy as np

    w, held, starts = seen.w, seen.held, seen.starts
    s, e = np.array([r[0] for r in runs]), np.array([r[1] for r in runs])
    inside = np.rint(np.stack([held[a:b].sum(axis=0) / (b - a) for a, b in runs]))
    m = seen.owner[s]
    before = np.maximum(s - 1, starts[m])
    after = np.minimum(e, starts[m] + seen.lens[m] - 1)
    around = (inside, seen.top[m], held[before], held[after], np.tile(seen.vec, (len(m), 1)))
    state = whole(np.maximum(linear(w, "span", np.concatenate(around, axis=1)), 0))
    sums_of = {head: linear(w, head, state) for head in _HEADS}
    lent = [attribute_sums(seen.text, *seen.place(a, b), seen.vector, seen.policy) for a, b in runs]
    by_words = np.array([[row.get(name, 0.0) for name in w["names"].tolist()] for row in lent])
    sums_of["attribute"] = sums_of["attribute"] + seen.policy.attribute_share * by_words
    return {**{head: softmax(row).round(_DECIMALS) for head, row in sums_of.items()}, "state": state}


def _owners(
    seen: _Seen, runs: Sequence[tuple[int, int]], heads: dict[str, Any], found: Sequence[Mention]
) -> list[tuple[Owner, ...]]:
    """Whose each value is: the user's, or of one of the people that the message speaks of, each with its chance.

    A name that is told is one of those people for every other value.
    """
    import numpy as np

    w, spans = seen.w, seen.tokens.spans[: len(seen.held)]
    names = w["names"].tolist()
    given = [
        names[int(heads["attribute"][i].argmax())] in _NAMES and heads["kind"][i].argmax() != 0
        for i in range(len(runs))
    ]
    people: list[tuple[int, int, Owner, int]] = []
    for mention in found:
        held = [k for k, (a, b) in enumerate(spans) if a < mention.end and b > mention.start]
        if held:
            people.append((held[0], held[-1] + 1, Owner(mention.subject, 0.0, (mention.start, mention.end)), -1))
    people += [(*run, Owner(None, 0.0, seen.place(*run)), i) for i, run in enumerate(runs) if given[i]]
    state = heads["state"]
    mine = linear(w, "mine", state)
    if not people:
        return [(Owner(KINDS[0], 1.0),)] * len(runs)
    around = whole(np.stack([np.rint(seen.held[a:b].sum(axis=0) / (b - a)) for a, b, *_ in people]) / GRID)
    asked, told = whole(linear(w, "owned", state)), whole(linear(w, "owner", around))
    fit = (asked @ told.T) / (GRID * GRID * sqrt(asked.shape[1]))
    reach = (len(w["far"]) - 1) // 2
    out: list[tuple[Owner, ...]] = []
    for i, (s, e) in enumerate(runs):
        away = [b - s - 1 if b <= s else max(0, a - e + 1) for a, b, *_ in people]
        lent = fit[i] + w["far"][np.clip(away, -reach, reach) + reach]
        # Nobody is called after another's name, nor is a name its own bearer.
        barred = [own >= 0 and (given[i] or own == i) for *_, own in people]
        lent = np.where(barred, -1e4, lent)
        chance = softmax(np.concatenate([mine[i], lent])).round(_DECIMALS).tolist()
        theirs = (replace(person, chance=c) for (_, _, person, _), c in zip(people, chance[1:], strict=True))
        out.append(tuple(sorted((Owner(KINDS[0], chance[0]), *theirs), key=lambda o: -o.chance)[:_OWNERS]))
    return out


def _parted(run: tuple[int, int, float], seen: _Seen) -> list[tuple[int, int, float]]:
    """ "a guard at the aquarium": one run that tells two things is two, where each side is named for sure."""
    first, last, score = run
    start, end = seen.place(first, last)
    spans = seen.tokens.spans
    pairs: list[tuple[int, int]] = []
    for joint in _joints(seen.policy).finditer(seen.text, start, end):
        left = [k for k in range(first, last) if spans[k][0] < joint.start()]
        right = [k for k in range(first, last) if spans[k][0] >= joint.end() - 1]
        if left and right and joint.end() < end:
            pairs += [(first, left[-1] + 1), (right[0], last)]
    if not pairs:
        return [run]
    chances = _heads(seen, pairs)["attribute"]
    best, at = 0.0, -1
    for i in range(0, len(pairs), 2):
        sure = float(chances[i].max() * chances[i + 1].max())
        if chances[i].argmax() != chances[i + 1].argmax() and sure > best:
            best, at = sure, i
    if best < seen.policy.parted_at:
        return [run]
    return [(*pairs[at], score), (*pairs[at + 1], score)]


@lru_cache(maxsize=4)
def _joints(policy: ReaderPolicy) -> re.Pattern[str]:
    """Where a value of any language may part."""
    return program("|".join(own.joints for own in policy.languages.values() if own.joints) or "(?!)", re.I)


def _marks(text: str, tokens: TokenVectors, n: int, found: Sequence[Mention], policy: ReaderPolicy
           ) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:  # fmt: skip
    """For each token, of the word it stands in: the pieces, and the plain signs."""
    words: list[Word] = words_of(text)
    if not words:
        return [(0,)] * n, [(0,) * SIGNS] * n
    pieces, marks = bags(words), signs(text, words, found, policy)
    at, k = [], 0
    for start, _ in tokens.spans[:n]:
        while k < len(words) - 1 and words[k].end <= start:
            k += 1
        at.append(k)
    return [pieces[k] for k in at], [marks[k] for k in at]


def _texts(text: str, tokens: TokenVectors, starts: Any) -> list[str]:
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
        found = [run for run in found if run[2] >= policy.at_peak]
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

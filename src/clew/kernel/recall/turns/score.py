"""The parts of a score, each between 0 and 1, for every turn in view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from functools import lru_cache
from heapq import nlargest
from math import log1p
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.kernel.recall.turns import late
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.entries import Floats, term_number
from clew.kernel.recall.turns.index import Index, Posted, beside, spread
from clew.kernel.recall.turns.view import Gathered, Scores, View, bm25_turns
from clew.kernel.recall.turns.vocabulary import rarity, rarity_of
from clew.kernel.text.terms import word_terms
from clew.policy import Policy
from clew.policy.recall import RecallWeights

Parts = npt.NDArray[np.floating[Any]]
# What a turn is given by those around it.
_AROUND = ("_near", "_session", "_wide")


def parts(
    index: Index,
    gathered: Gathered,
    ask: Ask,
    policy: Policy,
    *,
    dots: Floats | None = None,
    answering: Floats | None = None,
) -> dict[str, Scores]:
    """`dots` are the dot products of the question's vector with the passages in view; `answering` those of where its
    answers lie.
    """
    weights, view = weights_of(index, policy), gathered.view
    own: dict[str, Parts] = {"lexical": _best(view, gathered.lexical)}
    beyond: dict[str, Parts] = {}
    if dots is not None:
        own["vector"] = np.maximum(_best(view, dots), 0)
        turns = np.add.reduceat(dots, view.turn_start) * view.of(index.columns["scale"])
        if weights.vector_turn:
            beyond["vector_turn"] = np.maximum(turns, 0)
        if weights.vector_wide:
            beyond["vector_wide"] = wide(view, turns, policy)
    if answering is not None:
        beyond["answering"] = _best(view, answering)
    if ask.terms:
        found, counts = gathered.found, gathered.weights
        own["words"] = _best(view, counts @ found)
        met = of_turns(view, found)
        table = policy.recall
        for name, before, after in (
            ("words_window", table.window_previous, table.window_next),
            ("words_wide", table.wide_previous, table.wide_next),
        ):
            if getattr(weights, name):
                beyond[name] = counts @ late.of_windows(view.same, met, before, after)
    if weights.lexical_turn:
        common = [(term, rarity(word, policy)) for term, (word, _) in zip(gathered.posted, ask.terms, strict=True)]
        beyond["lexical_turn"] = view.of(bm25_turns(index, common, policy))
    rows = scaled(np.stack([*own.values(), *beyond.values()], dtype=np.float64))
    out = dict(zip([*own, *beyond], rows, strict=True))
    stacked = rows[: len(own)]
    close, around = near(view, stacked, policy), best_of_session(view, stacked)
    for row, name in enumerate(own):
        out[f"{name}_near"] = close[row]
        out[f"{name}_session"] = around[row]
    out["lexical_session"] = session_bm25(index, gathered.posted, policy)[view.session]
    out.update(cues(index, view, ask, policy))
    if weights.wish and index.assisted:
        out["wish"] = wishes(index, view, ask, out["lexical" if dots is None else "vector"], policy)
    out = {name: part for name, part in out.items() if getattr(weights, name)}
    if ask.inquiry.wants_many and index.assisted:
        out |= {name: part * policy.recall.list_around for name, part in out.items() if name.endswith(_AROUND)}
    if weights.hop:
        out["hop"] = hop(index, view, ask, total(out, index, policy), policy)
    return out


def weights_of(index: Index, policy: Policy) -> RecallWeights:
    return policy.recall.weights if index.assisted else policy.recall.people


def of_turns(view: View, found: Floats) -> Floats:
    if found.shape[1] == len(view.turns):
        return found
    best: Floats = np.maximum.reduceat(found, view.turn_start, axis=1)
    return best


def wide(view: View, turns: Floats, policy: Policy) -> Floats:
    """The cosine with the sum of the turns around: from the dot products alone, the sums are not kept."""
    around: Floats = np.maximum(spread(turns, view.same, policy) / view.lengths, 0)
    return around


def total(found: dict[str, Scores], index: Index, policy: Policy) -> Scores:
    """Weighted sum over the weights in use, so that a missing embedder does not shrink the scale."""
    weights = weights_of(index, policy)
    score = np.zeros(len(next(iter(found.values()))) if found else 0)
    whole = 0.0
    for name, part in found.items():
        weight = getattr(weights, name, 0.0)
        score += weight * part
        whole += max(weight, 0.0)
    return np.round(np.maximum(score / whole, 0.0) if whole else score, policy.recall.score_digits)


def added(why: Mapping[str, float | str], weights: RecallWeights) -> tuple[tuple[str, float], ...]:
    """Each part of a score times its weight, the most first: a number between 0 and 1 does not tell its weight."""
    of = _by_name(weights)
    parts = [(n, round(of[n] * v, 3)) for n, v in why.items() if n in of and isinstance(v, float)]
    return tuple(sorted(parts, key=_most))


@lru_cache(maxsize=8)
def _by_name(weights: RecallWeights) -> dict[str, float]:
    return {one.name: getattr(weights, one.name) for one in fields(weights)}


def _most(part: tuple[str, float]) -> tuple[float, str]:
    return -abs(part[1]), part[0]


def fit(gathered: Gathered, policy: Policy, dots: Floats | None = None) -> Scores:
    """How well each turn fits by itself, on the scale of memories: what it says of the question, and closeness."""
    numbers, view = policy.recall, gathered.view
    out = np.zeros(len(view.turns))
    if len(gathered.weights):
        met = gathered.weights @ of_turns(view, gathered.found)
        out += numbers.memory_lexical * met / (float(gathered.weights.sum()) or 1.0)
    if dots is not None:
        floor = numbers.memory_vector_floor
        out += (
            numbers.memory_vector * np.maximum(_best(view, dots) - floor, 0) / (1 - floor)
        )
    return np.round(out, numbers.score_digits)


def hop(index: Index, view: View, ask: Ask, totals: Scores, policy: Policy) -> Scores:
    """A second look: turns that share what the first ones found name, where the question does not name it."""
    asked = {term_number(term) for term, _ in ask.terms}
    wanted: dict[int, float] = {}
    for place in top(totals, policy.recall.hop_turns):
        held = index.terms_of(int(view.turns[place])) - asked
        rarest = nlargest(policy.recall.hop_terms, ((rarity_of(number, policy), number) for number in held))
        for rare, number in rarest:
            wanted[number] = max(wanted.get(number, 0.0), rare * float(totals[place]))
    out = np.zeros(index.size)
    for number, weight in sorted(wanted.items()):
        for segment in index.segments:
            # Once for each turn, in however many of its passages the term stands.
            out[index.passage_turn[segment.of(number)[0]]] += weight
    return scaled(view.of(out))


def top(totals: Scores, count: int) -> list[int]:
    """Places of the best: by score, then by position, the same on every machine."""
    if count < len(totals):
        edge = np.partition(totals, len(totals) - count)[len(totals) - count]
        candidates = np.flatnonzero(totals >= edge)
    else:
        candidates = np.arange(len(totals))
    order = candidates[np.argsort(-totals[candidates], kind="stable")]
    best: list[int] = order[:count].tolist()
    return best


def scaled(values: Scores) -> Scores:
    """Min-max, of each row: keeps the distances that reciprocal ranks throw away."""
    if not values.size:
        return values
    low, high = values.min(axis=-1, keepdims=True), values.max(axis=-1, keepdims=True)
    out: Scores = (values - low) / np.where(high > low, high - low, 1.0)
    return out


def session_bm25(index: Index, posted: Sequence[Posted], policy: Policy) -> Scores:
    """A session is a document too: it is about something. One number per session."""
    k1, b = policy.recall.k1, policy.recall.b
    many, length = index.sessions, index.session_length
    scale = k1 * (1 - b + b * length / (float(length.mean()) or 1.0))
    out = np.zeros(many)
    for term in posted:
        if not len(term.turns):
            continue
        count = np.bincount(index.session[term.turns], term.counts, many)
        holds = int(np.count_nonzero(count))
        out += log1p((many - holds + 0.5) / (holds + 0.5)) * (k1 + 1) * count / (count + scale)
    return scaled(out)


def near(view: View, values: Scores, policy: Policy) -> Scores:
    """A turn is found through its neighbours in the same session; one row per part."""
    before, after = policy.recall.near_previous, policy.recall.near_next
    out = np.zeros_like(values)
    for shares, later in ((before, True), (after, False)):
        for place, share in beside(values, view.same, shares, later):
            out[..., place] += share
    return out / (sum(before) + sum(after))


def best_of_session(view: View, values: Scores) -> Scores:
    best = np.maximum.reduceat(values, view.session_start, axis=1)
    low, high = best.min(axis=1, keepdims=True), best.max(axis=1, keepdims=True)
    span = np.where(high > low, high - low, 1.0)
    counts = np.diff(np.append(view.session_start, len(view.turns)))
    out: Scores = np.repeat((best - low) / span, counts, axis=1)
    return out


def cues(index: Index, view: View, ask: Ask, policy: Policy) -> dict[str, Scores]:
    """What the question says about speaker, time and kind of answer."""
    out: dict[str, Scores] = {}
    columns = index.columns
    if ask.speakers:
        meant = np.array([float(speaker in ask.speakers) for speaker in index.speakers])
        out["speaker"] = meant[view.of(columns["speaker"])]
        # Between two people a name in the text is an address, not a subject, and everybody is beside everybody.
        if len(index.speakers) > 2:
            out["mention"] = _mentions(index, view, ask, policy)
            out["speaker_near"] = near(view, out["speaker"], policy)
    if ask.inquiry.role and any(index.roles):
        meant = np.array([float(role == ask.inquiry.role) for role in index.roles])
        out["role"] = meant[view.of(columns["speaker"])]
    if ask.dates and columns["day"].any():
        out["date"] = _dated(view.of(columns["day"]), ask, policy)
    if ask.inquiry.wants_time:
        out["answer"] = view.of(index.tells("time")).astype(np.float64)
    elif ask.inquiry.wants_amount:
        out["answer"] = view.of(index.tells("amount")).astype(np.float64)
    for name in ("name", "place", "reason"):
        if getattr(ask.inquiry, f"wants_{name}"):
            out[f"answer_{name}"] = view.of(index.tells(name)).astype(np.float64)
    for name, column in (("question", "asks"), ("addressed", "addresses"), ("length", "length")):
        if getattr(weights_of(index, policy), name):
            out[name] = view.of(columns[column])
    return out


def wishes(index: Index, view: View, ask: Ask, close: Scores, policy: Policy) -> Scores:
    """What the user wished for once and for all, the closest few: rules, and tastes where help is asked for.

    "Always name the price when I ask about books" belongs to "which book shall I read?", though it answers nothing.
    """
    inquiry, numbers = ask.inquiry, policy.recall
    out = np.zeros(len(view.turns))
    if not (inquiry.wants_help or inquiry.wants_state):
        return out
    users = np.array([role == "user" for role in index.roles])[index.columns["speaker"]]
    least, much = numbers.wish_least, 1.0 if inquiry.wants_help else numbers.wish_fact
    for kind in ("rule", "taste") if inquiry.wants_help else ("rule",):
        places = np.flatnonzero(view.of(index.tells(kind) & users))
        closest = places[np.argsort(-close[places], kind="stable")[: numbers.wish_turns]]
        out[closest] = much * (least + (1 - least) * close[closest])
    return out


def _mentions(index: Index, view: View, ask: Ask, policy: Policy) -> Scores:
    out = np.zeros(index.size)
    for name in sorted(ask.names):
        for term, _ in word_terms(name, policy):
            out[index.posted(term).turns] = 1.0
    return view.of(out)


def _dated(day: Scores, ask: Ask, policy: Policy) -> Scores:
    """1 inside a named span, fading after it: people tell of a day on the days that follow."""
    out = np.zeros(len(day))
    width = policy.recall.date_span_days
    for first, last in ask.dates:
        late_by = day - last.toordinal()
        inside = (day >= first.toordinal()) & (late_by <= 0)
        after = np.where((late_by > 0) & (late_by <= width), 1 - late_by / (width + 1), 0.0)
        exact = (last - first).days <= policy.recall.date_exact_days
        weight = 1.0 if exact else policy.recall.date_wide
        out = np.maximum(out, weight * np.where(inside, 1.0, after * (day > 0)))
    return out


def _best(view: View, values: Parts) -> Parts:
    if len(values) == len(view.turns):
        return values
    best: Parts = np.maximum.reduceat(values, view.turn_start)
    return best

"""The parts of a score, each between 0 and 1, for every turn in view."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from clew.kernel.recall.turns import late
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.entries import Floats, term_number
from clew.kernel.recall.turns.index import Index, beside, spread
from clew.kernel.recall.turns.view import Gathered, Scores, View, bm25_turns
from clew.kernel.recall.turns.vocabulary import rarity, rarity_of
from clew.kernel.text.terms import word_terms
from clew.policy import Policy
from clew.policy.recall import RecallWeights


def parts(
    index: Index, gathered: Gathered, ask: Ask, policy: Policy, *, dots: Floats | None = None
) -> dict[str, Scores]:
    """`dots` are the dot products of the question's vector with the passages in view."""
    weights, view = weights_of(index, policy), gathered.view
    own: dict[str, Scores] = {"lexical": scaled(_best(view, gathered.lexical))}
    beyond: dict[str, Scores] = {}
    if dots is not None:
        own["vector"] = scaled(_best(view, np.maximum(dots, 0).astype(np.float64)))
        turns = np.add.reduceat(dots, view.turn_start) * index.heads["scale"][view.turns]
        if weights.vector_turn:
            beyond["vector_turn"] = scaled(np.maximum(turns, 0).astype(np.float64))
        if weights.vector_wide:
            beyond["vector_wide"] = wide(view, turns, policy)
    if ask.terms:
        found, counts = gathered.found, gathered.weights
        own["words"] = scaled(_best(view, (counts @ found).astype(np.float64)))
        met = of_turns(view, found)
        table = policy.recall
        for name, before, after in (
            ("words_window", table.window_previous, table.window_next),
            ("words_wide", table.wide_previous, table.wide_next),
        ):
            if getattr(weights, name):
                seen = late.of_windows(view.stretch, met, before, after)
                beyond[name] = scaled((counts @ seen).astype(np.float64))
    stacked = np.stack(list(own.values()))
    close, around = near(view, stacked, policy), best_of_session(view, stacked)
    out = dict(own)
    for row, name in enumerate(own):
        out[f"{name}_near"] = close[row]
        out[f"{name}_session"] = around[row]
    out["lexical_session"] = session_bm25(index, ask, policy)[view.session]
    out.update(beyond)
    if weights.lexical_turn:
        common = [(term, rarity(term, policy)) for term, _ in ask.terms]
        out["lexical_turn"] = scaled(bm25_turns(index, common, policy)[view.turns])
    out.update(cues(index, view, ask, policy))
    if weights.hop:
        out["hop"] = hop(index, view, ask, total(out, index, policy), policy)
    return {name: part for name, part in out.items() if getattr(weights, name)}


def weights_of(index: Index, policy: Policy) -> RecallWeights:
    return policy.recall.weights if index.assisted else policy.recall.people


def of_turns(view: View, found: Floats) -> Floats:
    if found.shape[1] == len(view.turns):
        return found
    best: Floats = np.maximum.reduceat(found, view.turn_start, axis=1)
    return best


def wide(view: View, turns: Floats, policy: Policy) -> Scores:
    """The cosine with the sum of the turns around: from the dot products alone, the sums are not kept.

    How long such a sum is follows from how alike turns of one talk are; that is taken as one number.
    """
    ones = np.ones(len(turns), np.float32)
    together = spread(ones, view.stretch, policy)
    apart = ones.copy()
    for shares, later in ((policy.recall.wide_previous, True), (policy.recall.wide_next, False)):
        squares = tuple(s * s for s in shares)
        for place, share in beside(ones, view.stretch, squares, later):
            apart[place] += share
    alike = np.float32(policy.recall.wide_likeness)
    length = np.sqrt(apart * (1 - alike) + alike * together**2)
    around = spread(turns, view.stretch, policy) / length
    return scaled(np.maximum(around, 0).astype(np.float64))


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


def added(why: Mapping[str, float | str], index: Index, policy: Policy) -> tuple[tuple[str, float], ...]:
    """Each part of a score times its weight, the most first: a number between 0 and 1 does not tell its weight."""
    weights = weights_of(index, policy)
    parts = [
        (n, round(getattr(weights, n) * v, 3))
        for n, v in why.items()
        if isinstance(v, float) and hasattr(weights, n)
    ]
    return tuple(sorted(parts, key=lambda part: (-abs(part[1]), part[0])))


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
            numbers.memory_vector * np.maximum(_best(view, dots.astype(np.float64)) - floor, 0) / (1 - floor)
        )
    return np.round(out, numbers.score_digits)


def hop(index: Index, view: View, ask: Ask, totals: Scores, policy: Policy) -> Scores:
    """A second look: turns that share what the first ones found name, where the question does not name it."""
    asked = {term_number(term) for term, _ in ask.terms}
    wanted: dict[int, float] = {}
    for place in np.argsort(-totals, kind="stable")[: policy.recall.hop_turns]:
        held = index.terms_of(int(view.turns[place])) - asked
        rarest = sorted(((rarity_of(number, policy), number) for number in held), reverse=True)
        for rare, number in rarest[: policy.recall.hop_terms]:
            wanted[number] = max(wanted.get(number, 0.0), rare * float(totals[place]))
    out = np.zeros(index.size)
    for number, weight in sorted(wanted.items()):
        for segment in index.segments:
            where, _ = segment.of(number)
            out[np.unique(index.passage_turn[where])] += weight
    return scaled(out[view.turns])


def scaled(values: Scores) -> Scores:
    """Min-max: keeps the distances that reciprocal ranks throw away."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def session_bm25(index: Index, ask: Ask, policy: Policy) -> Scores:
    """A session is a document too: it is about something. One number per session."""
    k1, b = policy.recall.k1, policy.recall.b
    many, length = index.sessions, index.session_length
    scale = 1 - b + b * length / (float(length.mean()) or 1.0)
    out = np.zeros(many)
    for term, _ in ask.terms:
        count = np.zeros(many)
        for where, often in index.postings(term):
            count += np.bincount(index.session[index.passage_turn[where]], often, many)
        holds = int((count > 0).sum())
        if holds:
            idf = float(np.log1p((many - holds + 0.5) / (holds + 0.5)))
            out += idf * count * (k1 + 1) / (count + k1 * scale)
    return scaled(out)


def near(view: View, values: Scores, policy: Policy) -> Scores:
    """A turn is found through its neighbours in the same session; one row per part."""
    before, after = policy.recall.near_previous, policy.recall.near_next
    out = np.zeros_like(values)
    for shares, later in ((before, True), (after, False)):
        for place, share in beside(values, view.stretch, shares, later):
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
    heads = index.heads[view.turns]
    if ask.speakers:
        meant = np.array([float(speaker in ask.speakers) for speaker in index.speakers])
        out["speaker"] = meant[heads["speaker"]]
        # Between two people a name in the text is an address, not a subject, and everybody is beside everybody.
        if len(index.speakers) > 2:
            out["mention"] = _mentions(index, view, ask, policy)
            out["speaker_near"] = near(view, out["speaker"], policy)
    if ask.inquiry.role and any(index.roles):
        meant = np.array([float(role == ask.inquiry.role) for role in index.roles])
        out["role"] = meant[heads["speaker"]]
    if ask.dates and heads["day"].any():
        out["date"] = _dated(heads["day"].astype(np.int64), ask, policy)
    if ask.inquiry.wants_time:
        out["answer"] = index.tells("time")[view.turns].astype(np.float64)
    elif ask.inquiry.wants_amount:
        out["answer"] = index.tells("amount")[view.turns].astype(np.float64)
    for name in ("name", "place", "reason"):
        if getattr(ask.inquiry, f"wants_{name}"):
            out[f"answer_{name}"] = index.tells(name)[view.turns].astype(np.float64)
    out["question"] = heads["asks"].astype(np.float64)
    out["addressed"] = heads["addresses"].astype(np.float64)
    out["length"] = heads["length"].astype(np.float64)
    return out


def _mentions(index: Index, view: View, ask: Ask, policy: Policy) -> Scores:
    out = np.zeros(index.size)
    for name in sorted(ask.names):
        for term, _ in word_terms(name, policy):
            for where, _count in index.postings(term):
                out[index.passage_turn[where]] = 1.0
    return out[view.turns]


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


def _best(view: View, values: Scores) -> Scores:
    if len(values) == len(view.turns):
        return values
    best: Scores = np.maximum.reduceat(values, view.turn_start)
    return best

"""The parts of a score, each between 0 and 1, for every turn at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from clew.kernel.recall.terms import word_terms
from clew.kernel.recall.turns import late
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.index import Index, beside, spread
from clew.policy import Policy
from clew.policy.recall import RecallWeights

Scores = npt.NDArray[np.float64]
Vector = npt.NDArray[np.float32]


def parts(
    index: Index,
    ask: Ask,
    policy: Policy,
    *,
    vector: Vector | None = None,
    word_vectors: Vector | None = None,
) -> dict[str, Scores]:
    """`vector` is that of `ask.bare`; `word_vectors` has one row per term of the question."""
    weights = weights_of(index, policy)
    own: dict[str, Scores] = {"lexical": scaled(_best(index, bm25(index, ask, policy)))}
    beyond: dict[str, Scores] = {}
    if vector is not None and index.vectors is not None:
        dots = index.vectors @ vector
        own["vector"] = scaled(_best(index, np.maximum(dots, 0).astype(np.float64)))
        if weights.vector_turn:
            beyond["vector_turn"] = scaled(np.maximum(of_turns(index, dots), 0).astype(np.float64))
        if weights.vector_wide:
            beyond["vector_wide"] = wide(index, dots, policy)
    if ask.terms:
        found, counts = late.meet(index, ask, word_vectors, policy)
        own["words"] = scaled(_best(index, (counts @ found).astype(np.float64)))
        turns = late.of_turns(index, found)
        table = policy.recall
        for name, before, after in (
            ("words_window", table.window_previous, table.window_next),
            ("words_wide", table.wide_previous, table.wide_next),
        ):
            if getattr(weights, name):
                seen = late.of_windows(index, turns, before, after)
                beyond[name] = scaled((counts @ seen).astype(np.float64))
    stacked = np.stack(list(own.values()))
    close, around = near(index, stacked, policy), best_of_session(index, stacked)
    out = dict(own)
    for row, name in enumerate(own):
        out[f"{name}_near"] = close[row]
        out[f"{name}_session"] = around[row]
    out["lexical_session"] = session_bm25(index, ask, policy)
    out.update(beyond)
    out.update(cues(index, ask, policy))
    return {name: part for name, part in out.items() if getattr(weights, name)}


def weights_of(index: Index, policy: Policy) -> RecallWeights:
    return policy.recall.weights if index.assisted else policy.recall.people


def of_turns(index: Index, dots: Vector) -> Vector:
    """The cosine with a whole turn, from the dot products of its passages."""
    assert index.turn_scale is not None
    turns: Vector = np.add.reduceat(dots, index.turn_start) * index.turn_scale
    return turns


def wide(index: Index, dots: Vector, policy: Policy) -> Scores:
    """The cosine with the sum of the turns around: from the dot products alone, the sums are not kept."""
    assert index.wide_scale is not None
    around = spread(of_turns(index, dots), index.session, policy) * index.wide_scale
    return scaled(np.maximum(around, 0).astype(np.float64))


def total(found: dict[str, Scores], index: Index, policy: Policy) -> Scores:
    """Weighted sum over the weights in use, so that a missing embedder does not shrink the scale."""
    weights = weights_of(index, policy)
    score = np.zeros(index.size)
    whole = 0.0
    for name, part in found.items():
        weight = getattr(weights, name)
        score += weight * part
        whole += max(weight, 0.0)
    return np.round(np.maximum(score / whole, 0.0) if whole else score, policy.recall.score_digits)


def fit(
    index: Index, ask: Ask, turns: Sequence[int], policy: Policy, vector: Vector | None = None
) -> list[float]:
    """How well each of these turns fits by itself, on the scale of memories: words shared, and closeness."""
    numbers = policy.recall
    rows = [index.vocabulary.get(term) for term, _ in ask.terms]
    rarest = float(np.log1p(index.size + 0.5))
    weights = [rarest if row is None else float(index.idf[row]) for row in rows]
    whole = sum(weights) or 1.0
    out: list[float] = []
    for turn in turns:
        held = index.terms_of(turn)
        value = sum(w for row, w in zip(rows, weights, strict=True) if row in held) / whole
        value *= numbers.memory_lexical
        if vector is not None and index.vectors is not None:
            last = index.turn_start[turn + 1] if turn + 1 < index.size else len(index.passage_turn)
            close = float((index.vectors[index.turn_start[turn] : last] @ vector).max())
            floor = numbers.memory_vector_floor
            value += numbers.memory_vector * max(0.0, close - floor) / (1 - floor)
        out.append(round(value, numbers.score_digits))
    return out


def scaled(values: Scores) -> Scores:
    """Min-max: keeps the distances that reciprocal ranks throw away."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


def bm25(index: Index, ask: Ask, policy: Policy) -> Scores:
    """Of passages, so that a long answer does not drown in its own length."""
    k1, b = policy.recall.k1, policy.recall.b
    out = np.zeros(len(index.passage_turn))
    mean = float(index.passage_length.mean()) or 1.0
    for term, _ in ask.terms:
        row = index.vocabulary.get(term)
        if row is None:
            continue
        span = slice(index.term_start[row], index.term_start[row + 1])
        where, count = index.posting_passage[span], index.posting_count[span]
        length = 1 - b + b * index.passage_length[where] / mean
        out[where] += float(index.idf[row]) * count * (k1 + 1) / (count + k1 * length)
    return out


def session_bm25(index: Index, ask: Ask, policy: Policy) -> Scores:
    """A session is a document too: it is about something."""
    k1, b = policy.recall.k1, policy.recall.b
    many = len(index.session_start)
    of_passage = index.session[index.passage_turn]
    length = np.bincount(of_passage, index.passage_length, many)
    scale = 1 - b + b * length / (float(length.mean()) or 1.0)
    out = np.zeros(many)
    for term, _ in ask.terms:
        row = index.vocabulary.get(term)
        if row is None:
            continue
        span = slice(index.term_start[row], index.term_start[row + 1])
        count = np.bincount(of_passage[index.posting_passage[span]], index.posting_count[span], many)
        holds = int((count > 0).sum())
        idf = float(np.log1p((many - holds + 0.5) / (holds + 0.5)))
        out += idf * count * (k1 + 1) / (count + k1 * scale)
    return scaled(out)[index.session]


def near(index: Index, values: Scores, policy: Policy) -> Scores:
    """A turn is found through its neighbours in the same session; one row per part."""
    before, after = policy.recall.near_previous, policy.recall.near_next
    out = np.zeros_like(values)
    for shares, later in ((before, True), (after, False)):
        for place, share in beside(values, index.session, shares, later):
            out[..., place] += share
    return out / (sum(before) + sum(after))


def best_of_session(index: Index, values: Scores) -> Scores:
    best = np.maximum.reduceat(values, index.session_start, axis=1)
    low, high = best.min(axis=1, keepdims=True), best.max(axis=1, keepdims=True)
    span = np.where(high > low, high - low, 1.0)
    out: Scores = ((best - low) / span)[:, index.session]
    return out


def cues(index: Index, ask: Ask, policy: Policy) -> dict[str, Scores]:
    """What the question says about speaker, time and kind of answer."""
    out: dict[str, Scores] = {}
    if ask.speakers:
        meant = [float(speaker in ask.speakers) for speaker in index.names.speakers]
        out["speaker"] = np.array(meant)[index.speaker]
        # Between two people a name in the text is an address, not a subject, and everybody is beside everybody.
        if len(index.names.speakers) > 2:
            out["mention"] = _mentions(index, ask, policy)
            out["speaker_near"] = near(index, out["speaker"], policy)
    if ask.role and any(index.roles):
        meant = [float(role == ask.role) for role in index.roles]
        out["role"] = np.array(meant)[index.speaker]
    if ask.dates and index.day.any():
        out["date"] = _dated(index, ask, policy)
    if ask.wants_time:
        out["answer"] = index.tells_time.astype(np.float64)
    elif ask.wants_amount:
        out["answer"] = index.tells_amount.astype(np.float64)
    for name, wanted, told in (
        ("answer_name", ask.wants_name, index.tells_name),
        ("answer_place", ask.wants_place, index.tells_place),
        ("answer_reason", ask.wants_reason, index.tells_reason),
    ):
        if wanted:
            out[name] = told.astype(np.float64)
    out["question"] = index.asks.astype(np.float64)
    out["addressed"] = index.addresses.astype(np.float64)
    out["length"] = index.length.astype(np.float64)
    return out


def _mentions(index: Index, ask: Ask, policy: Policy) -> Scores:
    out = np.zeros(index.size)
    for name in sorted(ask.names):
        for term, _ in word_terms(name, policy):
            row = index.vocabulary.get(term)
            if row is not None:
                span = slice(index.term_start[row], index.term_start[row + 1])
                out[index.passage_turn[index.posting_passage[span]]] = 1.0
    return out


def _dated(index: Index, ask: Ask, policy: Policy) -> Scores:
    """1 inside a named span, fading after it: people tell of a day on the days that follow."""
    out = np.zeros(index.size)
    width = policy.recall.date_span_days
    for first, last in ask.dates:
        late_by = index.day - last.toordinal()
        inside = (index.day >= first.toordinal()) & (late_by <= 0)
        after = np.where((late_by > 0) & (late_by <= width), 1 - late_by / (width + 1), 0.0)
        exact = (last - first).days <= policy.recall.date_exact_days
        weight = 1.0 if exact else policy.recall.date_wide
        out = np.maximum(out, weight * np.where(inside, 1.0, after * (index.day > 0)))
    return out


def _best(index: Index, values: Scores) -> Scores:
    return np.maximum.reduceat(values, index.turn_start) if len(values) else np.zeros(index.size)

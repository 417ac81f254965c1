"""A conversation made searchable: postings, vectors and sessions as arrays, built from the turns alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
import numpy.typing as npt

from clew.errors import InvalidInput
from clew.kernel.recall.terms import terms
from clew.kernel.recall.turns import signs
from clew.kernel.recall.turns.speakers import Names, role
from clew.model.transcript import Line
from clew.policy import Policy

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    lines: tuple[Line, ...]
    names: Names
    speaker: Ints  # number of each turn's speaker, in the order of `names.speakers`
    roles: tuple[str | None, ...]  # of the speakers
    session: Ints  # of each turn
    session_start: Ints
    turn_start: Ints  # first passage of each turn
    passage_turn: Ints
    passage_length: Floats
    vocabulary: Mapping[str, int]
    term_start: Ints  # term -> its postings
    posting_passage: Ints
    posting_count: Floats
    idf: Floats
    passage_term_start: Ints  # passage -> its distinct terms
    passage_terms: Ints
    day: Ints  # ordinal day of each turn, 0 when unknown
    years: frozenset[int]
    asks: Floats  # the share of each turn that is questions
    tells_time: Floats
    tells_amount: Floats
    tells_name: Floats
    tells_place: Floats
    tells_reason: Floats
    addresses: Floats  # the share of each turn that is said to the other
    length: Floats
    vectors: Floats | None = None  # of passages
    words: Floats | None = None  # of the vocabulary, in the directions of
    word_basis: Floats | None = None  # its own space that tell its words apart
    turn_scale: Floats | None = None  # makes the sum of a turn's passages, and
    wide_scale: Floats | None = None  # of the turns around it, one vector of length 1

    @property
    def size(self) -> int:
        return len(self.lines)

    @property
    def assisted(self) -> bool:
        """Somebody talks with an assistant here, not two people with each other."""
        return any(self.roles)

    def terms_of(self, turn: int) -> frozenset[int]:
        """Numbers of the terms in one turn."""
        first = self.turn_start[turn]
        last = self.turn_start[turn + 1] if turn + 1 < self.size else len(self.passage_turn)
        span = slice(self.passage_term_start[first], self.passage_term_start[last])
        return frozenset(self.passage_terms[span].tolist())


def build(
    lines: Sequence[Line],
    passages: Sequence[Sequence[str]],
    policy: Policy,
    *,
    vectors: Floats | None = None,
    words: Mapping[str, Floats] | None = None,
) -> Index:
    """`passages[i]` are those of `lines[i]`; `vectors` has one row per passage in the same order."""
    flat = [p for group in passages for p in group]
    if vectors is not None and len(vectors) != len(flat):
        raise InvalidInput(f"{len(vectors)} vectors for {len(flat)} passages", pointer="/vectors")
    counts = np.fromiter((len(group) for group in passages), np.int64, len(passages))
    passage_turn = np.repeat(np.arange(len(lines), dtype=np.int64), counts)
    vocabulary: dict[str, int] = {}
    sources: dict[str, str] = {}
    term_of: list[int] = []
    passage_of: list[int] = []
    for number, passage in enumerate(flat):
        for term, source in terms(passage, policy):
            term_of.append(vocabulary.setdefault(term, len(vocabulary)))
            passage_of.append(number)
            kept = sources.get(term)
            if kept is None or (len(source), source) < (len(kept), kept):
                sources[term] = source
    postings = _postings(np.array(term_of, np.int64), np.array(passage_of, np.int64), len(flat))
    posting_term, posting_passage, posting_count = postings
    size = len(vocabulary)
    turns = max(len(lines), 1)
    frequency = np.bincount(
        np.unique(posting_term * turns + passage_turn[posting_passage]) // turns, minlength=size
    )
    idf = np.log1p((len(lines) - frequency + 0.5) / (frequency + 0.5)).astype(np.float32)
    by_passage = np.argsort(posting_passage, kind="stable")
    session = sessions(lines, policy)
    table, basis = _word_matrix(sources, words, size, policy) if words else (None, None)
    turn_start = np.cumsum(counts) - counts
    turn_scale, wide_scale = _scales(vectors, turn_start, session, policy)
    names = Names((line.speaker for line in lines), policy)
    numbered = {speaker: i for i, speaker in enumerate(names.speakers)}
    return Index(
        lines=tuple(lines),
        names=names,
        speaker=np.fromiter((numbered[line.speaker] for line in lines), np.int64, len(lines)),
        roles=tuple(role(speaker, policy) for speaker in names.speakers),
        session=session,
        session_start=np.flatnonzero(np.diff(session, prepend=-1)),
        turn_start=turn_start,
        passage_turn=passage_turn,
        passage_length=np.bincount(posting_passage, posting_count, len(flat)).astype(np.float32),
        vocabulary=vocabulary,
        term_start=np.searchsorted(posting_term, np.arange(size + 1)),
        posting_passage=posting_passage,
        posting_count=posting_count,
        idf=idf,
        passage_term_start=np.searchsorted(posting_passage[by_passage], np.arange(len(flat) + 1)),
        passage_terms=posting_term[by_passage],
        day=np.fromiter((line.at.toordinal() if line.at else 0 for line in lines), np.int64, len(lines)),
        years=frozenset(line.at.year for line in lines if line.at),
        asks=_flags(lines, signs.asks),
        tells_time=_flags(lines, lambda text: signs.tells_time(text, policy)),
        tells_amount=_flags(lines, lambda text: signs.tells_amount(text, policy)),
        tells_name=_flags(lines, signs.tells_name),
        tells_place=_flags(lines, lambda text: signs.tells_place(text, policy)),
        tells_reason=_flags(lines, lambda text: signs.tells_reason(text, policy)),
        addresses=_flags(lines, lambda text: signs.addresses(text, policy)),
        length=_lengths(lines, policy),
        vectors=vectors,
        words=table,
        word_basis=basis,
        turn_scale=turn_scale,
        wide_scale=wide_scale,
    )


def vocabulary_words(passages: Sequence[Sequence[str]], policy: Policy) -> list[str]:
    """One word per term, the shortest, whose vector stands for the term."""
    kept: dict[str, str] = {}
    for group in passages:
        for passage in group:
            for term, source in terms(passage, policy):
                if term not in kept or (len(source), source) < (len(kept[term]), kept[term]):
                    kept[term] = source
    least = policy.recall.word_min_length
    return sorted({w for w in kept.values() if len(w) >= least and not w.isdigit()})


def _postings(term_of: Ints, passage_of: Ints, passages: int) -> tuple[Ints, Ints, Floats]:
    """Sorted by term, then passage, with how often."""
    keys, counts = np.unique(term_of * max(passages, 1) + passage_of, return_counts=True)
    return keys // max(passages, 1), keys % max(passages, 1), counts.astype(np.float32)


def _word_matrix(
    sources: Mapping[str, str], words: Mapping[str, Floats], size: int, policy: Policy
) -> tuple[Floats, Floats]:
    """The vocabulary is read whole for every question, so it is kept in few directions: those that differ most."""
    width = next((len(v) for v in words.values()), 0)
    rows = np.zeros((size, width), np.float32)
    for row, source in enumerate(sources.values()):
        vector = words.get(source)
        if vector is not None:
            rows[row] = vector
    most = policy.recall.word_dimensions
    if min(size, width) <= most:
        return rows, np.eye(width, dtype=np.float32)
    _, directions = np.linalg.eigh(rows.T @ rows)
    basis = np.ascontiguousarray(directions[:, -most:], np.float32)
    return rows @ basis, basis


def sessions(lines: Sequence[Line], policy: Policy) -> Ints:
    """A pause, a jump back in time, or another prefix of the ids (D1:3, D2:1) starts a session."""
    out = np.zeros(len(lines), np.int64)
    gap = timedelta(hours=policy.recall.session_gap_hours)
    number = 0
    for i in range(1, len(lines)):
        before, now = lines[i - 1], lines[i]
        if _apart(before.at, now.at, gap) or _prefix(before.id) != _prefix(now.id):
            number += 1
        out[i] = number
    # Nothing tells sessions apart: blocks stand in for them.
    return out if number else np.arange(len(lines), dtype=np.int64) // policy.recall.session_block


def _apart(before: datetime | None, now: datetime | None, gap: timedelta) -> bool:
    if before is None or now is None:
        return False
    return now - before >= gap or now < before


def _prefix(turn_id: str | None) -> str:
    """D1:3 -> D1; an id without a number after a separator groups nothing."""
    if not turn_id:
        return ""
    head, separator, tail = turn_id.rpartition(":") if ":" in turn_id else turn_id.rpartition("_")
    return head if separator and tail.isdigit() else ""


def _flags(lines: Sequence[Line], test: Callable[[str], float]) -> Floats:
    return np.fromiter((test(line.text) for line in lines), np.float32, len(lines))


def _lengths(lines: Sequence[Line], policy: Policy) -> Floats:
    """How much a turn says, from 0 to 1: the twentieth word adds more than the hundredth."""
    said = np.fromiter((len(line.text.split()) for line in lines), np.float32, len(lines))
    full = np.float32(np.log1p(policy.recall.length_words))
    return np.minimum(np.log1p(said) / full, np.float32(1))


def beside(
    values: npt.NDArray[Any], session: Ints, shares: tuple[float, ...], later: bool
) -> Iterator[tuple[slice, npt.NDArray[Any]]]:
    """For each distance: the turns that have such a neighbour, and its values times its share.

    `values` has one column per turn; a neighbour of another session counts nothing.
    """
    for distance, share in enumerate(shares, 1):
        if distance >= len(session):
            return
        same = (session[distance:] == session[:-distance]) * np.float32(share)
        if later:
            yield slice(distance, None), values[..., :-distance] * same
        else:
            yield slice(None, -distance), values[..., distance:] * same


def spread(values: Floats, session: Ints, policy: Policy) -> Floats:
    """A sum over the wide window: what stands around a turn counts for it by its distance."""
    out = values.copy()
    for shares, later in ((policy.recall.wide_previous, True), (policy.recall.wide_next, False)):
        for place, share in beside(values, session, shares, later):
            out[..., place] += share
    return out


def _scales(
    vectors: Floats | None, turn_start: Ints, session: Ints, policy: Policy
) -> tuple[Floats | None, Floats | None]:
    if vectors is None or not len(turn_start):
        return None, None
    turns = np.add.reduceat(vectors, turn_start, axis=0)
    turn_scale = _inverse_norm(turns)
    wide = spread((turns * turn_scale[:, None]).T, session, policy).T
    return turn_scale, _inverse_norm(wide)


def _inverse_norm(rows: Floats) -> Floats:
    norms = np.linalg.norm(rows, axis=1)
    out: Floats = np.where(norms > 0, 1 / np.maximum(norms, np.float32(1e-6)), 0).astype(np.float32)
    return out

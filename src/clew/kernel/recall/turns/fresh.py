"""The newer of two statements about the same thing comes first.

When the question asks how something is, the newer statements of the same speaker on the same subject, or that fit
the question as well, rise just above each of the first few candidates; when it asks how it was, the older ones do.
Only a few rise, and only from among the best, so that hardly anything is found or lost by this. What a newer
statement replaces is said to be stale, and stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache

import regex

from clew.frozen import dataclass
from clew.kernel.recall.terms import word_terms
from clew.kernel.recall.turns.ask import Ask
from clew.kernel.recall.turns.index import Index
from clew.kernel.recall.turns.signs import number_words
from clew.kernel.text.normalize import normalize
from clew.kernel.text.similarity import jaccard
from clew.model.transcript import Line
from clew.policy import Policy

_TOKEN = regex.compile(r"[$€£¥₩]?\p{N}+(?:[.,:]\p{N}+)*(?:%|k|원|만원|달러)?|[\p{L}\p{M}]+(?:'\p{L}+)*")
_MONEY = regex.compile(r"^[$€£¥₩]|(?:원|달러)$")
_DIGIT = regex.compile(r"\p{N}")


@dataclass(frozen=True, slots=True)
class Statement:
    """What one turn says on the question's terms."""

    turn: int
    speaker: int
    values: frozenset[tuple[str, str, str]]  # (term of the question, kind of value, value) close together
    changes: frozenset[str]  # terms of the question close to a word of change
    terms: frozenset[str]  # of the question, found anywhere here
    all_terms: frozenset[str]


def order(
    ranked: Sequence[int],
    scores: Sequence[float],
    index: Index,
    lines: Mapping[int, Line],
    ask: Ask,
    policy: Policy,
    fits: Mapping[int, float] | None = None,
) -> tuple[list[int], dict[int, int]]:
    """The candidates in their new order, and by what turn a stale one is replaced.

    `scores` stand beside `ranked`, best first; `fits` say how well a turn fits the question by itself.
    """
    out = list(ranked)
    stale: dict[int, int] = {}
    if not ask.wants_state or not out or scores[0] <= 0:
        return out, stale
    share = policy.recall.fresh_share
    pool = [
        statement(out[place], index, lines[out[place]].text, ask, policy)
        for place in range(min(len(out), policy.recall.fresh_pool))
        if Fraction(scores[place]) >= share * Fraction(scores[0])
    ]
    sign = -1 if ask.wants_past else 1
    for anchor in pool[: policy.recall.fresh_anchors]:
        place = out.index(anchor.turn)
        # Who has risen above a better anchor is not drawn down to this one.
        after = [s for s in pool[pool.index(anchor) + 1 :] if s.turn in out[place:]]
        later = [s for s in after if sign * s.turn > sign * anchor.turn]
        same = [s for s in later if same_subject(anchor, s, policy, sign)]
        for s in same if sign > 0 else ():
            stale.setdefault(anchor.turn, s.turn)
        # By fit alone nothing rises that is not among the first anyway.
        reach = policy.recall.fresh_first_latest if ask.wants_latest else policy.recall.fresh_first
        first = set(out[:reach])
        better = same + [
            s for s in later if s not in same and s.turn in first and _fits(anchor, s, fits, policy)
        ]
        # Who tells of a change comes before who merely names a value.
        better.sort(key=lambda s: not (s.changes & anchor.terms))
        better = sorted(better[: policy.recall.fresh_rise], key=lambda s: -sign * s.turn)
        for s in better:
            out.remove(s.turn)
        place = out.index(anchor.turn)
        out[place:place] = [s.turn for s in better]
    return out, stale


def _fits(anchor: Statement, other: Statement, fits: Mapping[int, float] | None, policy: Policy) -> bool:
    """The same speaker says as much on the question, in whatever words."""
    if fits is None or anchor.speaker != other.speaker:
        return False
    share = policy.recall.fresh_fit
    return Fraction(fits[other.turn]) >= share * Fraction(fits[anchor.turn]) > 0


def statement(turn: int, index: Index, text: str, ask: Ask, policy: Policy) -> Statement:
    found, everything = _tokens(text[: policy.recall.statement_max], policy)
    wanted = frozenset(term for term, _ in ask.terms)
    if everything.isdisjoint(wanted):
        return Statement(
            turn, int(index.heads["speaker"][turn]), frozenset(), frozenset(), frozenset(), everything
        )
    held = [(place, term) for place, (_, _, own) in enumerate(found) for term in sorted(own & wanted)]
    reach = policy.recall.statement_reach
    numbers, changing = number_words(policy), _change_words(policy)
    values: set[tuple[str, str, str]] = set()
    changes: set[str] = set()
    for place, (kind, token, own) in enumerate(found):
        value = kind or ("plain" if token in numbers else "")
        if not value and token not in changing:
            continue
        close = {term for where, term in held if abs(where - place) <= reach}
        if value:
            values.update((term, value, token) for term in close - own)
        else:
            changes.update(close)
    return Statement(
        turn,
        int(index.heads["speaker"][turn]),
        frozenset(values),
        frozenset(changes),
        everything & wanted,
        everything,
    )


@lru_cache(maxsize=8192)
def _tokens(text: str, policy: Policy) -> tuple[tuple[tuple[str, str, frozenset[str]], ...], frozenset[str]]:
    """(kind of value, token, its terms) in order, and all terms; the same turn stands in many pools."""
    found = tuple(
        (_kind(token), token, frozenset(term for term, _ in word_terms(token, policy)))
        for token in _TOKEN.findall(normalize(text))
    )
    return found, frozenset().union(*(own for _, _, own in found))


def same_subject(a: Statement, b: Statement, policy: Policy, sign: int = 1) -> bool:
    """One speaker, on the question's terms: two values, a change told, or nearly the same words."""
    older, newer = (a, b) if sign > 0 else (b, a)
    if older.speaker != newer.speaker or not older.terms or not newer.terms:
        return False
    before = {(term, kind): value for term, kind, value in sorted(older.values)}
    if any(before.get((term, kind), value) != value for term, kind, value in sorted(newer.values)):
        return True
    if newer.changes & older.terms:
        return True
    smaller = min(len(older.all_terms), len(newer.all_terms))
    alike = jaccard(older.all_terms, newer.all_terms)
    return smaller > 1 and alike >= policy.recall.fresh_likeness


def _kind(token: str) -> str:
    """Money is not a count, a share is not a sum."""
    if not _DIGIT.search(token):
        return ""
    if _MONEY.search(token):
        return "money"
    return "share" if token.endswith("%") else "plain"


@lru_cache(maxsize=4)
def _change_words(policy: Policy) -> frozenset[str]:
    return frozenset(policy.recall.change_cues)

"""Numbers that are said, in digits or in words: the candidates that have them, and those within a limit."""

from __future__ import annotations

from itertools import pairwise

from clew.kernel.ground.cards import Card, counted_in, forms
from clew.kernel.ground.options import Positions
from clew.kernel.ground.whole import spoken
from clew.kernel.language.measures import Measure, agree, beside_measures, measures, same_hour
from clew.kernel.language.numerals import in_digits
from clew.policy.ground import GroundPolicy, PointingPolicy

# What a bare number may bound, likeliest first.
_BOUNDED = ("money", "clock", "duration", "distance", "size", "rating", "year")


def measured(
    words: tuple[str, ...], cards: tuple[Card, ...], policy: PointingPolicy
) -> list[frozenset[int]]:
    """ "the two litre", "three bedrooms", 십삼일: a number with its unit, said in words."""
    plain = " ".join(policy.same.get(w, w) for w in words)
    text = in_digits(plain, policy)
    if text == " ".join(words) and not _several_words(words):
        return []
    out = []
    for measure in measures(text, policy):
        if measure.kind == "number" and measure.value <= 12:
            continue
        near = frozenset(p for p, own in enumerate(cards) if any(agree(measure, o) for o in own.measures))
        near = near or frozenset(p for p, own in enumerate(cards) if any(same_hour(measure, o) for o in own.measures))
        if near and len(near) < len(cards):
            out.append(near)
    for said, many in counted_in(text).items():
        # 한 줄짜리 beside 1줄, 2줄 and 3줄: what the list counts in that noun, however small.
        own_nouns = [n for n in (*forms(said, policy), said[:1]) if any(n in own.counted for own in cards)]
        noun = next(iter(own_nouns), said)
        same = frozenset(p for p, own in enumerate(cards) if own.counted.get(noun) == many)
        others = [p for p, own in enumerate(cards) if own.counted.get(noun, many) != many]
        if same and others and same not in out:
            out.append(same)
    return out


def unmeasured(said: list[str], words: tuple[str, ...], policy: PointingPolicy) -> list[str]:
    """Of these words those that are no part of a number or of its unit: 열일곱 곡짜리, "fourteen square metres"."""
    left = frozenset(beside_measures(in_digits(" ".join(policy.same.get(w, w) for w in words), policy)).split())
    return [w for w in said if policy.same.get(w, w) in left and not w[0].isdigit()]


def _several_words(words: tuple[str, ...]) -> bool:
    """11시 45분, 9 May: a measure of more than one word."""
    return sum(w[0].isdigit() for w in words) > 1


def with_unit(words: tuple[str, ...], i: int, cards: tuple[Card, ...], policy: PointingPolicy) -> bool:
    """A number that says itself what it counts, where the list tells of it too: "40 mins"."""
    if not words[i].isdigit() or i + 1 == len(words):
        return False
    bare = {m.kind for m in measures(words[i], policy)}
    kinds = {m.kind for m in measures(" ".join(words[i : i + 2]), policy)} - bare
    return any(m.kind in kinds for own in cards for m in own.measures)


def within(
    words: tuple[str, ...], cards: tuple[Card, ...], pool: Positions, policy: GroundPolicy
) -> Positions | None:
    """Under ninety, after three, 만원 이하: those inside the limit."""
    if (hours := _hours(words, policy)) is not None:
        inside = tuple(
            p
            for p in pool
            if any(m.kind == "clock" and hours[0] * 60 <= m.value < hours[1] * 60 for m in cards[p].measures)
        )
        if 0 < len(inside) < len(pool):
            return inside
    text = in_digits(" ".join(words), policy.pointing)
    limits = [m for m in measures(text, policy.pointing) if m.kind not in ("decade", "age", "month")]
    stems = {form for word in text.split() for form in forms(word, policy.pointing)} if limits else set()
    own = policy.pointing.limits
    at_most = any(f" {p}" in f" {text}" for p in own.at_most)
    at_least = not at_most and any(f" {p}" in f" {text}" for p in own.at_least)
    by = any(a in own.by and (b[0].isdigit() or b in own.clock) for a, b in pairwise(text.split()))
    below = not own.below.isdisjoint(stems) or at_most or by
    above = (not own.above.isdisjoint(stems) or at_least) and not at_most
    if not limits or below == above:
        return None
    if any(a in policy.pointing.limits.nothing and bounding(b, policy.pointing) for a, b in pairwise(text.split())):
        # "nothing over 30"
        below = not below
    listed = {m.kind for p in pool for m in cards[p].measures}
    limit = next((m for m in limits if m.kind != "number" and m.kind in listed), limits[-1])
    kinds = ("clock", *_BOUNDED) if by or not own.timed.isdisjoint(stems) else _BOUNDED
    late = spoken(f" {' '.join(words)} ", own.arriving)
    for kind in kinds if limit.kind == "number" else (limit.kind,):
        values = {p: [m for m in cards[p].measures if m.kind == kind] for p in pool}
        if all(values.values()):
            strict = not policy.pointing.limits.strict.isdisjoint(stems)
            later = -1 if late and kind == "clock" else 0
            inside = tuple(p for p, told in values.items() if _inside(told[later], limit, below, strict))
            return inside if 0 < len(inside) < len(pool) else None
    return None


def bounds(words: tuple[str, ...], policy: PointingPolicy) -> bool:
    """Something is said to lie before or after a number: 8시 이후로. "Five past four" is no limit."""
    return any(bounding(word, policy) for word in in_digits(" ".join(words), policy).split())


def bounding(word: str, policy: PointingPolicy) -> bool:
    """A word that bounds a number: under, 이하로."""
    return any(f in policy.limits.below or f in policy.limits.above for f in forms(word, policy))


def limits(word: str, policy: PointingPolicy) -> bool:
    """A word that sets a limit, by a number or a time of day."""
    hours = any(f in policy.hours for f in forms(word, policy))
    return word in policy.limits.alone or hours or bounding(word, policy)


def _hours(words: tuple[str, ...], policy: GroundPolicy) -> tuple[int, ...] | None:
    table = policy.pointing.hours
    for before, word in zip(("", *words), words, strict=False):
        if before in policy.pointing.small.all:
            # "open all night": no time of it.
            continue
        for form in (*forms(word, policy.pointing), word.rstrip("s")):
            if form in table:
                return table[form]
    return None


def _inside(own: Measure, limit: Measure, below: bool, strict: bool) -> bool:
    mark = limit.value
    if own.kind == "clock" and limit.kind == "number":
        mark = (mark + 12 if mark < 8 else mark) * 60
    elif own.kind == "clock" and limit.loose and mark < 8 * 60 and not own.loose:
        mark += 720
    if strict:
        return own.value < mark if below else own.value > mark
    return own.value <= mark if below else own.value >= mark

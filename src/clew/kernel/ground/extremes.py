"""The cheapest, the later one, under ninety: candidates compared by a measure that they all have."""

from __future__ import annotations

from functools import lru_cache

from rapidfuzz.distance import OSA

from clew.kernel.ground.cards import Card, forms
from clew.kernel.ground.options import Positions
from clew.kernel.ground.whole import spoken
from clew.kernel.language.scripts import has_syllables
from clew.policy.ground import GroundPolicy, PointingPolicy

_NEWER_THAN_DATES = 1e6
# As measures write a day of the year.
_MONTH = 31
# Marks are given up to here.
_BEST = 10.0
_DATED = frozenset({"date", "age"})
_COMPARED = ("er", "est")
_DAY = 1440.0
_PAIR = 2
# No measure of their own beside a price.
_PLAIN = frozenset({"money", "number"})


@lru_cache(maxsize=2048)
def measure_of(word: str, policy: PointingPolicy) -> tuple[str, ...] | None:
    """What a word measures; a Korean stem may carry an ending."""
    if word in policy.measures:
        return policy.measures[word]
    if not has_syllables(word):
        # "the latter" is no slip of "later".
        known = any(word in nouns for nouns in (policy.latter, *policy.scales.values()))
        if len(word) < policy.typo_length or known:
            return None
        near = [
            m
            for w, m in policy.measures.items()
            # "chepest": slips of comparisons alone; "smell" is no slip of "small".
            # "laters" says goodbye.
            if len(w) > 4 and w.endswith(_COMPARED) and word[:-1] != w and w[0] == word[0]
            if OSA.distance(word, w, score_cutoff=1) == 1
        ]
        return near[0] if len(near) == 1 else None
    return next((m for stem, m in _stems(policy) if _inflects(word, stem, policy)), None)


def _inflects(word: str, stem: str, policy: PointingPolicy) -> bool:
    """A stem of one syllable is only itself, with a noun for "thing": 긴 거, not 긴급."""
    rest = word.removeprefix(stem)
    return rest != word and (len(stem) > 1 or not rest or rest[0] in policy.limits.thing_begins)


@lru_cache(maxsize=8)
def _stems(policy: PointingPolicy) -> tuple[tuple[str, tuple[str, ...]], ...]:
    own = ((w, m) for w, m in policy.measures.items() if has_syllables(w))
    return tuple(sorted(own, key=lambda wm: -len(wm[0])))


def extreme(
    words: tuple[str, ...],
    cards: tuple[Card, ...],
    pool: Positions,
    offered: int | None,
    policy: GroundPolicy,
) -> Positions | None:
    """The end of the scale; a comparison looks beyond what is offered. Ties are all given."""
    late = spoken(f" {' '.join(words)} ", policy.pointing.limits.arriving)
    for i, word in enumerate(words):
        kinds = None if word in policy.ordinals else measure_of(word, policy.pointing)
        if kinds is None or (i and words[i - 1] in policy.pointing.limits.too):
            continue
        near = words[max(0, i - 2) : i]
        if policy.pointing.limits.most.isdisjoint(near) and _most_elsewhere(words, i, policy):
            # 비싸요 제일 싼 걸로: the first is a remark.
            continue
        flips = not policy.pointing.limits.flips.isdisjoint(near)
        compares = not policy.pointing.limits.compares.isdisjoint(near)
        plain = word in policy.pointing.limits.plain
        if (plain and not policy.pointing.small.ones.isdisjoint(words)) or _remarks(word, words, policy.pointing):
            continue
        if word in (*policy.pointing.many, *policy.pointing.few) and (end := superlative(words, cards, pool, policy)):
            # 칼로리 제일 낮은 거: low is what the noun beside it counts.
            return end
        rank = next((n for w in near if (n := policy.pointing.limits.ranks.get(w)) is not None), None)
        led = not policy.pointing.limits.leads.isdisjoint(words[max(0, i - 1) : i])
        if plain and not led and policy.pointing.limits.most.isdisjoint(words):
            continue
        dated = kinds[0].startswith("date") and rank is None and not compares
        if dated and (moments := _in_an_inbox(cards, pool, policy.pointing)):
            return _end(moments, ("+" in kinds[0]) != flips)
        for kind in (*_told_by_noun(kinds[0], words, policy.pointing), *kinds):
            name, up = kind.rstrip("?").rstrip("+-"), ("+" in kind) != flips
            if name == "money" and not kinds[0].startswith(name) and _other_measures(cards, pool):
                # The smallest kettle is not the cheapest; the smallest invoice is.
                continue
            values = _values(name, cards, pool, late=name == "clock" and late)
            if len(values) < 2:
                continue
            if (kind.endswith("?") or compares) and offered in values:
                mark = values[offered]
                beyond = tuple(p for p, v in values.items() if (v > mark if up else v < mark))
                if not beyond and not policy.pointing.small.the.isdisjoint(words):
                    # "the cheaper" is the one on offer where none is cheaper.
                    return (offered,)
                if not beyond:
                    continue
                return beyond
            if rank is not None:
                ordered = sorted(values, key=lambda p: values[p], reverse=up)
                return tuple(ordered[rank - 1 : rank]) or None
            if end := _end(values, up):
                return end
        if not plain and (values := _counted_alike(kinds, cards, pool) or _lettered(kinds, cards, pool)):
            return _end(values, ("+" in kinds[0]) != flips)
    return None


def _in_an_inbox(cards: tuple[Card, ...], pool: Positions, policy: PointingPolicy) -> dict[int, float]:
    """When each came, beside "09:12", "yesterday" and "Monday": a time alone is today's, a weekday before yesterday."""
    out: dict[int, float] = {}
    ages = [m.value for p in pool for m in cards[p].measures if m.kind == "age"]
    if not ages or min(ages) < 0 or max(ages) <= 0:
        return {}
    for p in pool:
        found = {m.kind: m.value for m in reversed(cards[p].measures)}
        day = found.get("age", 0.0 if "clock" in found else None)
        if day is None:
            if policy.small.weekday.isdisjoint(cards[p].told) or "date" in found:
                return {}
            day = 2.0
        out[p] = found.get("clock", 0.0) - _DAY * day
    return out


def _end(values: dict[int, float], up: bool) -> Positions | None:
    """Those at the end of the scale, unless all are the same: another kind may tell them apart."""
    low, high = min(values.values()), max(values.values())
    return tuple(p for p, v in values.items() if v == (high if up else low)) if low < high else None


def _told_by_noun(kind: str, words: tuple[str, ...], policy: PointingPolicy) -> tuple[str, ...]:
    """ "shortest in km", "lowest mileage", 거리 짧은 거: the noun beside it says what is measured."""
    stems = {form for word in words for form in forms(word, policy)}
    ends = "".join(c for c in kind if c in "+-?")
    return tuple(f"{scale}{ends}" for scale, nouns in policy.scales.items() if not stems.isdisjoint(nouns))


def _other_measures(cards: tuple[Card, ...], pool: Positions) -> bool:
    return any(m.kind not in _PLAIN for p in pool for m in cards[p].measures)


def _counted_alike(kinds: tuple[str, ...], cards: tuple[Card, ...], pool: Positions) -> dict[int, float]:
    """ "the shortest" beside "640 words" and "80 words": the one noun that most of them are counted in."""
    if not any(kind.startswith(("count", "length", "size")) for kind in kinds):
        return {}
    nouns = dict.fromkeys(noun for p in pool for noun in cards[p].counted)
    found = [{p: n for p in pool if (n := cards[p].counted.get(noun)) is not None} for noun in nouns]
    most = [values for values in found if len(values) > 1 and 2 * len(values) > len(pool)]
    return most[0] if most and all(values == most[0] for values in most) else {}


def _lettered(kinds: tuple[str, ...], cards: tuple[Card, ...], pool: Positions) -> dict[int, float]:
    """ "the shortest" of names that nothing is counted of: by their letters."""
    counts = any(kind.startswith(("length", "duration")) for kind in kinds)
    return {p: float(len(cards[p].joined)) for p in pool} if counts and not any(own.measures for own in cards) else {}


def _most_elsewhere(words: tuple[str, ...], i: int, policy: GroundPolicy) -> bool:
    """Another word of the part that measures is the one that "most" stands before."""
    most = policy.pointing.limits.most
    return any(
        j != i and not most.isdisjoint(words[max(0, j - 2) : j]) and measure_of(w, policy.pointing) is not None
        for j, w in enumerate(words)
    )


def _remarks(word: str, words: tuple[str, ...], policy: PointingPolicy) -> bool:
    """좀 비싼데, 평점 높네: said of what is there, no choice of the end of a scale."""
    own, last = policy.limits, words[-1]
    chosen = last in own.chooses or last.endswith((*policy.choosing_ends, *policy.cut.noun_ends))
    said = last.endswith(own.remark_ends) and not chosen
    return said and (own.most | own.more | own.things).isdisjoint(words)


def superlative(
    words: tuple[str, ...], cards: tuple[Card, ...], pool: Positions, policy: GroundPolicy
) -> Positions | None:
    """ "the most seats", 커밋 제일 많은 거: the largest number that stands with that noun."""
    pointing = policy.pointing
    up = not frozenset(words).isdisjoint(pointing.many)
    if up == (not frozenset(words).isdisjoint(pointing.few)):
        return None
    stems = {form for word in words for form in forms(word, pointing)}
    for kind, nouns in pointing.scales.items():
        scaled = {} if stems.isdisjoint(nouns) else _values(kind, cards, pool)
        if len(scaled) > 1 and (end := _end(scaled, up)):
            return end
    for word in words:
        counted = len(word) > 1 or any(word in cards[p].counted for p in pool)
        if not counted or word in pointing.many or word in pointing.few or word in pointing.empty:
            continue
        found = [
            {p: n for p in pool if (n := cards[p].counted.get(form)) is not None}
            for form in forms(word, pointing)
        ]
        values = max(found, key=len)
        if len(values) > 1 and len(values) * 2 > len(pool):
            return _end(values, up)
    if pointing.limits.most.isdisjoint(words):
        return None
    # 제일 적은 거: the one noun that most of them are counted in.
    values = _counted_alike(("count",), cards, pool)
    return _end(values, up) if len(values) > 1 else None


def middling(
    words: tuple[str, ...], cards: tuple[Card, ...], pool: Positions, policy: GroundPolicy
) -> Positions:
    """ "the middle price", 중간 가격: neither end of a scale that is named."""
    stems = {form for word in words for form in forms(word, policy.pointing)}
    for kind, nouns in policy.pointing.scales.items():
        if stems.isdisjoint(nouns):
            continue
        values = _values(kind, cards, pool)
        ordered = sorted(values, key=lambda p: values[p])
        if len(ordered) % 2 and len(ordered) > 1:
            return (ordered[len(ordered) // 2],)
    return ()


def _values(kind: str, cards: tuple[Card, ...], pool: Positions, late: bool = False) -> dict[int, float]:
    """One value each, of two times the later one where it is `late`.

    Days counted from today are newer than dates that are written out. Where tomorrow is among them the list is of
    what is to come, and today is before any date.
    """
    out: dict[int, float] = {}
    coming = kind == "date" and any(m.kind == "age" and m.value < 0 for p in pool for m in cards[p].measures)
    priced = kind == "money" and any(m.kind == kind for p in pool for m in cards[p].measures)
    # "lake, 4.3": numbers with tenths, no higher than marks go.
    marked = kind == "rating" and any(m.value % 1 and m.value <= _BEST for p in pool for m in cards[p].measures)
    for p in pool:
        own = [m.value for m in cards[p].measures if m.kind == kind]
        own = own[-1:] if late else own
        if kind == "date" and not own:
            far = -_NEWER_THAN_DATES if coming else _NEWER_THAN_DATES
            own = [far - m.value for m in cards[p].measures if m.kind == "age"]
            own = own or [m.value * _MONTH for m in cards[p].measures if m.kind == "month"]
        if kind == "clock" and own:
            # Tomorrow at seven is after tonight at eight.
            own = [own[0] - _DAY * next((m.value for m in cards[p].measures if m.kind == "age"), 0.0)]
        if kind == "age" and not own and any(m.kind == "clock" for m in cards[p].measures):
            # In an inbox a time alone is today's.
            own = [0.0]
        if kind == "money" and not own and not priced and all(m.kind == "number" for m in cards[p].measures):
            # Where nobody has a price, a bare number beside the name is most likely one.
            own = [m.value for m in cards[p].measures[:1]]
        if kind == "rating" and not own:
            own = [m.value for m in cards[p].measures if marked and m.kind == "number" and m.value <= _BEST]
        if kind == "duration" and not own:
            own = _minutes_and_seconds(cards[p]) or _between(cards[p])
        if own:
            out[p] = _whole(own) if kind == "duration" else own[0]
    if kind in _DATED and len(out) < len(pool):
        # Whoever has no date may well be the oldest.
        return {}
    return out if len(out) * 2 > len(pool) else {}


def _whole(parts: list[float]) -> float:
    """2시간 18분 is told in parts; of "2h 20" the hours and the whole are told."""
    return parts[1] if len(parts) > 1 and parts[1] > parts[0] else sum(parts[:2])


def _between(own: Card) -> list[float]:
    """dep 07:10, arr 09:05: from the one time to the other."""
    times = [m.value for m in own.measures if m.kind == "clock"]
    return [(times[1] - times[0]) % _DAY] if len(times) == _PAIR else []


def _minutes_and_seconds(own: Card) -> list[float]:
    """3:40 beside a song is how long it is, where nothing else is told of time."""
    timed = [m for m in own.measures if m.kind not in ("number", "year")]
    return [m.value for m in timed] if len(timed) == 1 and timed[0].kind == "clock" and timed[0].loose else []

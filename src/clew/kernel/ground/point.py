"""Which candidates a message points at: by name, part of a name, attribute, measure, place or exclusion."""

from __future__ import annotations

from dataclasses import replace

from clew.kernel.ground.cards import NAMED, Card, card, fit
from clew.kernel.ground.extremes import extreme, superlative
from clew.kernel.ground.measured import bounds, limits, measured, unmeasured, with_unit, within
from clew.kernel.ground.misheard import misheard
from clew.kernel.ground.options import OptionSet, Positions
from clew.kernel.ground.overall import over_the_list
from clew.kernel.ground.places import compound, known_words, names_something, says_something, short_for
from clew.kernel.ground.places import places as places_in
from clew.kernel.ground.pointed import Pointed
from clew.kernel.ground.reasons import without_reasons
from clew.kernel.ground.said import Part, said, to_go
from clew.kernel.ground.whole import counting, ends, has, number, plural, spoken
from clew.policy.ground import GroundPolicy

# A lead this large over the next candidate stands for all words fitting one of them.
_LEAD = 2
_BOTH = 2


def point(
    text: str,
    options: OptionSet,
    offered: int | None,
    policy: GroundPolicy,
    assistant: str | None = None,
    among: Positions = (),
) -> Pointed:
    """`assistant` is what was said last: its own words for the list name nothing else.

    `among` are those that were just asked about: "the newer one" is the newer one of these.
    """
    if among:
        few = OptionSet(tuple(options.candidates[p] for p in among))
        near = point(text, few, None, policy, assistant)
        if near.winner is not None:
            return replace(
                near, positions=(among[near.winner],), excluded=tuple(among[p] for p in near.excluded)
            )
    if not options.candidates or len(options.candidates) > policy.pointing.close_reading:
        return Pointed()
    heard = said(text, policy, to_go(assistant, policy))
    cards = tuple(card(c, policy.pointing) for c in options.candidates)
    known = known_words(assistant, policy)
    chosen = without_reasons(heard.parts, lambda p: _part(p, cards, offered, (), known, policy), policy)
    whole = len(chosen) == len(heard.parts) or any(p.after_or for p in chosen)
    left = "" if whole else ", ".join(" ".join(p.words) for p in chosen)
    heard = replace(heard, parts=chosen)
    denied = [_part(p, cards, offered, (), known, policy) for p in heard.parts if p.denied]
    gone = frozenset(p for d in denied if d.how != "nothing" for p in d.positions)
    bare = [
        p for p, d in zip((p for p in heard.parts if p.denied), denied, strict=True) if d.how == "nothing"
    ]
    if offered is not None and any(_deictic(p.words, policy) for p in bare):
        gone |= {offered}
    if len(gone) == len(cards):
        gone = frozenset()
    found = _one_by_one([p for p in heard.parts if not p.denied], cards, offered, gone, known, policy)
    either = any(p.after_or for p in heard.parts)
    loose = _loose([p for p in heard.parts if not p.denied], found, policy)
    joined = replace(_joined(found, either or loose), foreign=tuple(w for f in found for w in f.foreign))
    out = over_the_list(heard, joined, cards, offered, gone, policy)
    foreign = tuple(w for f in (*found, *denied) for w in f.foreign)
    if out.how == "nothing" and not denied and (one := misheard(foreign, cards, policy)):
        out, foreign = replace(out, positions=one, how="name", strength=2), ()
    strength = max((f.strength for f in found), default=0)
    if out.several and spoken(f" {heard.text} ", policy.pointing.both) and len(out.positions) != _BOTH:
        # "both reports" beside three of them
        out = replace(out, several=False)
    open_choice = spoken(f" {heard.text} ", policy.pointing.small.any)
    if out.several and open_choice:
        out = replace(out, several=False)
    if (
        out.how == "place"
        and out.positions
        and foreign
        and not has(frozenset(heard.words), policy.pointing.a_thing, policy.pointing)
    ):
        strength = min(strength, 2)
    if out.how == "all" and any(d.how == "nothing" and d.foreign for d in denied):
        # "all but the duplicate": what stays behind is not known.
        out = replace(out, positions=(), several=False, how="nothing")
    return replace(
        out,
        foreign=foreign,
        chosen=left,
        excluded=tuple(sorted(gone)),
        fitting=sum(f.fitting for f in found),
        compound=any(f.compound for f in found),
        strength=max(strength, out.strength),
    )


def _joined(found: list[Pointed], either: bool) -> Pointed:
    """Parts that each mean one thing mean several together; parts that describe the same thing narrow it."""
    telling = [f for f in found if f.how != "nothing"]
    if not telling:
        return Pointed()
    if len(telling) == 1:
        return telling[0]
    common = set(telling[0].positions)
    for other in telling[1:]:
        common &= set(other.positions)
    how = telling[0].how
    if common:
        several = len(common) > 1 and any(f.several for f in telling)
        return Pointed(tuple(sorted(common)), several, how)
    union = tuple(dict.fromkeys(p for f in telling for p in f.positions))
    each = all(len(f.positions) == 1 or f.several for f in telling)
    return Pointed(union, each and not either, how)


def _one_by_one(
    parts: list[Part],
    cards: tuple[Card, ...],
    offered: int | None,
    gone: frozenset[int],
    known: frozenset[str],
    policy: GroundPolicy,
) -> list[Pointed]:
    """ "screen 3, the earlier one": an end of a scale is looked for among what was named before."""
    found: list[Pointed] = []
    for part in parts:
        out = _part(part, cards, offered, tuple(gone), known, policy)
        before = next((f for f in reversed(found) if f.how == "name" and len(f.positions) > 1), None)
        if out.how == "measure" and not out.fitting and before and set(before.positions).isdisjoint(out.positions):
            others = frozenset(range(len(cards))) - frozenset(before.positions)
            again = _part(part, cards, offered, tuple(gone | others), known, policy)
            out = again if again.how == "measure" else out
        found.append(out)
    return found


def _loose(parts: list[Part], found: list[Pointed], policy: GroundPolicy) -> bool:
    """ "rent's fine, dispute the flight": after a comma another thing is said, unless nothing but names is."""
    told = [(p, f) for p, f in zip(parts, found, strict=True) if f.how != "nothing"]
    if not any(p.apart for p, _ in told[1:]):
        return False
    return any(w in policy.pointing.empty and w not in policy.articles for p, _ in told[:-1] for w in p.words)


def _part(
    part: Part,
    cards: tuple[Card, ...],
    offered: int | None,
    gone: Positions,
    known: frozenset[str],
    policy: GroundPolicy,
) -> Pointed:
    pointing = policy.pointing
    places = places_in(part.words, cards, known, policy)
    skip = {i for _, i in places}
    pool = tuple(p for p in range(len(cards)) if p not in gone)
    sets: list[tuple[frozenset[int], int]] = []
    wide: list[frozenset[int]] = []
    foreign: list[str] = []
    told: list[str] = []
    fitting = strength = 0
    limited = within(part.words, cards, pool, policy)
    bounded = limited is None and bounds(part.words, pointing)
    for i, word in enumerate(part.words):
        if i in skip or not says_something(part.words, i, cards, policy):
            continue
        if limited is not None and (
            word[0].isdigit() or word in pointing.number_words or word in pointing.hours
        ):
            continue
        strengths = {p: s for p, own in enumerate(cards) if (s := fit(word, own, pointing))}
        if with_unit(part.words, i, cards, pointing):
            # "only 40 mins" is not Episode 40.
            strengths = {p: s for p, s in strengths.items() if s < NAMED}
        if bounded and word[0].isdigit():
            # 8시 이후로: not the one at eight.
            continue
        if not strengths:
            if names_something(part.words, i, known, policy):
                foreign.append(word)
            continue
        fitting += 1
        told.append(word)
        best = max(strengths.values())
        if whole := [p for p in strengths if cards[p].name == frozenset((word,))]:
            # "large" is Large, not Extra large.
            strengths = dict.fromkeys(whole, best)
        elif shared := short_for(word, part.words, cards, policy):
            strengths = dict.fromkeys(shared, best)
        near = frozenset(p for p, s in strengths.items() if s == best or (s > 2 and best > 2))
        if len(near) == len(cards):
            # A folder that all are in tells nothing; a name does.
            near = frozenset(p for p, s in strengths.items() if s == best)
        if len(near) < len(cards) or len(cards) == 1:
            sets.append((near, best))
            wide.append(frozenset(strengths))
            strength = max(strength, best)
    for near in measured(part.words, cards, pointing) if limited is None and not bounded else ():
        sets.append((near, 3))
        wide.append(near)
        strength = max(strength, 3)
        fitting += 1
        foreign = [w for w in unmeasured(foreign, part.words, pointing) if w not in pointing.clock_words]
    beside = compound(part.words, foreign, told, policy)
    base = Pointed(fitting=fitting, foreign=tuple(foreign), strength=strength, compound=beside)
    named = _common([s for s, _ in sets], wide, pool)
    if limited is not None:
        foreign = [w for w in foreign if not limits(w, pointing)]
        base = replace(base, foreign=tuple(foreign))
        pool = limited
        named = tuple(p for p in named if p in limited)
    if places and any(w in pointing.kinds or w in policy.kind_nouns for w in told):
        # "the last flight" counts along the list, whatever else is called a flight.
        named = ()
    if few := ends(part.words, len(cards), pointing) if not frozenset(part.words).isdisjoint(pointing.among) else ():
        pool = few
    first_few = _counted(base, part.words, places, tuple(range(len(cards))), policy).positions
    if len(first_few) > 1 and not named:
        # "the pricier of the first two"
        pool = first_few
    if (best_of := extreme(part.words, cards, named or pool, offered, policy)) is not None:
        return replace(base, positions=best_of, how="measure", strength=4)
    if named and (len(named) == 1 or not places):
        several = len(named) > 1 and (plural(part.words, told, pointing) or number(part.words, pointing) == len(named))
        return replace(base, positions=named, how="name", several=several)
    if limited is not None and not named:
        return replace(
            base,
            positions=limited,
            how="measure",
            strength=4,
            several=len(limited) > 1 and plural(part.words, told, pointing),
        )
    if places:
        return _counted(base, part.words, places, named or tuple(range(len(cards))), policy)
    left = tuple(w for w in foreign if not counting(w, pointing) and not any(w in own.counted for own in cards))
    # "앞에 두 개 잊어줘": beside a number one word may say what to do.
    many = number(part.words, pointing)
    plain = len(left) <= bool(many) and not named
    limits_no_number = not any(w[0].isdigit() for w in part.words)
    if plain and (not bounded or limits_no_number) and (few := ends(part.words, len(cards), pointing)):
        return replace(base, positions=few, how="place", several=len(few) > 1, strength=4, foreign=left)
    if (most := superlative(part.words, cards, named or pool, policy)) is not None:
        return replace(base, positions=most, how="measure", strength=4, foreign=left)
    return base


def _deictic(words: tuple[str, ...], policy: GroundPolicy) -> bool:
    return not frozenset(words).isdisjoint(policy.deictic_words) or not frozenset(words).isdisjoint(
        policy.deictics
    )


def _counted(
    base: Pointed,
    words: tuple[str, ...],
    places: tuple[tuple[int, int], ...],
    pool: Positions,
    policy: GroundPolicy,
) -> Pointed:
    numbers = policy.pointing.number_words
    found: list[int] = []
    for place, at in places:
        after = words[at + 1] if at + 1 < len(words) else ""
        many = numbers.get(after, 0) if after not in policy.pointing.small.one else 0
        if after.isdecimal() and len(after) == 1 and not words[at].isdecimal():
            many = int(after)
        if many > 1 and place in (1, -1):
            found.extend(pool[:many] if place == 1 else pool[-many:])
        else:
            index = len(pool) + place if place < 0 else place - 1
            found.extend(pool[index : index + 1] if 0 <= index < len(pool) else ())
    unique = tuple(dict.fromkeys(found))
    return (
        replace(base, positions=unique, how="place", several=len(unique) > 1, strength=4) if unique else base
    )


def _common(sets: list[frozenset[int]], wide: list[frozenset[int]], pool: Positions) -> Positions:
    """Those that all words fit; else those that all nearly fit: "yoga maria" is Mariam of the yoga class."""
    if not sets:
        return ()
    common = frozenset.intersection(*sets) & frozenset(pool) or frozenset.intersection(*wide) & frozenset(pool)
    if common:
        return tuple(sorted(common))
    votes = {p: sum(1 for s in sets if p in s) for p in pool}
    best = max(votes.values(), default=0)
    if not best:
        return ()
    leaders = tuple(p for p in pool if votes[p] == best)
    second = max((v for p, v in votes.items() if p not in leaders), default=0)
    if len(leaders) == 1 and best - second >= _LEAD - 1 and best > 1:
        return leaders
    return tuple(p for p in pool if votes[p])

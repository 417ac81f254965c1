"""What a word of a message is before it is held against the list: a place in it, a word about it, or nothing."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from clew.kernel.ground.cards import NAMED, Card, fit, forms
from clew.kernel.ground.counts import counts
from clew.kernel.ground.extremes import measure_of
from clew.kernel.ground.said import said
from clew.kernel.ground.whole import empty
from clew.kernel.language.scripts import has_syllables, is_spaced, only_letters
from clew.policy.ground import GroundPolicy, PointingPolicy

# A longer number is no place in a list.
_DIGITS = 2


def places(
    words: tuple[str, ...], cards: tuple[Card, ...], known: frozenset[str], policy: GroundPolicy
) -> tuple[tuple[int, int], ...]:
    """Places that the list has. "60번" of three and "both finals" beside contract_final are names.

    `known` are the assistant's own words for what is listed.
    """
    own = [
        (place, i)
        for place, i in (*counts(words, policy), *_figured(words, cards, known, policy))
        if abs(place) <= len(cards) and not _a_name(words, i, place, cards, policy)
        if not _called(words[i], place, cards)
        if not _of_another(words, i, cards, known, policy)
        if not (words[i] in policy.pointing.number_words and _numbered(cards))
        # "the last number that called me" is told by more than its place.
        if frozenset(words[i + 2 : -1]).isdisjoint(policy.grammar["relative"])
    ]
    return tuple(own)


def _of_another(
    words: tuple[str, ...], i: int, cards: tuple[Card, ...], known: frozenset[str], policy: GroundPolicy
) -> bool:
    """ "last time", "the 4th floor", 이번 주는, "petrol first": a rank of something not listed, or of a deed."""
    word, rest = words[i], words[i + 1 :]
    if rest[1:] and rest[0] in policy.pointing.number_words and rest[0] not in policy.grammar["thing"]:
        # "the first three pictures"
        rest = rest[1:]
    after = rest[0] if rest else ""
    if not after:
        return word in policy.grammar["beforehand"] and i > 0 and words[i - 1] not in policy.grammar["ranked_by"]
    if after in policy.grammar["times"]:
        return True
    told = [own for own in cards if fit(word, own, policy.pointing)]
    if told and all(fit(after, own, policy.pointing) for own in told):
        # "2nd floor" beside "8 seats, 2nd floor" is what that one is told by.
        return True
    listed = (*policy.kind_nouns, *policy.item_nouns, *policy.grammar["thing"], *policy.pointing.number_words)
    ranks = not has_syllables(word) or word in policy.pointing.cut.not_ranks
    if not ranks or word.isdigit() or after in listed or after in empty(policy.pointing):
        return False
    if after.startswith((*policy.grammar["thing"], *policy.pointing.limits.thing_begins)):
        # 첫 번째, 첫 거
        return False
    if policy.pointing.limits.ranks.get(word) and measure_of(after, policy.pointing) is not None:
        return False
    if len(rest) == 1 and all(w in policy.articles for w in words[:i]):
        # "the first colour", and nothing else.
        return False
    fits = any(fit(after, own, policy.pointing) for own in cards)
    return known.isdisjoint(forms(after, policy.pointing)) and not fits


def _figured(
    words: tuple[str, ...], cards: tuple[Card, ...], known: frozenset[str], policy: GroundPolicy
) -> list[tuple[int, int]]:
    """ "prompt 2", where the assistant speaks of prompts and no candidate does."""
    out = []
    for i, (before, word) in enumerate(pairwise(words), 1):
        listed = not known.isdisjoint(forms(before, policy.pointing))
        figure = word.isdecimal() and len(word) <= _DIGITS and int(word)
        if figure and listed and not any(fit(before, own, policy.pointing) for own in cards):
            out.append((int(word), i))
    return out


def _called(word: str, place: int, cards: tuple[Card, ...]) -> bool:
    """ "the 1st" beside Friday 1st, "6" beside lane 6: a figure that another one has in its name."""
    if not word[0].isdecimal():
        return False
    having = [p for p, own in enumerate(cards) if word in own.name]
    return bool(having) and place - 1 not in having


def _numbered(cards: tuple[Card, ...]) -> bool:
    """Lesson 2, Lesson 3, Lesson 4: a bare number may be what one is called."""
    numbers = [[w for w in own.name if w.isdigit() and len(w) <= _DIGITS] for own in cards]
    own = [n[0] for n in numbers if len(n) == 1]
    return len(own) == len(cards) > 1 and len(set(own)) == len(own) and own != [str(i + 1) for i in range(len(own))]


def _a_name(words: tuple[str, ...], i: int, place: int, cards: tuple[Card, ...], policy: GroundPolicy) -> bool:
    after = words[i + 1] if i + 1 < len(words) else ""
    if place > 0 or after in policy.grammar["thing"] or after in policy.item_nouns:
        return False
    # "At Last", "final": the words for the end of a list stand in names too.
    pointing = policy.pointing
    alone = words[i] in pointing.small.last and all(w in pointing.empty for j, w in enumerate(words) if j != i)
    named = [p for p, own in enumerate(cards) if fit(words[i], own, policy.pointing) == NAMED]
    return 0 < len(named) < len(cards) and not alone


def says_something(words: tuple[str, ...], i: int, cards: tuple[Card, ...], policy: GroundPolicy) -> bool:
    """A word that may tell one candidate from another."""
    word, pointing = words[i], policy.pointing
    if word in pointing.cut.from_end or word in pointing.cut.from_start:
        return False
    if word in pointing.small.rank_end and i > 0 and not pointing.small.rank_from.isdisjoint(words[max(0, i - 2) : i]):
        # "second from the end"
        return False
    if (word.isdigit() or word in pointing.number_words) and words[i + 1 : i + 2] and _pieces(words[i + 1], policy):
        return False
    if i > 0 and _pieces(word, policy) and (words[i - 1].isdigit() or words[i - 1] in pointing.number_words):
        return False
    shown = i > 0 and words[i - 1] in policy.grammar["this_or_that"]
    if shown and (word in policy.kind_nouns or word in policy.item_nouns):
        # "book this hotel" points at the one in view, whatever else is called a hotel.
        return False
    if len(word) == 1 and word.isalpha() and is_spaced(word):
        return _a_letter(words, i, cards, policy)
    if has_syllables(word) and not frozenset(forms(word, pointing)).isdisjoint(pointing.middle):
        return any(fit(word, own, pointing) for own in cards)
    if word in empty(pointing):
        # "the work one" beside a work and a home number.
        framed = _framed(words, i, pointing) or _behind_article(words, i, cards, policy)
        told = framed and word not in pointing.number_words and _among(word, cards)
        return told or _all_there_is(words, i, cards, policy)
    if measure_of(word, pointing) is not None:
        # "large" beside Small, Medium and Large is a name, and so is 좋아요; "the long one" beside a long joke is that.
        named = any(own.name == frozenset((word,)) for own in cards)
        alone = sum(word in own.name for own in cards) == 1
        return named or (alone and (len(words) == 1 or _framed(words, i, pointing)))
    return True


def _framed(words: tuple[str, ...], i: int, policy: PointingPolicy) -> bool:
    """ "the work one"."""
    framed = i > 0 and i + 1 < len(words) and words[i - 1] in policy.small.the
    return framed and words[i + 1] in policy.small.one


def _behind_article(words: tuple[str, ...], i: int, cards: tuple[Card, ...], policy: GroundPolicy) -> bool:
    """ "the book" beside a bird book: a verb by itself, and a thing behind its article."""
    last = all(w in policy.polite_tails for w in words[i + 1 :])
    behind = i > 0 and words[i - 1] in policy.pointing.small.the and words[i] in policy.verbs
    return behind and last and sum(words[i] in own.name for own in cards) == 1


def _all_there_is(words: tuple[str, ...], i: int, cards: tuple[Card, ...], policy: GroundPolicy) -> bool:
    """ "the guy from work" beside (work), (gym) and (landlord): an everyday word that is all one of them is told by."""
    word = words[i]
    if len(word) <= _DIGITS or sum(word in own.alone for own in cards) != 1:
        return False
    # "open the second one" does something; "whichever's open" tells which.
    does = word in policy.verbs or word in policy.transaction_verbs
    return not does or (i > 0 and i + 1 == len(words))


def short_for(word: str, words: tuple[str, ...], cards: tuple[Card, ...], policy: GroundPolicy) -> tuple[int, ...]:
    """ "sam" beside Sam Oduya and Samantha Reyes, and nothing else said: either may be called so."""
    if not word.isalpha() or not is_spaced(word) or any(w != word and w not in policy.pointing.empty for w in words):
        return ()
    exact = [p for p, own in enumerate(cards) if word in own.name]
    longer = [p for p, own in enumerate(cards) if p not in exact and own.joined.startswith(word)]
    return (*exact, *longer) if len(exact) == 1 and longer else ()


@lru_cache(maxsize=512)
def known_words(assistant: str | None, policy: GroundPolicy) -> frozenset[str]:
    """What the assistant called things by: "quotes", "folder", 예약."""
    if not assistant:
        return frozenset()
    heard = said(assistant[-policy.reader.characters :], policy).words
    return frozenset(f for w in heard if w not in empty(policy.pointing) for f in forms(w, policy.pointing))


def names_something(words: tuple[str, ...], i: int, known: frozenset[str], policy: GroundPolicy) -> bool:
    """A word that fits nothing may name something else; what is to be done, and for whom, does not."""
    word, pointing = words[i], policy.pointing
    if not known.isdisjoint(forms(word, pointing)):
        return False
    last = i + 1 == len(words)
    if only_letters(word):
        return False
    if has_syllables(word):
        return not (len(word) > 1 and word.endswith(pointing.does_last if last else pointing.does_then))
    if len(word) == 1 and i > 0 and words[i - 1] in policy.articles:
        # "Marc with a c"
        return False
    after = words[i + 1 : i + 2]
    leads = all(w in pointing.empty for w in words[:i])
    if leads and after and after[0] in pointing.determiners:
        # "accept the miller quote"
        return False
    return not (last and i > 1 and words[i - 1] in pointing.toward)


def compound(words: tuple[str, ...], foreign: list[str], told: list[str], policy: GroundPolicy) -> bool:
    """ "the sample2 backup", "the old sample2": the words make one name, and the list has no such thing."""
    pointing = policy.pointing
    for before, word, after in zip(("", *words), words, (*words[1:], ""), strict=False):
        if word not in foreign:
            continue
        if before in told or (after in told and (before in pointing.determiners or has_syllables(word))):
            # 갈색이니까 초코 gives a reason.
            return not word.endswith(pointing.reasons)
    return False


def _pieces(word: str, policy: GroundPolicy) -> bool:
    """ "2 tickets", 두 장이요: so many of something."""
    pieces = policy.grammar["pieces"]
    return word in pieces or any(has_syllables(p) and word.startswith(p) and len(word) < len(p) + 3 for p in pieces)


def _a_letter(words: tuple[str, ...], i: int, cards: tuple[Card, ...], policy: GroundPolicy) -> bool:
    """ "row K", "K is fine": a letter that one candidate has in its name."""
    if sum(words[i] in own.name for own in cards) != 1:
        return False
    before, after = words[i - 1] if i else "", words[i + 1 : i + 2]
    if before:
        return any(fit(before, own, policy.pointing) for own in cards) and before not in policy.pointing.empty
    return not after or (words[i] not in policy.pointing.small.a and after[0] in policy.pointing.after_letter)


def _among(word: str, cards: tuple[Card, ...]) -> bool:
    holding = sum(word in own.name or word in own.told for own in cards)
    return 0 < holding < len(cards)

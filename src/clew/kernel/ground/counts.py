"""Places in the list that are counted in words or figures."""

from __future__ import annotations

import re
from functools import lru_cache

from rapidfuzz.distance import OSA

from clew.kernel.language.scripts import has_syllables
from clew.policy.ground import GroundPolicy
from clew.programs import program


def counts_pieces(tokens: tuple[str, ...], policy: GroundPolicy) -> bool:
    """ "I'll take two" says how many, "give me a second" nothing of the list (ruling G24)."""
    text = f" {' '.join(tokens)} "
    if any(f" {moment} " in text for moment in policy.grammar["a_moment"]):
        return True
    spoken = [t for t in tokens if t not in policy.polite_tails and t not in policy.articles]
    if len(spoken) > 2 and spoken[-2] in policy.deictics and spoken[-3] in policy.grammar["counting_verbs"]:
        # "make it three"
        spoken, tokens = [spoken[-3], spoken[-1]], (spoken[-3], spoken[-1])
    if len(spoken) < 2 or len(spoken) != len([t for t in tokens if t not in policy.polite_tails]):
        return False
    number = spoken[-1] in policy.grammar["cardinal"] and len(spoken[-1]) > 1
    return number and spoken[-1] not in policy.pointing.small.one and spoken[-2] in policy.grammar["counting_verbs"]


def asked_how_many(heard: tuple[str, ...], policy: GroundPolicy) -> bool:
    """ "How many tickets?": the number that comes back is none of the list's places."""
    return any(f" {phrase}" in f" {' '.join(heard)} " for phrase in policy.grammar["how_many"])


def counts(words: tuple[str, ...], policy: GroundPolicy) -> tuple[tuple[int, int], ...]:
    """Places in the list that are said, with where: "the second", 3번, 첫 번째, "number two", "last"."""
    out: list[tuple[int, int]] = []
    small = policy.pointing.small
    if counts_pieces(words, policy):
        return ()
    core = [w for w in words if w not in policy.pointing.empty or w in policy.pointing.small.one]
    only = core[0] if len(core) == 1 and core[0] not in small.one else ""
    if only in policy.pointing.number_words and not has_syllables(only):
        # "we are four" and "two of those" count heads and pieces.
        alone = all(w in policy.pointing.around_number for w in words if w != only)
        return ((policy.pointing.number_words[only], words.index(only)),) if alone else ()
    if listed := figures(words, policy):
        return listed
    nouns = policy.grammar["number_noun"]
    for i, word in enumerate(words):
        before = words[i - 1] if i else ""
        after = words[i + 1] if i + 1 < len(words) else ""
        if (found := _counter(policy).match(word)) and after not in small.rank_from:
            out.append((int(next(filter(None, found.groups()))), i))
        elif after.startswith(policy.pointing.cut.ordinal_noun):
            spelled = f"{word}{policy.pointing.cut.ordinal_noun}"
            number = policy.ordinals.get(spelled) or policy.pointing.number_words.get(word)
            if number:
                out.append((number, i))
        elif before in nouns or _slip(before, nouns):
            number = int(word) if word.isdigit() else policy.ordinals.get(word, 0)
            if number and (word.isdigit() is False or len(word) <= policy.ordinal_digits):
                out.append((number, i))
        elif (place := _rank(word, policy)) and before not in small.not_rank:
            ends = words[-1] in small.rank_end or words[-1] in small.one
            if after in small.rank_from and ends and not small.rank_end.isdisjoint(words[i + 2 : i + 4]):
                return (
                    (-place, i),
                    *((-place, j) for j in range(i + 1, len(words)) if words[j] in small.rank_mark),
                )
            out.append((place, i))
    if not policy.pointing.cut.from_end.isdisjoint(words):
        return tuple((-place, i) for place, i in out)
    return tuple(out)


def figures(words: tuple[str, ...], policy: GroundPolicy) -> tuple[tuple[int, int], ...]:
    """ "1, 3 and 4", "2": figures and nothing that tells of anything else."""
    pointing = policy.pointing
    around = (*pointing.around_number, *pointing.joiners, *policy.polite_tails)
    rest = [(w, i) for i, w in enumerate(words) if w not in around]
    if len(rest) > 2:
        # "delete 1 and 3"
        rest = [(w, i) for w, i in rest if w not in policy.verbs]
    if len(rest) > 1 and all(len(w) == 1 and w in policy.ordinals for w, _ in rest):
        # "a and c"
        return tuple((policy.ordinals[w], i) for w, i in rest)
    if not rest or any(not w.isdecimal() or len(w) > policy.ordinal_digits for w, _ in rest):
        return ()
    # "give me 2" may order two of something.
    alone = len(rest) > 1 or len(words) == 1 or not policy.pointing.small.the.isdisjoint(words)
    return tuple((int(w), i) for w, i in rest if int(w)) if alone else ()


def _slip(word: str, nouns: tuple[str, ...]) -> bool:
    """ "numbr two"."""
    return len(word) > 4 and any(len(n) > 4 and OSA.distance(word, n, score_cutoff=1) == 1 for n in nouns)


def _rank(word: str, policy: GroundPolicy) -> int | None:
    if word in policy.grammar["cardinal"] or word.isdigit():
        return None
    if word in policy.ordinals:
        return policy.ordinals[word]
    if word in policy.pointing.empty:
        return None
    stem = next((word.removesuffix(p) for p in policy.pointing.after_ordinal if word.endswith(p)), word)
    if stem in policy.ordinals and stem not in policy.pointing.cut.not_ranks:
        return policy.ordinals[stem]
    if len(word) >= policy.pointing.typo_length:
        # "frist", "secnd": a slip in a long enough word.
        cardinal = policy.grammar["cardinal"]
        known = [(w, n) for w, n in policy.ordinals.items() if len(w) > 3 and w not in cardinal]
        # "seconds" and "finals" are no slips.
        near = [n for w, n in known if word != f"{w}s" and OSA.distance(word, w, score_cutoff=1) == 1]
        return near[0] if len(set(near)) == 1 else None
    return None


@lru_cache(maxsize=8)
def _counter(policy: GroundPolicy) -> re.Pattern[str]:
    return program(policy.pointing.cut.counter)

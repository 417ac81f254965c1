"""What one sentence says that another can contradict: its words with their roles, amounts and denials.

Read once per text and kept, for `similar` runs in loops.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from clew.frozen import dataclass
from clew.kernel.compare.wording import Word, bare_of, content, english_stem, letters, noun_of
from clew.kernel.language.figures import in_figures, spans
from clew.kernel.language.ko.stems import stems
from clew.kernel.language.scripts import has_syllables
from clew.kernel.read.questions import is_question
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.guards import Sides, sides
from clew.kernel.text.normalize import normal
from clew.kernel.text.tokens import content_words, words
from clew.policy import Policy
from clew.programs import program

SPEAKER = "나"
_WHOSE = ("my", "his", "her", "our")
_FIRST = ("i", "we", "you", "my", "our", "your")

# (group, alternative): one side of a contrast
Mark = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Saying:
    korean: bool
    words: tuple[Word, ...]
    denied: bool
    denied_at_last: bool
    opposites: frozenset[Mark]
    exclusive: frozenset[Mark]
    spans: frozenset[tuple[str, str]]
    sides: Sides
    roles: frozenset[tuple[str, str]]
    order: tuple[str, ...]
    names: frozenset[str]
    passive: bool
    asks: bool
    about: str  # "my boss is …": whom an English sentence is about
    third: bool  # somebody else does it
    whose: frozenset[tuple[str, bool]]  # what is mine, and what is not


@lru_cache(maxsize=1024)
def saying(text: str, policy: Policy) -> Saying:
    low = in_one_word(in_figures(normal(text).norm, policy), policy)
    plain = low if has_syllables(low) else text  # capitals tell names
    found = words(low)
    korean = has_syllables(low)
    told = sides(plain, policy.text)
    roles = frozenset(_roles(found, policy)) if korean else frozenset()
    order = () if korean else _order(found, policy)
    return Saying(
        korean,
        tuple(content(low, policy)),
        denies(low, policy),
        denies(_clause(policy).split(low.rstrip(" ."))[-1], policy) if korean else denies(low, policy),
        *_marks(_with_pairs(found, policy), policy),
        spans(low, policy),
        told,
        roles,
        order,
        frozenset(english_stem(w) for w in told.entities) if order else frozenset(),
        not korean and _passive(policy).search(low) is not None,
        pattern("likeness_asks", policy).search(text) is not None or is_question(normal(text), policy),
        "" if korean else _about(found, policy),
        any(r == "subject" and w != SPEAKER for w, r in roles) if korean else not _own(found),
        frozenset(_whose(found, policy)),
    )


@lru_cache(maxsize=8)
def _denial(policy: Policy) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = policy.remember.contrast
    return (
        program(table.not_denies), program(table.denies),
        program(table.not_denies_en), program(table.denies_en),
    )  # fmt: skip


@lru_cache(maxsize=8)
def _clause(policy: Policy) -> re.Pattern[str]:
    return program(policy.remember.contrast.clause)


def in_one_word(low: str, policy: Policy) -> str:
    """ "Can't stand" is "hate", and denies nothing."""
    for spoken, meant in policy.remember.contrast.one_word.items():
        if spoken in low:
            low = low.replace(spoken, meant)
    return low


def denies(low: str, policy: Policy) -> bool:
    """Denied an odd number of times: 안, -지 않-, but also 그만 and 금지; "는지 아니?" only asks."""
    not_ko, ko, not_en, en = _denial(policy)
    if has_syllables(low):
        return len(ko.findall(not_ko.sub(" ", low))) % 2 == 1
    low = not_en.sub(" ", low)
    return sides(low, policy.text).negated != (len(en.findall(low)) % 2 == 1)


Groups = tuple[dict[str, tuple[Mark, ...]], tuple[tuple[str, Mark], ...]]


@lru_cache(maxsize=8)
def _compiled(policy: Policy) -> tuple[Groups, Groups]:
    """Opposites of both tables, without those of which one is itself a denial: that is counted there."""
    own = tuple(pair for pair in policy.text.antonyms if not has_syllables(pair[0]))
    table = policy.remember.contrast
    return _groups((*table.opposites, *own), policy), _groups(table.exclusive, policy)


def _groups(table: tuple[tuple[str, ...], ...], policy: Policy) -> Groups:
    negative = {english_stem(w) for w in policy.text.negations}
    whole: dict[str, tuple[Mark, ...]] = {}
    begun: list[tuple[str, Mark]] = []
    for g, group in enumerate(table):
        for n, alternative in enumerate(group):
            for word in alternative.split():
                if word.endswith("*"):
                    begun.append((word[:-1], (g, n)))
                elif english_stem(word) not in negative:
                    key = word if has_syllables(word) else english_stem(word)
                    whole[key] = (*whole.get(key, ()), (g, n))
    return whole, tuple(begun)


def _marks(found: tuple[str, ...], policy: Policy) -> tuple[frozenset[Mark], frozenset[Mark]]:
    opposites: set[Mark] = set()
    exclusive: set[Mark] = set()
    for word in set(found):
        marks = _word_marks(word, policy)
        opposites.update(marks[0])
        exclusive.update(marks[1])
    return frozenset(opposites), frozenset(exclusive)


@lru_cache(maxsize=8192)
def _word_marks(word: str, policy: Policy) -> tuple[frozenset[Mark], frozenset[Mark]]:
    hangul = has_syllables(word)
    forms = {word, noun_of(word, policy), *stems(word, policy)} if hangul else {english_stem(word)}

    def of(groups: Groups) -> frozenset[Mark]:
        whole, begun = groups
        marks = {mark for form in forms for mark in whole.get(form, ())}
        if hangul:
            marks.update(mark for start, mark in begun if word.startswith(start))
        return frozenset(marks)

    opposites, exclusive = _compiled(policy)
    return of(opposites), of(exclusive)


def _with_pairs(found: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
    which = policy.remember.contrast.which
    pairs = (f"{a}_{b}" for a, b in pairwise(found) if a in which)
    return (*found, *pairs)


@lru_cache(maxsize=8)
def _passive(policy: Policy) -> re.Pattern[str]:
    return program(policy.remember.contrast.passive)


def _roles(found: tuple[str, ...], policy: Policy) -> set[tuple[str, str]]:
    table = policy.remember.contrast
    out = set()
    for word in found:
        if word in table.speaker:
            out.add((SPEAKER, table.speaker[word]))
            continue
        noun = noun_of(word, policy)
        role = table.roles.get(word[len(noun) :])
        if role:
            out.add((policy.remember.likeness.same_words.get(noun, noun), role))
    return out


def _whose(found: tuple[str, ...], policy: Policy) -> Iterator[tuple[str, bool]]:
    table = policy.remember.contrast
    people = _people(policy)
    for owner, thing in pairwise(found):
        if owner in table.mine:
            yield bare_of(thing.removesuffix("'s"), policy), True
        elif owner in table.theirs or owner.endswith("'s") or owner in people:
            yield bare_of(thing.removesuffix("'s"), policy), False


@lru_cache(maxsize=8)
def _people(policy: Policy) -> frozenset[str]:
    """Bare before a noun, a Korean word for somebody owns it: 친구 아버지."""
    return frozenset((*policy.remember.say.korean["others"], *policy.remember.likeness.people))


def _own(found: tuple[str, ...]) -> bool:
    return bool(found) and found[0].split("'")[0] in _FIRST


def _about(found: tuple[str, ...], policy: Policy) -> str:
    if len(found) < 3 or found[0] not in _WHOSE or found[1] not in policy.remember.contrast.kin:
        return ""
    return "" if found[2] == "and" else english_stem(found[1])


def _order(found: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
    case = dict(policy.text.roles)
    out = []
    for n, word in enumerate(found):
        bare = word.removesuffix("'s").split("'")[0]
        if bare == "her":  # hers before a noun, the object at the end
            last = n + 1 == len(found) or found[n + 1] in policy.remember.contrast.after_object
            bare = "she" if last else "my"
        bare = case.get(bare, bare)
        if bare not in policy.text.roleless:
            out.append(english_stem(bare))
    return tuple(out)


def memory_words(text: str, policy: Policy) -> frozenset[str]:
    """Content words without what only carries grammar: stop words, particles, endings."""
    table = policy.remember.likeness
    out = set()
    for word in content_words(text):
        if word in table.stop_words:
            continue
        bare = stems(word, policy)[-1] if has_syllables(word) else english_stem(word)
        out.add(table.same_words.get(bare, bare))
    return frozenset(out) or content_words(text)


@lru_cache(maxsize=1024)
def letter_triples(text: str) -> frozenset[str]:
    """Three letters running, Hangul taken apart: endings and spellings differ in few of them."""
    run = letters("".join(c for c in normal(text).joined if c.isalnum()))
    return frozenset(run[i : i + 3] for i in range(len(run) - 2)) or frozenset((run,))

"""What one sentence says that another can contradict: its words with their roles, amounts and denials.

Read once per text and kept, for `similar` runs in loops.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from clew.frozen import dataclass
from clew.kernel.compare.wording import Word, bare_of, content, letters, listed
from clew.kernel.language.figures import in_figures, spans
from clew.kernel.language.packs import writer
from clew.kernel.language.scripts import has_syllables
from clew.kernel.read.questions import is_question
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.guards import Sides, sides
from clew.kernel.text.normalize import normal
from clew.kernel.text.tokens import content_words, words
from clew.policy import Policy

# (group, alternative): one side of a contrast
Mark = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Saying:
    language: str
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
    about: str  # "my boss is …": whom it is about
    third: bool  # somebody else does it
    whose: frozenset[tuple[str, bool]]  # what is mine, and what is not


@lru_cache(maxsize=1024)
def saying(text: str, policy: Policy) -> Saying:
    low = in_one_word(in_figures(normal(text).norm, policy), policy)
    language = writer(low)
    own = language.comparing
    found = words(low)
    told = sides(text if own.capitals else low, policy.text)
    standing = own.standing(low, found, policy)
    return Saying(
        language.code,
        tuple(content(low, policy)),
        own.denies(low, policy),
        own.denies(own.last_clause(low, policy), policy),
        *_marks(_with_pairs(found, policy), policy),
        spans(low, policy),
        told,
        standing.roles,
        standing.order,
        frozenset(own.listed(w) for w in told.entities) if standing.order else frozenset(),
        standing.passive,
        pattern("likeness_asks", policy).search(text) is not None or is_question(normal(text), policy),
        standing.about,
        standing.third,
        frozenset(_whose(found, policy)),
    )


def in_one_word(low: str, policy: Policy) -> str:
    """ "Can't stand" is "hate", and denies nothing."""
    for spoken, meant in policy.remember.contrast.one_word.items():
        if spoken in low:
            low = low.replace(spoken, meant)
    return low


Groups = tuple[dict[str, tuple[Mark, ...]], tuple[tuple[str, Mark], ...]]


@lru_cache(maxsize=8)
def _compiled(policy: Policy) -> tuple[Groups, Groups]:
    """Opposites and exclusive words of both tables. Skips pairs where one word is a negation: those are counted."""
    own = tuple(pair for pair in policy.text.antonyms if not has_syllables(pair[0]))
    table = policy.remember.contrast
    return _groups((*table.opposites, *own), policy), _groups(table.exclusive, policy)


def _groups(table: tuple[tuple[str, ...], ...], policy: Policy) -> Groups:
    negative = {listed(w) for w in policy.text.negations}
    whole: dict[str, tuple[Mark, ...]] = {}
    begun: list[tuple[str, Mark]] = []
    for g, group in enumerate(table):
        for n, alternative in enumerate(group):
            for word in alternative.split():
                if word.endswith("*"):
                    begun.append((word[:-1], (g, n)))
                elif (key := listed(word)) not in negative:
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
    forms = writer(word).comparing.forms(word, policy)

    def of(groups: Groups) -> frozenset[Mark]:
        whole, begun = groups
        marks = {mark for form in forms for mark in whole.get(form, ())}
        marks.update(mark for start, mark in begun if word.startswith(start))
        return frozenset(marks)

    opposites, exclusive = _compiled(policy)
    return of(opposites), of(exclusive)


def _with_pairs(found: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
    which = policy.remember.contrast.which
    pairs = (f"{a}_{b}" for a, b in pairwise(found) if a in which)
    return (*found, *pairs)


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
    return frozenset((*policy.remember.said("people"), *policy.remember.likeness.people))


def memory_words(text: str, policy: Policy) -> frozenset[str]:
    """Content words without what only carries grammar: stop words, particles, endings."""
    table = policy.remember.likeness
    out = set()
    for word in content_words(text):
        if word in table.stop_words:
            continue
        bare = writer(word).comparing.stem(word, policy)
        out.add(table.same_words.get(bare, bare))
    return frozenset(out) or content_words(text)


@lru_cache(maxsize=1024)
def letter_triples(text: str) -> frozenset[str]:
    """Three letters running, Hangul taken apart: endings and spellings differ in few of them."""
    run = letters("".join(c for c in normal(text).joined if c.isalnum()))
    return frozenset(run[i : i + 3] for i in range(len(run) - 2)) or frozenset((run,))

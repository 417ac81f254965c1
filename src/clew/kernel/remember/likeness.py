"""When two remembered texts say the same (contracts: `similar` as memory).

`similarity` is containment over content words. Whether they are one is decided by a weighted sum of
word, letter-pair and vector likeness; the weights are policy, fitted by bench/train/memory_likeness.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from clew.kernel.listen.questions import is_question
from clew.kernel.remember.hangul import bare_noun, is_hangul, stems
from clew.kernel.remember.patterns import pattern
from clew.kernel.text.guards import sides, veto
from clew.kernel.text.normalize import normal
from clew.kernel.text.similarity import containment, jaccard
from clew.kernel.text.tokens import content_words, words
from clew.model.likeness import Likeness
from clew.policy import Policy

ONE = Fraction(1)


def cosine(a: Sequence[float], b: Sequence[float]) -> Fraction:
    """Correctly rounded sums, so that the order of machine instructions does not matter."""
    dot = math.fsum(x * y for x, y in zip(a, b, strict=True))
    size = math.sqrt(math.fsum(x * x for x in a)) * math.sqrt(math.fsum(y * y for y in b))
    return Fraction(dot / size) if size else Fraction(0)


def memory_words(text: str, policy: Policy) -> frozenset[str]:
    """Content words without what only carries grammar: stop words, particles, endings."""
    table = policy.remember.likeness
    out = set()
    for word in content_words(text):
        if word in table.stop_words:
            continue
        bare = stems(word, policy)[-1] if is_hangul(word) else _english_stem(word)
        out.add(table.same_words.get(bare, bare))
    return frozenset(out) or content_words(text)


def _english_stem(word: str) -> str:
    """One beginning for the forms of a word: movie and movies, story and stories, bake and baking."""
    for ending in ("ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) > 2 and not word.endswith("ss"):
            stem = word[: -len(ending)]
            return stem + "i" if ending == "ies" else stem.rstrip("e")
    if len(word) > 3 and word.endswith("y") and word[-2] not in "aeiou":
        return word[:-1] + "i"
    return word.rstrip("e") if len(word) > 3 else word


def letter_pairs(text: str) -> frozenset[str]:
    letters = "".join(c for c in normal(text).joined if c.isalnum())
    return frozenset(letters[i : i + 2] for i in range(len(letters) - 1)) or frozenset((letters,))


def features(a: str, b: str, policy: Policy) -> tuple[Fraction, ...]:
    """Containment, Jaccard, letter-pair containment and Jaccard, and the share replaced on both sides."""
    left, right = memory_words(a, policy), memory_words(b, policy)
    pairs_a, pairs_b = letter_pairs(a), letter_pairs(b)
    smaller = max(1, min(len(left), len(right)))
    replaced = min(len(left - right), len(right - left))
    return (
        containment(left, right),
        jaccard(left, right),
        containment(pairs_a, pairs_b),
        jaccard(pairs_a, pairs_b),
        Fraction(replaced, smaller),
    )


def memory_likeness(
    a: str,
    b: str,
    policy: Policy,
    vector_a: Sequence[float] | None = None,
    vector_b: Sequence[float] | None = None,
) -> Likeness:
    table = policy.remember.likeness
    values = features(a, b, policy)
    score = values[0]
    if normal(a).no_punct == normal(b).no_punct:
        return Likeness(score, bool(normal(a).no_punct), None, "similar.memory.exact")
    if vector_a and vector_b and len(vector_a) == len(vector_b):
        values = (*values, cosine(vector_a, vector_b))
        weights, least, rule = table.with_vectors, table.with_vectors_least, "similar.memory.vectors"
    else:
        weights, least, rule = table.words_only, table.words_only_least, "similar.memory.words"
    near = values[5] if len(values) > 5 else None
    close = sum((w * v for w, v in zip(weights, values, strict=True)), Fraction(0)) >= least
    if near is not None and values[4] and near < table.replaced_near and not _asks(a, b, policy):
        close = False  # words were exchanged, and the vectors do not call them alike
    return Likeness(score, close, memory_veto(a, b, policy, near) if close else None, rule)


def _asks(a: str, b: str, policy: Policy) -> bool:
    """Questions and requests vary more in words than statements of one thing do."""
    asking = pattern("likeness_asks", policy)
    return any(asking.search(t) is not None or is_question(normal(t), policy.listen) for t in (a, b))


def memory_veto(a: str, b: str, policy: Policy, near: Fraction | None = None) -> str | None:
    """The general guards; for Korean on bare words, where 남자가 and 여자가 are opposites too.

    `near` is the cosine of the texts: so near, the one word they differ in is a synonym. A cosine of one
    for different words only says that the vectors do not tell words apart.
    """
    guard = veto(a, b, policy.text)
    if a.isascii() and b.isascii():
        if guard:
            return guard
        table = policy.remember.likeness
        if near is not None and table.synonym_near <= near <= table.synonym_far:
            return None
        other = _one_word_swapped(a, b, policy) or _exclusive(a, b, policy)
        return "entity" if other else None
    if guard == "polarity":
        if _refuses(a, policy) != _refuses(b, policy):
            return guard
        left, right = sides(a, policy.text).entities, sides(b, policy.text).entities
        guard = "entity" if left - right and right - left else None
    return guard or _opposed(a, b, policy) or ("entity" if _role_swapped(a, b, policy) else None)


def _refuses(text: str, policy: Policy) -> bool:
    """Denied an odd number of times: 안, -지 않-, but also 그만 and 금지; "는지 아니?" only asks."""
    low = normal(text).norm
    for asked in policy.remember.likeness.not_negative:
        low = low.replace(asked, " ")
    count = sum(t in policy.text.negative_prefixes_ko for t in low.split())
    words = (*policy.text.negative_endings_ko, *policy.remember.likeness.refusals)
    return (count + sum(low.count(w) for w in words)) % 2 == 1


@lru_cache(maxsize=8)
def _antonyms(policy: Policy) -> tuple[tuple[str, str, bool], ...]:
    """Opposites as bare words; a verb's stem may go on (좋 in 좋아해), a noun must stand alone."""
    out = []
    for a, b in policy.text.antonyms:
        if is_hangul(a):
            left, right = stems(a, policy)[-1], stems(b, policy)[-1]
            out.append((left, right, left != a and right != b))
    return tuple(sorted(set(out)))


def _opposed(a: str, b: str, policy: Policy) -> str | None:
    left, right = memory_words(a, policy), memory_words(b, policy)

    def has(side: frozenset[str], word: str, verb: bool) -> bool:
        return any(w.startswith(word) for w in side) if verb else word in side

    for one, other, verb in _antonyms(policy):
        for x, y in ((one, other), (other, one)):
            mine = has(left, x, verb) and not has(right, x, verb)
            if mine and has(right, y, verb) and not has(left, y, verb):
                return "antonym"
    for group in policy.remember.likeness.exclusive:
        ours, theirs = left.intersection(group), right.intersection(group)
        if ours and theirs and not ours & theirs:
            return "entity"
    ours, theirs = _people(a, policy), _people(b, policy)
    return "entity" if ours and theirs and not ours & theirs else None


def _people(text: str, policy: Policy) -> frozenset[str]:
    """Who the sentence is about: people named as its subject, the speaker among them."""
    table = policy.remember.likeness
    korean = policy.remember.say.korean
    found = set()
    for word in words(text):
        bare = bare_noun(word, policy)
        if word in korean["mine"] and word not in ("내", "제", "나의", "전"):
            found.add("나")
        elif word[len(bare) :] in table.roles[0] and (bare in korean["others"] or bare in table.people):
            found.add(table.same_words.get(bare, bare))
    return frozenset(found)


def _swapped(a: str, b: str, policy: Policy) -> tuple[str, str] | None:
    """The two words by which otherwise equal texts differ."""
    left, right = memory_words(a, policy), memory_words(b, policy)
    mine, theirs = left - right, right - left
    alone = len(left) == 1 and a.isascii()
    if len(mine) == 1 and len(theirs) == 1 and (left & right or alone):
        return next(iter(mine)), next(iter(theirs))
    return None


def _one_word_swapped(a: str, b: str, policy: Policy) -> bool:
    """ "He plays the flute" is not "he plays the guitar"; spellings of one word share their beginning."""
    found = _swapped(a, b, policy)
    return found is not None and found[0][:3] != found[1][:3]


def _exclusive(a: str, b: str, policy: Policy) -> bool:
    """My brother's habit is not my friend's, however alike."""
    left, right = memory_words(a, policy), memory_words(b, policy)
    for group in policy.remember.likeness.exclusive_en:
        stems_of = {_english_stem(word) for word in group}
        ours, theirs = left & stems_of, right & stems_of
        if ours and theirs and not ours & theirs:
            return True
    return False


def _role_swapped(a: str, b: str, policy: Policy) -> bool:
    """The same sentence about another subject or object, told by the particle."""
    found = _swapped(a, b, policy)
    if found is None or set(found[0]) & set(found[1]):
        return False
    return any(
        any(w.startswith(found[0]) and w[len(found[0]) :] in role for w in words(a))
        and any(w.startswith(found[1]) and w[len(found[1]) :] in role for w in words(b))
        for role in policy.remember.likeness.roles
    )

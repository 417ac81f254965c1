"""The words that tell a thing: by them it is known again in what else was said."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from clew.kernel.keep.keys import bare_value
from clew.kernel.text.terms import terms
from clew.kernel.text.tokens import figures
from clew.policy import Policy

# So many words of a value tell it once more.
_SEVERAL = 2


def told_anew(text: str, values: Iterable[str], policy: Policy) -> bool:
    """It tells one of these values once more: a figure of it, or several of its words and no fewer than half."""
    amounts, words = figures(text), terms_of(text, policy)
    for value in values:
        bare = bare_value(value)
        mine = told_words(bare, policy)
        shared = len(mine & words)
        if amounts & figures(bare) or (shared >= _SEVERAL and 2 * shared > len(mine)):
            return True
    return False


def told_words(text: str, policy: Policy) -> frozenset[str]:
    """The words that name something; words of talk alone would hold everything back."""
    return terms_of(text, policy) - _talk(policy) - of_endings(policy)


@lru_cache(maxsize=2048)
def terms_of(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy))


@lru_cache(maxsize=4)
def of_endings(policy: Policy) -> frozenset[str]:
    """Pairs of letters of what only ends a word: 다녔는데 and 됐는데 have no thing in common."""
    tables = [words.endings for words in policy.checks.languages.values()]
    listed = (e for own in tables for e in (*own.closed, *own.open, *own.any, *own.verbal))
    return frozenset(e[i : i + 2] for e in listed for i in range(len(e) - 1))


@lru_cache(maxsize=4)
def _talk(policy: Policy) -> frozenset[str]:
    listed = (w for words in policy.checks.languages.values() for w in words.asking)
    stop = policy.remember.correct.target_stop
    return frozenset(t for w in (*listed, *stop) for t in terms_of(w, policy))

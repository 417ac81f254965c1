"""Does a message speak at all of the side of a life that something held is about?"""

from __future__ import annotations

from functools import lru_cache

from clew.kernel.read.change_words import says, says_leaving, without_common
from clew.kernel.statements.features import mentions
from clew.kernel.text.terms import terms
from clew.kernel.text.tokens import digits
from clew.model.memory import SELF, MemoryRecord
from clew.policy import Policy

_LOVE, _THERE = "relationship", ("name", "exists")
# Words that say of themselves that one thing stands instead of another.
_INSTEAD = ("switched", "swap", "corrected")


# "I'm done there" names nothing.
_THINGS = 2


def names_things(text: str, policy: Policy) -> bool:
    """Words beside numbers that mean something of their own."""
    said = _terms(text, policy) - _numbers(policy)
    return sum(not any(c.isdigit() for c in term) for term in said) >= _THINGS


def touches_side(record: MemoryRecord, attribute: str | None, text: str, policy: Policy) -> bool:
    """It shares a word with what was told, names the side or the person, or says that something stands instead.

    "Jacked it in" speaks of work, "we're done" of love; "we lost a hive in the frost" speaks of neither.
    """
    if any(says(text, kind, policy) for kind in _INSTEAD):
        return True
    if digits(record.memory_value) and digits(text):
        return True  # one figure may stand in another's place
    if record.subject != SELF and any(m.subject == record.subject for m in mentions(text, policy.reader)):
        return True
    if attribute == _LOVE or (attribute in _THERE and record.subject in policy.changes.parting):
        return True  # how people part is told in too many ways
    said = _terms(text, policy)
    shared = said & _terms(without_common(record.statement or "", policy.changes.common), policy)
    if any(not any(c.isdigit() for c in term) for term in shared - _numbers(policy)):
        return True  # "four on three off" and "down to three" are not about one thing
    if attribute in policy.checks.leaving and says_leaving(text, policy):
        return True
    return bool(attribute and said & _labels(attribute, policy))


@lru_cache(maxsize=2048)
def _terms(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(term for term, _ in terms(text, policy))


@lru_cache(maxsize=4)
def _numbers(policy: Policy) -> frozenset[str]:
    return frozenset(t for word in policy.text.number_words for t in _terms(word, policy))


@lru_cache(maxsize=256)
def _labels(attribute: str, policy: Policy) -> frozenset[str]:
    """How the side, and those that stand beside it, are called when they are asked for."""
    near = (attribute, *policy.recall.near_attributes.get(attribute, ()))
    listed = (w for words in policy.attributes.languages.values() for a in near for w in words.asked.get(a, ()))
    return frozenset(t for w in listed for t in _terms(w, policy))

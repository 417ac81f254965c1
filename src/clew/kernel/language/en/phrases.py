"""A phrase of the user's inside a sentence of ours: the right article, the right case, a verb that agrees."""

from __future__ import annotations

import re

_OBJECT = {"he": "him", "she": "her", "they": "them", "i": "me", "we": "us"}
_OWN = {"he": "his", "she": "her", "they": "their"}
# Words before which no article stands.
_SET = ("the", "your", "his", "her", "their", "its", "that", "these", "those")
_VERBS = {"is": "are", "does": "do", "has": "have", "was": "were", "what's": "what are"}
_MANY = re.compile(r"(?:[^s]s|people|children|parents|men|women|folks)$", re.I)


def formed(phrase: str, ending: str) -> str | None:
    """ "the": with its article; "him", "their": in that case; "is", "does": behind a verb that agrees; None for others.
    """
    low = phrase.lower()
    if ending == "the":
        return _definite(phrase)
    if ending == "him":
        return _OBJECT.get(low, phrase)
    if ending == "their":
        return _OWN.get(low) or (f"{phrase}'" if phrase.endswith("s") else f"{phrase}'s")
    if ending in _VERBS:
        several = " and " in low or (" " in low and _MANY.search(low) is not None)
        many = low == "they" or (low not in _OBJECT and several)
        return f"{_VERBS[ending] if many else ending} {phrase}"
    return None


def _definite(phrase: str) -> str:
    """kayaks → the kayaks; your stew and Gaelic stay as they are."""
    first = phrase.partition(" ")[0]
    bare = first.lower() not in _SET and first.lower() not in _OBJECT and not first[:1].isupper()
    return f"the {phrase}" if bare else phrase

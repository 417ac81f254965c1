"""Who speaks: names as words, and the roles of a person and of an assistant."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from clew.kernel.text.terms import stop_words
from clew.kernel.text.tokens import words
from clew.model.inquiry import Word
from clew.policy import Policy


def role(speaker: str, policy: Policy) -> str | None:
    """`user`, `assistant`, or None for a person with a name."""
    user, assistant = _roles(policy)
    low = speaker.strip().casefold()
    if low in user:
        return "user"
    return "assistant" if low in assistant else None


@lru_cache(maxsize=4)
def _roles(policy: Policy) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(policy.recall.said("user_speakers")), frozenset(policy.recall.said("assistant_speakers"))


def name_words(speaker: str, policy: Policy) -> tuple[str, ...]:
    """The words of a name that a question may use; a role is not a name."""
    if role(speaker, policy):
        return ()
    stop = stop_words(policy)
    return tuple(w for w in words(speaker) if len(w) > 1 and w not in stop and not w.isdigit())


class Names:
    """All names of one conversation, and how to take them out of a text before it is embedded."""

    __slots__ = ("speakers", "words")

    def __init__(self, speakers: Iterable[str], policy: Policy) -> None:
        self.speakers = {s: name_words(s, policy) for s in sorted(set(speakers))}
        self.words = frozenset(w for parts in self.speakers.values() for w in parts)

    def name(self, word: Word) -> str | None:
        """The name that this word is, whatever hangs behind it."""
        return next((form for form in (word.text, word.bare) if form in self.words), None)

    def removed(self, text: str, words: Sequence[Word]) -> str:
        """The text without those of its words that are names; unchanged when nothing else would be left."""
        if not any(self.name(word) for word in words):
            return text
        kept, end = [], 0
        for word in words:
            if self.name(word):
                kept.append(text[end : word.start])
                end = word.end
        bare = " ".join(" ".join([*kept, text[end:]]).split())
        return bare if any(c.isalnum() for c in bare) else text

    def named_in(self, found: frozenset[str]) -> frozenset[str]:
        """Speakers one of whose names is among these words."""
        return frozenset(s for s, parts in self.speakers.items() if any(w in found for w in parts))

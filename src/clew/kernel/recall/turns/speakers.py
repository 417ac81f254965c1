"""Who speaks: names as words, and the roles of a person and of an assistant."""

from __future__ import annotations

from collections.abc import Iterable

import regex

from clew.kernel.recall.terms import without_particle
from clew.kernel.text.tokens import words
from clew.policy import Policy

_HANGUL = regex.compile(r"^\p{Hangul}+$")


def role(speaker: str, policy: Policy) -> str | None:
    """`user`, `assistant`, or None for a person with a name."""
    low = speaker.strip().casefold()
    if low in policy.recall.user_speakers:
        return "user"
    return "assistant" if low in policy.recall.assistant_speakers else None


def name_words(speaker: str, policy: Policy) -> tuple[str, ...]:
    """The words of a name that a question may use; a role is not a name."""
    if role(speaker, policy):
        return ()
    stop = policy.recall.stop_words
    return tuple(w for w in words(speaker) if len(w) > 1 and w not in stop and not w.isdigit())


def base_word(word: str, particles: tuple[str, ...]) -> str:
    """A word as a name would be written: without possessive, without Korean particle."""
    if word.endswith("'s"):
        return word[:-2]
    return without_particle(word, particles) if _HANGUL.match(word) else word


class Names:
    """All names of one conversation, and how to take them out of a text before it is embedded."""

    __slots__ = ("_pattern", "speakers", "words")

    def __init__(self, speakers: Iterable[str], policy: Policy) -> None:
        self.speakers = {s: name_words(s, policy) for s in sorted(set(speakers))}
        self.words = frozenset(w for parts in self.speakers.values() for w in parts)
        longest = sorted(self.words, key=lambda w: (-len(w), w))
        endings = "|".join(sorted(map(regex.escape, policy.text.particles), key=lambda p: (-len(p), p)))
        names = "|".join(map(regex.escape, longest))
        self._pattern = (
            regex.compile(
                rf"(?<![\p{{L}}\p{{N}}])(?:{names})(?:['’]s|(?<=\p{{Hangul}})(?:{endings}))?(?![\p{{L}}\p{{N}}])",
                regex.IGNORECASE,
            )
            if longest
            else None
        )

    def removed(self, text: str) -> str:
        """The text without names; unchanged when nothing else would be left."""
        if self._pattern is None:
            return text
        bare = " ".join(self._pattern.sub(" ", text).split())
        return bare if any(c.isalnum() for c in bare) else text

    def named_in(self, found: frozenset[str]) -> frozenset[str]:
        """Speakers one of whose names is among these words."""
        return frozenset(s for s, parts in self.speakers.items() if any(w in found for w in parts))

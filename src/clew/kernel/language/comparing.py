"""What a language tells of a statement that another statement may repeat or contradict."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from clew.policy import Policy


class Standing(NamedTuple):
    """Who does what in a statement.

    roles: words with their part, where the language marks it on the word. order: the words that take part, where
    their order tells it. about: whom it is about, if not the speaker. third: somebody else does it.
    """

    roles: frozenset[tuple[str, str]] = frozenset()
    order: tuple[str, ...] = ()
    passive: bool = False
    about: str = ""
    third: bool = False


class Comparing(Protocol):
    @property
    def capitals(self) -> bool:
        """Do capital letters tell names?"""
        ...

    def bare(self, word: str, policy: Policy) -> str:
        """A word as it is compared with another: its noun where that is listed, else its barest stem."""
        ...

    def stem(self, word: str, policy: Policy) -> str:
        """The barest stem of a word, listed or not."""
        ...

    def noun(self, word: str, policy: Policy) -> str:
        """The word without one particle behind it."""
        ...

    def bases(self, word: str, policy: Policy) -> tuple[str, ...]:
        """The word as it stands, then without the ending that its language hangs behind it, if there is one."""
        ...

    def listed(self, word: str) -> str:
        """A word that carries no ending but that of many: one of a list, or of a key."""
        ...

    def forms(self, word: str, policy: Policy) -> frozenset[str]:
        """Every form under which a word may be listed."""
        ...

    def letters(self, word: str) -> str:
        """The word letter by letter, so that forms of one verb share a beginning."""
        ...

    def tail(self, word: str, policy: Policy) -> str:
        """The part that the word's ending gives it in the sentence; "" where it has none."""
        ...

    def is_verb(self, word: str, policy: Policy) -> bool:
        """Is it a verb by its ending?"""
        ...

    def inflected(self, letters: str, policy: Policy) -> bool:
        """In letters, is it a stem of two and one that an ending left on it? Two such are forms of one word."""
        ...

    def denies(self, low: str, policy: Policy) -> bool:
        """Is a text in lower case denied, counting denials of denials?"""
        ...

    def last_clause(self, low: str, policy: Policy) -> str:
        """The clause that says it: where a denial stands there, the whole is denied."""
        ...

    def standing(self, low: str, words: tuple[str, ...], policy: Policy) -> Standing:
        """Who does what; `words` are those of the text."""
        ...

"""One folded line of a transcript, and what a rule may ask of it: how it opens and ends, and what stands at a place.

Lines are many and most are asked nothing, so each answer is found when it is asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from clew.frozen import dataclass

_SENTENCE_END = re.compile(r"[.!?;]")
_WORDS = re.compile(r"[\w']+")
_ALNUM = re.compile(r"[^\W_]")
_LAST_WORD = re.compile(r"([\w']+)\s+$")
_NEXT_WORD = re.compile(r"\s+([\w']+)")
_OPENING = re.compile(r"[\[(<*_\s]+")
_CLOSER = re.compile(r"[\])>*]")
_BRACKETS = frozenset("])>*_.!")
_ASIDE = re.compile(r"^\s*\(([^()]*)\)\W*\w")
_ADDRESS = re.compile(r"^\s*@?([^\s:,>@]+)\s*([:,>]|\s|$)")
_CHUNK = re.compile(r"[^\s:,;!?()\"<>]+")
_MARKED = (":", ",", ">")
_CLOSING = " \t\"'\u201d\u2019)]*_~-\u2014"
_EDGES = " .!"
_PLAINLY_LONG = 24


@dataclass(frozen=True, slots=True)
class Address:
    """The word that a line opens with; `marked`: by a colon, a comma or an @; `rest`: what follows."""

    word: str
    marked: bool
    rest: Remark


@dataclass(frozen=True, slots=True)
class Remark:
    text: str

    @property
    def bare(self) -> str:
        return self.text.strip(_EDGES)

    @property
    def empty(self) -> bool:
        return not self.text.strip()

    @property
    def only_marks(self) -> bool:
        return _ALNUM.search(self.text) is None

    @property
    def words(self) -> list[str]:
        return _WORDS.findall(self.text)

    @property
    def chunks(self) -> list[str]:
        """Runs between spaces and marks, inner marks kept: a name may hold some."""
        return _CHUNK.findall(self.text)

    @property
    def ends_asking(self) -> bool:
        return self.text.rstrip().endswith("?")

    @property
    def asks_at_last(self) -> bool:
        """Ends with a question mark, whatever closing marks stand behind it."""
        return self.text.rstrip(_CLOSING).endswith("?")

    @property
    def core_length(self) -> int:
        """Characters without the punctuation around and in the line (item 2)."""
        if len(self.text) > _PLAINLY_LONG:
            return len(self.text)
        return len("".join(c for c in self.text if c.isalnum() or c in " '").strip())

    @property
    def bracketed(self) -> str:
        """What stands between opening marks at the start and closing marks up to the end, each read once."""
        text = self.text
        opening = _OPENING.match(text)
        if opening is None:
            return ""
        tail = len(text)
        while tail and (text[tail - 1] in _BRACKETS or text[tail - 1].isspace()):
            tail -= 1
        closer = _CLOSER.search(text, opening.end())
        end = min(closer.start() if closer else len(text), len(text) - 1)
        return text[opening.end() : end] if tail <= end else ""

    @property
    def aside(self) -> str | None:
        """The parenthesis before the words of a line: how it is said."""
        lead = _ASIDE.match(self.text)
        return lead[1] if lead else None

    @property
    def address(self) -> Address | None:
        """ "name: …", "name, …", "@name …", or a bare word in front."""
        start = _ADDRESS.match(self.text)
        if start is None:
            return None
        marked = start[2] in _MARKED or start[0].lstrip().startswith("@")
        return Address(start[1], marked, Remark(self.text[start.end() :]))

    def opens_with(self, mark: str) -> bool:
        return self.text.lstrip().startswith(mark)

    def words_from(self, start: int) -> list[str]:
        return _WORDS.findall(self.text[start:])

    def next_word(self, end: int) -> str:
        word = _NEXT_WORD.match(self.text, end)
        return word[1] if word else ""

    def asked_from(self, end: int) -> bool:
        """Does the sentence that goes on here end in a question mark?"""
        stop = _SENTENCE_END.search(self.text, end)
        return stop is not None and stop[0] == "?"

    def opens_clause(self, start: int, opener: Callable[[str], bool], denials: tuple[str, ...]) -> bool:
        """At the start, after a mark, or after a word that opens: not "when I open", "should I open"."""
        before = self.text[:start].rstrip()
        if not before or not (before[-1].isalnum() or before[-1] == "'"):
            return True
        last = _LAST_WORD.search(self.text, 0, start)
        return last is not None and opener(last[1]) and not before.endswith(denials)

    def ends_in(self, endings: tuple[str, ...]) -> bool:
        return self.text.rstrip(" .!~…").endswith(endings)

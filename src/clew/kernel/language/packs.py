"""The installed languages, and which of them a text is in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import regex

from clew.kernel.language.en import English
from clew.kernel.language.ko import Korean
from clew.kernel.language.pack import HOUSE, Pack
from clew.policy import Policy
from clew.programs import program

OTHER = "other"
# In the order in which a text is offered to them; that of the house is the last.
_PACKS: list[Pack] = [Korean(), English()]
# A greeting of two words does not tell a language apart from its neighbours.
_SHORT = 2
_LINKED, _WEB = "://", "www."
_LINK = re.compile(r"(?:https?://|www\.)\S+")
# Letters of a script in which no installed language is written.
_STRANGE = regex.compile(r"[\p{L}--\p{Latin}--\p{Hangul}]", regex.V1)


def packs() -> tuple[Pack, ...]:
    return tuple(_PACKS)


def pack(code: str) -> Pack | None:
    """The pack of a language, None for a language without one."""
    return next((p for p in _PACKS if p.code == code), None)


def house() -> Pack:
    """The language of the house: what is not said in another is read by its rules."""
    return _PACKS[-1]


def native(text: str, policy: Policy) -> Pack:
    """The pack whose rules read this text: the first that owns it, else that of the house."""
    for found in _PACKS:
        if found.code != HOUSE and found.owns(text, policy):
            return found
    return house()


def writer(word: str) -> Pack:
    """The pack in whose letters a word or a text is written, else that of the house."""
    for found in _PACKS:
        if found.code != HOUSE and found.writes(word):
            return found
    return house()


def singular(word: str) -> str:
    """The word for one of what a word names several of, in whichever language it is written."""
    return writer(word).singular(word)


@contextmanager
def installed(new: Pack) -> Iterator[None]:
    """Put a pack before the others, for as long as the block runs."""
    _PACKS.insert(0, new)
    try:
        yield
    finally:
        _PACKS.remove(new)


def language_of(text: str, policy: Policy, spoken: str | None = None) -> str:
    """The code of the first pack that owns the text, else "other".

    A text without letters, or a short one that no pack owns, takes the conversation's language `spoken`; so do a link
    and a line of code, which are written the same in every language. Letters that no pack writes are another language.
    """
    if spoken and not tells_language(text, policy):
        return spoken
    said = _without_links(text)
    said = said if any(c.isalpha() for c in said) else text
    for found in _PACKS:
        if found.owns(said, policy):
            return found.code
    short = sum(any(c.isalpha() for c in word) for word in said.split()) <= _SHORT
    return spoken if spoken and short and not _STRANGE.search(said) else OTHER


def tells_language(text: str, policy: Policy) -> bool:
    """Are there words of a language in it? Signs, a link and a line of code tell none."""
    said = _without_links(text)
    return any(c.isalpha() for c in said) and not program(policy.compose.code, re.M).search(said)


def _without_links(text: str) -> str:
    return _LINK.sub(" ", text) if _LINKED in text or _WEB in text else text

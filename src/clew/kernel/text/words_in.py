"""The words of a text where they stand in it, each also without what its language hangs behind it."""

from __future__ import annotations

import regex

from clew.kernel.text.normalize import normalize
from clew.kernel.text.terms import bare_word
from clew.model.inquiry import Word
from clew.policy import Policy

# Characters without width may stand inside a word, and its apostrophe may be any.
_LETTER = r"[\p{L}\p{N}\p{M}\u200b\u200c\u200d\u2060\ufeff\u00ad]"
_WORD = regex.compile(rf"{_LETTER}+(?:['\u2018\u2019\u02bc\u2032\uff07`]{_LETTER}+)*")


def words_in(text: str, policy: Policy) -> tuple[Word, ...]:
    out = []
    for match in _WORD.finditer(text):
        word = normalize(match.group()).casefold()
        if word:
            out.append(Word(match.start(), match.end(), word, bare_word(word, policy)))
    return tuple(out)

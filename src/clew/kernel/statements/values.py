"""The words of a value without what only surrounds it: articles, particles, endings, trailing adverbs (ruling M8)."""

from __future__ import annotations

import re
from collections.abc import Collection

from clew.policy.reader import ReaderPolicy

_EDGES = " \t\r\n.,;:!?…~\"“”'‘’()[]{}<>«»—–-·*_、。！？ㅋㅎㅠㅜ^"
_CLOSERS = {")": "(", "]": "["}
_HANGUL = re.compile("[\uac00-\ud7a3]")
# Particles of the object, behind a consonant and behind a vowel.
_OBJECT = ("\uc744", "\ub97c")
_SHORTENED = re.compile(r"[A-Za-z]['’](?:t|s|re|ve|ll|d|m)(?![A-Za-z0-9])")
_WORD = re.compile(r"[A-Za-z0-9À-ɏ'’+#./&-]")


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """Latin letters and digits are never cut; a Korean word is whole at its beginning, its ending may go."""
    while start > 0 and _joined(text[start - 1], text[start]):
        start -= 1
    while end < len(text) and _WORD.match(text[end - 1]) and _WORD.match(text[end]) and text[end] not in "./-'’&":
        end += 1
    return start, end


def _joined(before: str, here: str) -> bool:
    if _HANGUL.match(here):
        return bool(_HANGUL.match(before))
    return before.isalnum() and here.isalnum() and not _HANGUL.match(before)


def trimmed(
    text: str, start: int, end: int, cuts: Collection[int], phrase: bool, policy: ReaderPolicy
) -> tuple[int, int]:
    """Where the value stands once trimmed. `cuts` are places between tokens; `phrase` values keep their verb."""
    while True:
        start, end = _edges(text, start, end)
        if start >= end:
            return start, start
        value = text[start:end]
        low = value.lower()
        tails = policy.trailing if phrase else policy.trailing + policy.trailing_times
        tail = next((t for t in tails if low.endswith(" " + t)), None)
        head = None if phrase else next((h for h in policy.leading if low.startswith(h + " ")), None)
        if tail is not None and len(tail) + 1 < len(value):
            end -= len(tail) + 1
        elif head is not None and len(head) + 1 < len(value):
            start += len(head) + 1
        else:
            cut = _particle(value, start, cuts, phrase, policy)
            if not cut:
                return start, end
            end -= cut


def _edges(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and (text[start] in _EDGES or text[start].isspace()):
        start += 1
    if start > 1 and (rest := _SHORTENED.match(text, start - 2, end)):
        # The "t" of "didn't" is no word; what stands behind it may be a value.
        return _edges(text, rest.end(), end)
    while start < end and (text[end - 1] in _EDGES or text[end - 1].isspace()):
        opener = _CLOSERS.get(text[end - 1])
        if opener and opener in text[start : end - 1]:
            break
        end -= 1
    return start, end


def _closed(syllable: str) -> bool:
    return "\uac00" <= syllable <= "\ud7a3" and (ord(syllable) - 0xAC00) % 28 != 0


def _particle(value: str, start: int, cuts: Collection[int], phrase: bool, policy: ReaderPolicy) -> int:
    """How many letters of a Korean ending to take off; one not parted by a token may belong to the word."""
    if not _HANGUL.match(value[-1]):
        return 0
    word = value.rsplit(None, 1)[-1]
    if len(word) >= 2 and word[-1] in _OBJECT and (_closed(word[-2]) == (word[-1] == _OBJECT[0])):
        return 1  # 술을, 커피를; 가을 and 마을 have no consonant before it
    for ending in policy.endings if not phrase else policy.phrase_endings:
        left = len(word) - len(ending)
        if left >= 1 and word.endswith(ending):
            foreign = not _HANGUL.match(word[left - 1])  # 비타민 D도, KTX는
            sure = foreign or (len(ending) > 1 and left >= 2)
            if sure or start + len(value) - len(ending) in cuts:
                return len(ending)
    return 0

"""What the learned readers see of a text beside the encoder's vectors: pieces of words, and a few plain signs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from zlib import crc32

from ahocorasick_rs import AhoCorasick

from clew.frozen import dataclass
from clew.kernel.language.scripts import SYLLABLE, has_syllables
from clew.policy.reader import ReaderPolicy, Words
from clew.programs import program
from clew.required import lowered

BUCKETS = 1 << 14
SIGNS = 12
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[^\w\s]|_")
_END = re.compile(r"[.!?…。！？\n]")
_PLAIN = re.compile(r"[\x00-\x7f]+")
_QUOTES = frozenset("\"“”「」『』")


@dataclass(frozen=True, slots=True)
class Word:
    start: int
    end: int
    text: str


def words_of(text: str) -> list[Word]:
    return [Word(m.start(), m.end(), m.group().lower().replace("’", "'")) for m in _WORD.finditer(text)]


def _bucket(piece: str) -> int:
    return crc32(piece.encode("utf-8", "replace")) % BUCKETS


@lru_cache(maxsize=16384)
def pieces(word: str) -> tuple[int, ...]:
    """The word, and its runs of two to four letters with its edges marked."""
    edged = f"<{word[:40]}>"
    found = ["=" + word]
    for size in (2, 3, 4):
        found += [edged[i : i + size] for i in range(len(edged) - size + 1)]
    return tuple(dict.fromkeys(map(_bucket, found)))


@lru_cache(maxsize=65536)
def neighbours(before: str, word: str) -> tuple[int, ...]:
    return (_bucket(f"{before}_{word}"), _bucket(f"{before[:2]}~{word[-2:]}"))


def bags(words: Sequence[Word]) -> list[tuple[int, ...]]:
    """Per word the buckets of its pieces and of the pair it makes with the word before."""
    return [
        pieces(word.text) + neighbours(words[i - 1].text if i else "^", word.text)
        for i, word in enumerate(words)
    ]


@lru_cache(maxsize=8)
def lexicon(policy: ReaderPolicy) -> tuple[dict[str, str], dict[str, str], frozenset[str]]:
    """Word → relation, word → kind of pet, and the words for oneself."""

    def turned(*tables: Words) -> dict[str, str]:
        return {word: name for table in tables for name, listed in table.items() for word in listed}

    own = frozenset(word for listed in policy.own.values() for word in listed)
    return (
        turned(*(own.relations for own in policy.languages.values())),
        turned(*(own.pets for own in policy.languages.values())),
        own,
    )


def _people(policy: ReaderPolicy) -> tuple[dict[str, str], dict[str, str]]:
    return lexicon(policy)[:2]


@lru_cache(maxsize=8)
def _finder(policy: ReaderPolicy, kind: int, flags: int) -> re.Pattern[str]:
    """Whole words; those written in syllables may carry an ending, and stand at a word's beginning."""
    table = _people(policy)[kind]
    whole = sorted((w for w in table if not has_syllables(w)), key=len, reverse=True)
    begun = sorted((w for w in table if has_syllables(w)), key=len, reverse=True)
    plain = "|".join(map(re.escape, whole)) or "(?!)"
    glued = "|".join(map(re.escape, begun)) or "(?!)"
    owners = "|".join(map(re.escape, policy.said("owners"))) or "(?!)"
    return program(
        rf"(?<![\w'-])(?:{plain})(?=s?(?![\w-]))"
        rf"|(?<!{SYLLABLE})(?:{owners})?(?P<glued>{glued})",
        flags,
    )


@dataclass(frozen=True, slots=True)
class Mention:
    """A word for one of the user's people or pets."""

    start: int
    end: int
    subject: str


def mentions(text: str, policy: ReaderPolicy) -> list[Mention]:
    return list(_mentions(text, policy))


@lru_cache(maxsize=512)
def _mentions(text: str, policy: ReaderPolicy) -> tuple[Mention, ...]:
    """Many rooms ask for those of the same message."""
    if not _hints(policy).find_matches_as_indexes(lowered(text)):
        return ()
    found: list[Mention] = []
    # Small letters alone are found several times as fast as letters of either size. Where every letter beyond the
    # plain ones has but one size, that is the same search: each letter keeps its place, and has no third way.
    others = _PLAIN.sub("", text)
    small = others.lower() == others.upper() and _in_small_letters(policy)
    said, flags = (text.lower(), 0) if small else (text, int(re.IGNORECASE))
    for kind, prefix in ((0, "person"), (1, "pet")):
        table = _people(policy)[kind]
        for m in _finder(policy, kind, flags).finditer(said):
            group = "glued" if m.group("glued") else 0
            name = table.get(m.group(group).lower())
            if name:
                found.append(Mention(m.start(group), m.end(group), f"{prefix}:{name}"))
    return tuple(sorted(found, key=lambda m: (m.start, -m.end)))


@lru_cache(maxsize=8)
def _hints(policy: ReaderPolicy) -> AhoCorasick:
    """Whether any of the words stands anywhere is seen in one pass; mostly none does."""
    return AhoCorasick(sorted({lowered(word) for table in _people(policy) for word in table}))


@lru_cache(maxsize=8)
def _in_small_letters(policy: ReaderPolicy) -> bool:
    words = (*_people(policy)[0], *_people(policy)[1], *policy.said("owners"))
    return all(word == word.lower() for word in words)


def signs(text: str, words: Sequence[Word], found: Sequence[Mention], policy: ReaderPolicy) -> list[tuple[int, ...]]:
    """Per word: plain marks that the letters' pieces do not carry."""
    own = lexicon(policy)[2]
    kinds = [0] * (len(text) + 1)
    for m in found:
        for at in range(m.start, m.end):
            kinds[at] = 1 if m.subject.startswith("person") else 2
    asked = _asked(text)
    rows: list[tuple[int, ...]] = []
    quoted = 0
    in_syllables = int(has_syllables(text))
    last = len(words) - 1
    for i, word in enumerate(words):
        shown = text[word.start : word.end]
        if shown in _QUOTES:
            quoted ^= 1
        rows.append((
            int(shown[0].isupper()), int(any(c.isdigit() for c in shown)), int(shown.isupper() and len(shown) > 1),
            asked[word.start], in_syllables, int(kinds[word.start] == 1), int(kinds[word.start] == 2),
            int(word.text in own), quoted, int(i == 0), int(i == last), int(not shown[0].isalnum()),
        ))  # fmt: skip
    return rows


def _asked(text: str) -> list[int]:
    """Per character whether the sentence it stands in ends with a question mark."""
    out = [0] * (len(text) + 1)
    start = 0
    for m in _END.finditer(text):
        if m.group() in "?？":
            out[start : m.end()] = [1] * (m.end() - start)
        start = m.end()
    return out

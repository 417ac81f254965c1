"""English as a pack."""

from __future__ import annotations

import re
from collections.abc import Sequence

import regex

from clew.kernel.language.comparing import Comparing
from clew.kernel.language.en import dates, doings, gathering, phrases, questions, stems
from clew.kernel.language.en.tellings import TELLINGS
from clew.kernel.language.gathering import Bearer
from clew.kernel.language.pack import Rules
from clew.kernel.language.plain import Plain
from clew.kernel.language.telling import Telling
from clew.model.inquiry import NamedDate
from clew.policy import Policy

_LATIN = regex.compile(r"\p{Latin}")
_ASCII = re.compile(r"[A-Za-z]")
_LETTER = regex.compile(r"\p{L}")
_WORD = regex.compile(r"[\p{Latin}\p{M}]+(?:['’]\p{Latin}+)*")
_VOWEL = re.compile(r"(?i)^(?:[aeio]|u(?!ni|s[aeiou]|tens)|hono|hour|heir)")
# Capitals are said letter by letter: a UX designer, an HR manager.
_LETTERS = re.compile(r"^([A-Z])[A-Z]{1,3}\b")
_SAID_WITH_VOWEL = frozenset("AEFHILMNORSX")
# "Who started archery?": the past without a helping verb.
_PAST = re.compile(r" (?:who|what|which(?: \w+)?) \w+(?<!e)ed ")
# A word of no more letters is no plural, whatever it ends in; nor is one that ends so.
_SHORTEST_PLURAL = 3
_NO_PLURALS = ("ss", "'s", "us", "is")
_TOPIC = re.compile(r"\s*(?P<name>[A-Z][\w-]+)(?=\s|['’]s\b)")


class English(Plain):
    code = "en"

    @property
    def rules(self) -> Rules:
        """Loaded when a sentence is first read: they build on rooms that build on the packs."""
        from clew.kernel.language.en import rules

        return rules

    @property
    def comparing(self) -> Comparing:
        from clew.kernel.language.en import comparing

        return comparing

    def writes(self, word: str) -> bool:
        return _LATIN.search(word) is not None

    def owns(self, text: str, policy: Policy) -> bool:
        """Mostly Latin letters, and not more words of another language than of English."""
        latin = len(_LATIN.findall(text)) if not text.isascii() else sum(map(str.isalpha, text))
        if not latin:
            return False
        if not text.isascii() and latin * 2 < len(_LETTER.findall(text)):
            return False
        words = policy.language.languages[self.code]
        found = [w.replace("’", "'") for w in _WORD.findall(text.lower())]
        foreign = sum(w in words.foreign for w in found)
        least, share = policy.language.foreign_least, policy.language.foreign_share
        if foreign < least or foreign * share.denominator < len(found) * share.numerator:
            return True
        return sum(w in words.common for w in found) >= foreign

    def asks(self, tokens: Sequence[str], no_punct: str, policy: Policy) -> bool:
        return questions.asks(tokens, no_punct, policy.listen)

    def negated(self, sentence: str, policy: Policy) -> bool:
        words = frozenset(sentence.lower().replace("’", "'").split())
        return not words.isdisjoint(policy.language.languages[self.code].negations)

    def join(self, word: str, ending: str) -> str:
        """ "a" puts the right article before the word; "s" makes it possessive; the rest: see `phrases`."""
        if ending == "a":
            letters = _LETTERS.match(word)
            vowel = letters[1] in _SAID_WITH_VOWEL if letters else _VOWEL.match(word)
            return f"{'an' if vowel else 'a'} {word}"
        if (formed := phrases.formed(word, ending)) is not None:
            return formed
        return f"{word}'" if word.endswith("s") else f"{word}'s"

    def topic(self, sentence: str) -> str | None:
        found = _TOPIC.match(sentence)
        return found["name"] if found else None

    def run_on(self, told: Sequence[str], policy: Policy) -> Sequence[str]:
        return gathering.run_on(told, policy.compose.languages[self.code].gathering)

    def gathered(self, bearers: Sequence[Bearer], policy: Policy) -> Sequence[str]:
        return gathering.gathered(bearers, policy.compose.languages[self.code].gathering)

    def fragment(self, told: str, bearer: Bearer | None, policy: Policy) -> str:
        return gathering.fragment(told, bearer, policy.compose.languages[self.code].gathering)

    def doing(self, verb: str) -> str:
        return doings.doing(verb)

    def names_doing(self, word: str) -> bool:
        return doings.names_doing(word)

    def singular(self, word: str) -> str:
        if len(word) <= _SHORTEST_PLURAL or not word.endswith("s") or word.endswith("ss"):
            return word
        return word[:-3] + "y" if word.endswith("ies") else word[:-1]

    def plural(self, word: str) -> bool:
        return len(word) > _SHORTEST_PLURAL and word.endswith("s") and not word.endswith(_NO_PLURALS)

    def tellings(self, sentence: str) -> Sequence[Telling]:
        return TELLINGS if _ASCII.search(sentence) else ()

    def bare(self, word: str, policy: Policy) -> str:
        return stems.bare(word)

    def stem(self, word: str, policy: Policy) -> str:
        return stems.stem(word, policy, self.code)

    def dates(self, text: str, policy: Policy) -> tuple[tuple[NamedDate, ...], str]:
        return dates.dates(text, policy, self.code)

    def happened(self, padded: str, policy: Policy) -> bool:
        cues = policy.recall.languages[self.code].told_cues
        return any(f" {cue} " in padded for cue in cues) or _PAST.search(padded) is not None

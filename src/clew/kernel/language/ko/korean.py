"""Korean as a pack."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from clew.kernel.language.comparing import Comparing
from clew.kernel.language.ko import dates, letters, questions
from clew.kernel.language.ko.doings import closed, doing
from clew.kernel.language.ko.nominal import noun_phrase
from clew.kernel.language.ko.particles import exchanged, with_particle, with_particles, without_particle
from clew.kernel.language.ko.tellings import TELLINGS
from clew.kernel.language.ko.values import bare_name, plan_core, topic, value_end, value_start, value_tail
from clew.kernel.language.pack import Rules
from clew.kernel.language.plain import Plain
from clew.kernel.language.scripts import has_syllables, in_syllables, mostly_syllables
from clew.kernel.language.telling import Telling
from clew.kernel.language.told import Told
from clew.model.inquiry import NamedDate
from clew.policy import Policy
from clew.policy.reader import ReaderPolicy

# What is left of "next week" with it, once the time is cut off.
_SOME_PLAN = "약속"


class Korean(Plain):
    code = "ko"

    @property
    def rules(self) -> Rules:
        """Loaded when a sentence is first read: they build on rooms that build on the packs."""
        from clew.kernel.language.ko import rules

        return rules

    @property
    def comparing(self) -> Comparing:
        from clew.kernel.language.ko import comparing

        return comparing

    def writes(self, word: str) -> bool:
        return has_syllables(word)

    def owns(self, text: str, policy: Policy) -> bool:
        return mostly_syllables(text, policy.text)

    def asks(self, tokens: Sequence[str], no_punct: str, policy: Policy) -> bool:
        return not no_punct.isascii() and questions.asks(tokens, policy.listen)

    def negated(self, sentence: str, policy: Policy) -> bool:
        words = policy.language.languages[self.code].negations
        return any(token.startswith(words) or "지 않" in token for token in sentence.split())

    def join(self, word: str, ending: str) -> str:
        return with_particle(word, ending)

    def closed(self, clause: str) -> str:
        return closed(clause)

    def finished(self, told: str) -> str:
        return with_particles(told)

    def polite(self, text: str) -> bool | None:
        from clew.kernel.language.ko.speech import is_polite

        return is_polite(text)

    def spoken(self, told: str, polite: bool) -> str:
        from clew.kernel.language.ko.speech import plainly, politely

        return politely(told) if polite else plainly(told)

    def by_person(self, facts: Sequence[Told], polite: bool) -> Sequence[str]:
        from clew.kernel.language.ko.gathering import gathered

        return gathered(facts, polite=polite)

    def value_end(self, text: str, start: int, end: int, policy: Policy) -> int:
        return value_end(text, start, end, policy.checks.languages[self.code].endings)

    def value_start(self, text: str, start: int, end: int, policy: Policy) -> int:
        adverbs = policy.remember.languages[self.code].adverbs
        return value_start(text, start, end, adverbs, policy.checks.languages[self.code].endings)

    def value_tail(self, value: str, parted: Collection[int], phrase: bool, policy: ReaderPolicy) -> int:
        return value_tail(value, parted, policy.phrase_endings if phrase else policy.endings)

    def bare_name(self, name: str) -> str:
        return bare_name(name)

    def hails(self, name: str, said: str) -> bool:
        return said == f"{name}이"

    def tells_when(self, words: str, policy: Policy) -> bool:
        return self.plan(f"{words} {_SOME_PLAN}", policy) == _SOME_PLAN

    def topic(self, sentence: str) -> str | None:
        return topic(sentence)

    def as_listed(self, word: str) -> Sequence[str]:
        return letters.as_listed(word)

    def tellings(self, sentence: str) -> Sequence[Telling]:
        return TELLINGS if in_syllables(sentence) else ()

    def plan(self, value: str, policy: Policy) -> str:
        return plan_core(value, policy.checks.languages[self.code].endings)

    def as_noun(self, value: str) -> str:
        return doing(value)

    def exchanged(self, text: str, old: str, new: str) -> str:
        return exchanged(text, old, new)

    def noun_phrase(self, value: str) -> str:
        return noun_phrase(value)

    def bare(self, word: str, policy: Policy) -> str:
        return without_particle(word, policy.text.particles)

    def dates(self, text: str, policy: Policy) -> tuple[tuple[NamedDate, ...], str]:
        return dates.dates(text)

    def happened(self, padded: str, policy: Policy) -> bool:
        cues = policy.recall.languages[self.code].told_cues
        return any(cue in padded for cue in cues) or letters.past(padded)

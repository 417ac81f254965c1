"""Korean as a pack."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.language.ko import dates, letters, questions
from clew.kernel.language.ko.particles import with_particle, without_particle
from clew.kernel.language.ko.speech import is_polite, plainly, politely
from clew.kernel.language.ko.tellings import TELLINGS
from clew.kernel.language.ko.values import bare_name, plan_core, topic, value_end
from clew.kernel.language.scripts import in_syllables, mostly_syllables
from clew.kernel.language.shapes import act_by_shape
from clew.kernel.language.telling import Telling
from clew.model.inquiry import NamedDate
from clew.model.utterance import Act
from clew.policy import Policy


class Korean:
    code = "ko"

    def owns(self, text: str, policy: Policy) -> bool:
        return mostly_syllables(text, policy.text)

    def asks(self, tokens: Sequence[str], no_punct: str, policy: Policy) -> bool:
        return not no_punct.isascii() and questions.asks(tokens, policy.listen)

    def act(self, sentence: str, policy: Policy) -> Act | None:
        return act_by_shape(self.code, sentence, policy)

    def negated(self, sentence: str, policy: Policy) -> bool:
        words = policy.language.languages[self.code].negations
        return any(token.startswith(words) or "지 않" in token for token in sentence.split())

    def join(self, word: str, ending: str) -> str:
        return with_particle(word, ending)

    def polite(self, text: str) -> bool | None:
        return is_polite(text)

    def spoken(self, told: str, polite: bool) -> str:
        return politely(told) if polite else plainly(told)

    def politely(self, sentence: str) -> str:
        return politely(sentence)

    def value_end(self, text: str, start: int, end: int, policy: Policy) -> int:
        return value_end(text, start, end, policy.checks.languages[self.code].endings)

    def bare_name(self, name: str) -> str:
        return bare_name(name)

    def topic(self, sentence: str) -> str | None:
        return topic(sentence)

    def tellings(self, sentence: str) -> Sequence[Telling]:
        return TELLINGS if in_syllables(sentence) else ()

    def plan(self, value: str, policy: Policy) -> str:
        return plan_core(value, policy.checks.languages[self.code].endings)

    def bare(self, word: str, policy: Policy) -> str:
        return without_particle(word, policy.text.particles)

    def stem(self, word: str, policy: Policy) -> str:
        return word

    def dates(self, text: str, policy: Policy) -> tuple[tuple[NamedDate, ...], str]:
        return dates.dates(text)

    def happened(self, padded: str, policy: Policy) -> bool:
        cues = policy.recall.languages[self.code].told_cues
        return any(cue in padded for cue in cues) or letters.past(padded)

"""A language without rules of its own. A new pack starts from it and writes down only what its language has."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from clew.kernel.language.comparing import Comparing, Standing
from clew.kernel.language.gathering import Bearer
from clew.kernel.language.pack import Rules
from clew.kernel.language.shapes import act_by_shape
from clew.kernel.language.telling import Telling
from clew.kernel.language.told import Told
from clew.model.inquiry import NamedDate
from clew.model.utterance import Act
from clew.policy import Policy
from clew.policy.reader import ReaderPolicy


class NoRules:
    """Reads nothing by rule."""

    reads_accounts = False

    def stands_in(self, sentence: str) -> bool:
        return False

    def facts(self, sentence: str, policy: Policy) -> Iterable[tuple[str, str]]:
        return ()

    def likings(self, sentence: str, policy: Policy, unknown: str | None) -> tuple[()]:
        return ()

    def avoided(self, sentence: str, policy: Policy) -> tuple[()]:
        return ()

    def moods(self, sentence: str, policy: Policy, eventful: bool) -> Iterable[tuple[str, str]]:
        return ()

    def events(self, sentence: str, policy: Policy) -> Iterable[tuple[str, str]]:
        return ()

    def deed(self, sentence: str, policy: Policy) -> None:
        return None

    def pastimes(self, sentence: str, policy: Policy) -> tuple[()]:
        return ()

    def taken_up(self, sentence: str, policy: Policy) -> tuple[()]:
        return ()

    def month(self, low: str, policy: Policy) -> tuple[int, int | None] | None:
        return None


class ByWords:
    """Compares words as they are written."""

    capitals = True

    def bare(self, word: str, policy: Policy) -> str:
        return word

    def stem(self, word: str, policy: Policy) -> str:
        return word

    def noun(self, word: str, policy: Policy) -> str:
        return word

    def bases(self, word: str, policy: Policy) -> tuple[str, ...]:
        return (word,)

    def listed(self, word: str) -> str:
        return word

    def forms(self, word: str, policy: Policy) -> frozenset[str]:
        return frozenset((word,))

    def letters(self, word: str) -> str:
        return word

    def tail(self, word: str, policy: Policy) -> str:
        return ""

    def is_verb(self, word: str, policy: Policy) -> bool:
        return False

    def inflected(self, letters: str, policy: Policy) -> bool:
        return False

    def denies(self, low: str, policy: Policy) -> bool:
        return False

    def last_clause(self, low: str, policy: Policy) -> str:
        return low

    def standing(self, low: str, words: tuple[str, ...], policy: Policy) -> Standing:
        return Standing()


class Plain:
    """Keeps the promise of a pack but for `owns`; acts and denials come from its language.toml, where it has one."""

    code = ""

    @property
    def rules(self) -> Rules:
        return NoRules()

    @property
    def comparing(self) -> Comparing:
        return ByWords()

    def writes(self, word: str) -> bool:
        return False

    def asks(self, tokens: Sequence[str], no_punct: str, policy: Policy) -> bool:
        return False

    def act(self, sentence: str, policy: Policy) -> Act | None:
        return act_by_shape(self.code, sentence, policy)

    def negated(self, sentence: str, policy: Policy) -> bool:
        own = policy.language.languages.get(self.code)
        return own is not None and not frozenset(sentence.lower().split()).isdisjoint(own.negations)

    def join(self, word: str, ending: str) -> str:
        return word + ending

    def closed(self, clause: str) -> str:
        return clause

    def finished(self, told: str) -> str:
        return told

    def polite(self, text: str) -> bool | None:
        return None

    def run_on(self, told: Sequence[str], policy: Policy) -> Sequence[str]:
        return told

    def gathered(self, bearers: Sequence[Bearer], policy: Policy) -> Sequence[str]:
        return [s for b in bearers for s in (*b.there, *([b.called] if b.called else ()), *b.told)]

    def fragment(self, told: str, bearer: Bearer | None, policy: Policy) -> str:
        return ""

    def spoken(self, told: str, polite: bool) -> str:
        return told

    def by_person(self, facts: Sequence[Told], polite: bool) -> Sequence[str]:
        return ()

    def value_end(self, text: str, start: int, end: int, policy: Policy) -> int:
        return end

    def value_start(self, text: str, start: int, end: int, policy: Policy) -> int:
        return start

    def value_tail(self, value: str, parted: Collection[int], phrase: bool, policy: ReaderPolicy) -> int:
        return 0

    def bare_name(self, name: str) -> str:
        return name

    def hails(self, name: str, said: str) -> bool:
        return False

    def tells_when(self, words: str, policy: Policy) -> bool:
        return False

    def topic(self, sentence: str) -> str | None:
        return None

    def doing(self, verb: str) -> str:
        return verb

    def names_doing(self, word: str) -> bool:
        return False

    def singular(self, word: str) -> str:
        return word

    def plural(self, word: str) -> bool:
        return False

    def as_listed(self, word: str) -> Sequence[str]:
        return ()

    def tellings(self, sentence: str) -> Sequence[Telling]:
        return ()

    def plan(self, value: str, policy: Policy) -> str:
        return value

    def as_noun(self, value: str) -> str:
        return value

    def exchanged(self, text: str, old: str, new: str) -> str:
        return re.sub(rf"(?<!\w){re.escape(old)}(?![A-Za-z0-9])", lambda _: new, text, count=1, flags=re.I)

    def noun_phrase(self, value: str) -> str:
        return value

    def bare(self, word: str, policy: Policy) -> str:
        return word

    def stem(self, word: str, policy: Policy) -> str:
        return word

    def dates(self, text: str, policy: Policy) -> tuple[tuple[NamedDate, ...], str]:
        return (), text

    def happened(self, padded: str, policy: Policy) -> bool:
        return False

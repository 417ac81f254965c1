"""What one message of a general conversation carries: whom it speaks to, what form it has, its words."""

from __future__ import annotations

import math
from collections import Counter

from clew.frozen import dataclass
from clew.kernel.link.score import tokens
from clew.kernel.link.sheet import Sheet
from clew.kernel.read.remark import Remark
from clew.model.link import Intent, IntentType
from clew.policy.link import LinkPolicy

_EDGES = "'_.-@`"


@dataclass(frozen=True, slots=True)
class Message:
    """`to` are voices addressed at the start, `named` those named elsewhere."""

    position: int
    index: int
    voice: int
    to: frozenset[int]
    named: frozenset[int]
    asks: bool
    greets: bool
    thanks: bool
    short: bool
    leans: bool
    calls: bool
    words: frozenset[str]
    length: int


class Hall:
    """All messages of a conversation, and how rare each word is in it."""

    def __init__(self, sheet: Sheet, intents: list[Intent], positions: list[int], policy: LinkPolicy) -> None:
        self.policy = policy
        table = policy.best
        self._common = frozenset(
            (*policy.stopwords, *table.acknowledgements, *table.anaphora, *table.greetings, *table.thanks,
             *table.answer_starts, *table.everyone)
        )
        self._names = self._known_names(sheet)
        self._greetings, self._thanks = frozenset(table.greetings), frozenset(table.thanks)
        self._acks, self._leaning = frozenset(table.acknowledgements), frozenset(table.anaphora)
        self._everyone = frozenset(table.everyone)
        asking = {i.position for i in intents if i.type is IntentType.QUESTION}
        self.messages = [self._message(sheet, p, p in asking) for p in positions]
        seen = Counter(word for message in self.messages for word in message.words)
        total = len(self.messages)
        self.rarity = {word: math.log((total + 1) / (n + 1)) + 1.0 for word, n in seen.items()}
        self._weight = {message.position: self._sum(message.words) for message in self.messages}

    def _known_names(self, sheet: Sheet) -> dict[str, int]:
        out: dict[str, int] = {}
        for number, name in enumerate(sheet.names):
            key = name.strip().lower()
            out.setdefault(key, number)
            out.setdefault(key.strip(_EDGES), number)
        out.pop("", None)
        return out

    def _message(self, sheet: Sheet, position: int, asks: bool) -> Message:
        voice = sheet.voices[position]
        to, rest = self._addressed(Remark(sheet.low[position]), voice)
        words = rest.words
        named = {
            number
            for chunk in rest.chunks
            if len(chunk) >= self.policy.best.name_min
            and chunk not in self._common
            and (number := self._names.get(chunk, self._names.get(chunk.strip(_EDGES), -1))) >= 0
            and number != voice
        }
        first = words[0] if words else ""
        return Message(
            position,
            sheet.index[position],
            voice,
            frozenset(to),
            frozenset(named - to),
            asks,
            first in self._greetings,
            any(word in self._thanks for word in words[:4]),
            len(words) <= self.policy.best.short_words,
            first in self._leaning or first in self._acks,
            not self._everyone.isdisjoint(words[: self.policy.best.call_reach]),
            tokens(rest, self.policy),
            len(words),
        )

    def _addressed(self, line: Remark, voice: int) -> tuple[set[int], Remark]:
        """A name that is marked, or a bare one that is no common word; several may follow."""
        to: set[int] = set()
        while (start := line.address) is not None:
            word = start.word
            number = self._names.get(word, self._names.get(word.strip(_EDGES), -1))
            plain = len(word) >= self.policy.best.name_min and word not in self._common
            if number < 0 or number == voice or not (start.marked or plain):
                break
            to.add(number)
            line = start.rest
        return to, line

    def kinship(self, a: Message, b: Message) -> float:
        """Rare words in common, against the rarity of the shorter message's words."""
        if a.words.isdisjoint(b.words):
            return 0.0
        shared = a.words & b.words
        lighter = min(self._weight[a.position], self._weight[b.position])
        return self._sum(shared) / math.sqrt(lighter * len(shared))

    def _sum(self, words: frozenset[str]) -> float:
        """Exact, so that the order of a set does not matter."""
        return math.fsum(self.rarity[word] for word in words)

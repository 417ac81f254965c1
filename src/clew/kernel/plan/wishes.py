"""How the user wants to be written to: read from their words, kept as `rule:` memories, obeyed as limits.

A wish that no limit can keep is quoted to a model as the user's wish, never as an instruction of ours.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import lru_cache

from clew.kernel.text.sentences import sentences
from clew.model.memory import Candidate, MemoryRecord, MemoryType
from clew.model.persona import EmojiFreq, Humor, Length, StableStyleParams
from clew.policy import Policy

_RULE = "rule"
_STATED = Decimal("0.80")


@dataclass(frozen=True, slots=True)
class Manner:
    """The persona's limits as the user wants them; `others` are wishes that no limit keeps."""

    style: StableStyleParams
    formal: bool | None = None
    questions: bool = True
    others: tuple[str, ...] = ()


@lru_cache(maxsize=8)
def _shapes(policy: Policy) -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple(
        (*name.split("."), re.compile(row.pattern, re.I))
        for words in policy.plan.languages.values()
        for name, row in words.wishes.items()
    )


def wishes_in(text: str, policy: Policy) -> tuple[Candidate, ...]:
    """ "shorter please" → rule:length = short. The last wish of a kind counts."""
    found: dict[str, Candidate] = {}
    for sentence in sentences(text, policy.text):
        if (wish := _wish(sentence, policy)) is None:
            continue
        kind, value = wish
        found[kind] = Candidate(
            MemoryType.FACT,
            f"{_RULE}:{kind}",
            value,
            _STATED,
            attribute=_RULE,
            statement=sentence.strip(),
        )
    return tuple(found.values())


def _wish(sentence: str, policy: Policy) -> tuple[str, str] | None:
    said = sentence.replace("’", "'").strip()
    return next(((kind, value) for kind, value, shape in _shapes(policy) if shape.search(said)), None)


def manner(style: StableStyleParams, rules: Sequence[MemoryRecord], policy: Policy) -> Manner:
    """Oldest first, so that the newest wish wins."""
    made = Manner(style)
    others: list[str] = []
    for rule in sorted(rules, key=lambda r: (r.last_confirmed_at, r.memory_id)):
        kind = rule.memory_key.partition(":")[2]
        wish = (kind, rule.memory_value)
        if wish not in _KEPT:
            read = _wish(rule.statement or rule.memory_value, policy)
            if read is None:
                others.append(rule.statement or rule.memory_value)
                continue
            wish = read
        made = _obeyed(made, *wish)
    return replace(made, others=tuple(others))


def _obeyed(made: Manner, kind: str, value: str) -> Manner:
    style = made.style
    if kind == "length":
        return replace(made, style=replace(style, msg_length_pref=Length(value)))
    if kind == "emoji":
        return replace(made, style=replace(style, emoji_freq=EmojiFreq(value)))
    if kind == "humor":
        return replace(made, style=replace(style, humor_mode=Humor(value)))
    if kind == "questions":
        return replace(made, questions=value != "none")
    return replace(made, formal=value == "formal")


_KEPT = {
    *(("length", x.value) for x in Length),
    *(("emoji", x.value) for x in EmojiFreq),
    *(("humor", x.value) for x in Humor),
    ("questions", "none"),
    ("questions", "some"),
    ("speech", "formal"),
    ("speech", "casual"),
}

"""How the user wants to be written to: read from their words, kept as `rule:` memories, obeyed as limits.

A wish that no limit can keep is quoted to a model as the user's wish, never as an instruction of ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.text.passage import Passage
from clew.model.memory import Candidate, MemoryRecord, MemoryType
from clew.model.persona import EmojiFreq, Humor, Length, StableStyleParams
from clew.pattern_table import PatternTable
from clew.policy import Policy

_RULE, _CALLED = "rule", "called"
_STATED = Decimal("0.80")


@dataclass(frozen=True, slots=True)
class Manner:
    """The persona's limits as the user wants them; `others` are wishes that no limit keeps."""

    style: StableStyleParams
    formal: bool | None = None
    questions: bool = True
    # What the user calls the friend.
    called: str | None = None
    others: tuple[str, ...] = ()


@lru_cache(maxsize=8)
def _shapes(policy: Policy) -> tuple[PatternTable, tuple[str, ...]]:
    rows = [row for words in policy.plan.languages.values() for row in words.wishes.items()]
    return PatternTable([row.pattern for _, row in rows]), tuple(name for name, _ in rows)


def wishes_in(said: Passage, policy: Policy) -> tuple[Candidate, ...]:
    """ "shorter please" → rule:length, in the user's own words. The last wish of a kind counts."""
    found: dict[str, Candidate] = {}
    for sentence in said.sentences:
        if (wish := _wish(sentence, policy)) is None:
            continue
        words = sentence.strip(" .!")
        found[wish[0]] = Candidate(
            MemoryType.FACT, f"{_RULE}:{wish[0]}", words, _STATED, attribute=_RULE, statement=sentence.strip()
        )
    return tuple(found.values())


def _wish(sentence: str, policy: Policy) -> tuple[str, str] | None:
    said = sentence.replace("’", "'").strip()
    shapes, names = _shapes(policy)
    for place, found in shapes.matches(said):
        kind, _, value = names[place].partition(".")
        return kind, found.groupdict().get("value") or value
    return None


def manner(
    style: StableStyleParams, rules: Sequence[MemoryRecord], told: Sequence[Candidate], policy: Policy
) -> Manner:
    """Oldest first, so that the newest wish wins; one of this very message is obeyed at once."""
    ordered = sorted(rules, key=lambda r: (r.last_confirmed_at, r.memory_id))
    said = [r.statement or r.memory_value for r in ordered]
    said += [c.statement or c.value for c in told if c.attribute == _RULE]
    made = Manner(style)
    others: list[str] = []
    for words in said:
        wish = _wish(words, policy)
        if wish is None:
            others.append(words)
        else:
            made = _obeyed(made, *wish)
    return replace(made, others=tuple(dict.fromkeys(others)))


def _obeyed(made: Manner, kind: str, value: str) -> Manner:
    style = made.style
    if kind == "length":
        return replace(made, style=replace(style, msg_length_pref=Length(value)))
    if kind == "emoji":
        return replace(made, style=replace(style, emoji_freq=EmojiFreq(value)))
    if kind == "humor":
        return replace(made, style=replace(style, humor_mode=Humor(value)))
    if kind == _CALLED:
        return replace(made, called=value)
    if kind == "questions":
        return replace(made, questions=value != "none")
    return replace(made, formal=value == "formal")

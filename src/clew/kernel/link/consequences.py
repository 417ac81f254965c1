"""What kind of consequence a line is (rulings C5, C11, C20). First match wins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from clew.kernel.link.sheet import Scanner
from clew.kernel.read.remark import Remark
from clew.model.link import ConsequenceType
from clew.policy.link import LinkPolicy
from clew.programs import program

_OPENING = r"^[\s\"'(\[\-\u2014\u2026.]*"
# A hyphen that goes on belongs to the word: "no-one".
_ENDS = r"(?![\w']|-\w)"
_GOES_ON = re.compile(r"-\w")
_INSIDE = re.compile(r"\w")


def _any(phrases: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(p) for p in sorted(phrases, key=lambda p: (-len(p), p))) + ")"


class Cue(NamedTuple):
    """What a phrase makes of a line, anywhere in it or only when it opens the line."""

    anywhere: ConsequenceType | None
    opening: ConsequenceType | None


_ORDER = (
    ConsequenceType.ROLL,
    ConsequenceType.INFORMATION,
    ConsequenceType.DETERMINISTIC,
    ConsequenceType.COMMITMENT,
)


class Reader:
    def __init__(self, policy: LinkPolicy) -> None:
        words = policy.consequences
        self.scanner = Scanner(_cues(policy))
        self.damage = program(words.damage)
        self.yes_no = re.compile(rf"{_OPENING}{_any(words.yes_no)}{_ENDS}")
        self.refusal = re.compile(rf"{_OPENING}{_any(words.refusals)}{_ENDS}")
        self.address = re.compile(rf"\b{_any(words.address)}(?![\w'])")
        self.answer_form = re.compile(rf"\b{_any(words.answer_form)}(?![\w'])")
        self.yes_no_prompt = re.compile(
            "|".join(rf"\b{re.escape(p)}" + ("" if p.endswith("?") else r"\b") for p in words.yes_no_prompts)
        )


def _cues(policy: LinkPolicy) -> dict[str, Cue]:
    words = policy.consequences
    roll, information, deterministic, commitment = _ORDER
    anywhere: dict[str, ConsequenceType] = {}
    opening: dict[str, ConsequenceType] = {}
    saves = [f"{a} {end}" for a in words.abilities for end in ("saving throw", "save")]
    for kind, phrases in (
        (commitment, [f"you {w}" for w in words.agree] + list(words.commit)),
        (deterministic, [f"you {w}" for w in words.outcomes] + list(words.world)),
        (information, [f"you {w}" for w in words.senses] + list(words.seems) + [f"you can {w}" for w in words.can]),
        (roll, [*words.roll, *saves, *policy.intents.skills]),
    ):
        anywhere |= dict.fromkeys(phrases, kind)
    opening |= dict.fromkeys((f"you {w}" for w in words.moves), deterministic)
    opening |= dict.fromkeys(words.answers, information)
    return {p: Cue(anywhere.get(p), opening.get(p)) for p in sorted({*anywhere, *opening})}


@lru_cache(maxsize=4)
def reader(policy: LinkPolicy) -> Reader:
    return Reader(policy)


def classify(low: Sequence[str], positions: Iterable[int], policy: LinkPolicy) -> dict[int, ConsequenceType]:
    """The kind of each line that says one, by position; the first kind in order wins."""
    read = reader(policy)
    out: dict[int, ConsequenceType] = {}
    asked = sorted(set(positions))
    for position, start, end, cue in read.scanner.scan(low, asked):
        kind = cue.anywhere
        text = low[position]
        if cue.opening is not None and not _INSIDE.search(text, 0, start) and not _GOES_ON.match(text, end):
            kind = cue.opening if kind is None else min(kind, cue.opening, key=_ORDER.index)
        if kind is not None and (position not in out or _ORDER.index(kind) < _ORDER.index(out[position])):
            out[position] = kind
    for position in asked:
        if read.damage.search(low[position]):
            out[position] = ConsequenceType.ROLL
    return out


def unmatched(*, general: bool) -> ConsequenceType:
    """A claimed line that matches nothing is a statement of the game master, or `other` (ruling C11)."""
    return ConsequenceType.OTHER if general else ConsequenceType.DM_STATEMENT


def answers_yes_no(line: Remark, policy: LinkPolicy) -> bool:
    """With a word boundary: "Now you see" and "Nobody" are no answers (ruling C5)."""
    return reader(policy).yes_no.match(line.text) is not None


def agrees(line: Remark, policy: LinkPolicy) -> bool:
    return answers_yes_no(line, policy) and reader(policy).refusal.match(line.text) is None


def is_prompt(line: Remark, policy: LinkPolicy) -> bool:
    """The game master hands the turn back: ends with ? and addresses you (ruling C20)."""
    return line.asks_at_last and reader(policy).address.search(line.text) is not None


def is_yes_no_prompt(line: Remark, policy: LinkPolicy) -> bool:
    return "?" in line.text and reader(policy).yes_no_prompt.search(line.text) is not None

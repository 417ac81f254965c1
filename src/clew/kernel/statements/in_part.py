"""A question of which only a part is said: "견적은", "첫차 시간", "누가 소개해줌", and "몇 시" after another question.

Nothing in it asks, so it may as well tell. Here is only said which whole questions it may stand for; whether it is
one is known by whoever looks whether anything held answers it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from clew.frozen import dataclass
from clew.kernel.read.questions import is_question
from clew.kernel.statements.patterns import compiled
from clew.kernel.text.normalize import normal
from clew.model.utterance import Act, Utterance
from clew.policy import Policy
from clew.policy.language import Shape

_EDGES = " .,!~\u2026"
_MARK = "?"


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole question. every: it is one only where all its words are in what answers it."""

    text: str
    every: bool = False


def may_stand_for(message: Utterance, previous: Sequence[str], policy: Policy) -> tuple[Whole, ...]:
    """Whole questions, the likeliest first; none where the message is whole. previous: the newest last."""
    words = policy.language.languages.get(message.language)
    text = message.text.strip()
    if words is None or not text:
        return ()
    out: list[Whole] = []
    before = previous[-1].strip() if previous else ""
    if before and _found(words.leaning, text) is not None and _asks(before, policy):
        spoken_of = _found(words.before_asking, before)
        what = next((said for said in spoken_of.groups() if said), "").strip() if spoken_of is not None else ""
        if what:
            out.append(Whole(f"{what} {text.strip(_EDGES + _MARK)}{_MARK}"))
    states = all(s.act is Act.STATEMENT for s in message.sentences) and len(message.sentences) == 1
    rows = tuple(words.in_part.values())
    fits = [rows[place] for place, _ in compiled(rows).matches(text)] if states and _MARK not in text else []
    if fits:
        out.append(Whole(f"{text.strip(_EDGES)}{_MARK}", all(row.whole for row in fits)))
    return tuple(out)


def _asks(text: str, policy: Policy) -> bool:
    return _MARK in text or is_question(normal(text), policy)


def _found(shapes: Mapping[str, Shape], text: str) -> re.Match[str] | None:
    return next((found for _, found in compiled(tuple(shapes.values())).matches(text)), None)

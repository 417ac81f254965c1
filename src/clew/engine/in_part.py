"""Is it a question? Where only a part of one was said, what is held tells: something answers it, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from clew.engine.asking import Asking
from clew.engine.parts import Parts
from clew.engine.turn_state import Turn
from clew.kernel.recall.narrowing import held, wanted
from clew.kernel.statements.in_part import may_stand_for
from clew.model.utterance import Utterance


def asked_in_part(parts: Parts, turn: Turn, message: Utterance, reread: Callable[[str], Utterance]) -> Utterance:
    """The message as the whole question that it stands for, where something known surely answers that; else as it is.

    reread: reads another text as this message was read.
    """
    if turn.conversation is None or message.vector is None:
        return message
    ways = may_stand_for(message, turn.previous, parts.policy)
    if not ways or _answered(parts, replace(turn, utterance=message)):
        return message
    for way in ways:
        whole = replace(reread(way.text), text=message.text, asked_as=way.text)
        if _answered(parts, replace(turn, utterance=whole), every=way.every):
            return whole
    return message


def _answered(parts: Parts, turn: Turn, *, every: bool = False) -> bool:
    """Something is likely enough, and holds a word of what was said, or every one of them."""
    asking, policy = Asking(parts, turn), parts.policy
    if not asking.may_weigh:
        return False
    likely = {i for i, chance in asking.chances.items() if chance >= policy.recall.answers_in_part}
    told = [f for f in asking.likeliest if f.id in likely]
    own = wanted(turn.read.asked_as or turn.text, (), turn.read.language, policy).all
    shared = [own & held(f"{f.told} {f.value}", policy) for f in told]
    return own in shared if every else any(shared)

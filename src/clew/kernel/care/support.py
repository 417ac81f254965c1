"""What is said to someone hurting: what is taken up, and one question, by the kind of pain (ruling S5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from clew.kernel.read.need import AFTER_CRISIS, AFTER_GRAVE, grave
from clew.kernel.text.passage import Passage
from clew.model.utterance import Act, Utterance
from clew.policy import Policy
from clew.policy.care import CareWords, Danger
from clew.programs import program

_NEXT = 1
# For so many turns after harm was told, nothing is advised or made light of.
_LATELY = 3
_VIOLENCE, _HARM = "violence", "harm"
_EASED = ("company", "stopped", "safer")


def pain_of(said: Passage, language: str, policy: Policy) -> Danger | None:
    """The first kind of pain of the table that is named; None where none is."""
    words = policy.care.languages.get(language)
    if words is None:
        return None
    name = next((name for name, shape in _shapes(words) if shape.search(said.text)), None)
    return words.support[name] if name else None


def after_danger(message: Utterance, *, leaving: bool, chatting: bool, policy: Policy) -> Danger | None:
    """For the turns after a crisis: who is with the user now, or small talk, which is not gone along with.

    `leaving`: the user says goodbye. `chatting`: the message is small talk of some kind.
    """
    words = policy.care.languages.get(message.language)
    if words is None or not words.later or all(r.rule != AFTER_CRISIS for r in message.signals.need_reasons):
        return None
    if not leaving and (told := eased(message, policy)):
        return told
    return words.later["leaving" if leaving else "crisis"] if chatting else None


def after_harm(message: Utterance, before: Sequence[Passage], policy: Policy) -> Danger | None:
    """For the turns after somebody told of harm done to them, where this message names no pain of its own.

    `before`: what the user said just before.
    """
    words = policy.care.languages.get(message.language)
    if words is None or _HARM not in words.later:
        return None
    told = (s for s in before[-_LATELY:] if grave(s, message.language, policy))
    harmed = any(pain_of(s, message.language, policy) is words.support.get(_VIOLENCE) for s in told)
    return words.later[_HARM] if harmed else None


def after_pain(message: Utterance, *, told: bool, glad: bool, policy: Policy) -> Danger | None:
    """For the turns after pain was told, where this message names none. `told`: it states something of its own. `glad`:
    it tells something good.

    After a crisis always; after grave news in each of the next turns that tell something; after other pain in the next
    turn only, when it goes on with what was told.
    """
    words = policy.care.languages.get(message.language)
    since = {r.rule for r in message.signals.need_reasons}
    if words is None or not words.later:
        return None
    rows = words.later
    if AFTER_CRISIS in since:
        return eased(message, policy) or (rows.get("good") if glad else None) or rows["crisis"]
    if any(s.act is not Act.STATEMENT for s in message.sentences):
        return None
    if AFTER_GRAVE in since and not glad and "grave" in rows:
        return rows["grave"]
    if message.signals.since_care != _NEXT:
        return None
    goes_on = not told or re.search(rows["care"].pattern, message.text, re.I)
    return rows["care"] if goes_on else None


def eased(message: Utterance, policy: Policy) -> Danger | None:
    """Somebody has come, a drive was broken off, or what could have hurt is out of reach."""
    words = policy.care.languages.get(message.language)
    rows = (words.later[name] for name in _EASED if name in words.later) if words is not None else ()
    return next((row for row in rows if re.search(row.pattern, message.text, re.I)), None)


@lru_cache(maxsize=8)
def _shapes(words: CareWords) -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, program(row.pattern, re.I)) for name, row in words.support.items() if row.pattern)

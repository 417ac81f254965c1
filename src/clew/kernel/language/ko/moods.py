"""Feelings that are a habit, as somebody tells them in Korean: mood, stress, coping, social energy."""

from __future__ import annotations

import re
from collections.abc import Iterator

from clew.kernel.language.ko.statements import is_mine
from clew.kernel.statements.patterns import pattern
from clew.policy import Policy

_NOT = re.compile(r"안 |지 않|아니")
_HARD_TIMES = re.compile(r"(?:스트레스|우울|힘들|불안)[^.]*(?:때는?|받으면|할 ?때|하면|들면)")
_WHEN = re.compile(r"때는?|받으면|하면|들면")


def moods(sentence: str, policy: Policy, eventful: bool) -> Iterator[tuple[str, str]]:
    say, own = policy.remember.say, policy.remember.languages["ko"]
    if not is_mine(sentence, policy):
        return
    for label, names in own.energy.items():
        if any(n in sentence for n in names) and not _NOT.search(sentence):
            yield "social_energy", label
            break
    for mood, names in own.moods.items():
        if any(
            f"{n}인 편" in sentence
            or f"{n} 편" in sentence
            or f"{n}인 성격" in sentence
            or f"{n} 성격" in sentence
            for n in names
        ):
            yield "baseline_mood", mood
            break
    match = pattern("moods_stress_ko", policy).search(sentence)
    if match:
        for place, words in say.stress.items():
            if any(t.startswith(w) for w in words if not w.isascii() for t in match["x"].split()):
                yield f"stress_trigger_{place}", match["x"]
                break
    if _HARD_TIMES.search(sentence):
        tail = _WHEN.split(sentence, maxsplit=1)[-1]
        for kind, words in say.coping.items():
            if any(w in tail for w in words if not w.isascii()):
                yield "coping_preference", kind
                break

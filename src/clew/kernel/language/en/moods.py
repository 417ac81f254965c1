"""Feelings that are a habit, as somebody tells them in English: mood, stress, coping, social energy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from clew.kernel.statements.own_words import is_own
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.policy import Policy
from clew.policy.remember import SayPolicy
from clew.programs import program


@lru_cache(maxsize=8)
def _mood(say: SayPolicy) -> re.Pattern[str]:
    words = "|".join(re.escape(w) for group in say.moods.values() for w in group)
    cues = "|".join(map(re.escape, (*say.habit_cues, *say.weak_cues)))
    return program(
        rf"\bi(?:'m|\sam|m|\stend\sto\sbe|\sfeel|\susually\sfeel|'ve\salways\sbeen)\s(?P<gap>(?:[\w'-]+\s){{0,5}}?)(?P<word>{words})\b(?P<after>(?:\s(?:{cues}))?)",
        re.I,
    )


def moods(sentence: str, policy: Policy, eventful: bool) -> Iterator[tuple[str, str]]:
    """(pattern, value) of every habit told; beside an event, "pretty nervous" is of the moment."""
    say = policy.remember.say
    label = pattern("moods_self_label", policy).search(sentence)
    if label and is_own(sentence, label.start(), policy) and " not " not in label.group().lower():
        yield "social_energy", label["label"].lower().replace("extravert", "extrovert")
    for match in _mood(say).finditer(sentence):
        cue = f"{sentence[max(0, match.start() - 25) : match.start()]} {match.group()}".lower()
        habit = _cued(cue, say.habit_cues) or (
            not eventful and _cued(cue, say.weak_cues) and _nothing_else(sentence, match, policy)
        )
        if habit and " not " not in cue and "n't" not in cue and is_own(sentence, match.start(), policy):
            word = match["word"].lower()
            yield "baseline_mood", next(m for m, group in say.moods.items() if word in group)
    low = sentence.lower()
    if not any(hint in low for hint in say.feeling_hints):  # the patterns below are slow, and need one
        return
    for match in pattern("moods_stress", policy).finditer(sentence):
        what = match["x1"] or match["x2"] or match["x3"]
        found = _which(what, say.stress)
        if found and is_own(sentence, match.start(), policy):
            yield f"stress_trigger_{found}", " ".join(what.split()[-say.trigger_words :])
    for match in pattern("moods_coping", policy).finditer(sentence):
        found = _which(match["x1"] or match["x2"] or match["x3"], say.coping)
        if found and is_own(sentence, match.start(), policy):
            yield "coping_preference", found


def _cued(text: str, cues: Sequence[str]) -> bool:
    return any(c in text and re.search(rf"\b{re.escape(c)}\b", text) for c in cues)


def _nothing_else(sentence: str, match: re.Match[str], policy: Policy) -> bool:
    """Around the mood stand only other moods and words that fill."""
    moods = "|".join(re.escape(w) for group in policy.remember.say.moods.values() for w in group)
    after = re.sub(rf"\b(?:{moods})\b", " ", sentence[match.end() :], flags=re.I)
    only = pattern("moods_only", policy)
    return only.match(sentence[: match.start()]) is not None and only.match(after) is not None


def _which(text: str, table: Mapping[str, tuple[str, ...]]) -> str | None:
    """The group with the longest word found."""
    said = f" {normal(text).no_punct} "
    best: tuple[int, str] | None = None
    for name, group in table.items():
        for word in group:
            if f" {word} " in said and (best is None or len(word) > best[0]):
                best = (len(word), name)
    return best[1] if best else None

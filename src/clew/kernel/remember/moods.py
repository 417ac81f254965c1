"""Feelings that are a habit (facts §1.7): baseline mood, stress, coping, social energy; English and Korean."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from clew.kernel.remember.own import is_own
from clew.kernel.text.normalize import normal
from clew.kernel.text.tokens import is_hangul_dominant
from clew.policy import Policy
from clew.policy.remember import SayPolicy

_SELF_LABEL = re.compile(
    r"\bi(?:'m|\sam|m)\s(?:\w+\s){0,3}?(?:an?\s)?(?:\w+\s)?(?P<label>introvert|extrovert|extravert|ambivert)(?:ed)?\b",
    re.I,
)
_STRESS = re.compile(
    r"(?P<x1>[\w' ]{2,60}?)\s(?:really\s|always\s|just\s)*(?:stress(?:es)?\sme(?:\sout)?|makes?\sme\s(?:so\s|really\s|very\s)?(?:stressed|anxious|nervous)|gives?\sme\s(?:so\smuch\s)?anxiety|(?:is|are)\s(?:so\s|really\s|too\s)?overwhelming)"
    r"|\bi\s(?:always\s|really\s|often\s)*worry\sabout\s(?P<x2>[\w' ]{2,60})"
    r"|\bi(?:'m|\sam|m)\s(?:so\s|really\s|always\s|very\s|super\s)*(?:stressed|anxious|worried)(?:\sout)?\s(?:about|over|because\sof|from)\s(?P<x3>[\w' ]{2,60})",
    re.I,
)
_COPING = re.compile(
    r"\bi\s(?:usually\s|always\s|often\s|like\sto\s|tend\sto\s|just\s|go\s)*(?P<x1>[\w' ]{2,50}?)\s(?:when(?:ever)?|if)\s(?:i'm|i\sam|im|i\sget|i\sfeel|things\sget)\s(?:\w+\s)?(?:stressed|anxious|sad|overwhelmed|upset|stressful)"
    r"|(?:when(?:ever)?)\s(?:i'm|i\sam|im|i\sget|i\sfeel)\s(?:\w+\s)?(?:stressed|anxious|sad|overwhelmed|upset),?\s(?:i\s)(?:usually\s|always\s|often\s|like\sto\s|tend\sto\s|just\s)*(?P<x3>[\w' ]{2,50})"
    r"|(?P<x2>[\w' ]{2,50}?)\s(?:really\s|always\s)*helps?\sme\s(?:to\s)?(?:cope|destress|de-stress|relax|calm\sdown|unwind)",
    re.I,
)
_LABELS_KO = (
    ("introvert", ("내향적", "내성적", "내향인", "집순이", "집돌이")),
    ("extrovert", ("외향적", "외향인", "인싸")),
    ("ambivert", ("양향적",)),
)
_STRESS_KO = re.compile(
    r"(?P<x>\S+)\s?(?:때문에|땜에|스트레스)\s?(?:너무 |진짜 |항상 |맨날 )*(?:스트레스|불안|힘들|걱정|받)"
)


@lru_cache(maxsize=8)
def _mood(say: SayPolicy) -> re.Pattern[str]:
    words = "|".join(re.escape(w) for group in say.moods.values() for w in group)
    cues = "|".join(map(re.escape, say.habit_cues))
    return re.compile(
        rf"\bi(?:'m|\sam|m|\stend\sto\sbe|\sfeel|\susually\sfeel|'ve\salways\sbeen)\s(?P<gap>(?:[\w'-]+\s){{0,5}}?)(?P<word>{words})\b(?P<after>(?:\s(?:{cues}))?)",
        re.I,
    )


def moods(sentence: str, policy: Policy) -> Iterator[tuple[str, str]]:
    """(pattern, value) of every habit told."""
    if is_hangul_dominant(sentence, policy.text):
        yield from _korean(sentence, policy)
        return
    say = policy.remember.say
    label = _SELF_LABEL.search(sentence)
    if label and is_own(sentence, label.start(), policy) and " not " not in label.group().lower():
        yield "social_energy", label["label"].lower().replace("extravert", "extrovert")
    for match in _mood(say).finditer(sentence):
        cue = f"{sentence[max(0, match.start() - 25) : match.start()]} {match.group()}".lower()
        habit = any(re.search(rf"\b{re.escape(c)}\b", cue) for c in say.habit_cues)
        if habit and " not " not in cue and "n't" not in cue and is_own(sentence, match.start(), policy):
            word = match["word"].lower()
            yield "baseline_mood", next(m for m, group in say.moods.items() if word in group)
    for match in _STRESS.finditer(sentence):
        what = match["x1"] or match["x2"] or match["x3"]
        found = _which(what, say.stress)
        if found and is_own(sentence, match.start(), policy):
            yield f"stress_trigger_{found}", " ".join(what.split()[-say.trigger_words :])
    for match in _COPING.finditer(sentence):
        found = _which(match["x1"] or match["x2"] or match["x3"], say.coping)
        if found and is_own(sentence, match.start(), policy):
            yield "coping_preference", found


def _which(text: str, table: object) -> str | None:
    """The group with the longest word found."""
    said = f" {normal(text).no_punct} "
    best: tuple[int, str] | None = None
    for name, group in table.items():  # type: ignore[attr-defined]
        for word in group:
            if f" {word} " in said and (best is None or len(word) > best[0]):
                best = (len(word), name)
    return best[1] if best else None


def _korean(sentence: str, policy: Policy) -> Iterator[tuple[str, str]]:
    from clew.kernel.remember.korean import is_mine

    say = policy.remember.say
    if not is_mine(sentence, policy):
        return
    for label, names in _LABELS_KO:
        if any(n in sentence for n in names) and not re.search(r"안 |지 않|아니", sentence):
            yield "social_energy", label
            break
    for mood, names in say.moods_ko.items():
        if any(
            f"{n}인 편" in sentence
            or f"{n} 편" in sentence
            or f"{n}인 성격" in sentence
            or f"{n} 성격" in sentence
            for n in names
        ):
            yield "baseline_mood", mood
            break
    match = _STRESS_KO.search(sentence)
    if match:
        for place, words in say.stress.items():
            if any(t.startswith(w) for w in words if not w.isascii() for t in match["x"].split()):
                yield f"stress_trigger_{place}", match["x"]
                break
    if re.search(r"(?:스트레스|우울|힘들|불안)[^.]*(?:때는?|받으면|할 ?때|하면|들면)", sentence):
        tail = re.split(r"때는?|받으면|하면|들면", sentence, maxsplit=1)[-1]
        for kind, words in say.coping.items():
            if any(w in tail for w in words if not w.isascii()):
                yield "coping_preference", kind
                break

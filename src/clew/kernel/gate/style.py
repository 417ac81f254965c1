"""The persona's bands (rulings P50, P52–P54)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

from clew.kernel.language.scripts import alphabetic
from clew.kernel.text.emoji import emoji_count
from clew.kernel.text.match import Hit, Lexicon
from clew.kernel.text.passage import Passage
from clew.kernel.text.tokens import spoken_words
from clew.model.persona import Lexicon as Level
from clew.model.persona import StableStyleParams
from clew.model.plan import Frame, Violation
from clew.model.turn import Pipeline, Source
from clew.policy import Policy

ELLIPSIS = re.compile(r"…+|\.{2,}")
BANGS = re.compile(r"!{2,}|！{2,}")
QUERIES = re.compile(r"\?{2,}|？{2,}")


def exempt(frame: Frame) -> bool:
    """Texts that obey other rules than a persona's bands (P50)."""
    return (
        frame.crisis
        or frame.pipeline is Pipeline.REFUSAL
        or frame.source is Source.RETENTION
        or frame.kind != "reply"
    )


def style(draft: Passage, frame: Frame, policy: Policy) -> list[Violation]:
    if frame.source is Source.RETENTION:
        return _retention(draft, policy)
    if exempt(frame):
        return []
    found = (
        emoji_band(draft, frame.style, policy, minima=frame.minima),
        length_band(draft, frame.style, policy, minima=frame.minima),
        lexicon_band(draft, frame.style, policy),
        punctuation(draft, frame.style),
    )
    return [v for v in found if v is not None]


def _retention(draft: Passage, policy: Policy) -> list[Violation]:
    count, most = len(draft.sentences), policy.gate.retention_sentences
    if count <= most:
        return []
    return [Violation("LENGTH_BAND", f"{count} sentences, a proactive message has at most {most}")]


def emoji_band(
    draft: Passage, params: StableStyleParams, policy: Policy, *, minima: bool = True
) -> Violation | None:
    low, high = policy.gate.emoji[params.emoji_freq]
    low = low if minima else 0
    count = emoji_count(draft.text)
    if low <= count <= high:
        return None
    return Violation("EMOJI_BAND", f"{count} emoji, {params.emoji_freq.value} allows {low} to {high}")


def measure(draft: Passage, policy: Policy) -> tuple[int, Fraction]:
    """Sentences, and average words per sentence (P15)."""
    count = len(draft.sentences)
    return count, Fraction(spoken_words(draft.text, policy.text), max(1, count))


def length_band(
    draft: Passage, params: StableStyleParams, policy: Policy, *, minima: bool = True
) -> Violation | None:
    """Without minima only the number of sentences has a bound: an average cannot be mended, only rewritten."""
    band = policy.gate.length[params.msg_length_pref]
    count, average = measure(draft, policy)
    low, high = band.sentences
    few, many = band.words
    name = params.msg_length_pref.value
    if not minima:
        low, few, many = 0, 0, max(many, int(average) + 1)
    if not low <= count <= high:
        return Violation("LENGTH_BAND", f"{count} sentences, {name} allows {low} to {high}")
    if not few <= average <= many:
        shown = f"{average.numerator}/{average.denominator}"
        return Violation("LENGTH_BAND", f"{shown} words per sentence, {name} allows {few} to {many}")
    return None


def not_allowed(level: Level, policy: Policy) -> tuple[Mapping[str, str], ...]:
    """Word tables above this level; profanity is above all of them."""
    gate = policy.gate
    return {
        Level.CLEAN: (gate.profanity, gate.shorthand, gate.slang),
        Level.SLANG: (gate.profanity, gate.shorthand),
        Level.INTERNET_SHORTHAND: (gate.profanity,),
    }[level]


@lru_cache(maxsize=32)
def _lexicon(level: Level, policy: Policy) -> Lexicon:
    words = tuple(w for table in not_allowed(level, policy) for w in table)
    return Lexicon({"word": words}, policy.text)


def above_level(said: Passage, level: Level, policy: Policy) -> tuple[str, ...]:
    """Words that this level does not know, each once."""
    read = said.read
    hits = _lexicon(level, policy).hits(read)
    return tuple(dict.fromkeys(h.phrase for h in hits if _whole(h, read.variants[h.variant])))


def _whole(hit: Hit, text: str) -> bool:
    """An accented letter beside it makes it part of another word (Ã is not A)."""
    sides = text[max(0, hit.start - 1) : hit.start] + text[hit.end : hit.end + 1]
    return hit.phrase[0] > "\x7f" or not any(alphabetic(c) for c in sides)


def lexicon_band(draft: Passage, params: StableStyleParams, policy: Policy) -> Violation | None:
    found = above_level(draft, params.lexicon_bias, policy)
    if not found:
        return None
    return Violation("LEXICON_BAND", f"not {params.lexicon_bias.value}: {', '.join(found)}")


def bangs_allowed(params: StableStyleParams) -> int:
    return max([1, *(len(q) for q in params.punctuation_quirks if set(q) == {"!"})])


def ellipsis_allowed(params: StableStyleParams) -> bool:
    return any(ELLIPSIS.fullmatch(q) for q in params.punctuation_quirks)


def punctuation(draft: Passage, params: StableStyleParams) -> Violation | None:
    reply = draft.text
    found: list[str] = []
    if not ellipsis_allowed(params) and ELLIPSIS.search(reply):
        found.append("ellipsis")
    most = bangs_allowed(params)
    if any(len(m.group()) > most for m in BANGS.finditer(reply)):
        found.append(f"more than {most} exclamation marks")
    if QUERIES.search(reply):
        found.append("repeated question marks")
    return Violation("PUNCTUATION_QUIRK", ", ".join(found)) if found else None

"""How the composer sounds: which moment it is, what it adds, how it dresses a reply."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass

from clew.adapters.llm.phrases import Pools, fill
from clew.model.persona import EmojiFreq, Expression, Lexicon
from clew.model.plan import ResponsePlan, Snippet
from clew.model.turn import Pipeline

_KEEPS_CAPITAL = re.compile(r"^I(?:['’]\w+)?\b")
# "have an interview next week" is about an interview; next week is not next week any more.
_HAD = re.compile(r"(?i)^(?:have|had|having|got|getting) ((?:an?|the|my|our) .+)$")
_WHEN = re.compile(r"(?i)\b(?:next|this|last) \w+$|\b(?:today|tomorrow|tonight|yesterday|soon)$")
_DEED = re.compile(r"(?i)^(?:\w+ed|got|went|broke|lost|won|met|saw|left|quit|began|took|made|bought|did|am|was) ")
# A head that already begins with a small word and a comma takes no other.
_INTERJECTION = 8
_ENDED = re.compile(r"[.!?…]$")
_PLAIN_KINDS = (
    "greeting", "how_are_you", "farewell", "thanks", "apology", "laugh", "agreement", "short",
    "about_you", "advice", "question", "amused", "unsure", "fact", "luck",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Dice:
    """Choices made by content: the same plan and attempt always roll the same."""

    seed: int
    attempt: int

    def number(self, salt: str) -> int:
        return int.from_bytes(hashlib.sha256(f"{self.seed}:{self.attempt}:{salt}".encode()).digest()[:4], "big")

    def roll(self, sides: int, salt: str) -> bool:
        return self.number(salt) % sides == 0

    def pick(self, pool: Sequence[str], salt: str) -> str:
        return pool[self.number(salt) % len(pool)] if pool else ""

    def some(self, pool: Sequence[str], most: int, salt: str) -> list[str]:
        start = self.number(salt)
        return [pool[(start + i) % len(pool)] for i in range(min(most, len(pool)))] if pool else []


def situation(plan: ResponsePlan) -> tuple[str, str]:
    """Which pool answers this message, and its mood: good, bad or plain."""
    about = plan.focus
    mood = "bad" if about.negative else "good" if about.positive else "plain"
    kind = about.kind
    if plan.narrow:
        return "narrow", "plain"
    if plan.pipeline is Pipeline.ONBOARDING_CHAT and kind in ("greeting", "short", "statement"):
        return "onboarding", "plain"
    if plan.pipeline is Pipeline.EMOTIONAL_SUPPORT:
        return "feeling_bad", "bad"
    if kind == "preference" and about.thing:
        return ("dislike" if about.stance == "dislike" else "like"), "plain"
    if kind == "feeling":
        return ("feeling_good", "good") if mood == "good" else ("feeling_bad", "bad")
    if plan.pipeline is Pipeline.INFO_QA and kind not in ("about_you", "how_are_you", "greeting", "advice"):
        return "info", "plain"
    if kind in _PLAIN_KINDS:
        return kind, "plain"
    if kind == "event" or mood != "plain":
        return f"event_{mood}", mood
    return "statement", mood


def led(head: str, plan: ResponsePlan, words: Pools, dice: Dice) -> str:
    """Now and then one of the persona's own words comes first."""
    pool = _own_words(plan, words, "words")
    if not pool or not dice.roll(3, "led"):
        return head
    word = dice.pick(pool, "hint")
    if head.lower().startswith(word.lower()) or "," in head[:_INTERJECTION]:
        return head
    mark = "… " if "…" in plan.constraints.punctuation_quirks else ", "
    return word[:1].upper() + word[1:] + mark + _lowered(head, plan)


def second_thought(sentence: str, plan: ResponsePlan, words: Pools, dice: Dice) -> str:
    pool = _own_words(plan, words, "second")
    if not pool or not dice.roll(6, "second"):
        return sentence
    word = dice.pick(pool, "thought")
    return f"{word[:1].upper() + word[1:]}, {_lowered(sentence, plan)}"


def _own_words(plan: ResponsePlan, words: Pools, table: str) -> tuple[str, ...]:
    """The persona's hints that work in this place, at this language level, beside this mood."""
    hurt = plan.focus.negative or plan.pipeline is Pipeline.EMOTIONAL_SUPPORT
    if table == "words" and plan.focus.positive:
        table = "glad"
    if plan.language == "ko":
        return words.of("leads", "gentle" if hurt else table.replace("words", "native"))
    barred: set[str] = set()
    if plan.constraints.lexicon is not Lexicon.INTERNET_SHORTHAND:
        barred |= set(words.of("leads", "shorthand"))
    if plan.constraints.lexicon is Lexicon.CLEAN:
        barred |= set(words.of("leads", "slang"))
    known = words.of("leads", "gentle") if hurt else words.of("leads", table)
    return tuple(h for h in plan.hint_tokens if h.lower() in known and h.lower() not in barred)


def _lowered(text: str, plan: ResponsePlan) -> str:
    """A sentence that no longer begins: names and the word I keep their capital."""
    first = text.split()[0].strip(",.!") if text.split() else ""
    names = (plan.focus.thing.split() or [""])[0], (plan.preferred_name or "").split(" ")[0]
    if _KEEPS_CAPITAL.match(text) or first == "AI" or (first and first in names):
        return text
    return text[:1].lower() + text[1:]


def claims(plan: ResponsePlan, words: Pools, dice: Dice, *, only: str | None = None) -> list[str]:
    """Planned memories, said to the one they are about."""
    out: list[str] = []
    for snippet in plan.snippets:
        if only is not None and snippet.memory_id != only:
            continue
        kind, value = _claim(snippet)
        pool = words.of("claims", kind)
        if pool:
            chosen = dice.pick(pool, f"claim:{snippet.memory_id}")
            out.append(fill(chosen, {"value": value}, start=False))
    return out


def _claim(snippet: Snippet) -> tuple[str, str]:
    """Which claim fits, and the value as it stands in it; an event is kept as the user's own clause."""
    if snippet.stance:
        return snippet.stance, snippet.words
    if not snippet.key.startswith("event:"):
        return snippet.key, snippet.words
    had = _HAD.match(snippet.words)
    if had:
        return "event_about", _WHEN.sub("", had.group(1)).strip()
    return ("event" if _DEED.match(snippet.words) else "event_about"), snippet.words


def dress(sentences: Sequence[str], plan: ResponsePlan, words: Pools, dice: Dice, mood: str) -> str:
    """Final marks, then emoji within the persona's band."""
    out: list[str] = []
    marked = False
    for at, sentence in enumerate(s for s in sentences if s):
        text = sentence.strip()
        text = text if text[:1].isupper() or not text.isascii() else text[:1].upper() + text[1:]
        if not _ENDED.search(text):
            mark = _mark(plan, mood) if at == 0 and not marked else "."
            marked = marked or mark != "."
            text += mark
        out.append(text)
    return _with_emoji(" ".join(out), plan, words, dice, mood)


def _mark(plan: ResponsePlan, mood: str) -> str:
    glad = mood == "good" or plan.focus.kind in ("greeting", "laugh")
    if not glad or plan.expression is Expression.RESTRAINED:
        return "."
    bangs = [q for q in plan.constraints.punctuation_quirks if set(q) == {"!"}]
    return bangs[0] if bangs else "!"


def _with_emoji(text: str, plan: ResponsePlan, words: Pools, dice: Dice, mood: str) -> str:
    freq = plan.constraints.emoji_freq
    count = 0
    if freq is EmojiFreq.FREQUENT:
        count = 1 + dice.roll(2, "emoji")
    elif freq is EmojiFreq.LIGHT and mood != "bad":
        count = int(dice.roll(2, "emoji"))
    chosen = dice.some(words.of("emoji", mood), count, "which")
    return f"{text} {''.join(chosen)}" if chosen else text

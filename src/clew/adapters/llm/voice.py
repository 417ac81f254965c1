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

_KEEPS_CAPITAL = re.compile(r"^(?:I(?:['’]\w+)?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b")
# "have an interview next week": an event is told as past, and next week is not next week any more.
_AHEAD = re.compile(
    r"(?i)^(?:have|having|got) ((?:an?|the|my|your|our) (?:\w+ )?(?:interview|exam|test|appointment|"
    r"flight|trip|presentation|surgery|wedding|date|meeting|deadline|recital|concert|exams)\b.*)$"
)
_GOING = re.compile(r"(?i)^(?:am )?(?:going|about|planning) to (.+)$")
_WHEN = re.compile(
    r"(?i)\s*\b(?:(?:next|this|last|on) \w+|today|tomorrow|tonight|yesterday|soon|recently|"
    r"in (?:an?|two|three|four|\d+) \w+)$"
)
_DEED = re.compile(
    r"(?i)^(?:\w+ed|had|got|went|broke|lost|won|met|saw|left|quit|began|took|made|bought|did|was) \w"
)
_MINE = re.compile(r"(?i)\b(?:my|our|me|i|we|mine|myself)\b")
_YOURS = {
    "my": "your",
    "our": "your",
    "me": "you",
    "i": "you",
    "we": "you",
    "mine": "yours",
    "myself": "yourself",
}
# A head that already begins with a small word and a comma takes no other.
_INTERJECTION = 8
_ENDED = re.compile(r"[.!?…]$")
_PLAIN_KINDS = (
    "greeting", "how_are_you", "farewell", "thanks", "apology", "laugh", "agreement", "short",
    "about_you", "advice", "question", "amused", "unsure", "fact", "luck",
)  # fmt: skip
# These say more about the message than any finer act would.
_FIRST = ("greeting", "laugh", "apology", "advice")
# Asked of the friend itself, whatever else the words touch.
_TO_FRIEND = ("you_", "calm_", "should_", "tips", "new_topic")
# "i should have said sorry" is no apology to the friend.
_OWN = (
    "denial",
    "at_you",
    "suggest",
    "tired",
    "groan",
    "regret",
    "misread",
    "confused",
    "tease",
    "agree_you",
    "company",
)
# "i like talking to you" is said to the friend, not about a taste.
_TOLD = ("fact_", "denial", "at_you", "misread", "suggest", "friendship", "credit", "compliment", "relief")
# A first message that says this is answered, not only greeted.
_WORTH = ("fact_", "success", "low", "worry", "grief", "illness", "lonely", "at_you")
_TURNS = (" but ", "는데 ", "지만 ")
_ASKED = ("about_you", "how_are_you", "greeting", "advice")


@dataclass(frozen=True, slots=True)
class Dice:
    """Choices made by content: the same plan and attempt always roll the same."""

    seed: int
    attempt: int

    def number(self, salt: str) -> int:
        return int.from_bytes(
            hashlib.sha256(f"{self.seed}:{self.attempt}:{salt}".encode()).digest()[:4], "big"
        )

    def roll(self, sides: int, salt: str) -> bool:
        return self.number(salt) % sides == 0

    def pick(self, pool: Sequence[str], salt: str) -> str:
        return pool[self.number(salt) % len(pool)] if pool else ""

    def some(self, pool: Sequence[str], most: int, salt: str) -> list[str]:
        start = self.number(salt)
        return [pool[(start + i) % len(pool)] for i in range(min(most, len(pool)))] if pool else []


def situation(plan: ResponsePlan, words: Pools) -> tuple[str, str]:
    """Which pool answers this message, and its mood: good, bad or plain."""
    about = plan.focus
    mood = "bad" if about.negative else "good" if about.positive else "plain"
    kind, act = about.kind, about.act
    if act not in words.tables["heads"]:
        act = ""
    if plan.narrow:
        return "narrow", "plain"
    if plan.pipeline is Pipeline.ONBOARDING_CHAT and not (act.startswith(_WORTH) or about.echo):
        return "onboarding", "plain"
    if act.startswith(_TO_FRIEND) and not plan.crisis:
        return act, "plain"
    if plan.pipeline is Pipeline.EMOTIONAL_SUPPORT:
        return (act if act in words.of("moods", "support") else "feeling_bad"), "bad"
    # "i hate running but i run every day" is more than a dislike; 답장하기 싫어 names no taste.
    no_taste = about.thing.endswith("기") or any(turn in about.echo for turn in _TURNS)
    if kind == "preference" and about.echo and no_taste and not act.startswith(_TOLD):
        return "statement", "plain"
    if kind == "preference" and about.thing and not act.startswith(_TOLD):
        return ("dislike" if about.stance == "dislike" else "like"), "plain"
    if act and (kind not in _FIRST or act in _OWN):
        return act, _mood_of(act, mood, words)
    if kind == "feeling":
        return ("feeling_good", "good") if mood == "good" else ("feeling_bad", "bad")
    if plan.pipeline is Pipeline.INFO_QA and kind not in _ASKED:
        return "info", "plain"
    if kind == "short" and about.echo:
        return "statement", mood
    if kind in _PLAIN_KINDS:
        return kind, "plain"
    if kind == "event" or mood != "plain":
        return f"event_{mood}", mood
    return "statement", mood


def _mood_of(act: str, mood: str, words: Pools) -> str:
    for known in ("good", "bad", "plain"):
        if act in words.of("moods", known):
            return known
    return mood


def led(head: str, plan: ResponsePlan, words: Pools, dice: Dice) -> str:
    """Now and then one of the persona's own words comes first."""
    pool = _own_words(plan, words, "words")
    if not pool or not dice.roll(3, "led"):
        return head
    word = dice.pick(pool, "hint")
    if head.lower().startswith(word.lower()) or "," in head[:_INTERJECTION]:
        return head
    mark = "… " if "…" in plan.constraints.punctuation_quirks else ", "
    return word[:1].upper() + word[1:] + mark + lowered(head, plan)


def second_thought(sentence: str, plan: ResponsePlan, words: Pools, dice: Dice) -> str:
    pool = _own_words(plan, words, "second")
    if not pool or not dice.roll(12 if plan.language == "ko" else 6, "second"):
        return sentence
    word = dice.pick(pool, "thought")
    return f"{word[:1].upper() + word[1:]}, {lowered(sentence, plan)}"


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


def lowered(text: str, plan: ResponsePlan) -> str:
    """A sentence that no longer begins: names and the word I keep their capital."""
    first = text.split()[0].strip(",.!") if text.split() else ""
    said = (plan.focus.thing, plan.focus.value, plan.focus.echo, plan.preferred_name or "")
    names = tuple(word for text in said for word in text.split()[:1] if word[:1].isupper())
    if _KEEPS_CAPITAL.match(text) or first == "AI" or (first and first in names):
        return text
    return text[:1].lower() + text[1:]


def claims(plan: ResponsePlan, words: Pools, dice: Dice, *, only: str | None = None) -> list[str]:
    """Planned memories, said to the one they are about; one that cannot be said well is left out."""
    out: list[str] = []
    # Events last: "you moved to York" says nothing new beside "you live in York".
    for snippet in sorted(plan.snippets, key=lambda s: s.key.startswith("event:")):
        if only is not None and snippet.memory_id != only:
            continue
        kind, value = _claim(snippet, plan.language)
        names = [w for w in value.split() if w[:1].isupper()]
        if snippet.key.startswith("event:") and any(n in told for n in names for told in out):
            continue
        pool = words.of("claims", kind) if value else ()
        if pool:
            chosen = dice.pick(pool, f"claim:{snippet.memory_id}")
            out.append(fill(chosen, {"value": value}, start=False))
    return out


def _claim(snippet: Snippet, language: str) -> tuple[str, str]:
    """Which claim fits, and the value as it stands in it; an event becomes a clause about the past."""
    if snippet.stance:
        return snippet.stance, snippet.words
    if not snippet.key.startswith("event:"):
        return snippet.key, snippet.words
    told = _MINE.sub(lambda m: _YOURS[m.group(0).lower()], snippet.words)
    if language == "ko":
        return "event", told
    told = _WHEN.sub("", told).strip(" ,.")
    ahead = _AHEAD.match(told)
    if ahead:
        return "event_ahead", ahead.group(1)
    going = _GOING.match(told)
    if going:
        return "event_going", going.group(1)
    if told.lower().startswith("am "):
        return "event_been", told[3:]
    return ("event", told) if _DEED.match(told) else ("", "")


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

"""Choosing among ways to say a thing: by the message, and past what was said lately."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from clew.frozen import dataclass
from clew.kernel.language.packs import pack
from clew.model.canonical import sha256

GAP = re.compile(r"\{(\w+)(?::([^}]+))?\}")
_EITHER = re.compile(r"<([^<>]*\|[^<>]*)>")
_LEVEL = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
_SPACE = re.compile(r"\s+([,.!?])")
_OPENS = re.compile(r"(?<=[.!?] )[a-z](?=[a-z' ])")
_NONE: Mapping[str, str] = {}
# So many words in a row are remembered as a phrase.
MEMORABLE = 4


@dataclass(frozen=True, slots=True)
class Choice:
    """`seed` comes from the message, so the same turn says the same; `recent` are the newest replies.

    A way may hold <one|another> (either will do), [plain|polite] (by speech level) and {gaps} (filled in).
    ask: may this reply end with a question? polite: the user is spoken to politely. again_after: so many replies must
    lie between two of the same words, where there is another way out. settled: what our questions need not ask for.
    """

    seed: int
    language: str
    recent: tuple[str, ...] = ()
    ask: bool = True
    polite: bool = False
    values: Mapping[str, str] = field(default_factory=dict)
    again_after: int = 0
    settled: tuple[re.Pattern[str], ...] = ()

    def fresh(self, ways: Sequence[str], salt: str, values: Mapping[str, str] = _NONE) -> str:
        """As `pick`, but "" where all ways were used just now, or ask when they may not: a wider row has the word."""
        said = self.pick(ways, salt, values)
        if "?" in said and (not self.ask or self._needless(said)):
            return ""
        return "" if self._just_said(said) else said

    def pick(self, ways: Sequence[str], salt: str, values: Mapping[str, str] = _NONE) -> str:
        """The first way, in an order of this message's own, whose words were not used lately; "" for none."""
        known = {**self.values, **values}
        ready = [self._unasked(way) for way in ways if fillable(way, known)]
        ready = [way for way in ready if not self._needless(way)] or ready
        if not self.ask:
            ready = [way for way in ready if "?" not in way] or ready
        if not ready:
            return ""
        start = self.roll(len(ready), salt)
        ordered = [self._either(ready[(start + i) % len(ready)], f"{salt}:{i}") for i in range(len(ready))]
        chosen = min(ordered, key=self._worn)
        return fill(chosen, known, self.language)

    def say(self, way: str, salt: str, values: Mapping[str, str] = _NONE) -> str:
        """Just this way; "" where it lacks a word, asks what it may not, or was said just now."""
        known = {**self.values, **values}
        if not fillable(way, known):
            return ""
        said = fill(self._either(self._unasked(way), salt), known, self.language)
        if "?" in said and (not self.ask or self._needless(said)):
            return ""
        return "" if self._just_said(said) else said

    def said_before(self, way: str) -> bool:
        """Its words stand in one of all the replies that are known, whatever filled its gaps."""
        return bool(self._used(levelled(way, polite=self.polite)))

    def _just_said(self, said: str) -> bool:
        just_now = self.recent[-self.again_after :] if self.again_after else ()
        return any(said.lower().rstrip(".!?") in one.lower() for one in just_now)

    def _needless(self, way: str) -> bool:
        """It asks for what was told already."""
        return "?" in way and any(asks.search(way) for asks in self.settled)

    def _unasked(self, way: str) -> str:
        """Without a question behind it that need not be asked; a mere question stays as it is."""
        head, stop, last = way.rstrip().rpartition(". ")
        return f"{head}." if stop and self._needless(last) and "?" not in head else way

    def _either(self, way: str, salt: str) -> str:
        """Alternatives chosen, the speech level taken."""
        level = levelled(way, polite=self.polite)
        count = 0

        def one(match: re.Match[str]) -> str:
            nonlocal count
            count += 1
            ways = match.group(1).split("|")
            return ways[self.roll(len(ways), f"{salt}:{count}")]

        return _EITHER.sub(one, level)

    def _worn(self, way: str) -> tuple[bool, int]:
        """A long phrase is known again when it comes twice, so it waits; a short one may come back, oldest first."""
        used = self._used(way)
        return bool(used) and any(len(p.split()) >= MEMORABLE for p in GAP.split(way)[::3]), used

    def _used(self, way: str) -> int:
        """How lately this way was used: 0 for not at all, more the nearer it is."""
        stem = longest(way)
        if not stem:
            return 0
        for back, said in enumerate(reversed(self.recent)):
            if stem in said.lower():
                return len(self.recent) - back
        return 0

    def roll(self, sides: int, salt: str) -> int:
        return int(sha256(f"{self.seed}:{salt}")[:8], 16) % sides


def levelled(way: str, *, polite: bool) -> str:
    """[plain|polite] by the speech level."""
    return _LEVEL.sub(lambda m: m.group(2 if polite else 1), way)


def longest(way: str) -> str:
    """The longest stretch of a template between its gaps; a reply that holds it was made from this template."""
    parts = [p.strip(" ,.!?…") for p in GAP.split(way)[::3]]
    return max(parts, key=len, default="").lower()


def fillable(way: str, values: Mapping[str, str]) -> bool:
    return all(values.get(name) for name, _ in GAP.findall(way))


def fill(way: str, values: Mapping[str, str], language: str) -> str:
    """A whole sentence with its gaps filled."""
    text = _OPENS.sub(lambda m: m.group().upper(), filled(way, values, language))
    # A name like iPhone keeps its own first letter; a sentence gets a capital.
    return text if text[1:2].isupper() or not text[:1].islower() else text[:1].upper() + text[1:]


def filled(way: str, values: Mapping[str, str], language: str) -> str:
    """{value} as it is, {value:을} with the particle that fits it, {value:a} with its article."""
    spoken = pack(language)

    def put(match: re.Match[str]) -> str:
        value = values[match.group(1)]
        return spoken.join(value, match.group(2)) if match.group(2) and spoken else value

    return _SPACE.sub(r"\1", GAP.sub(put, way)).strip()

"""Wishes about writing first, in plain words: stop, start, mute, remind me, write me, my time zone."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.kernel.language.scripts import has_syllables
from clew.kernel.reach.telling import turned, words_of
from clew.kernel.read.moments import Moment, in_digits, moment
from clew.kernel.text.sentences import sentences
from clew.model.outreach import Unclear, Wish, WishKind
from clew.model.utterance import Utterance
from clew.pattern_table import PatternTable
from clew.policy import Policy
from clew.policy.reach import ReachWords
from clew.programs import program

FOR_EVER = datetime.max.replace(tzinfo=UTC)
_ORDER = (
    WishKind.CANCEL, WishKind.LIST, WishKind.ZONE, WishKind.UNMUTE, WishKind.REMIND, WishKind.NIGHT, WishKind.MUTE,
    WishKind.STOP, WishKind.START, WishKind.WRITE,
)  # fmt: skip
_EDGES = " \t\n.,;:!?~-–—\"'“”"
# A wish under its own rule id.
RULES: dict[WishKind, str] = {
    WishKind.STOP: "reach.wish.stop",
    WishKind.START: "reach.wish.start",
    WishKind.MUTE: "reach.wish.mute",
    WishKind.NIGHT: "reach.wish.night",
    WishKind.UNMUTE: "reach.wish.unmute",
    WishKind.REMIND: "reach.wish.remind",
    WishKind.WRITE: "reach.wish.write",
    WishKind.ZONE: "reach.wish.zone",
    WishKind.LIST: "reach.wish.list",
    WishKind.CANCEL: "reach.wish.cancel",
}


def wish_in(message: Utterance, at: datetime, zone: ZoneInfo, policy: Policy) -> Wish | None:
    """The first sentence that is a wish; mostly none is. The words of every language are understood."""
    own = words_of(message.language, policy)
    others = [w for w in policy.reach.languages.values() if w is not own]
    spoken = message.text.replace("’", "'").strip()
    if not spoken or spoken[0] in "\"'“‘":
        return None  # somebody else's words
    said = [*sentences(spoken, policy.text), spoken] if len(spoken) <= policy.reach.wish_characters else []
    for words in (own, *others):
        for sentence in dict.fromkeys(s.strip() for s in said):
            if found := _read(sentence, words, at, zone, policy):
                return found
    return None


def _read(sentence: str, words: ReachWords, at: datetime, zone: ZoneInfo, policy: Policy) -> Wish | None:
    shapes, kinds = _shapes(words)
    for place, match in shapes.matches(sentence):
        found = {k: v for k, v in match.groupdict().items() if v}
        groups = {k.rstrip("2"): v for k, v in found.items()}
        # "remind me of her birthday" and what the second shapes of a row find may only ask for what is known.
        weak = "rest2" in found or groups.get("rest", "").lower().startswith(words.asks)
        wish = _wished(kinds[place], groups, sentence, words, at, zone, policy, weak)
        if wish is not None:
            return wish
    return None


def _wished(
    kind: WishKind,
    groups: dict[str, str],
    sentence: str,
    words: ReachWords,
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
    weak: bool,
) -> Wish | None:
    rule, rest = RULES[kind], in_digits(groups.get("rest", "").rstrip(_EDGES), words)
    if kind is WishKind.MUTE:
        until = _until(rest, words, at, zone, policy)
        return None if until is None else Wish(kind, rule, sentence, until=until)
    if kind in (WishKind.REMIND, WishKind.WRITE):
        when = moment(rest, at, zone, words, policy)
        if kind is WishKind.WRITE and when is None:
            return None  # "write me a poem" is no appointment
        what = _what(rest, when, words, policy) if kind is WishKind.REMIND else ""
        if len(what) > policy.reach.what_characters:
            return None
        if re.search(words.every, rest, re.I):
            return Wish(kind, rule, sentence, what, unclear=Unclear.EVERY)
        if when is None:
            # Without a moment it must at least name a thing to do, else it may ask for what is known.
            return Wish(kind, rule, sentence, what, unclear=Unclear.WHEN) if what and not weak else None
        if when.at <= at:
            return Wish(kind, rule, sentence, what, unclear=Unclear.PASSED)
        return Wish(kind, rule, sentence, what, due=when.at.astimezone(UTC))
    return Wish(kind, rule, sentence, groups.get("what", "").strip(_EDGES))


def mute_until(length: str, at: datetime, zone: ZoneInfo, policy: Policy) -> datetime | None:
    """The end of a mute that is asked for by its length alone: "7d", "a week", "until Monday", "영원히"."""
    found = (_until(length, words, at, zone, policy) for words in policy.reach.languages.values())
    return next((until for until in found if until is not None), None) if length.strip() else None


def _until(rest: str, words: ReachWords, at: datetime, zone: ZoneInfo, policy: Policy) -> datetime | None:
    """The end of a mute: a length in words, a number of days, or a day; without any, as long as policy says."""
    low = rest.lower().strip(_EDGES)
    if not low:
        return at + timedelta(hours=policy.reach.mute_hours)
    for name in sorted(words.mutes, key=lambda w: (-len(w), w)):
        shape = rf"(?<!\w){re.escape(name)}(?!\w)" if not has_syllables(name) else re.escape(name)
        if re.search(shape, low):
            hours = words.mutes[name]
            return FOR_EVER if hours == 0 else at + timedelta(hours=hours)
    if counted := re.search(rf"(\d{{1,3}})\s*({'|'.join(map(re.escape, words.mute_units))})", low):
        return at + timedelta(hours=int(counted[1]) * words.mute_units[counted[2]])
    if (found := moment(rest, at, zone, words, policy)) and found.at > at:
        return found.at.astimezone(UTC)
    return None


def _what(rest: str, when: Moment | None, words: ReachWords, policy: Policy) -> str:
    """The thing itself, without when and without the words around it, as the friend will say it."""
    said = " ".join(rest.split())
    for told in sorted(when.words if when else (), key=len, reverse=True):
        after = "|".join((*map(re.escape, words.after_time), r"(?!\w)" if not has_syllables(told) else ""))
        said = re.sub(rf"{re.escape(told)}(?:{after})", " ", said, count=1, flags=re.I)
    for _ in range(3):
        said = " ".join(said.split()).strip(_EDGES)
        for shape in _compiled(words.around):
            said = shape.sub("", said).strip(_EDGES)
    for ending in words.reshaped.values():
        said = re.sub(ending.pattern, ending.becomes, said)
    return turned(said, words)


@lru_cache(maxsize=16)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(program(p, re.I) for p in patterns)


@lru_cache(maxsize=8)
def _shapes(words: ReachWords) -> tuple[PatternTable, tuple[WishKind, ...]]:
    rows = [(kind, row.pattern) for kind in _ORDER for row in words.wishes[kind].values()]
    return PatternTable([pattern for _, pattern in rows]), tuple(kind for kind, _ in rows)

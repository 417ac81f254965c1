"""Small deterministic changes that bring a text into its bands."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

import regex

from clew.kernel.gate.style import (
    BANGS,
    ELLIPSIS,
    QUERIES,
    above_level,
    bangs_allowed,
    ellipsis_allowed,
    not_allowed,
)
from clew.kernel.text.emoji import emoji_count, keep_last_emoji
from clew.kernel.text.passage import passage
from clew.model.persona import Lexicon as Level
from clew.model.persona import StableStyleParams
from clew.policy import Policy

_SPACE_BEFORE = re.compile(r"\s+([,.!?…])")
_ORPHAN = re.compile(r"^[\s,.;:!?…·—-]+(?=\S)")
_DOUBLED = re.compile(r"([,;])\s*(?=[,.;!?])")
_BETWEEN = re.compile(r"([.!?])\s*,")


def tidy(text: str) -> str:
    """What removals leave behind: double spaces, stray commas, a lower-case start."""
    text = " ".join(text.split())
    text = _BETWEEN.sub(r"\1", _DOUBLED.sub("", _SPACE_BEFORE.sub(r"\1", text)))
    text = _ORPHAN.sub("", text).strip()
    return text


def capital(text: str, like: str) -> str:
    """A sentence that began with a capital still does."""
    first = next((c for c in like if c.isalpha()), "")
    if not first.isupper():
        return text
    at = next((i for i, c in enumerate(text) if c.isalpha()), -1)
    return text[:at] + text[at].upper() + text[at + 1 :] if at >= 0 else text


@lru_cache(maxsize=32)
def _replacements(level: Level, policy: Policy) -> tuple[regex.Pattern[str], Mapping[str, str]]:
    table = {w: plain for words in reversed(not_allowed(level, policy)) for w, plain in words.items()}
    longest = sorted(table, key=lambda w: (-len(w), w))
    body = "|".join(regex.escape(w).replace("'", "['’]?") for w in longest)
    # Hangul entries match at a token's start and take the rest of their run with them (ㅋㅋㅋ).
    pattern = regex.compile(rf"(?<![\p{{Latin}}\p{{N}}'’])(?:{body})(?![\p{{Latin}}0-9'’])([ㅋㅎㅠㅜ]*)", regex.I)
    return pattern, table


def plainer(text: str, level: Level, policy: Policy) -> str:
    """Words above the persona's level give way to plain ones."""
    pattern, table = _replacements(level, policy)

    def swap(match: regex.Match[str]) -> str:
        found = match.group().lower().replace("’", "'").rstrip("ㅋㅎ") or match.group()
        plain = table.get(found, table.get(match.group().lower(), ""))
        return plain.capitalize() if plain and match.group()[0].isupper() else plain

    if not above_level(passage(text, policy), level, policy):
        return text
    changed = capital(tidy(pattern.sub(swap, text)), text)
    if above_level(passage(changed, policy), level, policy):
        # Spelled in a way only the matcher sees through (l.o.l, ｌｏｌ): such words just go.
        changed = " ".join(w for w in changed.split() if not above_level(passage(w, policy), level, policy))
    return changed


def punctuate(text: str, params: StableStyleParams) -> str:
    most = bangs_allowed(params)
    text = BANGS.sub(lambda m: m.group()[: min(most, len(m.group()))], text)
    text = QUERIES.sub(lambda m: m.group()[0], text)
    if ellipsis_allowed(params):
        return text

    def dot(match: re.Match[str]) -> str:
        after = match.string[match.end() :].lstrip()
        if not after or not after[0].isalpha() or after[0].isupper():
            return "."
        return ","

    changed = ELLIPSIS.sub(dot, text)
    return text if changed == text else re.sub(r"([,.])(?=[^\s,.!?\"')\d])", r"\1 ", changed)


def emoji_fit(
    text: str, params: StableStyleParams, policy: Policy, turn: int, *, minima: bool = True
) -> str:
    low, high = policy.gate.emoji[params.emoji_freq]
    count = emoji_count(text)
    if count > high:
        return tidy(keep_last_emoji(text, high))
    if minima and count < low:
        source = policy.gate.emoji_min_source
        return f"{text} {' '.join(source[(turn + i) % len(source)] for i in range(low - count))}"
    return text


def shorten(text: str, most: int, policy: Policy) -> str:
    kept = passage(text, policy).sentences
    return text if len(kept) <= most else " ".join(kept[:most])

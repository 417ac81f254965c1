"""Small deterministic changes that bring a draft into its bands. Each takes a reading and gives back a new one."""

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
from clew.kernel.text.mending import capital, tidy
from clew.kernel.text.passage import Passage, passage
from clew.model.persona import Lexicon as Level
from clew.model.persona import StableStyleParams
from clew.policy import Policy


@lru_cache(maxsize=32)
def _replacements(level: Level, policy: Policy) -> tuple[regex.Pattern[str], Mapping[str, str]]:
    table = {w: plain for words in reversed(not_allowed(level, policy)) for w, plain in words.items()}
    longest = sorted(table, key=lambda w: (-len(w), w))
    body = "|".join(regex.escape(w).replace("'", "['’]?") for w in longest)
    # Letters typed alone to laugh match at a token's start and take the rest of their run with them.
    laughs = _laughs(policy)
    run = f"([{regex.escape(laughs)}]*)" if laughs else "()"
    pattern = regex.compile(rf"(?<![\p{{Latin}}\p{{N}}'’])(?:{body})(?![\p{{Latin}}0-9'’]){run}", regex.I)
    return pattern, table


def _laughs(policy: Policy) -> str:
    return "".join(words.laughs for words in policy.gate.languages.values())


def plainer(draft: Passage, level: Level, policy: Policy) -> Passage:
    """Words above the persona's level give way to plain ones."""
    if not above_level(draft, level, policy):
        return draft
    pattern, table = _replacements(level, policy)
    laughs = _laughs(policy)

    def swap(match: regex.Match[str]) -> str:
        found = match.group().lower().replace("’", "'").rstrip(laughs) or match.group()
        plain = table.get(found, table.get(match.group().lower(), ""))
        return plain.capitalize() if plain and match.group()[0].isupper() else plain

    changed = passage(capital(tidy(pattern.sub(swap, draft.text)), draft.text), policy)
    if above_level(changed, level, policy):
        # Spelled in a way only the matcher sees through (l.o.l, ｌｏｌ): such words just go.
        kept = (w for w in changed.text.split() if not above_level(passage(w, policy), level, policy))
        changed = passage(" ".join(kept), policy)
    return changed


def punctuate(draft: Passage, params: StableStyleParams, policy: Policy) -> Passage:
    most = bangs_allowed(params)
    text = BANGS.sub(lambda m: m.group()[: min(most, len(m.group()))], draft.text)
    text = QUERIES.sub(lambda m: m.group()[0], text)
    if ellipsis_allowed(params):
        return passage(text, policy)

    def dot(match: re.Match[str]) -> str:
        after = match.string[match.end() :].lstrip()
        if not after or not after[0].isalpha() or after[0].isupper():
            return "."
        return ","

    changed = ELLIPSIS.sub(dot, text)
    spaced = text if changed == text else re.sub(r"([,.])(?=[^\s,.!?\"')\d])", r"\1 ", changed)
    return passage(spaced, policy)


def emoji_fit(
    draft: Passage, params: StableStyleParams, policy: Policy, turn: int, *, minima: bool = True
) -> Passage:
    low, high = policy.gate.emoji[params.emoji_freq]
    count = emoji_count(draft.text)
    if count > high:
        return passage(tidy(keep_last_emoji(draft.text, high)), policy)
    if minima and count < low:
        source = policy.gate.emoji_min_source
        added = " ".join(source[(turn + i) % len(source)] for i in range(low - count))
        return passage(f"{draft.text} {added}", policy)
    return draft


def shorten(draft: Passage, most: int, policy: Policy) -> Passage:
    kept = draft.sentences
    return draft if len(kept) <= most else passage(" ".join(kept[:most]), policy)

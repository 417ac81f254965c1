"""Emoji as people count them (ruling P54): one per cluster, never digits or #."""

from __future__ import annotations

import regex

_CLUSTER = regex.compile(
    r"\p{RI}\p{RI}"
    r"|[0-9#*]\ufe0f?\u20e3"
    r"|(?:\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?"
    r"(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*)"
)
# Pictographic by property, plain typography by use.
_TYPOGRAPHY = frozenset("©®™‼⁉ℹ↔↕↩↪")


def emoji_clusters(text: str) -> tuple[str, ...]:
    if text.isascii():
        return ()
    return tuple(c for c in _CLUSTER.findall(text) if c not in _TYPOGRAPHY)


def emoji_count(text: str) -> int:
    return len(emoji_clusters(text))


def strip_leading_emoji(text: str) -> str:
    text = text.lstrip()
    while match := _CLUSTER.match(text):
        if match.group() in _TYPOGRAPHY:
            break
        text = text[match.end() :].lstrip("\ufe0f").lstrip()
    return text


def keep_last_emoji(text: str, most: int) -> str:
    """Drop from the left until only `most` are left."""
    # What a dropped one kept apart may form another (a digit and its keycap), hence the loop.
    while (excess := emoji_count(text) - most) > 0:
        text = regex.sub(r"[ \t]{2,}", " ", _drop_first(text, excess)).strip()
    return text


def _drop_first(text: str, many: int) -> str:
    left = many

    def drop(match: regex.Match[str]) -> str:
        nonlocal left
        if left <= 0 or match.group() in _TYPOGRAPHY:
            return str(match.group())
        left -= 1
        return ""

    return _CLUSTER.sub(drop, text)

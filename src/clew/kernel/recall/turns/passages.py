"""A turn in passages: a long answer is found by the part of it that fits."""

from __future__ import annotations

import regex

from clew.policy.recall import RecallPolicy

_BREAK = regex.compile(r"(?<=[.!?…。！？\n])\s+|\n+")


def passages(text: str, policy: RecallPolicy) -> list[str]:
    """Whole sentences packed up to the policy's size; never empty, bounded in number."""
    text = text.strip()
    size = policy.passage
    if len(text) <= size:
        return [text]
    out: list[str] = []
    passage = ""
    for sentence in _BREAK.split(text[: size * policy.passages_max]):
        for part in _parts(sentence.strip(), size):
            if passage and len(passage) + 1 + len(part) > size:
                out.append(passage)
                passage = part
            else:
                passage = f"{passage} {part}" if passage else part
    if passage:
        out.append(passage)
    return out or [""]


def _parts(sentence: str, size: int) -> list[str]:
    parts: list[str] = []
    while len(sentence) > size:
        cut = sentence.rfind(" ", size // 2, size)
        cut = size if cut < 0 else cut
        parts.append(sentence[:cut].strip())
        sentence = sentence[cut:].strip()
    return [*parts, sentence] if sentence else parts

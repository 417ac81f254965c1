"""What is no ordinary sentence: signs alone, code, a link, a poem, a wall of text."""

from __future__ import annotations

import re

from clew.model.plan import ResponsePlan
from clew.policy import Policy
from clew.programs import program

_LINK = re.compile(r"https?://|www\.\S")
_WORDY = re.compile(r"\w")
_LETTERS = re.compile(r"[^\W\d_]{2,}")
# So many digits in a row may be an age or a house; more are a riddle.
_NUMBERS = 3


def odd_form(plan: ResponsePlan, policy: Policy) -> str:
    """What is no ordinary sentence: signs alone, code, a link, a poem, a wall of text."""
    text, limits = plan.user_text, policy.compose
    if not _WORDY.search(text):
        return "signs"
    if program(limits.code, re.M).search(text):
        return "code"
    if _LINK.search(text):
        return "link"
    if len(text) > _NUMBERS and any(c.isdigit() for c in text) and not _LETTERS.search(text):
        return "numbers"
    lines = [line for line in text.splitlines() if line.strip()]
    brief = all(len(line.split()) <= limits.poem_line_words for line in lines)
    if len(lines) >= limits.poem_lines and brief:
        return "poem"
    return "long" if len(text.split()) > limits.long_words else ""

"""What removals leave behind in a text, put in order."""

from __future__ import annotations

import re

_SPACE_BEFORE = re.compile(r"\s+([,.!?…])")
_ORPHAN = re.compile(r"^[\s,.;:!?…·—-]+(?=\S)")
_DOUBLED = re.compile(r"([,;])\s*(?=[,.;!?])")
_BETWEEN = re.compile(r"([.!?])\s*,")


def tidy(text: str) -> str:
    """Without double spaces, stray commas and marks that nothing stands before."""
    text = " ".join(text.split())
    text = _BETWEEN.sub(r"\1", _DOUBLED.sub("", _SPACE_BEFORE.sub(r"\1", text)))
    return _ORPHAN.sub("", text).strip()


def capital(text: str, like: str) -> str:
    """A sentence that began with a capital still does."""
    first = next((c for c in like if c.isalpha()), "")
    if not first.isupper():
        return text
    at = next((i for i, c in enumerate(text) if c.isalpha()), -1)
    return text[:at] + text[at].upper() + text[at + 1 :] if at >= 0 else text

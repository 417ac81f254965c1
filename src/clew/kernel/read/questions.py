"""Is this a question? One answer for the whole house (rulings P1, P14)."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.language.packs import packs
from clew.kernel.text.normalize import Normal
from clew.policy import Policy


def is_question(text: Normal, policy: Policy, tokens: Sequence[str] | None = None) -> bool:
    """`tokens` are the words of `no_punct`, where the caller has them."""
    if "?" in text.norm:
        return True
    if tokens is None:
        tokens = text.no_punct.split()
    return bool(tokens) and any(p.asks(tokens, text.no_punct, policy) for p in packs())

"""Saying the same again (rulings P55, P56)."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.similar import reply_likeness
from clew.kernel.text.emoji import strip_leading_emoji
from clew.kernel.text.normalize import normal
from clew.model.plan import Violation
from clew.policy import Policy


def opener(text: str, policy: Policy) -> str:
    """The first tokens, without leading emoji, case or punctuation; empty when too short to mean it."""
    tokens = normal(strip_leading_emoji(text)).no_punct.split()[: policy.text.opener_tokens]
    return " ".join(tokens) if len(tokens) >= policy.text.opener_min_tokens else ""


def recent(replies: Sequence[str], policy: Policy) -> Sequence[str]:
    return replies[-policy.gate.recent :] if policy.gate.recent else ()


def repeats_opener(reply: str, replies: Sequence[str], policy: Policy) -> bool:
    own = opener(reply, policy)
    return bool(own) and any(opener(r, policy) == own for r in recent(replies, policy))


def too_similar(reply: str, replies: Sequence[str], policy: Policy) -> str | None:
    """The exact ratio by which it repeats an earlier reply, or None."""
    for earlier in reversed(recent(replies, policy)):
        likeness = reply_likeness(reply, earlier, policy.text)
        if likeness.duplicate:
            return f"{likeness.similarity.numerator}/{likeness.similarity.denominator}"
    return None


def repetition(reply: str, replies: Sequence[str], policy: Policy) -> list[Violation]:
    out: list[Violation] = []
    if repeats_opener(reply, replies, policy):
        out.append(Violation("OPENER_REPETITION", f"opens like an earlier reply: {opener(reply, policy)}"))
    if ratio := too_similar(reply, replies, policy):
        out.append(Violation("MESSAGE_SIMILARITY", f"{ratio} of its three-word runs are an earlier reply's"))
    return out

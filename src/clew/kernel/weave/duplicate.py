"""When two open loops are one (dedup rules, rulings T3, T7–T11, T13)."""

from __future__ import annotations

from fractions import Fraction

from clew.kernel.read.loop import read_loop
from clew.kernel.text.guards import veto
from clew.kernel.text.similarity import jaccard
from clew.model.likeness import Likeness
from clew.model.thread import Form, ThreadType
from clew.policy import Policy
from clew.policy.weave import WeavePolicy


def loop_sequence(text: str, kind: ThreadType, policy: WeavePolicy) -> tuple[str, ...]:
    """The tokens in order; a replacement with the same sequence refines nothing (ruling T6)."""
    return read_loop(text, kind, policy).sequence


def loop_tokens(text: str, kind: ThreadType, policy: WeavePolicy) -> frozenset[str]:
    return read_loop(text, kind, policy).tokens


def loop_guard(a: str, b: str, kind_a: ThreadType, kind_b: ThreadType, policy: Policy) -> str | None:
    """Template words, filler and "or not" assert nothing, so the guards do not read them."""
    weave = policy.weave
    return veto(read_loop(a, kind_a, weave).asserted, read_loop(b, kind_b, weave).asserted, policy.text)


def thread_similarity(a: str, b: str, kind: ThreadType, policy: Policy) -> Likeness:
    weave = policy.weave
    score = jaccard(loop_tokens(a, kind, weave), loop_tokens(b, kind, weave))
    close = score >= weave.thresholds[kind]
    guard = loop_guard(a, b, kind, kind, policy) if close else None
    return Likeness(score, close, guard, f"weave.duplicate.{kind.lower()}")


def family_threshold(a: ThreadType, b: ThreadType, policy: WeavePolicy) -> Fraction | None:
    """Types of one question family are compared at the stricter threshold (ruling T13)."""
    if a is b or policy.forms[a] != policy.forms[b] or policy.forms[a] is not Form.QUESTION:
        return None
    return max(policy.thresholds[a], policy.thresholds[b])

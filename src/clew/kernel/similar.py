"""`similar`: are these two texts the same thing, by the measure of their kind?"""

from __future__ import annotations

from typing import Any

from clew.errors import InvalidInput
from clew.kernel.compare.likeness import memory_likeness
from clew.kernel.door import Mode
from clew.kernel.text.guards import veto
from clew.kernel.text.normalize import normalize
from clew.kernel.text.similarity import containment, ngram_jaccard
from clew.kernel.text.tokens import overlap_words, tokens
from clew.kernel.weave.duplicate import thread_similarity
from clew.model.fields import Fields
from clew.model.likeness import Likeness
from clew.model.thread import ThreadType
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.policy.text import TextPolicy


def overlap_likeness(a: str, b: str, policy: TextPolicy, *, rule: str) -> Likeness:
    """Episodes and decisions: strictly above the threshold, and enough words to mean it (rulings N7, N8, N15)."""
    left, right = overlap_words(a, policy), overlap_words(b, policy)
    score = containment(left, right)
    if min(len(left), len(right)) < policy.overlap_min_words:
        same = bool(normalize(a)) and normalize(a) == normalize(b)
        return Likeness(score, same, None, f"{rule}.exact" if same else f"{rule}.too_short")
    close = score > policy.overlap_threshold
    return Likeness(score, close, veto(a, b, policy) if close else None, f"{rule}.overlap")


def reply_likeness(a: str, b: str, policy: TextPolicy) -> Likeness:
    """Replies repeat by wording, whatever they assert, so no guard applies (P56)."""
    score = ngram_jaccard(tokens(a), tokens(b), policy.ngram)
    return Likeness(score, score >= policy.reply_similarity, None, "similar.reply")


def similar(payload: Fields, policy: Policy, mode: Mode) -> dict[str, Any]:
    a, b, kind = payload.text("a"), payload.text("b"), payload.text("as")
    match kind.split(":"):
        case ["thread", name] if name in ThreadType.__members__:
            likeness = thread_similarity(a, b, ThreadType(name), policy)
        case ["episode"] | ["decision"]:
            likeness = overlap_likeness(a, b, policy.text, rule=f"similar.{kind}")
        case ["memory"]:
            left, right = payload.numbers("vector_a", None), payload.numbers("vector_b", None)
            if left and right and len(left) != len(right):
                message = f"vector_b must have {len(left)} numbers like vector_a, has {len(right)}"
                raise InvalidInput(message, pointer="/vector_b")
            likeness = memory_likeness(a, b, policy, left, right)
        case ["reply"]:
            likeness = reply_likeness(a, b, policy.text)
        case _:
            types = ", ".join(f"thread:{t}" for t in ThreadType)
            message = f"as must be one of {types}, episode, decision, reply, memory; got {kind!r}"
            raise InvalidInput(message, pointer="/as")
    detail = f"{likeness.similarity.numerator}/{likeness.similarity.denominator}"
    reasons = [Reason(likeness.rule, detail)]
    if likeness.guard:
        reasons.append(Reason(f"guard.{likeness.guard}", "vetoes the merge"))
    return {
        "similarity": float(likeness.similarity),
        "duplicate": likeness.duplicate,
        "guard": likeness.guard,
        "reasons": [r.as_dict() for r in reasons],
    }

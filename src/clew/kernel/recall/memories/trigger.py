"""When memory is also searched by vector (ruling P33)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.read.questions import is_question
from clew.kernel.read.topics import topics
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import normal
from clew.kernel.text.similarity import ngram_jaccard
from clew.kernel.text.tokens import tokens
from clew.model.verdict import Reason
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Trigger:
    on: bool
    reasons: tuple[Reason, ...]


def vector_trigger(text: str, policy: Policy, *, last_messages: Sequence[str], turns_24h: int) -> Trigger:
    """`last_messages` oldest first, of both sides; `turns_24h` counts those before this one."""
    reasons: list[Reason] = []
    cues = {hit.label: hit.phrase for hit in reversed(_lexicon(policy).hits(text))}
    if "remember" in cues:
        reasons.append(Reason("recall.trigger.remember", cues["remember"]))
    if "followup" in cues and is_question(normal(text), policy):
        reasons.append(Reason("recall.trigger.followup", cues["followup"]))
    if _continuity_low(text, policy, last_messages, turns_24h):
        reasons.append(Reason("recall.trigger.continuity", "shares nothing with the last messages"))
    return Trigger(bool(reasons), tuple(reasons) or (Reason("recall.trigger.none"),))


def _continuity_low(text: str, policy: Policy, last: Sequence[str], turns: int) -> bool:
    """No topic in common and hardly a 3-gram, in a conversation that is going on (ruling P33)."""
    numbers = policy.recall
    recent = list(last)[-numbers.continuity_messages :]
    if turns < numbers.continuity_turns or not recent or not text.strip():
        return False
    here = _topics(text, policy)
    if any(here & _topics(message, policy) for message in recent):
        return False
    mine = tokens(text)
    size = policy.text.ngram
    return all(ngram_jaccard(mine, tokens(m), size) < numbers.continuity_jaccard for m in recent)


def _topics(text: str, policy: Policy) -> frozenset[str]:
    return frozenset(str(m.topic) for m in topics(text, policy))


@lru_cache(maxsize=4)
def _lexicon(policy: Policy) -> Lexicon:
    return Lexicon(
        {"remember": policy.recall.remember_cues, "followup": policy.recall.followup_cues}, policy.text
    )

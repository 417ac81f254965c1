"""When memory is also searched by vector (ruling P33)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.recall.memories.closed import touched
from clew.kernel.text.match import Lexicon
from clew.kernel.text.passage import Passage
from clew.kernel.text.similarity import ngram_jaccard
from clew.model.signals import Signals
from clew.model.verdict import Reason
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Trigger:
    on: bool
    reasons: tuple[Reason, ...]


def vector_trigger(said: Signals, policy: Policy, *, last_messages: Sequence[Passage], turns_24h: int) -> Trigger:
    """`last_messages` oldest first, of both sides; `turns_24h` counts those before this one."""
    reasons: list[Reason] = []
    cues = {hit.label: hit.phrase for hit in reversed(_lexicon(policy).hits(said.norm))}
    if "remember" in cues:
        reasons.append(Reason("recall.trigger.remember", cues["remember"]))
    if "followup" in cues and said.flags.is_question:
        reasons.append(Reason("recall.trigger.followup", cues["followup"]))
    if _continuity_low(said, policy, last_messages, turns_24h):
        reasons.append(Reason("recall.trigger.continuity", "shares nothing with the last messages"))
    return Trigger(bool(reasons), tuple(reasons) or (Reason("recall.trigger.none"),))


def _continuity_low(said: Signals, policy: Policy, last: Sequence[Passage], turns: int) -> bool:
    """No topic in common and hardly a 3-gram, in a conversation that is going on (ruling P33)."""
    numbers = policy.recall
    recent = list(last)[-numbers.continuity_messages :]
    if turns < numbers.continuity_turns or not recent or not said.norm:
        return False
    here = {match.topic for match in said.topics}
    if any(here & touched(message, policy) for message in recent):
        return False
    size = policy.text.ngram
    return all(
        ngram_jaccard(said.tokens, tuple(m.read.no_punct.split()), size) < numbers.continuity_jaccard for m in recent
    )


@lru_cache(maxsize=4)
def _lexicon(policy: Policy) -> Lexicon:
    return Lexicon(
        {name: policy.recall.said(f"{name}_cues") for name in ("remember", "followup")}, policy.text
    )

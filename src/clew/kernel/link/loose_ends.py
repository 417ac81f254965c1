"""What somebody strongly wanted and nobody answered is an open loop: a thread candidate.

A later consequence that speaks of the same thing offers to resolve it. Offers only: the weave
room decides what becomes a thread.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any

from clew.frozen import dataclass
from clew.kernel.link.score import lexical, tokens
from clew.kernel.read.remark import Remark
from clew.model.canonical import derived_id
from clew.model.link import CausalLink, IntentType, Strength
from clew.model.thread import ThreadType, Urgency
from clew.policy.link import LinkPolicy

_KINDS = {
    IntentType.DECLARE: ThreadType.QUEST,
    IntentType.PROPOSE: ThreadType.QUEST,
    IntentType.REQUEST: ThreadType.QUEST,
    IntentType.QUESTION: ThreadType.INFORMATION,
}


@dataclass(frozen=True, slots=True)
class ThreadCandidate:
    id: str
    link_id: str
    type: ThreadType
    text: str
    urgency: Urgency
    actor: str
    since_index: int

    def as_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "link_id": self.link_id,
            "type": self.type.value,
            "text": self.text,
            "urgency": self.urgency.value,
            "actor": self.actor,
            "since_index": self.since_index,
        }


@dataclass(frozen=True, slots=True)
class ResolveOffer:
    candidate_id: str
    link_id: str
    at_index: int
    similarity: float

    def as_dict(self) -> dict[str, Any]:
        return {
            "candidate_id": self.candidate_id,
            "link_id": self.link_id,
            "at_index": self.at_index,
            "similarity": self.similarity,
        }


def candidates(links: Iterable[CausalLink]) -> tuple[ThreadCandidate, ...]:
    """One per unclaimed strong intent, in order of place."""
    return tuple(
        ThreadCandidate(
            derived_id("thread-candidate", link.id),
            link.id,
            _KINDS[link.intent_type],
            link.intent_text,
            Urgency.LOW,
            link.actor,
            link.intent_anchor_index,
        )
        for link in sorted(links, key=lambda link: (link.intent_anchor_index, link.id))
        if not link.claimed and link.intent_strength is Strength.STRONG
    )


def offers(
    open_ends: Sequence[ThreadCandidate], links: Iterable[CausalLink], policy: LinkPolicy, *, after: int = -1
) -> tuple[ResolveOffer, ...]:
    """For each open end the first later claimed consequence that shares enough of its words.

    `after` is the last index already seen, for links of a later run of the same session.
    """
    later = sorted(
        (link for link in links if link.claimed and (link.consequence_anchor_index or 0) > after),
        key=lambda link: (link.consequence_anchor_index or 0, link.id),
    )
    places = [link.consequence_anchor_index or 0 for link in later]
    said = [tokens(Remark(f"{link.intent_text} {link.consequence_text}".lower()), policy) for link in later]
    out = []
    for end in open_ends:
        wanted = tokens(Remark(end.text.lower()), policy)
        first = bisect_right(places, end.since_index)
        for n in range(first, bisect_right(places, end.since_index + policy.resolve_reach)):
            alike = lexical(wanted, said[n])
            if alike >= policy.resolve_min and len(wanted & said[n]) >= policy.resolve_words:
                out.append(ResolveOffer(end.id, later[n].id, places[n], alike))
                break
    return tuple(out)

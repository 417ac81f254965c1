"""Memories of a suppressed topic stay out of mind until the user raises it (rulings P10, P96)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.correct.named_topics import topic_by_name
from clew.kernel.gate.surfacing import place
from clew.kernel.read.topics import topics
from clew.kernel.text.passage import Passage, passage
from clew.model.key import behind_kind, first_part, kind_word
from clew.model.plan import Snippet
from clew.model.topic import TopicId
from clew.policy import Policy

_SEPARATORS = re.compile(r"[:_|]+")


def about(memory: Snippet, policy: Policy) -> frozenset[TopicId]:
    """By its words (P96), and by its kind: a nurse is a matter of work though no word says so."""
    said = f"{behind_kind(memory.key)} {memory.words}"
    found = {m.topic for m in topics(_SEPARATORS.sub(" ", said), policy)}
    by_kind = policy.recall.key_topics.get(f"{kind_word(memory.key)}:{first_part(memory.key)}")
    return frozenset(found) | ({by_kind} if by_kind else frozenset())


def raised(said: Passage, policy: Policy) -> frozenset[TopicId]:
    """What the user brings up in this very message; earlier ones do not count (ruling P10)."""
    named = topic_by_name(said.read, policy)
    return touched(said, policy) | ({named} if named else frozenset())


def touched(said: Passage, policy: Policy) -> frozenset[TopicId]:
    return frozenset(match.topic for match in topics(said.read, policy))


def closed_ids(
    memories: Sequence[Snippet], suppressed: Sequence[TopicId], text: str | Passage, policy: Policy
) -> frozenset[str]:
    """A question about oneself at large opens no closed topic; its name, or the thing itself, does."""
    if not suppressed:
        return frozenset()
    said = passage(text, policy)
    closed = frozenset(suppressed) - raised(said, policy)
    return frozenset(
        m.memory_id for m in memories if closed & about(m, policy) and place(m, said, policy) < 0
    )


def stays_closed(
    said: Passage, suppressed: Sequence[TopicId], question: Passage, policy: Policy
) -> bool:
    """The same for what was once said: a turn about a closed topic stays out until the question raises it."""
    closed = frozenset(suppressed) - raised(question, policy) if suppressed else frozenset()
    return bool(closed) and not closed.isdisjoint(touched(said, policy))

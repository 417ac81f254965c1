"""Which topic a person names when they ask to be spared it (ruling P75)."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.compare.wording import noun_of
from clew.kernel.read.topics import topics
from clew.kernel.text.normalize import Normal, normal
from clew.kernel.text.tokens import words
from clew.model.topic import TopicId
from clew.policy import Policy


def topic_meant(
    named: str, text: str, last_assistant_text: str, previous: Sequence[str], policy: Policy
) -> TopicId | None:
    """A named topic; else the last reply's, else this or an earlier user message's (ruling P75)."""
    if names_something(named, policy):
        found = strongest_topic(named, policy) or topic_by_name(named, policy)
        shared = set(words(named)) & set(words(last_assistant_text))
        if found or not shared:
            return found
    for source in (last_assistant_text, text, *reversed(previous)):
        found = strongest_topic(source, policy)
        if found:
            return found
    return None


def names_something(named: str, policy: Policy) -> bool:
    """ "This" and "that subject" point; they do not name."""
    return bool(named) and named not in policy.remember.correct.deictic


def strongest_topic(named: str, policy: Policy) -> TopicId | None:
    found = topics(named, policy)
    return max(found, key=lambda m: m.confidence).topic if found else None


def topic_by_name(named: str | Normal, policy: Policy) -> TopicId | None:
    plain = (named if isinstance(named, Normal) else normal(named)).no_punct
    said = f" {plain} | {' '.join(noun_of(w, policy) for w in plain.split())} "  # 직업이 is 직업
    best: tuple[int, TopicId] | None = None
    for topic, names in policy.remember.correct.topic_names.items():
        for name in names:
            if f" {name} " in said and (best is None or len(name) > best[0]):
                best = (len(name), topic)
    return best[1] if best else None

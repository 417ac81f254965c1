"""What is held and is not to be spoken of: it stays, and its key or its topic is barred (ruling P75)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.correct.commands import SpokenCommand
from clew.kernel.correct.named_topics import names_something, topic_meant
from clew.kernel.correct.targets import NAMED, keys_named
from clew.kernel.correct.told_again import just_told, sparing_names
from clew.kernel.keep.lifecycle import with_suppression
from clew.model.memory import Corrected, EventKind, MemoryEvent, MemoryRecord
from clew.model.profile import UserControls
from clew.model.topic import TopicId
from clew.model.utterance import Wording
from clew.model.verdict import Reason
from clew.policy import Policy


def spared(
    said: SpokenCommand,
    words: Wording,
    memories: Sequence[MemoryRecord],
    controls: UserControls,
    last_assistant_text: str,
    previous: Sequence[str],
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
) -> Corrected:
    """What is named: a topic by its name, else the thing itself, else what was just spoken of (ruling P75)."""
    named = " ".join((said.named or "").split())
    names = names_something(named, policy)
    if names and (keys := keys_named(named, memories, at, zone, policy)):
        return _suppress_keys(said, keys, memories, controls)
    told = [] if names else just_told(memories, previous)  # what was told last is nearer than an older topic
    topic = topic_meant(named, words.text, last_assistant_text, previous[-1:] if told else previous, policy)
    if topic is None and told:
        return _suppress_keys(said, sparing_names(told), memories, controls)
    return _suppress(said, topic, memories, controls)


def closed(key: str) -> MemoryEvent:
    """What has this key is not spoken of any more."""
    return MemoryEvent(EventKind.SUPPRESSED, None, f"correct.suppressed_key {key}", key=key)


def _suppress_keys(
    said: SpokenCommand, keys: Sequence[str], memories: Sequence[MemoryRecord], controls: UserControls
) -> Corrected:
    """Not to be spoken of is not forgotten: the memory stays, and its key is barred."""
    fresh = [k for k in keys if k not in controls.suppressed_memory_keys]
    events = [closed(key) for key in fresh]
    reasons = (Reason("correct.suppress_topic", said.clause), Reason(NAMED, said.named or ""))
    after = with_suppression(controls, fresh)
    return Corrected(said.command, tuple(keys), tuple(memories), after, tuple(events), reasons=reasons)


def _suppress(
    said: SpokenCommand, topic: TopicId | None, memories: Sequence[MemoryRecord], controls: UserControls
) -> Corrected:
    reason = Reason("correct.suppress_topic", said.clause)
    if topic is None:
        reasons = (reason, Reason("correct.clarify", "no topic found"))
        return Corrected(said.command, (), tuple(memories), controls, clarify=True, reasons=reasons)
    after = replace(controls, suppressed_topics=tuple(dict.fromkeys((*controls.suppressed_topics, topic))))
    event = MemoryEvent(EventKind.SUPPRESSED, None, f"correct.suppressed_topic {topic}", topic=topic.value)
    return Corrected(said.command, (topic.value,), tuple(memories), after, (event,), reasons=(reason,))

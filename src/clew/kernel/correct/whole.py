"""Two wishes in words: everything forgotten, once that was asked back; and a closed topic opened again (ruling M5)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from zoneinfo import ZoneInfo

from clew.frozen import dataclass
from clew.kernel.compose.choosing import levelled
from clew.kernel.correct.named_topics import strongest_topic, topic_by_name
from clew.kernel.correct.targets import keys_named
from clew.model.memory import EventKind, MemoryEvent, MemoryRecord
from clew.model.profile import UserControls
from clew.model.utterance import Wording
from clew.policy import Policy
from clew.programs import program

CONFIRMED = "correct.everything_confirmed"


def confirms_all(words: Wording, last_assistant_text: str, policy: Policy) -> bool:
    """A plain yes to the question whether everything should go; anything else leaves it all."""
    texts = policy.engine.texts["clarify_everything"]
    said = (levelled(way, polite=polite) for ways in texts.values() for way in ways for polite in (False, True))
    asked = any(way in last_assistant_text for way in said)
    return asked and words.norm.strip(" .!~") in policy.remember.correct.confirm_all


@dataclass(frozen=True, slots=True)
class Opened:
    clause: str
    # ("topic" or "key", its name)
    named: tuple[tuple[str, str], ...]
    controls: UserControls

    @property
    def events(self) -> tuple[MemoryEvent, ...]:
        """One event for each topic or key that may be spoken of again."""
        return tuple(
            MemoryEvent(EventKind.RESTORED, None, f"correct.reopened_{kind} {name}", **{kind: name})
            for kind, name in self.named
        )


def opened_again(
    words: Wording,
    memories: Sequence[MemoryRecord],
    controls: UserControls,
    at: datetime,
    zone: ZoneInfo,
    policy: Policy,
) -> Opened | None:
    """What "we can talk about X again" opens of what was closed; None where it is no such wish or nothing is closed."""
    for clause in (c.text for c in words.clauses):
        match = next((m for p in _reopening(policy.remember.correct.reopen) if (m := p.fullmatch(clause))), None)
        if match is None:
            continue
        named = match["x"].strip()
        topic = strongest_topic(named, policy) or topic_by_name(named, policy)
        keys = set(keys_named(named, memories, at, zone, policy) or ())
        topics = tuple(t for t in controls.suppressed_topics if t != topic)
        left = tuple(k for k in controls.suppressed_memory_keys if k not in keys)
        gone = [("topic", t.value) for t in controls.suppressed_topics if t not in topics]
        gone += [("key", k) for k in controls.suppressed_memory_keys if k not in left]
        if gone:
            after = replace(controls, suppressed_topics=topics, suppressed_memory_keys=left)
            return Opened(clause, tuple(gone), after)
    return None


@lru_cache(maxsize=8)
def _reopening(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(program(p) for p in patterns)

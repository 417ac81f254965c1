"""What the user had forgotten: its value stays barred, its key only until they speak of it again (ruling M5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from clew.kernel.keep.keys import bare_value, canonical, canonical_value
from clew.kernel.keep.lifecycle import without_suppression
from clew.kernel.keep.same_things import same_things
from clew.kernel.text.canonical import sha256
from clew.kernel.text.normalize import normalize
from clew.kernel.text.slug import slug
from clew.model.memory import Candidate, EventKind, MemoryEvent, MemoryRecord
from clew.model.profile import UserControls
from clew.policy import Policy


def value_hash(key: str, value: str, policy: Policy) -> str:
    """SHA-256 of key and value in their one spelling: what is barred is not kept readable."""
    bare = bare_value(value)
    return sha256([key, slug(bare, policy.text) or normalize(bare)])


def is_barred(key: str, value: str, controls: UserControls, policy: Policy) -> bool:
    return bool(controls.suppressed_values) and value_hash(key, value, policy) in controls.suppressed_values


def with_barred_values(
    controls: UserControls, forgotten: Iterable[MemoryRecord], policy: Policy
) -> UserControls:
    hashes = (value_hash(m.memory_key, m.memory_value, policy) for m in forgotten)
    return replace(controls, suppressed_values=tuple(dict.fromkeys((*controls.suppressed_values, *hashes))))


def without_barred_value(controls: UserControls, key: str, value: str, policy: Policy) -> UserControls:
    gone = value_hash(key, value, policy)
    return replace(controls, suppressed_values=tuple(h for h in controls.suppressed_values if h != gone))


def lift_spoken_of(
    controls: UserControls, candidates: Sequence[Candidate], policy: Policy
) -> tuple[UserControls, tuple[MemoryEvent, ...]]:
    """A new value that the user states of their own accord frees its key; the forgotten value does not.

    For the one who calls `remember`: the kernel itself skips what is suppressed.
    """
    events: list[MemoryEvent] = []
    for candidate in candidates:
        known = canonical(candidate.key, policy, candidate.value)
        value = canonical_value(candidate.type, candidate.value)
        if known is None or value is None or is_barred(known[1], value, controls, policy):
            continue
        barred = same_things(known[1], controls.suppressed_memory_keys, policy)
        if barred:
            controls = without_suppression(controls, barred)
            events += [
                MemoryEvent(EventKind.RESTORED, None, f"remember.spoken_of_again {key}") for key in barred
            ]
    return controls, tuple(events)

"""A key that the user had forgotten is free again when they speak of it of their own accord (ruling M5)."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.keep.barred_values import is_barred
from clew.kernel.keep.keys import canonical, canonical_value, stance_of
from clew.kernel.keep.lifecycle import without_suppression
from clew.kernel.keep.same_things import same_things
from clew.model.key import Key, KeyKind
from clew.model.memory import Candidate, EventKind, MemoryEvent
from clew.model.profile import UserControls
from clew.policy import Policy


def _same_again(key: str, value: str, controls: UserControls, policy: Policy) -> bool:
    """ "Jazz" was forgotten; "jazz music" with the same stance is that again, by another name."""
    parsed = Key.parse(key)
    if parsed is None or parsed.kind is not KeyKind.PREF or parsed.item is None:
        return False
    return is_barred(key, f"{stance_of(value)}|{parsed.item.replace('_', ' ')}", controls, policy)


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
        if barred and not any(_same_again(key, value, controls, policy) for key in barred):
            controls = without_suppression(controls, barred)
            events += [
                MemoryEvent(EventKind.RESTORED, None, f"remember.spoken_of_again {key}") for key in barred
            ]
    return controls, tuple(events)

"""A forgotten value, barred by its hash: what is barred is not kept readable (ruling M5)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from clew.kernel.keep.keys import bare_value, stance_of
from clew.kernel.text.canonical import sha256
from clew.kernel.text.normalize import normalize
from clew.kernel.text.slug import slug
from clew.model.memory import MemoryRecord
from clew.model.profile import UserControls
from clew.policy import Policy


def value_hash(key: str, value: str, policy: Policy) -> str:
    """SHA-256 of key and value in their one spelling: what is barred is not kept readable."""
    bare = bare_value(value)
    spelt = slug(bare, policy.text) or normalize(bare)
    return sha256([key, f"{stance_of(value)}|{spelt}" if bare != value else spelt])


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

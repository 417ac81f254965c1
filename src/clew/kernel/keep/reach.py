"""Which memories `remember` must see for a message: so few that a long life costs no more than a short one."""

from __future__ import annotations

from collections.abc import Sequence

from clew.kernel.keep.keys import row_of
from clew.model.key import Key, KeyKind, relation_of
from clew.model.memory import Candidate, Ending
from clew.policy import Policy


def reach(candidates: Sequence[Candidate], endings: Sequence[Ending], policy: Policy) -> tuple[str, ...]:
    """Beginnings of keys: whoever calls `remember` hands in every memory whose key begins with one of them."""
    found: dict[str, None] = {}
    for candidate in candidates:
        for beginning in _around(candidate.key):
            found[beginning] = None
    for ending in endings:
        for beginning in _ended(ending, policy):
            found[beginning] = None
    return tuple(found)


def _around(key: str) -> list[str]:
    parsed = Key.parse(key)
    if parsed is None:
        return [key]
    if relation_of(parsed.subject) is not None:  # the same person under another name, or none yet
        return [f"{parsed.subject}:"]
    if parsed.item is None or parsed.kind is KeyKind.EVENT:
        return [key]
    first = parsed.item.split("_")[0]
    slot = ":".join(p for p in parsed.slot if p)
    # Spellings of one thing begin alike, but for an article.
    return [f"{slot}:{first}", f"{slot}:the_{first}", f"{slot}:a_{first}", f"{slot}:an_{first}"]


def _ended(ending: Ending, policy: Policy) -> list[str]:
    row = row_of(ending.attribute, policy)
    out = [] if ending.key is None else _around(ending.key)
    if relation_of(ending.subject) is not None:
        return [*out, f"{ending.subject}:"]
    if row.key in (KeyKind.PREF, KeyKind.HABIT):
        out += [f"{KeyKind.PREF}:", f"{KeyKind.HABIT}:"]
    for name in (ending.attribute, *row.ends):
        if relation_of(name) is not None:
            out.append(f"{name}:")
        else:
            other = row_of(name, policy)
            out.append(f"{other.key}:{other.field or name}" if other.key is KeyKind.FACT else f"{other.key}:")
    return out

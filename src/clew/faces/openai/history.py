"""What a re-sent history is, beside what is known of it (APPEND, REGENERATE, EDIT, BRANCH, IMPORT, TASK).

Stateless clients send everything each time. A conversation is known by what the user said in it: every user
message is a node, named by a keyed hash of the path to it. Replies take no part in the names, so a swipe or an
edited reply does not look like another conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from clew.engine.bootstrap import Node

Keyed = Callable[..., str]


class Kind(StrEnum):
    APPEND = "APPEND"
    REGENERATE = "REGENERATE"
    EDIT = "EDIT"
    BRANCH = "BRANCH"
    IMPORT = "IMPORT"
    TASK = "TASK"
    # The answer to a tool call goes on with the same message.
    CONTINUE = "CONTINUE"


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One user message and the reply the client shows for it; None for the one to answer now."""

    text: str
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What to do, in this order: withdraw, import, then answer the last message on `branch`."""

    kind: Kind
    branch: int
    nodes: tuple[str, ...]
    # Nodes of the dropped tail.
    withdrawn: tuple[Node, ...] = ()
    # How many leading messages the branch does not hold yet, from which place on.
    import_from: int | None = None
    # The node of the last message, where it was answered before.
    known: Node | None = None


def path(base: str, said: Sequence[ShownTurn], keyed: Keyed) -> tuple[str, ...]:
    out: list[str] = []
    parent = base
    for message in said:
        parent = keyed(parent, " ".join(message.text.split()))
        out.append(parent)
    return tuple(out)


def judge(
    base: str,
    said: Sequence[ShownTurn],
    nodes: Sequence[Node],
    keyed: Keyed,
    *,
    derived: bool = False,
    continues: bool = False,
    forks: bool = False,
) -> Verdict:
    """`derived`: the conversation's name was made from its first message, so a new chat may begin alike.

    `forks`: the client named the reply it goes on from, so what followed that reply elsewhere stays.
    """
    names = path(base, said, keyed)
    branches: dict[int, dict[str, Node]] = {}
    for node in nodes:
        branches.setdefault(node.branch, {})[node.node] = node
    if not branches:
        kind = Kind.APPEND if len(said) == 1 else Kind.IMPORT
        return Verdict(kind, 0, names, import_from=0 if len(said) > 1 else None)
    branch = max(branches, key=lambda b: (_live_depth(names, branches[b]), b))
    held = branches[branch]
    depth = _live_depth(names, held)
    fresh = max(branches) + 1
    tail = _tail(names, depth, held)
    if any(n in held and not held[n].live for n in names):
        # Somebody goes on where the conversation was cut off: that path lives on beside this one.
        return Verdict(Kind.BRANCH, fresh, names, import_from=0 if len(names) > 1 else None)
    if forks and tail:
        return Verdict(Kind.BRANCH, fresh, names, import_from=0 if len(names) > 1 else None)
    if depth == len(names):
        last = held[names[-1]]
        if tail and derived and len(names) == 1:
            return Verdict(Kind.BRANCH, fresh, names)
        if continues and not tail:
            return Verdict(Kind.CONTINUE, branch, names, known=last)
        kind = Kind.EDIT if tail else Kind.REGENERATE
        return Verdict(kind, branch, names, withdrawn=tail, known=last)
    if depth == 0:
        # Nothing in common with what is known under this name: another history.
        if derived or not tail:
            return Verdict(Kind.IMPORT, fresh, names, import_from=0 if len(names) > 1 else None)
        return Verdict(Kind.EDIT, branch, names, withdrawn=tail, import_from=0 if len(names) > 1 else None)
    gap = depth if depth < len(names) - 1 else None
    if tail:
        return Verdict(Kind.EDIT, branch, names, withdrawn=tail, import_from=gap)
    return Verdict(Kind.APPEND if gap is None else Kind.IMPORT, branch, names, import_from=gap)


def _live_depth(names: Sequence[str], held: Mapping[str, Node]) -> int:
    depth = 0
    for name in names:
        if name not in held or not held[name].live:
            break
        depth += 1
    return depth


def _tail(names: Sequence[str], depth: int, held: Mapping[str, Node]) -> tuple[Node, ...]:
    """Everything that lives behind the common part, last first."""
    kept = set(names[:depth])
    behind = [n for n in held.values() if n.live and n.node not in kept]
    return tuple(sorted(behind, key=lambda n: -n.depth))

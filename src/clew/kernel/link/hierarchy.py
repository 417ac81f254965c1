"""Links become beats, beats events, events scenes.

A round first lets links draw in the lone lines around them, then joins neighbours whose bridge
carries both masses; it ends when a round does neither. A level is reached only by joining two nodes.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from clew.frozen import dataclass
from clew.kernel.link.extract import Extraction
from clew.kernel.link.metrics import spread
from clew.kernel.link.score import hill, lexical, tokens
from clew.kernel.read.remark import Remark
from clew.model.canonical import derived_id, sha256
from clew.model.link import Tier
from clew.policy.link import HierarchyTable, LinkPolicy

_TIERS = tuple(Tier)
_LEAF_MASS = 1


@dataclass(frozen=True, slots=True)
class Node:
    """`strength_internal` is the bridge and what the members already held together."""

    id: str
    level: int
    members: tuple[str, ...]
    span_start: int
    span_end: int
    center_index: float
    mass_base: int
    mass_boost: int
    strength_bridge: float
    strength_internal: float
    context_line_indices: tuple[int, ...]
    words: frozenset[str]

    @property
    def mass(self) -> int:
        return self.mass_base + self.mass_boost

    @property
    def tier(self) -> Tier:
        return _TIERS[self.level - 1]

    def as_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "tier": self.tier.value,
            "level": self.level,
            "members": list(self.members),
            "span_start": self.span_start,
            "span_end": self.span_end,
            "center_index": self.center_index,
            "mass": self.mass,
            "mass_base": self.mass_base,
            "mass_boost": self.mass_boost,
            "strength_bridge": self.strength_bridge,
            "strength_internal": self.strength_internal,
            "context_line_indices": list(self.context_line_indices),
            "context_count": len(self.context_line_indices),
        }


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """Every node ever formed, in order of forming; `roots` are those that joined nothing larger."""

    nodes: tuple[Node, ...]
    roots: tuple[str, ...]
    rounds: tuple[dict[str, Any], ...]
    metrics: dict[str, Any]
    provenance: dict[str, Any]

    def as_dict(self) -> dict[str, Any]:
        return {
            "nodes": [n.as_dict() for n in self.nodes],
            "roots": list(self.roots),
            "rounds": list(self.rounds),
            "metrics": self.metrics,
            "provenance": self.provenance,
        }


def grow(found: Extraction, policy: LinkPolicy) -> Hierarchy:
    table = policy.hierarchy
    live = _leaves(found, policy)
    loose = _singletons(found, policy)
    every: dict[str, Node] = {n.id: n for n in live}
    rounds: list[dict[str, Any]] = []
    absorbed = 0
    for number in range(1, table.max_rounds + 1):
        live, taken = _absorb(live, loose, table)
        for index in taken:
            del loose[index]
        absorbed += len(taken)
        every |= {n.id: n for n in live}
        live, made = _join(live, table)
        every |= {n.id: n for n in made}
        rounds.append(
            {
                "round": number,
                "pairs_formed": len(made),
                "absorbed": len(taken),
                "absorbed_cumulative": absorbed,
                "singletons_left": len(loose),
                "nodes": len(live),
                "bridge": spread([n.strength_bridge for n in made]),
            }
        )
        if not made and not taken:
            break
    nodes = tuple(every.values())
    roots = tuple(n.id for n in live)
    measured = _measure(nodes, found, absorbed)
    return Hierarchy(nodes, roots, tuple(rounds), measured, _provenance(found, table))


def _leaves(found: Extraction, policy: LinkPolicy) -> list[Node]:
    out = []
    for link in found.links:
        if not link.claimed or link.continuation or link.consequence_anchor_index is None:
            continue
        start, end = link.intent_anchor_index, link.consequence_anchor_index
        words = tokens(Remark(f"{link.intent_text} {link.consequence_text}".lower()), policy)
        score = link.score or 0.0
        out.append(
            Node(link.id, 1, (), start, end, (start + end) / 2, 2 * _LEAF_MASS, 0, score, score, (), words)
        )
    return sorted(out, key=_place)


def _place(node: Node) -> tuple[float, int, str]:
    return node.center_index, node.span_start, node.id


def _singletons(found: Extraction, policy: LinkPolicy) -> dict[int, frozenset[str]]:
    """Eligible lines that no claimed link holds, each of mass one."""
    held = _held(found)
    return {
        index: tokens(Remark(found.sheet.low[position]), policy)
        for position, index in enumerate(found.sheet.index)
        if not found.mask.bits[position] and index not in held
    }


def _held(found: Extraction) -> set[int | None]:
    claimed = [link for link in found.links if link.claimed]
    ends = ((link.intent_anchor_index, link.consequence_anchor_index) for link in claimed)
    return {index for pair in ends for index in pair}


def _absorb(
    live: list[Node], loose: dict[int, frozenset[str]], table: HierarchyTable
) -> tuple[list[Node], list[int]]:
    """Greedy by strength, then distance, then place; a node has a radius and a capacity by its mass."""
    edges = []
    lines = sorted(loose)
    for n, node in enumerate(live):
        radius = table.absorb_radius + table.absorb_radius_mass * node.mass
        first = bisect_left(lines, node.center_index - radius)
        for index in lines[first : bisect_right(lines, node.center_index + radius)]:
            gap = abs(index - node.center_index)
            near = hill(gap, table.absorb_tau, table.p)
            strength = near * (1.0 + table.absorb_beta_lex * lexical(node.words, loose[index]))
            if strength >= table.absorb_min:
                edges.append((-strength, gap, node.id, index, n))
    edges.sort()
    room = [_capacity(node, table) for node in live]
    gained: dict[int, list[int]] = {}
    taken: set[int] = set()
    for _, _, _, index, n in edges:
        if index not in taken and room[n] > 0:
            room[n] -= 1
            taken.add(index)
            gained.setdefault(n, []).append(index)
    grown = [
        replace(
            node,
            mass_boost=node.mass_boost + len(gained[n]) * _LEAF_MASS,
            context_line_indices=tuple(sorted((*node.context_line_indices, *gained[n]))),
        )
        if n in gained
        else node
        for n, node in enumerate(live)
    ]
    return grown, sorted(taken)


def _capacity(node: Node, table: HierarchyTable) -> int:
    most = math.floor(table.absorb_capacity + table.absorb_capacity_mass * node.mass)
    return most - len(node.context_line_indices)


def _join(live: list[Node], table: HierarchyTable) -> tuple[list[Node], list[Node]]:
    """Each node at most once a round, the strongest bridge first."""
    edges = []
    for a, left in enumerate(live):
        ahead = 0
        for b in range(a + 1, len(live)):
            right = live[b]
            gap = right.center_index - left.center_index
            if gap > table.reach or ahead == table.neighbours:
                break
            ahead += 1
            if max(left.level, right.level) >= table.max_level:
                continue
            near = hill(gap, table.tau, table.p)
            bridge = near * (1.0 + table.beta_lex * lexical(left.words, right.words))
            if bridge >= table.t0 + table.k * math.log(1.0 + math.sqrt(left.mass * right.mass)):
                edges.append((-bridge, gap, a, b))
    edges.sort()
    used: set[int] = set()
    made = []
    for minus, _, a, b in edges:
        if a not in used and b not in used:
            used |= {a, b}
            made.append(_pair(live[a], live[b], -minus))
    return sorted([n for i, n in enumerate(live) if i not in used] + made, key=_place), made


def _pair(left: Node, right: Node, bridge: float) -> Node:
    return Node(
        derived_id("node", left.id, right.id),
        max(left.level, right.level) + 1,
        (left.id, right.id),
        min(left.span_start, right.span_start),
        max(left.span_end, right.span_end),
        (left.center_index + right.center_index) / 2,
        left.mass + right.mass,
        0,
        bridge,
        bridge + left.strength_internal + right.strength_internal,
        (),
        left.words | right.words,
    )


def _measure(nodes: Sequence[Node], found: Extraction, absorbed: int) -> dict[str, Any]:
    eligible = found.metrics["eligible"]
    linked = len(_held(found))
    return {
        "nodes_total": len(nodes),
        "by_tier": {tier.value: sum(n.tier is tier for n in nodes) for tier in Tier},
        "effects_unique_claimed": found.metrics["consequences"],
        "eligible": eligible,
        "linked": linked,
        "absorbed": absorbed,
        "linked_or_absorbed": linked + absorbed,
        "unlinked_eligible": eligible - linked - absorbed,
        "bridge": spread([n.strength_bridge for n in nodes if n.level > 1]),
        "internal": spread([n.strength_internal for n in nodes]),
        "mass": spread([float(n.mass) for n in nodes]),
    }


def _provenance(found: Extraction, table: HierarchyTable) -> dict[str, Any]:
    origin = found.params.provenance
    return {
        "kernel_version": origin.kernel_version,
        "links_param_hash": origin.param_hash,
        "param_hash": sha256([origin.param_hash, table])[:12],
    }

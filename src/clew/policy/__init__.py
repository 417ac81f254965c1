"""NUMBERS. Enters: shipped tables and a user's TOML file.
Leaves: one frozen Policy with a fingerprint.
Does not know: any rule that uses the numbers, the clock, the store.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from pathlib import Path
from typing import Any

from clew.errors import InvalidPolicy
from clew.frozen import dataclass
from clew.model.canonical import sha256
from clew.policy import patterns
from clew.policy.attributes import AttributesPolicy
from clew.policy.care import CarePolicy
from clew.policy.cast import CastPolicy
from clew.policy.changes import ChangesPolicy
from clew.policy.checks import ChecksPolicy
from clew.policy.compose import ComposePolicy
from clew.policy.engine import EnginePolicy
from clew.policy.everyday import EverydayPolicy
from clew.policy.gate import GatePolicy
from clew.policy.ground import GroundPolicy
from clew.policy.introduce import IntroducePolicy
from clew.policy.jobs import JobsPolicy
from clew.policy.language import LanguagePolicy
from clew.policy.link import LinkPolicy
from clew.policy.listen import ListenPolicy
from clew.policy.occasions import OccasionsPolicy
from clew.policy.plan import PlanPolicy
from clew.policy.reach import ReachPolicy
from clew.policy.reader import ReaderPolicy
from clew.policy.recall import RecallPolicy
from clew.policy.relate import RelatePolicy
from clew.policy.remember import RememberPolicy
from clew.policy.route import RoutePolicy
from clew.policy.rows import prove
from clew.policy.table import build, read_file, shipped
from clew.policy.text import TextPolicy
from clew.policy.times import TimesPolicy
from clew.policy.weave import WeavePolicy


@dataclass(frozen=True)
class Policy:
    """One table per room, in the order of a turn."""

    text: TextPolicy
    language: LanguagePolicy
    listen: ListenPolicy
    reader: ReaderPolicy
    route: RoutePolicy
    care: CarePolicy
    recall: RecallPolicy
    ground: GroundPolicy
    plan: PlanPolicy
    checks: ChecksPolicy
    changes: ChangesPolicy
    occasions: OccasionsPolicy
    everyday: EverydayPolicy
    compose: ComposePolicy
    gate: GatePolicy
    remember: RememberPolicy
    attributes: AttributesPolicy
    times: TimesPolicy
    relate: RelatePolicy
    reach: ReachPolicy
    weave: WeavePolicy
    link: LinkPolicy
    cast: CastPolicy
    introduce: IntroducePolicy
    engine: EnginePolicy
    jobs: JobsPolicy

    @cached_property
    def fingerprint(self) -> str:
        return sha256(self)

    __hash__ = object.__hash__  # by identity: it is asked some hundred times a turn

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Policy) and self.fingerprint == other.fingerprint


ROOMS = tuple(f.name for f in fields(Policy))
_KINDS: dict[str, type] = {
    "text": TextPolicy,
    "language": LanguagePolicy,
    "listen": ListenPolicy,
    "reader": ReaderPolicy,
    "route": RoutePolicy,
    "care": CarePolicy,
    "recall": RecallPolicy,
    "ground": GroundPolicy,
    "plan": PlanPolicy,
    "checks": ChecksPolicy,
    "changes": ChangesPolicy,
    "occasions": OccasionsPolicy,
    "everyday": EverydayPolicy,
    "compose": ComposePolicy,
    "gate": GatePolicy,
    "remember": RememberPolicy,
    "attributes": AttributesPolicy,
    "times": TimesPolicy,
    "relate": RelatePolicy,
    "reach": ReachPolicy,
    "weave": WeavePolicy,
    "link": LinkPolicy,
    "cast": CastPolicy,
    "introduce": IntroducePolicy,
    "engine": EnginePolicy,
    "jobs": JobsPolicy,
}


_shipped: list[Policy] = []


def from_tables(override: dict[str, Any] | None = None) -> Policy:
    """The shipped tables with `override` laid over; rooms that it does not name are shared with the loaded ones."""
    override = override or {}
    for room in override:
        if room not in _KINDS:
            raise InvalidPolicy(
                f"unknown policy table {room!r}; known: {', '.join(ROOMS)}", pointer=f"/{room}"
            )
    tables: dict[str, Any] = {}
    for room, kind in _KINDS.items():
        if override and _shipped and room not in override:
            tables[room] = getattr(_shipped[0], room)
            continue
        ours, given = shipped(room), override.get(room, {})
        tables[room] = build(kind, [ours, given], f"/{room}")
        patterns.check(given, ours, f"/{room}")
        prove(tables[room], given, f"/{room}")
    return Policy(**tables)


def default() -> Policy:
    """The shipped policy, made once."""
    if not _shipped:
        _shipped.append(from_tables())
    return _shipped[0]


def adopt(policy: Policy) -> None:
    """Takes a copy of the shipped policy that was made before, where none has been made yet."""
    if not _shipped:
        _shipped.append(policy)


def is_loaded() -> bool:
    return bool(_shipped)


def load(path: str | Path | None = None) -> Policy:
    """The shipped policy, or it with a user's file laid over."""
    if path is None:
        return default()
    tables = read_file(Path(path))
    try:
        return from_tables(tables)
    except InvalidPolicy as why:
        raise InvalidPolicy(f"policy file {path}: {why.message}", pointer=why.pointer) from None

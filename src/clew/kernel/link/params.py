"""The numbers of one run: policy, laid over by what the caller asks (`params`)."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from clew.errors import InvalidInput
from clew.frozen import dataclass
from clew.model.canonical import canonical_json, sha256
from clew.model.fields import Fields
from clew.model.link import Provenance
from clew.policy.link import LinkPolicy, Scoring

PROFILES = ("specified", "best")
_CHOICES = {
    "answer": ("additive", "multiplied"),
    "k_mode": ("lines", "dm_count"),
    "allocation": ("in_order", "global"),
}
_POSITIVE = ("tau", "p")
_HASH = 12
# No transcript is longer, and a distance beyond it could not be counted in a float.
_FAR = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Params:
    profile: str
    scoring: Scoring
    continuations: bool
    provenance: Provenance


def resolve(asked: Fields | None, policy: LinkPolicy, *, general: bool) -> Params:
    asked = asked or Fields({}, "/params")
    profile = asked.choice("profile", PROFILES, "specified")
    scoring = policy.specified if profile == "specified" else _best(policy, general)
    known = {f.name: f.type for f in fields(Scoring)}
    changes: dict[str, Any] = {}
    continuations = profile == "best" and general
    for name in asked:
        if name == "profile" or not asked.has(name):
            continue
        if name == "continuations":
            continuations = asked.flag(name)
        elif name not in known:
            message = f"unknown parameter {name!r}; known: profile, continuations, {', '.join(known)}"
            raise InvalidInput(message, pointer=asked.at(name))
        else:
            changes[name] = _value(asked, name, known[name])
    scoring = replace(scoring, **changes)
    plain = {f.name: getattr(scoring, f.name) for f in fields(Scoring)}
    plain |= {"profile": profile, "continuations": continuations}
    digest = sha256(canonical_json([policy.kernel_version, plain]))[:_HASH]
    return Params(profile, scoring, continuations, Provenance(policy.kernel_version, profile, plain, digest))


def _best(policy: LinkPolicy, general: bool) -> Scoring:
    table = policy.best
    if general:
        return replace(policy.specified, k_local=table.k_local)
    return replace(
        policy.specified,
        k_local=table.k_local_master,
        tau=table.tau_master,
        strong_min_score=table.strong_min_master,
        answer="multiplied",
        allocation="global",
        bundle_answers=True,
    )


def _value(asked: Fields, name: str, kind: Any) -> Any:
    if name in _CHOICES:
        return asked.choice(name, _CHOICES[name])
    if kind in ("bool", bool):
        return asked.flag(name)
    if kind in ("int", int):
        value = asked.integer(name)
        if not 1 <= value <= _FAR:
            raise InvalidInput(f"{name} must be from 1 to {_FAR:,}", pointer=asked.at(name))
        return value
    number = float(asked.number(name))
    if number < 0 or (number == 0 and name in _POSITIVE):
        raise InvalidInput(f"{name} must be positive", pointer=asked.at(name))
    return number

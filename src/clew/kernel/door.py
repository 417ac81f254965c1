"""The kernel door: one JSON object in, one out, by name.

Each row names the function that reads the object, decides, and writes the answer.
Rows are loaded when first called, so that asking one kernel does not load the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from itertools import chain
from typing import Any, Literal

from clew.errors import InvalidInput, UnknownName
from clew.model.fields import Fields
from clew.policy import Policy, default
from clew.policy.text import TextPolicy

_HOLDERS = (str, list, tuple, Mapping)
Mode = Literal["strict", "repair"]
Door = Callable[[Fields, Policy, Mode], dict[str, Any]]

DOORS: dict[str, str] = {
    "read": "clew.kernel.read.read_door:read",
    "route": "clew.kernel.route.route_door:route",
    "ground": "clew.kernel.ground.door:ground",
    "similar": "clew.kernel.similar:similar",
    "extract": "clew.kernel.keep.keep_door:extract",
    "remember": "clew.kernel.keep.keep_door:remember",
    "correct": "clew.kernel.keep.keep_door:correct",
    "learn": "clew.kernel.keep.records_door:learn",
    "episode": "clew.kernel.keep.records_door:episode",
    "decide_record": "clew.kernel.keep.records_door:decide_record",
    "thin": "clew.kernel.keep.records_door:thin",
    "threads": "clew.kernel.weave.weave_door:threads",
    "relate": "clew.kernel.relate.relate_door:relate",
    "decay": "clew.kernel.relate.relate_door:decay",
    "cast": "clew.kernel.cast.cast_door:cast",
    "gate": "clew.kernel.gate.gate_door:gate",
    "reach": "clew.kernel.reach.reach_door:reach",
    "acknowledge": "clew.kernel.reach.reach_door:acknowledge",
    "links": "clew.kernel.link.link_door:links",
}

# Which fields may carry a vector, and the text it is made from (kernels do not embed).
VECTORS: dict[str, tuple[tuple[str, str], ...]] = {
    "read": (("text", "vector"),),
    "route": (("text", "vector"),),
    "extract": (("text", "vector"),),
    "gate": (("reply", "vector"), ("user_text", "user_vector")),
    "similar": (("a", "vector_a"), ("b", "vector_b")),
    "learn": (("new", "vector"), ("facts", "fact_vectors")),
}

# Beside a text's vector the doors that embed may put its tokens: a TokenVectors, never JSON.
TOKENS = "token_vectors"
TOKEN_DOORS = ("read", "route", "extract")

# And the vectors of its sentences, by their text: never JSON either.
SENTENCES = "sentence_vectors"
SENTENCE_DOORS = {"read": "text", "route": "text", "gate": "reply"}
# Here with those of the earlier messages too (kernel/read/together.py).
TOGETHER_DOORS = ("read", "route")


# What the encoder makes of texts (kernel/read/meanings.py), where a kernel asks for many of them: never JSON.
MEANINGS = "meanings"
MEANING_DOORS = ("ground", "gate")

# A field that its kernel holds to the limits itself: a list that it knows again was held to them before.
OWN_LIMITS = {"ground": "candidates"}

_PLAIN = frozenset({str, int, float, bool, type(None)})
_LONG = 50


@cache
def _load(name: str) -> Door:
    try:
        module, function = DOORS[name].split(":")
    except KeyError:
        raise UnknownName(f"no kernel named {name!r}; known: {', '.join(sorted(DOORS))}") from None
    door: Door = getattr(import_module(module), function)
    return door


def within_limits(name: str, payload: Any, policy: TextPolicy) -> None:
    """Bounded work: a string, an object or a nesting beyond the policy's limits is refused by its place."""
    most = policy.long_door_characters if name in policy.long_doors else policy.door_characters
    size = 0
    level: list[tuple[Any, str]] = [(payload, "")]
    for depth in range(policy.door_depth):
        below: list[tuple[Any, str]] = []
        for value, pointer in level:
            flat = _flat(value) if depth + 2 < policy.door_depth else None
            if flat is not None and flat[1] <= most:
                size += flat[0]
            elif isinstance(value, str):
                if len(value) > most:
                    field = pointer.rpartition("/")[2]
                    message = f"{field} has {len(value):,} characters; at most {most:,} are taken"
                    raise InvalidInput(message, pointer=pointer)
                size += len(value)
            elif isinstance(value, Mapping):
                size += sum(len(key) if isinstance(key, str) else 1 for key in value)
                below += [
                    (item, f"{pointer}/{key}") for key, item in value.items() if isinstance(item, _HOLDERS)
                ]
            elif isinstance(value, (list, tuple)):
                size += len(value)
                below += [
                    (item, f"{pointer}/{i}") for i, item in enumerate(value) if isinstance(item, _HOLDERS)
                ]
            if size > policy.door_size:
                raise InvalidInput(
                    f"the object holds more than {policy.door_size:,} characters and items",
                    pointer=pointer or "/",
                )
        if not below:
            return
        level = below
    raise InvalidInput(f"nested more than {policy.door_depth} deep", pointer=level[0][1])


def _flat(value: Any) -> tuple[int, int] | None:
    """A long list of plain objects, measured without walking each: its size, and its longest string."""
    if type(value) is not list or len(value) < _LONG or set(map(type, value)) != {dict}:
        return None
    values = list(chain.from_iterable(map(dict.values, value)))
    names = list(chain.from_iterable(value))
    kinds = set(map(type, values))
    if not kinds <= _PLAIN or set(map(type, names)) - {str}:
        return None
    texts = values if kinds == {str} else [v for v in values if type(v) is str]
    size = len(value) + sum(map(len, names)) + sum(map(len, texts))
    return size, max(map(len, texts), default=0)


def call(
    name: str, payload: Mapping[str, Any], *, mode: Mode = "repair", policy: Policy | None = None
) -> dict[str, Any]:
    """Ask one kernel. Same payload + same policy = same answer."""
    if mode not in ("strict", "repair"):
        raise InvalidInput(f"mode must be strict or repair, got {str(mode)[:60]!r}", pointer="mode")
    fields = Fields(payload)
    if odd := next((key for key in payload if not isinstance(key, str)), None):
        raise InvalidInput(f"a field's name must be a string, got {str(odd)[:60]!r}", pointer="/")
    policy = policy or default()
    door = _load(name)
    own = OWN_LIMITS.get(name)
    checked = {k: v for k, v in payload.items() if k != own} if own is not None else payload
    within_limits(name, checked, policy.text)
    answer = door(fields, policy, mode)
    answer["policy"] = policy.fingerprint
    return answer

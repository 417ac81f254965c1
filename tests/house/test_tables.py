"""Tables have a row for every member, and every row names something that exists."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Iterator, Mapping
from enum import Enum
from importlib import import_module
from typing import Any, get_args, get_origin, get_type_hints

import click
import pytest

from clew import errors, kernels, policy
from clew.errors import ClewError
from clew.faces.cli.main import COMMANDS
from clew.kernel.door import DOORS, VECTORS
from clew.policy import _KINDS, ROOMS, Policy

# Tables that name only the members they are about, with the reason.
PARTIAL: dict[str, str] = {
    "gate.softer": "friends and close friends may be as warm as they like",
}


def enum_tables(value: Any, at: str) -> Iterator[tuple[str, type[Enum], Mapping[Any, Any]]]:
    """Every mapping of a policy table whose keys are the members of an enum."""
    if not dataclasses.is_dataclass(value):
        return
    hints = get_type_hints(type(value))
    for field in dataclasses.fields(value):
        item, hint = getattr(value, field.name), hints[field.name]
        place = f"{at}.{field.name}"
        if dataclasses.is_dataclass(item):
            yield from enum_tables(item, place)
        elif isinstance(item, Mapping):
            args = get_args(hint) if get_origin(hint) else ()
            if args and isinstance(args[0], type) and issubclass(args[0], Enum):
                yield place, args[0], item


def all_tables() -> list[tuple[str, type[Enum], Mapping[Any, Any]]]:
    shipped = policy.default()
    return [row for room in ROOMS for row in enum_tables(getattr(shipped, room), room)]


def test_every_enum_table_has_a_row_for_every_member() -> None:
    missing = {
        place: sorted(m.value for m in set(kind) - set(table))
        for place, kind, table in all_tables()
        if set(table) != set(kind) and place not in PARTIAL
    }
    assert missing == {}


def test_the_list_of_partial_tables_holds_no_strangers() -> None:
    assert set(PARTIAL) <= {place for place, _, _ in all_tables()}


def test_there_are_tables_to_check() -> None:
    assert "weave.thresholds" in {place for place, _, _ in all_tables()}


@pytest.mark.parametrize("name", sorted(DOORS))
def test_every_row_of_the_kernel_door_opens(name: str) -> None:
    module, function = DOORS[name].split(":")
    assert callable(getattr(import_module(module), function))
    assert callable(getattr(kernels, name))


def test_vectors_are_given_to_kernels_that_exist() -> None:
    assert set(VECTORS) <= set(DOORS)


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_row_of_the_commands_opens_and_has_one_line_of_help(name: str) -> None:
    place, line = COMMANDS[name]
    module, attribute = place.split(":")
    command = getattr(import_module(module), attribute)
    assert isinstance(command, click.Command)
    assert line.endswith(".") and "\n" not in line
    assert command.help


def test_the_policy_has_one_table_per_room() -> None:
    assert tuple(_KINDS) == ROOMS == tuple(f.name for f in dataclasses.fields(Policy))
    for room, kind in _KINDS.items():
        assert kind.__module__ == f"clew.policy.{room}"


def error_classes() -> list[type[ClewError]]:
    return [c for _, c in inspect.getmembers(errors, inspect.isclass) if issubclass(c, ClewError)]


def test_the_drawn_error_tree_is_the_real_one() -> None:
    drawn: dict[str, str] = {}
    path: list[str] = []
    for line in (errors.__doc__ or "").splitlines():
        bare = line.lstrip("│├└─ ")
        if not bare or bare.split()[0] not in dir(errors):
            continue
        depth = (len(line) - len(bare)) // 4
        path[depth:] = [bare.split()[0]]
        if depth:
            drawn[path[depth]] = path[depth - 1]
    real = {c.__name__: c.__base__.__name__ for c in error_classes() if c is not ClewError}
    assert drawn == real


def test_every_error_has_its_own_code() -> None:
    codes = [c.code for c in error_classes()]
    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize("kind", error_classes(), ids=lambda c: c.__name__)
def test_every_error_says_status_retry_and_fault(kind: type[ClewError]) -> None:
    assert 400 <= kind.status <= 599
    assert isinstance(kind.retryable, bool)
    assert kind.fault in ("caller", "model", "store", "clew")
    assert kind("why").as_dict() == {"code": kind.code, "message": "why"}

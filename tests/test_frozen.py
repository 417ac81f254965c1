"""Our `dataclass` makes what the standard library makes."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from clew import frozen


def family(dataclass: Callable[..., Any]) -> dict[str, Any]:
    """The same classes, made by one of the two."""

    @dataclass(frozen=True)
    class Plain:
        """With a word about it."""

        a: int
        b: str = "b"
        c: tuple[int, ...] = dataclasses.field(default_factory=tuple)
        d: int = dataclasses.field(default=4, repr=False)
        kinds: ClassVar[int] = 7

        @property
        def twice(self) -> int:
            return self.a * 2

    @dataclass(frozen=True, slots=True)
    class Slots:
        a: int
        made: list[int] = dataclasses.field(default_factory=list)
        only: int = dataclasses.field(kw_only=True, default=1)

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("below nothing")

    @dataclass(frozen=True, slots=True, eq=False)
    class ByIdentity:
        a: int = 1

    @dataclass(frozen=True)
    class OwnHash:
        a: int = 1

        def __hash__(self) -> int:
            return 99

    @dataclass(frozen=True)
    class Nothing:
        pass

    @dataclass(frozen=True)
    class Below(Plain):
        e: int = 5

    @dataclass(frozen=True, slots=True)
    class BelowSlots(Slots):
        made: list[int] = dataclasses.field(default_factory=lambda: [7])
        e: int = 5

    return {k: v for k, v in locals().items() if isinstance(v, type)}


THEIRS, OURS = family(dataclasses.dataclass), family(frozen.dataclass)
MADE = {
    "Plain": [(1,), (1, "x"), (1, "x", (2,), 9)], "Slots": [(1,), (2, [3])], "ByIdentity": [(), (2,)],
    "OwnHash": [(), (2,)], "Nothing": [()], "Below": [(1,), (1, "b", (), 4, 6)], "BelowSlots": [(1,), (2, [3], 6)],
}  # fmt: skip


@pytest.mark.parametrize("name", MADE)
def test_a_class_of_ours_is_one_of_theirs(name: str) -> None:
    ours, theirs = OURS[name], THEIRS[name]
    assert [(f.name, f.type, f.default, f.init, f.kw_only) for f in dataclasses.fields(ours)] == [
        (f.name, f.type, f.default, f.init, f.kw_only) for f in dataclasses.fields(theirs)
    ]
    assert ours.__match_args__ == theirs.__match_args__
    assert list(inspect.signature(ours).parameters) == list(inspect.signature(theirs).parameters)
    assert hasattr(ours, "__dict__") and ("__slots__" in vars(ours)) is ("__slots__" in vars(theirs))
    for given in MADE[name]:
        one, other = ours(*given), theirs(*given)
        assert repr(one) == repr(other).replace(theirs.__qualname__, ours.__qualname__)
        assert dataclasses.astuple(one) == dataclasses.astuple(other)
        assert (one == ours(*given)) is (other == theirs(*given))
        assert (one == other) is False and one != object()
        assert copy.deepcopy(one) == one or name == "ByIdentity"
        if name != "ByIdentity" and "made" not in repr(one):
            assert hash(one) == hash(other)
        for field in dataclasses.fields(ours):
            with pytest.raises(dataclasses.FrozenInstanceError):
                setattr(one, field.name, 1)
            with pytest.raises(dataclasses.FrozenInstanceError):
                delattr(one, field.name)


def test_values_are_checked_replaced_and_made_anew_each_time() -> None:
    slots = OURS["Slots"]
    with pytest.raises(ValueError, match="below nothing"):
        slots(-1)
    assert dataclasses.replace(slots(1), a=2, only=5) == slots(2, only=5)
    assert slots(1).made is not slots(1).made
    with pytest.raises(TypeError):
        slots()
    with pytest.raises(TypeError):
        slots(1, [], 3)
    assert not hasattr(slots(1), "__dict__")
    assert OURS["Plain"].kinds == 7 and OURS["Plain"](3).twice == 6
    assert OURS["Plain"].__doc__ == "With a word about it."


@frozen.dataclass(frozen=True, slots=True)
class Kept:
    a: int
    b: tuple[str, ...] = ()


def test_a_value_survives_packing() -> None:
    assert pickle.loads(pickle.dumps(Kept(1, ("x",)))) == Kept(1, ("x",))


def test_a_class_that_the_library_refuses_is_refused_at_once() -> None:
    with pytest.raises(TypeError, match="default"):

        @frozen.dataclass(frozen=True)
        class Late:
            a: int = 1
            b: str

    with pytest.raises(ValueError, match="mutable"):

        @frozen.dataclass(frozen=True)
        class Shared:
            a: list[int] = []  # noqa: RUF012

    with pytest.raises(TypeError, match="frozen"):

        @dataclasses.dataclass
        class Open:
            a: int

        @frozen.dataclass(frozen=True)
        class Below(Open):
            b: int


def test_the_first_value_of_a_class_below_an_undecorated_one_is_made() -> None:
    class Undecorated(OURS["Slots"]):  # type: ignore[misc]
        pass

    assert Undecorated(1, only=3).only == 3 and OURS["Slots"](2).a == 2


def test_what_is_not_frozen_is_left_to_the_library() -> None:
    @frozen.dataclass
    class Open:
        a: int = 1

    open_ = Open()
    open_.a = 2
    assert open_ == Open(2)

"""Every complaint about a JSON object names the field and the reason."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import InvalidInput
from clew.model.fields import Fields


class Size(StrEnum):
    SMALL = "small"
    LARGE = "large"


Read = Callable[[Fields], Any]

COMPLAINTS: list[tuple[str, Any, Read, str, str]] = [
    ("required", {}, lambda f: f.text("a"), "a is required", "/a"),
    ("null is absent", {"a": None}, lambda f: f.text("a"), "a is required", "/a"),
    ("text", {"a": 3}, lambda f: f.text("a"), "a must be a string, got a number", "/a"),
    ("surrogate", {"a": "\ud800"}, lambda f: f.text("a"), "a holds a lone surrogate", "/a"),
    ("id", {"a": ""}, lambda f: f.id("a"), "a must not be empty", "/a"),
    ("flag", {"a": 1}, lambda f: f.flag("a"), "a must be true or false, got a number", "/a"),
    ("integer", {"a": 1.5}, lambda f: f.integer("a"), "a must be an integer, got a number", "/a"),
    (
        "integer is no flag",
        {"a": True},
        lambda f: f.integer("a"),
        "a must be an integer, got a boolean",
        "/a",
    ),
    ("number", {"a": "1"}, lambda f: f.number("a"), "a must be a number, got a string", "/a"),
    ("finite", {"a": float("inf")}, lambda f: f.number("a"), "a must be a finite number", "/a"),
    ("nan", {"a": float("nan")}, lambda f: f.number("a"), "a must be a finite number", "/a"),
    ("time", {"a": "yesterday"}, lambda f: f.time("a"), "not an ISO 8601 time: 'yesterday'", "/a"),
    ("offset", {"a": "2026-01-01T00:00:00"}, lambda f: f.time("a"), "time needs an offset", "/a"),
    ("zone", {"a": "Mars/Base"}, lambda f: f.zone("a"), "not an IANA time zone: 'Mars/Base'", "/a"),
    ("zone path", {"a": "../etc"}, lambda f: f.zone("a"), "not an IANA time zone", "/a"),
    ("enum", {"a": "huge"}, lambda f: f.enum("a", Size), "a must be one of small, large; got 'huge'", "/a"),
    ("choice", {"a": "x"}, lambda f: f.choice("a", ("y", "z")), "a must be one of y, z; got 'x'", "/a"),
    ("list", {"a": {}}, lambda f: f.items("a"), "a must be a list, got an object", "/a"),
    ("strings", {"a": ["x", 1]}, lambda f: f.strings("a"), "a[1] must be a string, got a number", "/a/1"),
    ("vector", {"a": [1, "x"]}, lambda f: f.numbers("a"), "a[1] must be a number", "/a/1"),
    ("vector nan", {"a": [float("nan")]}, lambda f: f.numbers("a"), "a[0] must be a number", "/a/0"),
    ("child", {"a": []}, lambda f: f.child("a"), "expected an object, got a list", "/a"),
    ("deep", {"a": {"b": 1}}, lambda f: f.child("a").text("b"), "b must be a string, got a number", "/a/b"),
    ("item", {"a": [{}, {"b": 1}]}, lambda f: f.children("a")[1].text("b"), "b must be a string", "/a/1/b"),
    ("escaped", {"a/b~": 1}, lambda f: f.text("a/b~"), "must be a string", "/a~1b~0"),
]


@pytest.mark.parametrize(
    ("data", "read", "message", "pointer"), [c[1:] for c in COMPLAINTS], ids=[c[0] for c in COMPLAINTS]
)
def test_a_complaint_names_field_reason_and_place(data: Any, read: Read, message: str, pointer: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read(Fields(data))
    assert message in caught.value.message
    assert caught.value.pointer == pointer


@pytest.mark.parametrize("data", [None, 3, "x", [], True])
def test_only_an_object_can_be_read(data: Any) -> None:
    with pytest.raises(InvalidInput, match="expected an object") as caught:
        Fields(data)
    assert caught.value.pointer == "/"


def test_what_is_right_is_given_back_as_the_noun_it_means() -> None:
    fields = Fields({
        "text": "x", "flag": False, "whole": 0, "share": 0.5,
        "at": "2026-03-01T09:00:00+09:00", "zone": "Asia/Seoul",
        "size": "large", "list": ["a"], "vector": [1, 0.5], "child": {"x": 1}, "none": None,
    })  # fmt: skip
    assert (fields.text("text"), fields.flag("flag"), fields.integer("whole")) == ("x", False, 0)
    assert fields.number("share") == 0.5
    assert fields.time("at").utcoffset().total_seconds() == 9 * 3600
    assert fields.zone("zone").key == "Asia/Seoul"
    assert fields.enum("size", Size) is Size.LARGE
    assert fields.strings("list") == ("a",)
    assert fields.numbers("vector") == (1.0, 0.5)
    assert fields.child("child").integer("x") == 1


READERS = [
    *("text", "id", "flag", "integer", "number", "time", "zone"),
    *("items", "strings", "numbers", "child", "children"),
]


@pytest.mark.parametrize("reader", READERS)
def test_an_absent_field_gives_the_default(reader: str) -> None:
    fields = Fields({"a": None})
    assert getattr(fields, reader)("a", None) is None
    assert getattr(fields, reader)("b", ()) == ()


def test_one_bad_item_does_not_hide_the_others_fields() -> None:
    good, bad = Fields({"list": [{"x": 1}, {"x": "no"}]}).children("list")
    assert good.integer("x") == 1
    with pytest.raises(InvalidInput):
        bad.integer("x")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda i: st.lists(i) | st.dictionaries(st.text(), i),
    )
)
def test_any_value_is_read_or_refused_with_a_pointer(value: Any) -> None:
    for reader in READERS:
        try:
            getattr(Fields({"a": value}), reader)("a")
        except InvalidInput as why:
            assert why.pointer and why.pointer.startswith("/a")

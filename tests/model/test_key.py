"""A key is built and taken apart in one place."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.model.key import TYPES, Key, KeyKind, relation_of
from clew.model.memory import MemoryType


@pytest.mark.rule("M1")
@pytest.mark.parametrize(
    ("key", "kind", "subject", "name", "field", "item"),
    [
        ("fact:current_city", MemoryType.FACT, "self", None, "current_city", None),
        ("fact:allergy:peanuts", MemoryType.FACT, "self", None, "allergy", "peanuts"),
        ("pref:food:sushi", MemoryType.PREFERENCE, "self", None, "food", "sushi"),
        (
            "event:work:2026_03:got_promoted",
            MemoryType.RELATIONSHIP_EVENT,
            "self",
            None,
            "work",
            "got_promoted",
        ),
        ("emotion:social_energy", MemoryType.EMOTIONAL_PATTERN, "self", None, "social_energy", None),
        ("person:sister:_", MemoryType.FACT, "person:sister", None, None, None),
        ("person:sister:mina:job", MemoryType.FACT, "person:sister", "mina", "job", None),
        ("person:sister:mina:like.sushi", MemoryType.FACT, "person:sister", "mina", "like", "sushi"),
        ("pet:dog:bibimbap:age", MemoryType.FACT, "pet:dog", "bibimbap", "age", None),
        ("habit:runs_at_six", MemoryType.FACT, "self", None, None, "runs_at_six"),
        ("goal:marathon", MemoryType.FACT, "self", None, None, "marathon"),
        ("rule:metric_units", MemoryType.FACT, "self", None, None, "metric_units"),
        ("note:key_under_the_pot", MemoryType.NOTE, "self", None, None, "key_under_the_pot"),
    ],
)
def test_a_key_says_its_type_whose_it_is_and_which_one(
    key: str, kind: MemoryType, subject: str, name: str | None, field: str | None, item: str | None
) -> None:
    parsed = Key.parse(key)
    assert parsed is not None and str(parsed) == key
    assert (parsed.type, parsed.subject, parsed.name, parsed.field, parsed.item) == (
        kind,
        subject,
        name,
        field,
        item,
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "fact",
        "mood:x",
        "pref:food",
        "person:sister",
        "event:work:2026_13:x",
        "note:a b",
        "note:a|b",
        "fact::",
    ],
)
def test_what_has_the_shape_of_no_key_is_none(text: str) -> None:
    assert Key.parse(text) is None


def test_every_kind_of_key_has_a_type() -> None:
    assert set(TYPES) == set(KeyKind)


@given(st.text(max_size=40))
def test_taking_apart_and_putting_together_changes_nothing(text: str) -> None:
    parsed = Key.parse(text)
    assert parsed is None or Key.parse(str(parsed)) == parsed


def test_a_relation_is_read_from_a_subject_and_the_user_has_none() -> None:
    assert relation_of("pet:cat") == (KeyKind.PET, "cat")
    assert relation_of("self") is None and relation_of("person:") is None and relation_of("fact:x") is None

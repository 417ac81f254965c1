"""One constructor makes keys, and refuses what has none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.keep.keys import build, canonical, canonical_value
from clew.model.memory import MemoryType
from clew.policy import default

P = default()


@pytest.mark.rule("P81")
@pytest.mark.parametrize("field", P.remember.keys.facts)
def test_every_listed_fact_has_its_key(field: str) -> None:
    assert build(MemoryType.FACT, field, policy=P) == f"fact:{field}"


@pytest.mark.rule("P81")
@pytest.mark.parametrize(
    "key",
    [
        "fact:favourite_number",
        "fact:pet_name",
        "goal:",
        "person:sister",
        "person:sister:mina:favourite_number",
        "pet:dog:rex:name:x",
        "hobby:chess",
        "pref:tech:phone",
        "pref:food:",
        "pref:food",
        "event:achievement:2026_01:won",
        "event:school:2026_13:exam",
        "event:school:202601:exam",
        "emotion:anxiety_trigger:dogs",
        "emotion:anger",
        "",
        "fact",
        "fact:occupation:x",
        "pref:food:a:b",
    ],
)
def test_a_key_outside_the_list_does_not_exist(key: str) -> None:
    assert canonical(key, P) is None


@pytest.mark.parametrize("category", P.remember.keys.categories)
def test_every_category_makes_a_preference_key(category: str) -> None:
    assert build(MemoryType.PREFERENCE, category, "Iced Coffee", policy=P) == f"pref:{category}:iced_coffee"


@pytest.mark.rule("P77")
def test_c_plus_plus_and_c_sharp_are_not_c() -> None:
    keys = {build(MemoryType.PREFERENCE, "hobby", name, policy=P) for name in ("C", "C++", "C#")}
    assert len(keys) == 3


@pytest.mark.rule("P77")
def test_korean_items_are_kept_and_long_ones_cut_at_48() -> None:
    assert build(MemoryType.PREFERENCE, "food", "매운 떡볶이", policy=P) == "pref:food:매운_떡볶이"
    key = build(MemoryType.PREFERENCE, "food", "아" * 60, policy=P)
    assert key is not None and len(key.split(":")[2]) == 48


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("like|sushi", "like|sushi"),
        ("Like | sushi ", "like|sushi"),
        ("love|sushi", None),
        ("sushi", None),
        ("like|", None),
        ("", None),
    ],
)
def test_a_preference_value_is_a_stance_and_an_item(value: str, expected: str | None) -> None:
    assert canonical_value(MemoryType.PREFERENCE, value) == expected


@pytest.mark.rule("P77")
@given(st.text(max_size=90))
def test_a_key_read_again_is_the_same_key(text: str) -> None:
    key = build(MemoryType.PREFERENCE, "food", text, policy=P)
    assert key is None or canonical(key, P) == (MemoryType.PREFERENCE, key)


@pytest.mark.rule("P77")
def test_a_cut_in_the_middle_leaves_no_underscore() -> None:
    key = build(MemoryType.RELATIONSHIP_EVENT, "other", "2026_11", "a" * 47 + " b", policy=P)
    assert key == f"event:other:2026_11:{'a' * 47}"

"""Names made of text: slugs, canonical JSON, content ids."""

from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.text.canonical import canonical_json, derived_id, iso, sha256
from clew.kernel.text.slug import slug
from clew.policy import default

TEXT = default().text


@pytest.mark.rule("P77")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Iced Coffee", "iced_coffee"),
        ("  iced   coffee ", "iced_coffee"),
        ("ICED-coffee", "iced_coffee"),
        ("ＣＯＦＦＥＥ", "coffee"),
        ("떡볶이", "떡볶이"),
        ("Café au lait", "café_au_lait"),
        ("mom's pie", "moms_pie"),
        ("mom’s pie", "moms_pie"),
        ("a.b", "ab"),
        ("", ""),
        ("   ", ""),
        ("_x_", "x"),
    ],
)
def test_a_slug_is_lower_case_and_joined_by_underscores(text: str, expected: str) -> None:
    assert slug(text, TEXT) == expected


@pytest.mark.rule("P77")
def test_names_that_differ_by_a_sign_stay_different() -> None:
    made = [slug(t, TEXT) for t in ("C", "C++", "C#", "c+", "F#", "+", "#", "!!", "😀", "❤️")]
    assert len(set(made)) == len(made) and all(made)
    assert slug("c++", TEXT) == slug("C++ ", TEXT)


@pytest.mark.rule("P77")
def test_a_slug_is_cut_by_code_point() -> None:
    assert slug("가" * 60, TEXT) == "가" * 48
    assert len(slug("x" * 60 + "+", TEXT)) == 48
    assert slug("a" * 47 + " b", TEXT) == "a" * 47


@given(st.text())
def test_a_slug_is_its_own_slug_and_never_too_long(text: str) -> None:
    made = slug(text, TEXT)
    assert len(made) <= TEXT.slug_max
    assert slug(made, TEXT) == made
    assert not any(c.isspace() for c in made)


class Colour(StrEnum):
    RED = "red"


@dataclass(frozen=True)
class Thing:
    colour: Colour
    share: Fraction


def test_one_value_has_one_spelling() -> None:
    assert canonical_json({"b": 1, "a": [True, None, "é"]}) == '{"a":[true,null,"é"],"b":1}'
    assert canonical_json(Thing(Colour.RED, Fraction(1, 3))) == '{"colour":"red","share":"1/3"}'
    assert canonical_json({3, 1, 2}) == canonical_json(frozenset((2, 1, 3))) == "[1,2,3]"
    assert canonical_json(Decimal("0.7")) == "0.7"
    assert canonical_json(uuid.UUID(int=0)) == '"00000000-0000-0000-0000-000000000000"'
    with pytest.raises(TypeError, match="object has no canonical form"):
        canonical_json(object())


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_canonical_json_reads_back_to_itself(value: object) -> None:
    text = canonical_json(value)
    assert json.loads(text) == value
    assert canonical_json(json.loads(text)) == text


@given(st.dictionaries(st.text(max_size=3), st.integers(), max_size=5))
def test_the_order_of_keys_does_not_matter(value: dict[str, int]) -> None:
    assert sha256(value) == sha256(dict(reversed(list(value.items()))))


def test_a_moment_is_written_in_utc() -> None:
    seoul = datetime(2026, 3, 1, 9, 30, tzinfo=timezone(timedelta(hours=9)))
    assert iso(seoul) == "2026-03-01T00:30:00Z"
    assert iso(datetime(2026, 3, 1, 0, 0, 0, 5, UTC)) == "2026-03-01T00:00:00.000005Z"


def test_ids_come_from_content() -> None:
    assert derived_id("memory", "u", 1) == derived_id("memory", "u", 1)
    assert (
        len({derived_id("memory", "u", 1), derived_id("memory", "u", "1"), derived_id("thread", "u", 1)}) == 3
    )
    assert uuid.UUID(derived_id("memory")).version == 5

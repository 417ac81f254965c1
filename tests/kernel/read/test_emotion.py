"""Valence, tags and strength (rulings P66, P67)."""

from __future__ import annotations

from base64 import b85encode

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.errors import InvalidInput
from clew.kernel.read.heads import score
from clew.kernel.read.signals import hear
from clew.model.signals import Emotion
from clew.policy import default, from_tables
from clew.policy.listen import Head


def felt(text: str, vector: list[float] | None = None) -> Emotion:
    return hear(text, default(), (), vector).emotion


@pytest.mark.rule("P66")
@pytest.mark.parametrize(
    ("text", "side"),
    [
        ("what a wonderful day", 1),
        ("this is terrible", -1),
        ("i am not happy", -1),
        ("it's not bad", 1),
        ("the food was good but the service was awful", -1),
        ("정말 행복해", 1),
        ("너무 슬퍼", -1),
        ("기분이 좋지 않아", -1),
        ("재미없어", -1),
        ("고마워요", 1),
        ("the meeting is at noon", 0),
        ("회의는 세 시", 0),
        ("", 0),
    ],
)
def test_valence_has_the_right_side(text: str, side: int) -> None:
    valence = felt(text).valence
    assert (valence > 0) - (valence < 0) == side


@pytest.mark.rule("P66")
def test_intensifiers_raise_and_diminishers_lower() -> None:
    plain, more, less = (felt(t).valence for t in ("i am sad", "i am very sad", "i am slightly sad"))
    assert more < plain < less < 0
    ko_plain, ko_more = felt("짜증나").valence, felt("진짜 짜증나").valence
    assert ko_more < ko_plain < 0


@pytest.mark.rule("P66")
@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("i feel sad", "sadness"), ("feeling down today", "sadness"), ("i'm lonely", "sadness"),
        ("i feel empty", "sadness"), ("i'm anxious", "anxiety"), ("panic attack", "anxiety"),
        ("i'm stressed", "stress"), ("overwhelmed", "stress"), ("i can't cope", "stress"),
        ("i'm so happy", "joy"), ("over the moon", "joy"), ("best day", "joy"), ("i'm furious", "anger"),
        ("so angry", "anger"), ("우울해", "sadness"), ("불안해요", "anxiety"), ("외로워", "sadness"),
        ("힘들어", "stress"), ("스트레스", "stress"), ("행복해", "joy"), ("화나", "anger"),
    ],
)  # fmt: skip
def test_the_listed_families_are_strong(text: str, family: str) -> None:
    emotion = felt(text)
    assert emotion.strong and family in emotion.tags
    assert any(r.rule == f"listen.emotion.{family}" for r in emotion.reasons)


@pytest.mark.rule("P67")
@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("i hate mushrooms", False),
        ("i love pizza", False),
        ("that movie was sad", False),
        ("i'm sad", True),
        ("i feel so happy today", True),
        ("it makes me angry", True),
        ("i was really scared", True),
        ("너무 외로워", True),
    ],
)
def test_disclosure_is_a_state_of_oneself(text: str, own: bool) -> None:
    assert felt(text).self_state is own


@pytest.mark.rule("P67")
def test_hating_a_thing_is_a_preference_and_no_strong_feeling() -> None:
    heard = hear("i hate mushrooms", default())
    assert heard.flags.has_preference and not heard.emotion.strong
    assert felt("i hate myself").strong


def test_strong_begins_exactly_at_the_policy_mark() -> None:
    for text in ("thanks so much, this is amazing", "love love love it", "awful horrible disgusting mess"):
        emotion = felt(text)
        assert emotion.strong is (abs(emotion.valence) >= 0.6)


def test_a_denied_feeling_is_not_tagged() -> None:
    assert "joy" not in felt("i am not happy").tags
    assert "joy" in felt("i am happy").tags


@given(st.text(max_size=120))
def test_valence_stays_in_its_bounds(text: str) -> None:
    emotion = felt(text)
    assert -1 <= emotion.valence <= 1
    assert emotion.strong or abs(emotion.valence) < 0.6


@settings(deadline=None)  # the first reading with a vector loads arrays
@given(st.lists(st.floats(-1, 1), min_size=1, max_size=8))
def test_valence_stays_in_its_bounds_with_any_vector(few: list[float]) -> None:
    vector = (few * 512)[:512]
    emotion = felt("so it goes", vector)
    assert -1 <= emotion.valence <= 1
    assert emotion.strong is (abs(emotion.valence) >= 0.6)


def test_a_head_is_bias_plus_scaled_dot_product() -> None:
    head = Head(bias=0.5, scale=0.25, weights=b85encode(bytes([1, 255, 2, 0])).decode())
    assert score(head, [1.0, 1.0, 1.0, 9.0]) == 0.5 + 0.25 * (1 - 1 + 2)


def test_a_vector_decides_where_words_are_silent() -> None:
    head = default().listen.heads["valence"]
    up = [0.05 if w > 0 else -0.05 for w in _signs(head)]
    down = [-v for v in up]
    assert felt("so it goes").valence == 0
    assert felt("so it goes", up).valence > 0 > felt("so it goes", down).valence


def _signs(head: Head) -> list[int]:
    from clew.kernel.read.heads import _weights

    return list(_weights(head))


def test_a_zero_vector_says_nothing() -> None:
    assert felt("i am happy", [0.0] * 512) == felt("i am happy")


def test_a_vector_of_another_size_is_refused_by_name() -> None:
    with pytest.raises(InvalidInput) as why:
        felt("hi", [0.1] * 384)
    assert why.value.pointer == "/vector" and "512" in str(why.value)


def test_weights_and_words_are_part_of_the_fingerprint() -> None:
    head = {"bias": 9.0, "scale": 1.0, "weights": default().listen.heads["valence"].weights}
    other = from_tables({"listen": {"heads": {"valence": head}}})
    assert other.fingerprint != default().fingerprint
    words = from_tables({"listen": {"emotion": {"words": {"12": "flibbertigibbet"}}}})
    assert words.fingerprint != default().fingerprint
    assert hear("flibbertigibbet", words).emotion.valence > 0

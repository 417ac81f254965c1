"""Counting sentences and emoji the way a reader would."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.text.emoji import emoji_clusters, emoji_count, keep_last_emoji, strip_leading_emoji
from clew.kernel.text.sentences import sentences
from clew.policy import default

TEXT = default().text


def count(text: str) -> int:
    return len(sentences(text, TEXT))


@pytest.mark.rule("P52")
@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("mm… okay", 1),
        ("mm... okay", 1),
        ("mm…", 1),
        ("Right… Okay then.", 2),
        ("음… 그래", 1),
        ("well… i see… fine.", 1),
        ("Wait…! what", 2),
        ("… ok", 1),
    ],
)
def test_an_ellipsis_in_mid_sentence_ends_nothing(text: str, many: int) -> None:
    assert count(text) == many


@pytest.mark.rule("P53")
@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("It costs 3.50 today.", 1),
        ("Version 1.2.3 is out. Get it.", 2),
        ("See https://a.example/x.y?z=1 now.", 1),
        ("See www.example.org. Then go.", 2),
        ("Fruit, e.g. apples, i.e. red ones.", 1),
        ("Mr. Kim met Dr. Lee.", 1),
        ("At 5 p.m. we leave.", 1),
        ("example.com is down", 1),
    ],
)
def test_dots_in_numbers_addresses_and_abbreviations_end_nothing(text: str, many: int) -> None:
    assert count(text) == many


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("", 0),
        ("...", 0),
        ("!?", 0),
        ("Hi", 1),
        ("Hi! How are you?? Fine.", 3),
        ("안녕! 잘 지냈어? 응.", 3),
        ("좋아。정말？", 2),
        ("One.Two", 2),
        ("😀", 0),
        ("Hi 😀! Bye", 2),
        ("no end", 1),
        ("line one\nline two", 1),
    ],
)
def test_sentences_are_counted_by_their_ends(text: str, many: int) -> None:
    assert count(text) == many


@given(st.text(alphabet="aB1 .!?…。e.g\n한"))
def test_sentences_are_pieces_of_the_text_in_order(text: str) -> None:
    at = 0
    for piece in sentences(text, TEXT):
        at = text.index(piece, at) + len(piece)
        assert any(c.isalnum() for c in piece)


@pytest.mark.rule("P54")
@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("", 0),
        ("1 # * 2", 0),
        ("©®™ ‼", 0),
        ("😀", 1),
        ("😀😀 😀", 3),
        ("👩‍👩‍👧", 1),
        ("👍🏽", 1),
        ("🇰🇷🇺🇸", 2),
        ("❤️", 1),
        ("❤", 1),
        ("1️⃣", 1),
        ("👩🏽‍💻 hi ✨", 2),
        ("안녕 ㅎㅎ ^^", 0),
        ("★", 0),
        ("☺️", 1),
    ],
)
def test_an_emoji_is_one_however_many_code_points_it_takes(text: str, many: int) -> None:
    assert emoji_count(text) == many


def test_flags_are_pairs() -> None:
    assert emoji_clusters("🇰🇷🇺🇸") == ("🇰🇷", "🇺🇸")


def test_leading_emoji_are_stripped_and_inner_ones_kept() -> None:
    assert strip_leading_emoji(" 😀 ❤️ hi 😀") == "hi 😀"
    assert strip_leading_emoji("© 2020") == "© 2020"


def test_the_last_emoji_are_the_ones_kept() -> None:
    assert keep_last_emoji("😀 a 🎉 b ✨", 1) == "a b ✨"
    assert keep_last_emoji("a b", 0) == "a b"
    assert keep_last_emoji("hey 😀", 0) == "hey"


@given(st.text(alphabet="a 1#\u20e3\ufe0f\u200d😀🗺❤🏽🇰🇷©"), st.integers(0, 3))
def test_trimming_reaches_the_limit_and_removes_no_letter(text: str, most: int) -> None:
    trimmed = keep_last_emoji(text, most)
    assert emoji_count(trimmed) <= max(most, 0)
    assert trimmed.count("a") == text.count("a")

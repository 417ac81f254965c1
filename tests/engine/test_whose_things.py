"""Whose things are, and what news of others leaves alone: talks with many people in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_who_is_who import talked


def held(lines: list[str], *words: str) -> bool:
    return any(all(word in line for word in words) for line in lines)


@pytest.mark.parametrize(
    ("told", "theirs", "never"),
    [
        ("my sister Orla has a dog called Figgy", ("sister", "Figgy"), "Your dog"),
        ("my brother's girlfriend Ana is from Porto", ("brother", "Ana"), "Your girlfriend"),
        ("우리 언니는 초코라는 강아지 키워", ("언니", "초코"), "강아지 이름은"),
    ],
)
def test_what_is_somebody_else_s_is_told_of_them(
    tmp_path: Path, told: str, theirs: tuple[str, str], never: str
) -> None:
    _, memories = talked(tmp_path, told)
    assert held(memories, *theirs) and not held(memories, never)


@pytest.mark.parametrize(
    ("lines", "still"),
    [
        (("our sons are Joe and Ben", "actually Joe's dropped out of uni, he's working at Greggs now"), ("Ben",)),
        (("my girlfriend Isla is a tattooist", "isla and me got engaged last night!!"), ("tattooist",)),
        (("I'm diabetic, on metformin", "I'm off metformin now, on ozempic"), ("diabetic",)),
        (("I'm a chef at a hotel in Bath", "got a job interview on the 14th at the Royal Crescent"), ("hotel",)),
    ],
)
def test_news_of_one_thing_leaves_another_alone(
    tmp_path: Path, lines: tuple[str, ...], still: tuple[str, ...]
) -> None:
    _, memories = talked(tmp_path, *lines)
    assert held(memories, *still)


def test_only_what_is_named_is_forgotten(tmp_path: Path) -> None:
    told = "I'm Nell. I've a parrot called Captain and an allergy to wasps"
    _, memories = talked(tmp_path, told, "forget the parrot")
    assert held(memories, "wasps") and held(memories, "Nell") and not held(memories, "Captain")


def test_a_list_that_a_reply_told_is_pointed_at_in_words(tmp_path: Path) -> None:
    told = "I'm Nell. I've a parrot called Captain and an allergy to wasps"
    replies, memories = talked(tmp_path, told, "list my memories", "delete the parrot one")
    assert "Captain" in replies[1] and held(memories, "wasps") and not held(memories, "Captain")


def test_what_an_elder_does_is_no_goodbye(tmp_path: Path) -> None:
    replies, memories = talked(tmp_path, "어머니가 12월 3일에 요양원 들어가세요")
    assert held(memories, "요양원") and "잘 가" not in replies[0]

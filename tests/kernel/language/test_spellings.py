"""Dialect and chat spellings are read as the standard language writes them, letter for letter."""

from __future__ import annotations

import pytest

from clew import policy
from clew.kernel.language.spellings import standard
from clew.policy.language import Spelling

POLICY = policy.default()


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("내가 올해 일흔둘이여", "내가 올해 일흔둘이야"),
        ("아들은 은행 댕기고 딸은 선생 혀", "아들은 은행 다니고 딸은 선생 해"),
        ("우리집 어디고", "우리집 어디야"),
        ("마라탕 조아함ㅋㅋ", "마라탕 좋아함ㅋㅋ"),
        ("집에 왔당", "집에 왔다"),
        ("고양이 두마리 있거든? 나비랑 먼지", "고양이 두마리 있거든, 나비랑 먼지"),
    ],
)
def test_a_spelling_of_dialect_or_chat_is_put_right(text: str, read: str) -> None:
    assert standard(text, "ko", POLICY) == read


@pytest.mark.parametrize("text", ["잘 보여", "식당 갔다", "우유 마셔", "친구랑 축구", "모임 있어", "이제 가", "인디밴드 좋아해"])
def test_what_only_looks_alike_stays(text: str) -> None:
    assert standard(text, "ko", POLICY) == text


@pytest.mark.parametrize("row", POLICY.language.languages["ko"].spellings.values(), ids=lambda r: r.put)
def test_every_letter_keeps_its_place(row: Spelling) -> None:
    for said in row.says:
        assert len(standard(said, "ko", POLICY)) == len(said)
        assert standard(said, "ko", POLICY) != said


def test_another_language_is_left_alone() -> None:
    assert standard("I was thinkin bout it", "en", POLICY) == "I was thinkin bout it"

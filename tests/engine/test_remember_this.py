"""Whoever asks for something to be remembered is obeyed, however it is asked, and nothing else goes (ruling M4)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_who_is_who import talked

LAST = {"en": "what's my gym code?", "ko": "헬스장 비번 뭐였지?"}


@pytest.mark.parametrize(
    ("language", "wish"),
    [
        ("en", "can you remember that my gym code is 7781"),
        ("en", "could you please remember my gym code is 7781?"),
        ("en", "would you make a note that my gym code is 7781"),
        ("en", "will you remember my gym code, it's 7781"),
        ("ko", "내 헬스장 비번 7781 기억해 줄래?"),
        ("ko", "헬스장 비번 7781이야 외워 둬"),
    ],
)
def test_what_is_to_be_remembered_is_kept_beside_what_is_held(tmp_path: Path, language: str, wish: str) -> None:
    before = "remember that the shed key is under the red pot" if language == "en" else "창고 열쇠는 빨간 화분 밑에 있어 기억해 줘"
    replies, held = talked(tmp_path, before, wish, LAST[language])
    assert len(held) >= 2 and "7781" in replies[-1], (replies, held)


@pytest.mark.parametrize("asked", ["can you remember my birthday?", "could you remember what I said?"])
def test_a_question_is_no_wish(tmp_path: Path, asked: str) -> None:
    _, held = talked(tmp_path, asked)
    assert not held, held

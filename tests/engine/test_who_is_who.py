"""Two of a kind are two people, and what tells of several is read in its parts; through the whole turn."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from pathlib import Path

import pytest

from clew import Chat, Memory


def talked(folder: Path, *lines: str) -> tuple[list[str], list[str]]:
    """The replies, and what is held in plain words. Every run has the same ids, so that it says the same."""
    url = f"sqlite:///{folder}/talk.db"
    ids = [str(uuid.uuid5(uuid.NAMESPACE_URL, f"{n} {line}")) for n, line in enumerate(lines)]
    with Chat(url) as chat:
        replies = [chat.say(line, message_id=i).text for i, line in zip(ids, lines, strict=True)]
    with Memory(url) as memory:
        return replies, [item.text for item in memory.all()]


def test_two_sons_keep_their_names_and_ages(tmp_path: Path) -> None:
    replies, held = talked(
        tmp_path,
        "my partner's called Jo and we've two boys, Finn and Max",
        "Finn is 12 and Max is 8",
        "how old is Max?",
        "what are my kids called?",
    )
    assert {"Your son is called Finn", "Your son is called Max"} <= set(held)
    assert "8" in replies[2] and "12" not in replies[2]
    assert "Finn" in replies[3] and "Max" in replies[3]


def test_asked_for_one_by_name_another_is_no_answer(tmp_path: Path) -> None:
    replies, _ = talked(
        tmp_path,
        "my sister Emma lives in Bristol and my brother Paul lives in York",
        "Emma has just moved to Bath",
        "where's Emma living now?",
        "what's my brother's job?",
    )
    assert "Bath" in replies[2] and "York" not in replies[2]
    assert "York" not in replies[3]


def test_a_korean_sentence_of_two_people(tmp_path: Path) -> None:
    replies, held = talked(
        tmp_path, "엄마는 대구에 계시고 아빠는 작년에 돌아가셨어", "엄마 어디 사셔?", "남자친구는 태호고 요리사야", "태호 직업"
    )
    assert "대구" in replies[1] and "떠났" not in replies[1]
    assert not any("엄마" in line and "돌아가" in line for line in held)
    assert "요리사" in replies[3]


@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        (["남편은 소방관이고 이름은 민철이야"], "남편 직업", "소방관"),
        (["다음 달 3일에 토익 시험 있어"], "토익 언제야?", "3일"),
        (["hi! I'm Beth, 41, from Leeds."], "where am I from?", "Leeds"),
        (["my mum has diabetes and my dad had a stroke last year"], "what happened to my dad?", "stroke"),
    ],
)
def test_what_was_told_in_passing_is_answered(tmp_path: Path, told: Sequence[str], asked: str, answer: str) -> None:
    replies, _ = talked(tmp_path, *told, asked)
    assert answer in replies[-1]


def test_a_question_by_its_name_is_not_kept(tmp_path: Path) -> None:
    _, held = talked(tmp_path, "나래 직업", "제 토익 점수요", "my sister's birthday")
    assert held == []


def test_a_moved_appointment_is_no_home(tmp_path: Path) -> None:
    _, held = talked(tmp_path, "it got moved to Friday", "I don't want kids")
    assert not any("live in Friday" in line for line in held)
    assert "You have no kids" not in held


def test_several_people_of_one_breath_keep_their_names_and_what_is_told_of_each(tmp_path: Path) -> None:
    replies, held = talked(
        tmp_path, "여친은 민지 간호사고 해운대에서 자취중", "남동생 은호는 초5인데 축구에 미쳤음", "민지 무슨 일 하지", "은호 몇학년이야?"
    )
    assert any("민지" in line for line in held) and any("은호" in line for line in held)
    assert "간호사" in replies[2] and "초5" in replies[3]


def test_a_moved_day_takes_the_place_of_a_day_alone(tmp_path: Path) -> None:
    _, held = talked(
        tmp_path, "대전에서 분식집 해요", "무릎이 안 좋아서 정형외과 다녀요 다음주 화요일 두시에 또 가요", "아 병원 수요일로 바뀌었어요"
    )
    assert any("분식집" in line for line in held)
    assert not any("전공" in line or "직업은 정형외과" in line for line in held)


def test_what_is_known_of_somebody_by_name(tmp_path: Path) -> None:
    replies, _ = talked(tmp_path, "my daughter Mila turned 9 last week", "what do you know about mila?")
    assert "9" in replies[1]


def test_who_asks_for_a_thing_has_raised_what_it_is_about(tmp_path: Path) -> None:
    replies, _ = talked(
        tmp_path,
        "my therapist Gwen said to try journaling and I can't write in a notebook",
        "the weather is odd today",
        "nice bread at the market",
        "been reading a lot lately",
        "who told me to try journaling?",
    )
    assert "Gwen" in replies[4]


def test_a_name_is_without_the_word_that_gives_it(tmp_path: Path) -> None:
    _, held = talked(tmp_path, "im gary, 58, drive a school bus in sunderland. wife is called linda")
    assert "Your wife is called Linda" in held


def test_an_age_told_with_a_small_name_takes_nobodys_name(tmp_path: Path) -> None:
    _, held = talked(tmp_path, "we have 2 kids, Nell and Abe", "nell turned 9 last week, abe is 5")
    assert {"Your child is called Nell", "Your child is called Abe"} <= set(held)
    assert {"Your child Nell is 9", "Your child Abe is 5"} <= set(held)


def test_of_two_sons_in_one_sentence_each_has_what_is_his(tmp_path: Path) -> None:
    replies, _ = talked(
        tmp_path,
        "I've two sons, Theo and Ivo",
        "Theo's a welder in Derby, Ivo is at uni in Leeds doing physics",
        "what does Theo do?",
        "what does Ivo study?",
    )
    assert "welder" in replies[2] and "physics" not in replies[2], replies
    assert "physics" in replies[3] and "Theo" not in replies[3], replies

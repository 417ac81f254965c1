"""Several plans in one sentence are read as several sentences, each with its own day."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clew import policy as policies
from clew.kernel.language.ko.doings import closed
from clew.kernel.statements.several_plans import plans_apart

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)  # a Friday


def apart(text: str, language: str) -> str:
    return plans_apart(text, language, NOW, ZoneInfo("UTC"), policies.default())


@pytest.mark.parametrize(
    ("language", "said", "read"),
    [
        (
            "en",
            "we've got a viewing on Tuesday at 4 and parents' evening on Thursday at 6",
            "we've got a viewing on Tuesday at 4. we've got parents' evening on Thursday at 6",
        ),
        (
            "en",
            "Tomorrow I have physio at 11 and coffee with Ines at 3",
            "I have physio at 11 tomorrow. I have coffee with Ines at 3 tomorrow",
        ),
        ("en", "I'm in court on Monday and we fly out on Tuesday.", "I'm in court on Monday. we fly out on Tuesday."),
        ("en", "Next Friday we're moving the piano", "we're moving the piano next Friday"),
        ("ko", "화요일 3시에 면접 있고 목요일엔 회식 있어", "화요일 3시에 면접 있어. 목요일엔 회식 있어"),
        ("ko", "내일 11시에 은행 갔다가 2시에 수진이 만나", "내일 11시에 은행 가. 내일 2시에 수진이 만나"),
        ("ko", "모레 건강검진, 다음 주 월요일 발표 있어", "모레 건강검진 있어. 다음 주 월요일 발표 있어"),
    ],
)
def test_each_plan_has_its_own_sentence(language: str, said: str, read: str) -> None:
    assert apart(said, language) == read


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "I've got the twins on Monday and Tuesday"),
        ("en", "I get up at 6 and leave at 7"),
        ("en", "I saw the vet on Monday and paid on Tuesday"),
        ("en", "bread and butter for tea"),
        ("en", "pilates every Monday and swimming on Wednesdays"),
        ("en", "is the match on Saturday and the party on Sunday?"),
        ("en", "on Saturday we went to the zoo"),
        ("ko", "매주 월요일엔 필라테스 하고 수요일엔 수영 가"),
        ("ko", "6시에 일어나서 7시에 나가"),
        ("ko", "월요일이랑 화요일에 출장 가"),
        ("ko", "밥 먹고 잤어"),
    ],
)
def test_what_tells_one_plan_or_none_stays_as_it_is(language: str, said: str) -> None:
    assert apart(said, language) == said


@pytest.mark.parametrize(
    ("clause", "sentence"),
    [("치과 예약 있고", "치과 예약 있어"), ("은행 갔다가", "은행 가"), ("책 읽고", "책 읽어"), ("엄마 오시고", "엄마 오셔"),
     ("영화 보고", "영화 봐"), ("수영 배우고", "수영 배워"), ("운동하고", "운동해"), ("친구 만나고", "친구 만나"), ("좋다", "좋다")],
)  # fmt: skip
def test_a_clause_ends_as_a_sentence_does(clause: str, sentence: str) -> None:
    assert closed(clause) == sentence


def test_a_confession_without_end_is_left_as_it_is() -> None:
    text = "I've got the dentist on Monday, " + "and then this, and that, " * 40_000
    assert apart(text, "en") == text

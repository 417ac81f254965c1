"""What somebody did or said is taken up in the user's own words."""

from __future__ import annotations

import pytest

from clew.kernel.compose.choosing import filled, levelled
from clew.kernel.compose.deeds import _rows
from clew.policy import default
from tests.kernel.compose.test_everyday import by_rules, replies

POLICY = default()


def said_to(row: str, language: str) -> list[str]:
    deed = POLICY.compose.languages[language].deeds[row]
    ways = (levelled(way, polite=polite) for way in (*deed.replies, *deed.hard) for polite in (False, True))
    return [part for way in ways for part in [max(way.replace("}", "{").split("{")[::2], key=len)] if part.strip()]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_example_fits_its_row_with_the_phrases_filled_in(language: str) -> None:
    shapes, rows = _rows(POLICY.compose.languages[language])
    missed = [
        (name, text)
        for place, (name, deed) in enumerate(rows)
        for text in deed.says
        if not shapes.pattern(place).search(text)
    ]
    assert missed == []


@pytest.mark.parametrize(
    ("text", "language", "row"),
    [
        ("my aunt asked me why I never call", "en", "asked_me"),
        ("I'll never give up my record player", "en", "wont_stop"), ("hardly any rain since spring", "en", "drought"),
        ("이모가 언제 오냐고 묻더라", "ko", "asked_me"),
        ("이 가방은 절대 못 버려", "ko", "wont_stop"), ("비가 통 안 와서 밭이 말라요", "ko", "drought"),
    ],
)  # fmt: skip
def test_what_was_done_is_taken_up(text: str, language: str, row: str) -> None:
    said = said_to(row, language)
    assert sum(any(part.strip() in reply for part in said) for reply in replies(text, policy=by_rules())) >= 6


def test_the_users_own_phrase_stands_in_the_reply() -> None:
    assert any("your aunt" in reply for reply in replies("I told my aunt the truth about the car", policy=by_rules()))
    assert any("자전거" in reply for reply in replies("자전거를 샀어", policy=by_rules()))


@pytest.mark.parametrize(
    ("way", "who", "said"),
    [
        ("how {who:is} now", "they", "how are they now"), ("how {who:is} now", "your parents", "how are your parents now"),
        ("how {who:is} now", "your gran", "how is your gran now"), ("ask {who:him}", "she", "ask her"),
        ("enjoy {who:the}", "kayak", "enjoy the kayak"), ("enjoy {who:the}", "your kayak", "enjoy your kayak"),
    ],
)  # fmt: skip
def test_an_english_phrase_takes_its_article_its_case_and_its_verb(way: str, who: str, said: str) -> None:
    assert filled(way, {"who": who}, "en") == said


def test_hard_words_get_no_light_question() -> None:
    light = ("What's your own view?", "Do you see it that way too?")
    assert not any(part in reply for reply in replies("she told me I was a mistake") for part in light)


@pytest.mark.parametrize("text", ["I start chemo on Thursday", "목요일부터 항암 시작해요"])
def test_a_treatment_is_no_treat(text: str) -> None:
    assert not any("forward to it" in reply or "달력" in reply for reply in replies(text))


@pytest.mark.parametrize(
    ("text", "row"),
    [
        ("언니 수술 잘 끝났대요!", "went_well"), ("논문도 붙었어 ㅠㅠㅠㅠ", "passed"), ("아니 근데 붙었대요!!!", "passed"),
        ("논문 세번 까였어", "turned_down"), ("어제 하준이가 처음으로 걸었어요!!", "first_word"),
        ("요즘 술을 너무 많이 마시는것 같아", "too_much"), ("술 일주일째 안마셨어", "stays_off"),
        ("꿈은 제 식당을 여는 것입니다", "dreams_of"),
    ],
)  # fmt: skip
def test_joy_is_met_as_joy_and_trouble_as_trouble(text: str, row: str) -> None:
    said = said_to(row, "ko")
    assert sum(any(part.strip() in reply for part in said) for reply in replies(text, policy=by_rules())) >= 6


@pytest.mark.parametrize(
    ("text", "never"),
    [
        ("무릎이 안 좋아서 등산은 못 갑니다", "간 것만으로도"),
        ("이혼한지 이년 됐고 딸은 전처랑 살아", "이년"),
        ("지도교수가 완전 또라이야", "다른 얘기"),
        ("큰아들은 서울서 변호사 하고 작은아들은 아직 장가를 안 갔어요", "시원섭섭"),
    ],
)
def test_words_that_only_look_like_a_deed_are_not_met_as_one(text: str, never: str) -> None:
    assert not [reply for reply in replies(text) if never in reply]

"""While a hardship is open nothing playful is said, and it is met by its name (ruling S5)."""

from __future__ import annotations

import pytest

from clew import policy as policies
from clew.adapters.embeddings import use
from clew.engine.bootstrap import make_embedder
from clew.kernel.compose.choosing import levelled
from clew.testing.parts import make_parts, onboard, say

pytestmark = pytest.mark.skipif(not use.installed(), reason="hardships are read with the default embedder")


def replies(*turns: str) -> list[str]:
    parts = make_parts("sqlite://", embedder=make_embedder())
    who = onboard(parts)
    said = [say(parts, who, text, n + 1).reply or "" for n, text in enumerate(turns)]
    parts.store.close()
    return said


def of(language: str, *kinds: str) -> set[str]:
    """First sentences of what is said to these kinds."""
    words = policies.default().care.languages[language]
    ways = [way for kind in kinds for way in (*words.hardships[kind].heard, *words.hardships[kind].amid)]
    return {levelled(way, polite=polite) for way in ways for polite in (False, True)}


def small(language: str) -> set[str]:
    return {levelled(w, polite=p) for w in policies.default().care.languages[language].amid for p in (False, True)}


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("language", "turns", "kind"),
    [
        ("en", ("my brother got laid off on friday", "his twins are two", "had toast for tea"), "job"),
        ("en", ("nan's in intensive care", "the corridor has a fish tank", "I counted nine fish"), "ill_theirs"),
        ("ko", ("아내가 어제 해고됐어", "애는 다섯 살이야", "저녁은 라면 먹었어"), "job"),
        ("ko", ("외할머니가 쓰러지셔서 입원하셨어", "병원 앞에 어항이 있더라", "물고기 아홉 마리"), "ill_theirs"),
    ],
)
def test_it_is_named_and_colours_what_is_told_next(language: str, turns: tuple[str, ...], kind: str) -> None:
    first, *rest = replies(*turns)
    assert any(first.startswith(way) for way in of(language, kind))
    quiet = of(language, *policies.default().care.languages[language].hardships) | small(language)
    for said in rest:
        assert any(said.startswith(way) for way in quiet), said


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("told", "asked"), [("my dad had a stroke", "what do I say to my mum?"), ("아빠가 뇌졸중으로 쓰러지셨어", "엄마한테 뭐라고 해야 할까")]
)
def test_a_question_of_the_heart_is_no_question_about_what_is_known(told: str, asked: str) -> None:
    language = "en" if told.isascii() else "ko"
    ways = policies.default().care.languages[language].asked
    said = replies(told, asked)[1]
    assert any(levelled(w, polite=p).split(". ")[0] in said for w in ways for p in (False, True)), said


@pytest.mark.rule("S5")
def test_flowers_do_not_make_harm_good() -> None:
    said = replies("he threw a plate at my head", "he brought me flowers today, so sweet")[1]
    assert any(said.startswith(way) for way in of("en", "hurt") | small("en"))


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("language", "turns"),
    [
        (
            "en",
            (
                "kinda nervous about my driving test",
                "anyway my cousin Tess keeps bees",
                "booked the dentist for monday at 9",
                "how old am I?",
            ),
        ),
        ("ko", ("발표 때문에 조금 떨려", "우리 집 강아지는 이름이 보리야", "월요일 9시에 치과 예약했어", "나 몇 살이지?")),
    ],
)
def test_a_little_of_it_is_met_lightly_and_does_not_colour_the_rest(language: str, turns: tuple[str, ...]) -> None:
    spoken = policies.default().care.languages[language]
    heavy = of(language, *spoken.hardships) | small(language)
    heavy |= {levelled(w, polite=p).split(". ")[0] for w in spoken.asked for p in (False, True)}
    for said in replies(*turns):
        assert not any(said.startswith(way) for way in heavy), said


@pytest.mark.rule("S5")
def test_who_is_followed_is_met_as_hurt_until_they_speak_of_something_else() -> None:
    turns = ("my ex won't stop ringing me", "he was outside my flat again", "anyway, my cousin's opening a bakery in May")
    first, second, third = replies(*turns)
    assert any(first.startswith(way) for way in of("en", "hurt")), first
    assert any(second.startswith(way) for way in of("en", "hurt")), second
    assert not any(third.startswith(way) for way in of("en", "hurt") | small("en")), third


def test_good_news_ends_the_quiet_tone() -> None:
    said = replies("I got laid off last week", "I got a new job!! they called today!")[1]
    assert not any(said.startswith(way) for way in of("en", "job") | small("en")), said


def test_cheerful_talk_is_not_met_as_sorrow() -> None:
    hard = of("en", *policies.default().care.languages["en"].hardships) | small("en")
    for said in replies("we beat the rivals 3-1!", "my legs are dead haha", "my sister filmed it all", "pizza later"):
        assert not any(said.startswith(way) for way in hard), said


@pytest.mark.rule("S5", "M10")
@pytest.mark.parametrize(
    ("told", "asked", "answer"),
    [
        (("I quit vaping in June",), "do I still vape?", "quit vaping"),
        (("I'm a vegan, no dairy at all",), "do I eat meat?", "vegan"),
    ],
)
def test_a_question_whether_something_is_so_that_is_known_is_answered_amid_a_hardship(
    told: tuple[str, ...], asked: str, answer: str
) -> None:
    assert answer in replies(*told, "my fiancé walked out on me last night", asked)[-1]


@pytest.mark.rule("S5")
def test_a_question_whether_one_does_right_is_no_question_about_what_is_known() -> None:
    ways = policies.default().care.languages["en"].asked
    said = replies("my brother Cal drinks", "my dad had a stroke", "am I too hard on Cal?")[-1]
    assert any(w.split(". ")[0] in said for w in ways), said


@pytest.mark.rule("S5")
@pytest.mark.parametrize(
    ("language", "said"),
    [("ko", "다음 달에 아버지 심장 수술이에요"), ("ko", "할머니가 혼자 계시는데 허리가 안 좋으셔서 걱정이야")],
)
def test_what_somebody_else_suffers_is_not_met_as_ones_own(language: str, said: str) -> None:
    told = replies(said)[0]
    assert not any(told.startswith(way) for way in of(language, "ill", "lonely")), told

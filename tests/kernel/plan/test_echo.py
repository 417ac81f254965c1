"""A message told back: turned from me to you, or not at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.plan.echo import echo, question_en
from clew.kernel.plan.echo_ko import exclaimed
from clew.kernel.plan.outline import outline
from clew.kernel.read.signals import hear
from clew.model.plan import PlanAsk
from clew.model.turn import Pipeline
from clew.policy import default

POLICY = default()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("my cat knocked a mug of tea onto my desk this morning", "your cat knocked a mug of tea onto your desk"),
        ("I was so embarrassed when my phone rang", "you were so embarrassed when your phone rang"),
        ("just got back from a hike with my dog", "you just got back from a hike with your dog"),
        ("feeling really low today", "you're feeling really low"),
        ("me and my sister made dumplings", "you and your sister made dumplings"),
        ("lol Priya hates me, i think", "Priya hates you"),
        ("i don't know anyone here yet", "you don't know anyone there yet"),
        ("it's my first time here", "it's your first time here"),
        ("work was awful", "work was awful"),
        ("Cooking enables me to relax", ""),
    ],
)  # fmt: skip
def test_an_english_clause_is_turned_towards_its_speaker(said: str, told: str) -> None:
    assert echo(said, "en", POLICY) == told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("우리 고양이가 화분을 깼어", "고양이가 화분을 깼구나"),
        ("우리 집 강아지가 밤새 짖었어", "너희 집 강아지가 밤새 짖었구나"),
        ("할아버지가 병원에 입원하셨거든", "할아버지가 병원에 입원하셨구나"),
        ("중학교에서 수학을 가르쳐", "중학교에서 수학을 가르치는구나"),
        ("아직 아는 사람이 없어요", "아직 아는 사람이 없구나"),
        ("날씨가 너무 추워", "날씨가 너무 춥구나"),
        ("요즘 기타를 배워", "요즘 기타를 배우는구나"),
        ("엄마랑 둘이 살아", "엄마랑 둘이 사는구나"),
        ("나 머리가 아파", "머리가 아프구나"),
        ("집주인이 월세를 올리겠대", "집주인이 월세를 올리겠다는구나"),
        ("엄마는 그만두래", "엄마는 그만두라고 하는구나"),
        ("이웃한테 먼저 물어볼게", "이웃한테 먼저 물어보기로 했구나"),
        ("내 동생은 의사야", "네 동생은 의사구나"),
        ("나 채식주의자야", "채식주의자구나"),
        ("하루가 꿈 같아", "하루가 꿈 같다고 느끼는구나"),
        ("서귀포로 옮겼어 이제 제주시 아니야", "서귀포로 옮겼구나"),
    ],
)
def test_a_korean_sentence_ends_as_one_that_was_heard(said: str, told: str) -> None:
    assert echo(said, "ko", POLICY) == told


@pytest.mark.parametrize(
    ("verb", "heard"),
    [
        ("피곤해", "피곤하구나"),
        ("결혼해", "결혼하는구나"),
        ("급해", "급하구나"),
        ("변해", "변하는구나"),
        ("좋아", "좋구나"),
        ("먹어", "먹는구나"),
        ("만들어", "만드는구나"),
        ("힘들어", "힘들구나"),
        ("보여", "보이는구나"),
        ("줄게", "주기로 했구나"),
        ("먹을게", "먹기로 했구나"),
        ("간다", "가는구나"),
        ("많다", "많구나"),
        ("몰라", "모르는구나"),
        ("바빠", "바쁘구나"),
        ("뛰어", "뛰는구나"),
        ("와", "오는구나"),
        ("하려고", "하려는구나"),
        ("응", ""),
        ("없네", "없구나"),
        ("가네", "가는구나"),
        ("춥네", "춥구나"),
        ("아프다", "아프구나"),
    ],
)
def test_verbs_and_adjectives_take_their_own_ending(verb: str, heard: str) -> None:
    assert exclaimed(verb, POLICY.plan.echo["ko"]) == heard


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "i'm such an idiot"),
        ("en", "i just stood there like an idiot"),
        ("en", "nobody likes me at this school"),
        ("en", "i hate myself for saying it"),
        ("en", "you never listen to my stories"),
        ("en", "ok"),
        ("en", "math mostly"),
        ("en", "I TOLD THEM ABOUT THIS TWICE"),
        ("en", "look at https://example.org/x for me"),
        ("en", "all men are liars anyway"),
        ("ko", "내가 쓸모없는 인간 같아"),
        ("ko", "너는 내 말을 안 들어"),
        ("ko", "죽고 싶은 기분이야"),
        ("ko", "응"),
        ("ko", "재밌는 얘기 해줘"),
    ],
)
def test_what_hurts_or_cannot_be_turned_is_not_told_back(language: str, said: str) -> None:
    assert echo(said, language, POLICY) == ""


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("what's the boiling point of ethanol?", "what the boiling point of ethanol is"),
        ("who is the president of Brazil?", "who the president of Brazil is"), ("how do planes fly?", "how planes fly"),
        ("can you explain how vaccines work?", "how vaccines work"), ("what's up?", ""),
        ("what is ramen made of?", ""), ("what are you like?", ""),
    ],
)  # fmt: skip
def test_a_question_becomes_part_of_a_sentence(asked: str, told: str) -> None:
    assert question_en(asked, POLICY) == told


@given(st.text(max_size=80), st.sampled_from(["en", "ko", "other"]))
def test_any_text_is_survived_and_told_the_same_way_twice(text: str, language: str) -> None:
    told = echo(text, language, POLICY)
    assert told == echo(text, language, POLICY)
    assert "\n" not in told and len(told) <= 2 * len(text) + 20
    assert question_en(text, POLICY) == question_en(text, POLICY)


@pytest.mark.parametrize(
    ("given_name", "called"),
    [
        ("Friend", None),
        ("root", None),
        ("  ", None),
        (None, None),
        ("Dana", "Dana"),
        ("친구", None),
        ("지우", "지우"),
    ],
)
def test_nobody_is_called_friend_or_root(given_name: str | None, called: str | None) -> None:
    ask = PlanAsk("hi", hear("hi", POLICY), Pipeline.FRIEND_CHAT, preferred_name=given_name)
    assert outline(ask, POLICY).preferred_name == called

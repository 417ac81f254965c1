"""The embedded writer: every persona, two languages, no fallback, no repetition."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from clew.adapters.llm.composer import Composer, compose
from clew.adapters.llm.measure import measured, opener
from clew.adapters.llm.phrases import fill, fits, has_final, pools, with_article
from clew.errors import ModelGarbage
from clew.kernel.cast.assign import assign
from clew.kernel.gate.check import settle
from clew.kernel.gate.repetition import opener as gate_opener
from clew.kernel.gate.style import measure
from clew.kernel.plan.outline import outline
from clew.kernel.read.signals import hear
from clew.model.persona import Assignment, EmojiFreq, Humor, Length
from clew.model.plan import Frame, PlanAsk, ResponsePlan, Snippet
from clew.model.turn import Pipeline
from clew.policy import default
from clew.ports.llm import PromptMessage, Writer, WriterRequest

POLICY = default()
NOW = datetime(2026, 3, 1, tzinfo=UTC)
EN = (
    "hi", "I just got back from a hike with my dog", "he chased a squirrel for ten minutes lol", "he's a menace",
    "my exam is tomorrow and i'm nervous", "math mostly", "I love sushi", "do you like sushi?",
    "what is the capital of france", "ok", "thanks!", "I failed my driving test", "it was so embarrassing",
    "should i retake it next month?", "we watched Dune last night", "i love rainy days", "i hate mondays",
    "I got the job!", "my sister is visiting", "good night",
)  # fmt: skip
KO = (
    "안녕", "오늘 강아지랑 산책했어", "다람쥐 쫓아다니느라 난리였어 ㅋㅋ", "내일 수학 시험이 있어서 긴장돼",
    "초밥 좋아해",
    "프랑스 수도가 어디야?", "응", "고마워", "운전면허 시험 떨어졌어", "너무 속상해", "다시 봐야 할까?", "면접 붙었어!",
    "너 사람이야?", "요즘 기타를 배우고 있어", "당근은 싫어해", "회사에서 혼났어", "영화 봤어", "뭐 해?",
    "미안", "잘 자",
)  # fmt: skip


def pipeline_of(text: str) -> Pipeline:
    flags = hear(text, POLICY).flags
    if flags.has_distress or flags.asks_for_comfort:
        return Pipeline.EMOTIONAL_SUPPORT
    return Pipeline.INFO_QA if flags.is_pure_fact_q and not flags.has_personal_pronoun else Pipeline.FRIEND_CHAT


def planned(text: str, friend: Assignment, turn: int = 1, **more: Any) -> ResponsePlan:
    heard = hear(text, POLICY)
    given: dict[str, Any] = {
        "pipeline": pipeline_of(text), "message_id": f"m{turn}", "turn": turn, "preferred_name": "Sam",
        "valence": heard.emotion.valence, "strong": heard.emotion.strong, **more,
    }  # fmt: skip
    return outline(PlanAsk(text=text, signals=heard, assignment=friend, **given), POLICY)


def converse(texts: tuple[str, ...], friend: Assignment) -> tuple[list[str], Counter[str]]:
    said: list[str] = []
    heard: list[str] = []
    paths: Counter[str] = Counter()
    for turn, text in enumerate(texts):
        lately, before = tuple(said[-20:]), tuple(heard)
        plan = planned(text, friend, turn, recent_replies=lately, previous=before)
        frame = Frame(
            style=friend.stable_style_params, stage=plan.stage, pipeline=plan.pipeline, user_text=text,
            recent_replies=lately, previous=before, topics_blocked=plan.constraints.topics_blocked,
            message_id=f"m{turn}", language=plan.language,
        )  # fmt: skip
        shown = settle(compose(plan, lately), frame, POLICY, lambda gated: compose(plan, lately, lean=True))  # noqa: B023
        paths[shown.path] += 1
        said.append(shown.text)
        heard.append(text)
    return said, paths


def friend(seed: int) -> Assignment:
    return assign(seed, (), NOW, POLICY).assignment


@pytest.mark.parametrize("texts", [EN, KO], ids=["en", "ko"])
def test_sixty_turns_pass_the_gate_without_a_fallback_for_many_personas(texts: tuple[str, ...]) -> None:
    total: Counter[str] = Counter()
    lengths = set()
    for seed in range(8):
        who = friend(seed)
        lengths.add(who.stable_style_params.msg_length_pref)
        said, paths = converse(texts * 3, who)
        assert all(reply not in said[max(0, at - 20) : at] for at, reply in enumerate(said))
        total += paths
    assert total["fallback"] == 0
    assert total["draft"] >= 0.95 * sum(total.values())
    assert lengths == set(Length)


@pytest.mark.parametrize("length", Length)
@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_length_is_met_in_every_situation(length: Length, language: str) -> None:
    who = friend(3)
    who = replace(who, stable_style_params=replace(who.stable_style_params, msg_length_pref=length))
    low, high = POLICY.gate.length[length].sentences
    for turn, text in enumerate(EN if language == "en" else KO):
        count, _ = measure(compose(planned(text, who, turn)), POLICY)
        assert low <= count <= high, text


@pytest.mark.parametrize("texts", [EN, KO], ids=["en", "ko"])
def test_no_gap_is_left_open_and_sentences_are_whole(texts: tuple[str, ...]) -> None:
    for seed in range(6):
        for reply in converse(texts, friend(seed))[0]:
            assert not re.search(r"[{}]|,,|\s,|\.\.|  |^,", reply), reply
            assert re.search(r"[.!?…]\W*$", reply), reply
            if reply.isascii():
                assert not re.search(r"[.!?] [a-z]", reply), reply


def test_it_takes_up_what_was_said() -> None:
    replies = [compose(planned("I just got back from a hike with my dog", friend(s), s)) for s in range(20)]
    assert sum("hike with your dog" in r.lower() for r in replies) >= 12


def test_it_never_invents_a_fact() -> None:
    for seed in range(20):
        reply = compose(planned("what is the capital of france", friend(seed), seed))
        assert "paris" not in reply.lower()


def test_it_says_that_it_is_an_ai() -> None:
    assert all("AI" in compose(planned("are you human?", friend(s), s)) or "software" in
               compose(planned("are you human?", friend(s), s)) for s in range(12))  # fmt: skip


SUSHI = Snippet("a", "pref:food:sushi", "like|sushi")
NURSE = Snippet("b", "fact:occupation", "nurse")


def test_it_recalls_only_what_is_planned_and_admits_the_rest() -> None:
    for seed in range(10):
        known = compose(planned("do you remember what i like?", friend(seed), seed, snippets=(SUSHI, NURSE)))
        assert "sushi" in known and "a nurse" in known
        nothing = compose(planned("do you remember what i like?", friend(seed), seed))
        assert "sushi" not in nothing


def test_a_planned_memory_is_woven_in() -> None:
    plan = planned("we could eat out today", friend(2), snippets=(SUSHI,))
    woven = [compose(replace(plan, callback="a", variation=v)) for v in range(10)]
    assert all("sushi" in w for w in woven)


@pytest.mark.parametrize("freq", EmojiFreq)
def test_emoji_stay_in_the_band(freq: EmojiFreq) -> None:
    who = friend(1)
    who = replace(who, stable_style_params=replace(who.stable_style_params, emoji_freq=freq))
    low, high = POLICY.gate.emoji[freq]
    for turn, text in enumerate(EN):
        reply = compose(planned(text, who, turn))
        assert low <= len(re.findall("[\U0001f300-\U0001faff✨]", reply)) <= high


def test_a_hurt_is_not_joked_about() -> None:
    jokes = [j for rows in pools("en").tables["jokes"].values() for j in rows]
    for humor in Humor:
        who = friend(1)
        who = replace(who, stable_style_params=replace(who.stable_style_params, humor_mode=humor))
        for turn in range(20):
            reply = compose(planned("my dog died and i'm so sad", who, turn))
            assert not any(j in reply for j in jokes)


def test_in_danger_it_stays_gentle_and_asks_about_safety() -> None:
    for language, text, ask in (("en", "i want to die", "Are you safe"), ("ko", "죽고 싶어", "안전해")):
        for turn in range(8):
            plan = replace(planned(text, friend(1), turn), crisis=True, language=language)
            reply = compose(plan)
            assert ask in reply
            assert not re.search(r"\d", reply)


def test_a_rewrite_is_another_text_and_not_longer() -> None:
    for turn, text in enumerate(EN):
        plan = planned(text, friend(3), turn)
        first, second = compose(plan), compose(plan, lean=True)
        assert first != second
        assert measured(second).sentences <= measured(first).sentences


def test_the_same_plan_gives_the_same_words() -> None:
    plan = planned("I love sushi", friend(4))
    assert compose(plan) == compose(plan)


def test_it_is_a_writer_and_refuses_what_it_cannot_do() -> None:
    writer: Writer = Composer()
    plan = planned("hi", friend(1))
    asked = WriterRequest("reply", (PromptMessage("user", "hi"),), plan)
    answer = writer.write(asked)
    assert answer.text and answer.model == "composer"
    for purpose in ("extract", "ground", "threads"):
        with pytest.raises(ModelGarbage):
            writer.write(replace(asked, purpose=purpose))
    with pytest.raises(ModelGarbage):
        writer.write(replace(asked, plan=None))


def test_what_it_said_lately_is_not_said_again() -> None:
    plan = planned("ok", friend(3))
    first = compose(plan)
    again = Composer().write(
        WriterRequest("reply", (PromptMessage("assistant", first), PromptMessage("user", "ok")), plan)
    )
    assert again.text != first


def test_its_ruler_agrees_with_the_gate() -> None:
    for texts in (EN, KO):
        for reply in converse(texts, friend(1))[0] + converse(texts, friend(3))[0]:
            count, average = measure(reply, POLICY)
            own = measured(reply)
            assert own.sentences == count, reply
            assert own.words == average * count, reply
            assert opener(reply) == gate_opener(reply, POLICY), reply


@pytest.mark.parametrize(
    ("template", "thing", "expected"),
    [
        ("{thing을} 좋아해", "초밥", "초밥을 좋아해"), ("{thing을} 좋아해", "피자", "피자를 좋아해"),
        ("{thing이라}니", "기타", "기타라니"), ("{thing이구나}", "시험", "시험이구나"),
        ("{thing은} 어때", "논문", "논문은 어때"), ("{Thing} it is", "your exam", "Your exam it is"),
    ],
)  # fmt: skip
def test_gaps_are_filled_with_the_right_ending(template: str, thing: str, expected: str) -> None:
    assert fill(template, {"thing": thing}) == expected


def test_small_grammar() -> None:
    assert with_article("engineer") == "an engineer" and with_article("a nurse") == "a nurse"
    assert has_final("밥") and not has_final("차")
    assert not fits("{Thing} is nice", {"thing": "rainy days"}) and fits("{Thing} is nice", {"thing": "sushi"})
    assert not fits("So it's {when}", {"when": ""}) and fits("Hi {name}", {})
    assert fill("Hey {name}, good", {}) == "Hey, good"


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_situation_has_words(language: str) -> None:
    for table in ("heads", "bodies", "medium", "moods", "questions", "memory", "claims", "jokes", "emoji"):
        assert all(pools(language).tables[table].values())
    assert pools(language).tables["heads"].keys() == pools("en").tables["heads"].keys()

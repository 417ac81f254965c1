"""What the embedded writer answers to: acts, scenes, facts told, memories; and that it does not repeat itself."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from clew.adapters.llm.composer import compose
from clew.adapters.llm.phrases import fill, fits, pools, with_particle
from clew.adapters.llm.voice import Dice, claims
from clew.kernel.gate.style import above_level
from clew.model.persona import Lexicon
from clew.model.plan import Snippet
from tests.adapters.test_composer import POLICY, converse, friend, planned
from tests.engine.conversations import ENGLISH, KOREAN

SCRIPTS = {
    tongue: tuple(t for _, said in days for t in said) for tongue, days in (("en", ENGLISH), ("ko", KOREAN))
}
WINDOW = 20


def sentences(reply: str) -> list[str]:
    bare = re.sub(r"[^\w\s.,!?'’–-]", "", reply)
    return [s.strip(" .!?").lower() for s in re.split(r"(?<=[.!?])\s+", bare) if s.strip(" .!?")]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("tongue", sorted(SCRIPTS))
def test_no_sentence_comes_back_within_twenty_replies(tongue: str, seed: int) -> None:
    said, paths = converse(SCRIPTS[tongue], friend(seed))
    assert paths["fallback"] == 0
    for at, reply in enumerate(said):
        lately = {s for r in said[max(0, at - WINDOW) : at] for s in sentences(r)}
        assert not lately & set(sentences(reply)), reply


ACTS = [
    ("wish me luck", "wish"), ("fingers crossed", "wish"), ("talk soon", "bye_soon"), ("gotta go", "bye_soon"),
    ("good night", "bye_night"), ("that helps", "relief"), ("i feel a bit better", "relief"),
    ("you've been a good friend", "friendship"), ("i like talking to you", "friendship"),
    ("you were right about that", "credit"), ("that's sweet", "compliment"), ("you're right", "agree_you"),
    ("I'm excited and scared", "mixed"), ("feeling a bit low today", "low"), ("i can't sleep", "sleepless"),
    ("my grandmother passed away", "grief"), ("my phone died", "setback"), ("we broke up", "breakup"),
    ("I start in three weeks", "soon"), ("my exam is tomorrow", "soon"), ("I have an interview next week", "soon"),
    ("I walked along the river wall tonight", ""), ("I met her last week", ""),
    ("I live in Leeds", "fact_home"), ("i'm from Porto", "fact_home"), ("I work as a nurse", "fact_job"),
    ("i have two cats", "fact_have"), ("I'm studying physics", "fact_study"), ("I got the job!!", "success"),
    ("the interview went well", "went_well"), ("they finally fixed it", "sorted"), ("i failed my test", "setback"),
    ("my boss keeps changing it", "complaint"), ("I think people are too busy", "opinion"),
    ("what do you do all day?", "you_day"), ("do you like sushi?", "you_taste"), ("do you get lonely?", "you_feel"),
    ("should i call him?", "should_i"), ("what is a good way to calm down?", "calm_tips"),
    ("is it weird that i miss school?", "you_view"), ("can you stay and talk to me for a bit?", "company"),
    ("I can't believe it", "disbelief"), ("i should have said sorry", "regret"), ("tell me a joke", "joke"),
    ("last time we met was in spring", "last_time"), ("nothing happened really", "nothing"), ("ok", ""),
    ("응원해 줘", "wish"), ("또 얘기하자", "bye_soon"), ("잘 자", "bye_night"), ("조금 나아졌어", "relief"),
    ("너는 좋은 친구야", "friendship"), ("설레고 무섭기도 해", "mixed"), ("오늘은 좀 우울해", "low"),
    ("잠이 안 와", "sleepless"), ("3주 뒤부터 출근해", "soon"), ("다음 주에 면접이 있어", "soon"),
    ("나는 부산에 살아", "fact_home"), ("나는 간호사야", "fact_job"), ("디자인을 전공하고 있어", "fact_study"),
    ("고양이를 두 마리 키워", "fact_have"), ("나 합격했어!!", "success"), ("면접은 잘 본 것 같아", "went_well"),
    ("시험 망했어", "setback"), ("교수님이 자꾸 주제를 바꾸셔", "complaint"), ("너는 하루 종일 뭐 해?", "you_day"),
    ("너는 무슨 영화 좋아해?", "you_taste"), ("넌 외롭지 않아?", "you_feel"), ("동생한테도 해 줄까?", "should_i"),
    ("긴장을 푸는 방법이 뭐가 있을까?", "calm_tips"), ("내가 예민한 걸까?", "you_view"),
    ("잠깐 얘기 들어줘", "company"), ("믿기지가 않아", "disbelief"), ("먼저 사과할걸", "regret"), ("응", ""),
]  # fmt: skip


@pytest.mark.parametrize(("text", "act"), ACTS)
def test_the_act_of_a_message(text: str, act: str) -> None:
    assert planned(text, friend(1)).focus.act == act


@pytest.mark.parametrize(("text", "act"), [(t, a) for t, a in ACTS if a])
def test_an_act_is_answered_with_its_own_words(text: str, act: str) -> None:
    plan = planned(text, friend(1))
    words = pools(plan.language)
    about = plan.focus
    values = {"value": about.value, "when": about.when, "thing": about.thing, "feeling": about.feeling or ""}
    rows = [t for t in (*words.of("heads", act), *words.of("bodies", act)) if fits(t, values)]
    own = [fill(t, {**values, "name": name}) for t in rows for name in ("", "Sam")]
    for seed in range(6):
        reply = compose(planned(text, friend(seed), seed)).lower()
        told_back = bool(about.echo) and about.echo.lower() in reply
        assert told_back or any(o.lower() in reply for o in own), reply


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I live in Leeds", "Leeds"), ("i live in leeds", "Leeds"), ("I work as a nurse, nights mostly", "a nurse"),
        ("i'm studying physics", "physics"), ("I have two cats", "two cats"), ("나는 부산에 살아", "부산"),
        ("디자인을 전공하고 있어", "디자인"),
    ],
)  # fmt: skip
def test_a_fact_told_is_taken_up_by_its_value(text: str, value: str) -> None:
    replies = [compose(planned(text, friend(s), s)) for s in range(10)]
    assert sum(value.lower() in r.lower() for r in replies) >= 7, replies


@pytest.mark.parametrize(
    ("text", "thing"),
    [
        ("I cooked for her and she liked it!", ""), ("I walked along the river wall tonight", ""),
        ("I bought some for the kids", ""), ("my legs hurt like hell", "your legs"),
        ("I lost my keys somewhere along the way", "your keys"), ("my sister came to visit", "your sister"),
        ("I got back from it late", ""), ("we went to see them", ""), ("I made it!", ""), ("I had to go", ""),
        ("I got the job!!", "the job"), ("I just got back from a hike with my dog", "a hike with your dog"),
        ("my boss keeps changing it", "your boss"), ("my dog is not like other dogs", "your dog"),
    ],
)  # fmt: skip
def test_a_noun_phrase_is_whole_or_not_used(text: str, thing: str) -> None:
    assert planned(text, friend(1)).focus.thing == thing


@pytest.mark.parametrize(
    ("text", "scene"),
    [
        ("the ward was quiet", "work"), ("I made pad thai from scratch", "cooking"), ("it's raining again", "weather"),
        ("the flat is tiny but bright", "home"), ("that is all", None),
        ("first day at the clinic tomorrow", "beginning"),
        ("별일은 없는데 그냥 그래", None), ("잠깐만", None), ("설레고 무섭기도 해", None), ("방이 작아", "home"),
        ("내일이 첫 출근이야", "beginning"), ("동생이 놀러 왔어", "family"),
    ],
)  # fmt: skip
def test_a_scene_is_found_by_whole_words(text: str, scene: str | None) -> None:
    found = pools("en" if text.isascii() else "ko").scene(text)
    assert (found.name if found else None) == scene


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("have an interview next week", "interview coming up|an interview ahead"), ("got the job", "you got the job"),
        ("failed my driving test", "you failed your driving test"), ("am going to visit my aunt", "visit your aunt"),
        ("weird noises all night", ""),
    ],
)  # fmt: skip
def test_an_event_is_told_as_a_clause_or_left_out(value: str, told: str) -> None:
    plan = replace(planned("what do you remember?", friend(1)), snippets=(Snippet("e", "event:x", value),))
    made = claims(plan, pools("en"), Dice(1, 1))
    assert (not made) if not told else re.search(told, made[0]), made


def test_memories_come_up_at_most_every_fourth_reply() -> None:
    likes = (Snippet("a", "pref:hobby:walking", "like|walking"),)
    turns = [t for t in range(1, 60) if planned("long walks are nice", friend(2), t, snippets=likes).callback]
    assert turns
    assert all(b - a >= 4 for a, b in pairwise(turns))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_act_has_words_and_every_word_is_clean(language: str) -> None:
    words = pools(language)
    for act in {row.name for row in POLICY.plan.acts[language]}:
        assert len(words.of("heads", act)) >= 3 and len(words.of("bodies", act)) >= 3, act
    rows = [
        t for table in ("heads", "bodies", "medium") for pool in words.tables[table].values() for t in pool
    ]
    rows += [t for scene in words.scenes for pool in scene.rows.values() for t in pool]
    for text in rows:
        assert not above_level(text, Lexicon.CLEAN, POLICY), text


def test_both_languages_know_the_same_acts() -> None:
    acts = {tongue: {row.name for row in POLICY.plan.acts[tongue]} for tongue in ("en", "ko")}
    assert acts["en"] == acts["ko"]


def test_korean_direction_follows_the_last_consonant() -> None:
    for word, told in (
        ("서울", "서울로"),
        ("부산", "부산으로"),
        ("디자인", "디자인으로"),
        ("제주", "제주로"),
    ):
        assert with_particle(word, "으로") == told

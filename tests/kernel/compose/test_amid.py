"""In the middle of a talk: answers are read as answers, what was told is not asked for, a goodbye is heard."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.compose.choosing import Choice, levelled
from clew.kernel.compose.compose import compose
from clew.kernel.compose.stories import glad_story, story_mood
from clew.kernel.plan.outline import outline
from clew.kernel.read.together import TOGETHER
from clew.kernel.read.utterance import read
from clew.model.plan import PlanAsk, ResponsePlan
from clew.model.turn import Pipeline
from clew.model.utterance import Need
from clew.model.verdict import Reason
from clew.policy import default
from tests.kernel.compose.test_compose import fact

POLICY = default()
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def planned(text: str, number: int = 0, guessed: bool = False, **more: Any) -> ResponsePlan:
    """guessed: only the last turns together sound like pain."""
    heard = read(text, POLICY, vector=embedder().embed([text])[0])
    if guessed:
        signals = replace(heard.signals, need=Need.CARE, need_reasons=(Reason(TOGETHER, "1.05"),))
        heard = replace(heard, signals=signals)
    ask = PlanAsk(
        text=text, signals=heard.signals, utterance=heard, pipeline=Pipeline.FRIEND_CHAT, at=NOON,
        message_id=f"m{number}", **more,
    )  # fmt: skip
    return outline(ask, POLICY)


def replies(text: str, count: int = 8, **more: Any) -> list[str]:
    return [compose(planned(text, number, **more), POLICY) for number in range(count)]


def ways(rows: tuple[str, ...]) -> set[str]:
    return {levelled(way, polite=polite) for way in rows for polite in (False, True)}


@pytest.mark.parametrize(
    ("text", "asked", "taken"),
    [
        ("since March", "Been there long?", "since March"), ("red", "Which colour?", "red"),
        ("Maybe the railway museum.", "What would be fun for her?", "railway museum"),
        ("부산", "어디로 갔어?", "부산"), ("10월이래요", "언제 하세요?", "10월"), ("세 과목", "몇 과목이야?", "세 과목"),
    ],
)  # fmt: skip
def test_a_bare_answer_is_taken_up_by_its_own_words(text: str, asked: str, taken: str) -> None:
    said = replies(text, recent_replies=(asked,))
    assert all(taken.lower() in reply.lower() for reply in said), said


@pytest.mark.parametrize("text", ["red", "back Thursday", "it expires in may", "10월이래요", "초3인데"])
def test_the_rest_of_a_message_is_no_situation_of_its_own(text: str) -> None:
    language = "ko" if re.search("[가-힣]", text) else "en"
    known = {w for row in POLICY.everyday.languages[language].situations.values() for w in ways(row.says)}
    assert not known & set(replies(text, recent_replies=("Ah, okay.",)))


def test_a_yes_and_a_no_are_heard() -> None:
    rows = POLICY.compose.languages["en"].amid
    assert set(replies("yeah, two of them", recent_replies=("Any brothers?",))) <= set(rows["yes"].replies)
    assert set(replies("no not really", recent_replies=("Is it far?",))) <= {
        *rows["no"].replies, *POLICY.compose.languages["en"].moments["agreement"].replies
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "previous", "fact_told", "never"),
    [
        ("I work at a bakery", ("since March",), ("job", "bakery"), r"long\?|[Ss]ince when"),
        ("I've worked at a bakery for three years", (), ("job", "bakery"), r"long\?|[Ss]ince when"),
        ("planning a trip to japan in april", (), None, "Where"),
        ("그냥 치킨 시켰어", (), None, "뭐 시켰"), ("다음주에 제주도로 여행 가", (), None, "어디"),
    ],
)  # fmt: skip
def test_what_was_told_is_not_asked_for(
    text: str, previous: tuple[str, ...], fact_told: tuple[str, str] | None, never: str
) -> None:
    told = (fact(*fact_told),) if fact_told else ()
    assert not any(re.search(never, reply) for reply in replies(text, 20, previous=previous, told=told))


def test_a_needless_question_is_cut_off_and_the_rest_is_said() -> None:
    choice = Choice(1, "en", settled=(re.compile("where", re.I),))
    assert choice.pick(("Oh nice. Where are you going?",), "x") == "Oh nice."
    assert choice.fresh(("Where to?",), "x") == ""


@pytest.mark.parametrize(
    ("text", "thanks"),
    [
        ("thanks, night!", True), ("ok going to try again. night", False), ("Right, kettle's on. Talk later.", False),
        ("dinner's ready, bye!", False), ("고마워 잘자", True), ("공부하러 간다 빠이", False), ("이제 자볼게", False),
    ],
)  # fmt: skip
def test_a_goodbye_is_heard_behind_whatever_was_said_before_it(text: str, thanks: bool) -> None:
    words = POLICY.compose.languages["ko" if re.search("[가-힣]", text) else "en"]
    parting = {w for name in POLICY.compose.leaving for w in ways(words.moments[name].replies)}
    for reply in (*replies(text, 4, recent_replies=("Sounds good.",)), *replies(text, 4, guessed=True)):
        assert any(w in reply for w in parting), reply
        assert any(reply.startswith(w) for w in ways(words.moments["thanks"].replies)) is thanks, reply


@pytest.mark.parametrize("text", ["what a night", "he said goodbye to the team", "we talked all night", "애가 잘 자"])
def test_a_word_of_parting_inside_a_story_is_none(text: str) -> None:
    words = POLICY.compose.languages["ko" if re.search("[가-힣]", text) else "en"]
    parting = {w for name in POLICY.compose.leaving for w in ways(words.moments[name].replies)}
    assert not parting & set(replies(text))


@pytest.mark.parametrize(
    "text", ["mum's lending me her car for it", "the pool opens at 7", "my whole team is 4 people", "반반", "3월부터 다녔어"]
)
def test_pain_that_only_the_talk_as_a_whole_sounds_like_is_not_put_on_a_plain_message(text: str) -> None:
    met = POLICY.occasions.languages["ko" if re.search("[가-힣]", text) else "en"].met
    heavy = {w for name in ("care", "hard") for w in (*ways(met[name].heard), *ways(met[name].asks))}
    heavy -= ways(met["beside"].heard)
    for reply in replies(text, guessed=True, recent_replies=("Ah, okay.",)):
        assert not any(w in reply for w in heavy), reply


def test_what_goes_along_with_a_mood_does_not_keep_it_alive() -> None:
    met = POLICY.occasions.languages["en"].met
    hard, along = met["worry"].heard[0], met["more_hard"].heard
    assert story_mood(planned("and then?", recent_replies=(hard,)), POLICY) == "hard"
    assert story_mood(planned("and then?", recent_replies=(hard, along[0])), POLICY) == "hard"
    assert story_mood(planned("and then?", recent_replies=(hard, *along[:3])), POLICY) == ""


def test_tears_amid_good_news_are_not_pitied() -> None:
    before = POLICY.everyday.languages["en"].situations["kid_milestone"].says[0]
    assert glad_story(planned("I cried a bit ngl", recent_replies=(before,)), POLICY)
    said = replies("I cried a bit ngl", guessed=True, recent_replies=(before,))
    assert not any(re.search(r"sorry|lonely|shame|hard|tough", reply) for reply in said), said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("do you get lonely?", "AI|program|software|talk|chat"), ("what are you exactly", "AI|program|Software"),
        ("are you going to remember this tomorrow?", "[Yy]es"), ("너는 술 마셔?", "AI|프로그램|대화 밖|얘기"),
        ("너 뭐야 정확히", "AI|Clew"), ("내일도 기억해?", "기억|특기"),
    ],
)  # fmt: skip
def test_a_question_put_to_the_friend_is_answered(text: str, said: str) -> None:
    for reply in replies(text, 12, recent_replies=("I see.",)):
        assert re.search(said, reply), reply


@pytest.mark.parametrize("text", ["내가 누구야?", "나 누구게", "내가 누군지 알아?"])
def test_who_am_i_asks_for_the_users_name(text: str) -> None:
    assert any(a.subject == "self" and a.attribute == "name" for a in read(text, POLICY).asks)


def test_who_does_not_want_to_talk_about_it_is_left_alone() -> None:
    for text in ("I don't really want to talk about it tbh", "그 얘긴 그만하자"):
        assert not any("?" in reply for reply in replies(text, recent_replies=("Ah, okay.",)))


def test_what_is_told_of_somebody_else_is_not_turned_to_the_user() -> None:
    assert not any(re.search(r"\byou", reply) for reply in replies("she's having a baby in June", 12))


def test_a_laptop_that_died_is_not_mourned_and_a_laugh_is_not_pitied() -> None:
    lost = replies("my laptop died in the middle of a call", 12, guessed=True)
    assert not any(re.search(r"loss|hole in the middle|carry that", reply) for reply in lost)
    laughed = replies("my friend copied off me lol", 12, guessed=True, recent_replies=("Ah, okay.",))
    assert not any(re.search(r"[Ss]orry|stings|fair|bother", reply) for reply in laughed)


def test_every_topic_has_words_in_each_language_and_names_known_situations() -> None:
    table = POLICY.everyday
    known = {name for words in table.languages.values() for name in words.situations}
    named = [name for names in table.topics.values() for name in names]
    assert len(named) == len(set(named)) and set(named) <= known
    for words in table.languages.values():
        assert set(words.topics) == set(table.topics)
        assert all(row and not any("?" in way for way in row) for row in words.topics.values())


def test_every_kind_that_settles_a_question_has_both_sides() -> None:
    for words in POLICY.compose.languages.values():
        assert set(words.answered_by) == set(words.asks_for)
        assert set(words.parting) <= set(words.moments)

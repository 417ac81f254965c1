"""What the built-in writer says: answers first, then one specific sentence, never an echo, never a life of its own."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.compose import compose
from clew.kernel.compose.naming import quotable
from clew.kernel.plan.outline import outline
from clew.kernel.read.utterance import read
from clew.kernel.text.tokens import content_words
from clew.model.memory import Candidate, MemoryType
from clew.model.plan import Finding, PlanAsk
from clew.model.turn import Pipeline, SafetyPolicy
from clew.model.utterance import Ask
from clew.policy import default

POLICY = default()
NOON = datetime(2026, 3, 4, 12, 5, tzinfo=ZoneInfo("Europe/London"))


def fact(attribute: str, value: str, subject: str = "self", **more: Any) -> Candidate:
    kind = MemoryType.PREFERENCE if "|" in value else MemoryType.FACT
    return Candidate(kind, f"x:{attribute}", value, Decimal("0.8"), subject=subject, attribute=attribute, **more)


def found(told: str, attribute: str, value: str, key: str = "", subject: str = "self") -> Finding:
    return Finding(told, "memory", told, subject, attribute, value, key)


def reply(text: str, number: int = 0, asks: tuple[Ask, ...] = (), **more: Any) -> str:
    heard = replace(read(text, POLICY), asks=asks)
    ask = PlanAsk(
        text=text, signals=heard.signals, utterance=heard, pipeline=more.pop("pipeline", Pipeline.FRIEND_CHAT),
        at=more.pop("at", NOON), message_id=f"m{number}", **more,
    )  # fmt: skip
    return compose(outline(ask, POLICY), POLICY)


def many(text: str, count: int = 12, **more: Any) -> list[str]:
    return [reply(text, number, **more) for number in range(count)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what time is it?", "12:05"), ("what's 12 * 7?", "84"), ("80의 15%", "12"), ("지금 몇 시야?", "12시 05분"),
        ("what day is it today?", "Wednesday"),
        ("are you human?", r"AI|program|Software"), ("너 사람이야?", "AI|프로그램"),
    ],
)  # fmt: skip
def test_what_can_be_worked_out_is_answered(text: str, said: str) -> None:
    assert all(re.search(said, r) for r in many(text))


def test_without_a_known_zone_the_time_is_told_as_what_it_is() -> None:
    assert "UTC" in reply("what time is it?", at=datetime(2026, 3, 4, 12, tzinfo=UTC))


@pytest.mark.parametrize("text", ["segfault at 0x0 in strlen()", "open 3-4 days a week", "born in 1990-91"])
def test_numbers_that_are_no_sum_are_not_worked_out(text: str) -> None:
    assert not any(r[0].isdigit() for r in many(text))


def test_the_name_of_ones_wife_is_not_ones_own() -> None:
    said = many("my wife is called Ana", told=(fact("name", "Ana", "person:wife"),))
    assert any("Ana" in r for r in said)
    assert not any(re.search(r"meet you|Hi Ana|Hello Ana", r) for r in said)
    assert any(re.search("your wife|meet|good name", r) for r in said)


def test_korean_particles_follow_the_word_and_the_level_follows_the_user() -> None:
    plain = many("나 오이 싫어해", 30, told=(fact("dislike", "dislike|오이"),))
    assert not any(re.search("오이은|오이을|오이이랑|오를", r) for r in plain)
    assert any("오이는" in r for r in plain) and not any(r.rstrip("?.").endswith("요") for r in plain)
    polite = many("저는 오이를 싫어해요", 30, told=(fact("dislike", "dislike|오이"),))
    assert all(re.search(r"[요죠][.?!]?(?: \S)?$", r) for r in polite)


def test_an_allergy_comes_first_when_food_is_asked_for() -> None:
    held = (
        found("You are allergic to peanuts", "allergy", "peanuts", "fact:allergy:peanuts"),
        found("You like thai food", "like", "like|thai food", "pref:food:thai_food"),
        found("You like peanuts", "like", "like|peanut sauce", "pref:food:peanut_sauce"),
    )
    for said in many("what should I cook tonight?", asks=(Ask("self", "like"),), findings=held):
        assert "peanuts" in said and "thai" in said.lower() and "peanut sauce" not in said
    assert not any("thai" in r.lower() for r in many("what should I cook tonight?"))


def test_everything_is_told_in_pages_and_what_else_goes_on() -> None:
    held = tuple(found(f"You have thing {i}", "possession", f"thing {i}") for i in range(14))
    asks = (Ask("self", "any"),)
    first = reply("what do you know about me?", asks=asks, findings=held)
    assert first.count("thing") == POLICY.compose.page and "what else" in first
    then = reply("what else?", asks=asks, findings=held, recent_replies=(first,))
    assert then.count("thing") == 14 - POLICY.compose.page
    last = reply("what else?", asks=asks, findings=held, recent_replies=(first, then))
    assert "You have thing" not in last


def test_what_was_never_told_is_said_plainly_and_not_twice_in_the_same_way() -> None:
    nothing = (Finding("", "none", subject="self", attribute="job", named=0.0),)
    asks = (Ask("self", "job"),)
    before: tuple[str, ...] = ()
    for number in range(4):
        said = reply("what do I do for work?", number, asks=asks, findings=nothing, recent_replies=before)
        assert said not in before
        before = (*before, said)


def test_a_favourite_of_another_kind_is_no_answer() -> None:
    held = (found("You like thai food", "like", "like|thai food", "pref:food:thai_food"),)
    asks = (Ask("self", "like"),)
    assert "thai" not in reply("what's my favourite colour?", asks=asks, findings=held).lower()
    assert "thai" in reply("what's my favourite food?", asks=asks, findings=held).lower()


@pytest.mark.parametrize(
    "text",
    ["🔥🔥🔥", "😭", "https://example.com/cats", "def f(x):\n    return x",
     "the moon is low\nthe night is long\nI hum a song", "you're useless",
     "je suis fatigué et je ne sais pas quoi faire", "so " * 200, "?", "ㅋㅋㅋ", "ㅠㅠ"],
)  # fmt: skip
def test_odd_input_gets_a_short_reply_that_holds_none_of_it(text: str) -> None:
    for said in many(text, 6):
        assert said and len(said.split()) <= 25
        own = content_words(said)
        assert len(own & content_words(text)) <= 0.6 * len(own)


def test_the_same_message_again_and_again_is_noticed() -> None:
    once, often = reply("I saw a heron"), reply("I saw a heron", previous=("I saw a heron",) * 4)
    ways = " ".join(POLICY.compose.languages["en"].plain["repeated"])
    assert often in ways and once not in ways


def test_a_crossed_line_is_named_and_an_insult_is_taken_calmly() -> None:
    assert "useless" not in reply("you're useless", safety=SafetyPolicy.SOFT_REFUSE)


def test_no_reply_asks_twice_in_a_row_nor_when_the_user_wants_none() -> None:
    after = many("I baked bread for my neighbours", 40, recent_replies=("How was it?",))
    assert not any("?" in r for r in after)


@pytest.mark.parametrize(
    "value", ["I'm a nurse and I", "because of the rain", "going to the shop", "x" * 80, "that it is"]
)
def test_what_cannot_be_put_right_is_not_quoted(value: str) -> None:
    assert quotable(value, "en", POLICY) == ""


def test_every_way_in_every_language_can_be_said() -> None:
    gaps = dict.fromkeys(
        ("value", "values", "who", "what", "said", "count", "loop", "result", "name", "me", "when", "told"), "커피"
    ) | {"hour": "1", "minute": "02", "day": "3", "month": "4", "year": "5", "weekday": "6"}
    for language, words in POLICY.compose.languages.items():
        rows = [*words.told.values(), *words.answers.values(), *words.unknown.values(), *words.food.values(),
                *words.plain.values(), *words.tells.values(), words.loops,
                *(m.replies for m in words.moments.values()),
                *(x for s in words.scenes.values() for x in (s.good, s.bad, s.any))]  # fmt: skip
        for polite in (False, True):
            choice = Choice(1, language, polite=polite)
            for way in (w for row in rows for w in row):
                said = choice.pick((way,), "x", gaps)
                assert said and not re.search(r"[{}\[\]|<>]", said), way


def test_a_scene_or_moment_row_has_something_to_say() -> None:
    for words in POLICY.compose.languages.values():
        assert all(m.replies for m in words.moments.values())
        assert all(s.any or (s.good and s.bad) for s in words.scenes.values())


def test_a_long_phrase_is_not_said_twice_while_a_short_one_is_left() -> None:
    ways = ("I looked, and found nothing about it.", "Not yet.", "Not told yet.")
    said: tuple[str, ...] = ()
    for seed in range(30):
        said = (*said, Choice(seed, "en", said).pick(ways, "x"))
    assert said.count(ways[0]) == 1
    # The short ones take turns.
    assert all(a != b for a, b in pairwise(s for s in said if s != ways[0]))


def test_what_was_said_just_now_leaves_the_word_to_a_wider_row() -> None:
    choice = Choice(1, "en", ("Who won?",), again_after=15)
    assert choice.fresh(("Who won?",), "game") == ""
    assert replace(choice, recent=("Who won?", *["Hm."] * 15)).fresh(("Who won?",), "game") == "Who won?"
    assert replace(choice, recent=(), ask=False).fresh(("Who won?",), "game") == ""


def test_a_row_speaks_only_where_the_message_holds_its_words() -> None:
    hugged = many("Mum cried, Dad hugged me.", told=(fact("death", "Mum", "person:mother"),))
    assert not any(re.search(r"sorry|loss|What were they", r) for r in hugged)
    died = many("my wife Helen died in October", told=(fact("death", "died", "person:wife"),))
    assert all(re.search(r"sorry|loss|holding up", r) for r in died)
    asleep = many("사흘째 못 잤어", told=(fact("fear", "사흘째"),))
    assert not any("무서" in r for r in asleep)


def test_where_somebody_works_is_not_what_they_are() -> None:
    assert not any(re.search(r"[Aa] warehouse[,:.]|as a warehouse", r) for r in many(
        "I work in a warehouse, packing", told=(fact("job", "warehouse"),)
    ))  # fmt: skip
    assert not any("A sam" in r for r in many("im sam, 19, cs student", told=(fact("job", "sam"),)))


def test_a_value_keeps_its_capitals_and_loses_what_trails_behind_it() -> None:
    liked = many("My favourite author is Ursula Le Guin", told=(fact("like", "like|ursula_le_guin"),), count=20)
    assert any("Ursula Le Guin" in r for r in liked) and not any("ursula le guin" in r for r in liked)
    assert quotable("shellfish by the way", "en", POLICY) == "shellfish"


@pytest.mark.parametrize("text", ["failed my algorithms midterm lol", "또 열쇠 두고 나왔어 ㅋㅋ"])
def test_bad_luck_told_with_a_laugh_is_no_good_news(text: str) -> None:
    assert not any(re.search(r"[Gg]reat|[Gg]ood news|Nice|Well done|잘됐|좋은데|다행|멋지", r) for r in many(text, 20))


def test_a_hard_day_is_heard_before_advice_is_declined() -> None:
    said = many("I feel very lonely these days. Nobody calls me. What should I do?", 12)
    assert all(len(re.findall(r"[.?!]", r)) >= 2 for r in said)


@pytest.mark.parametrize(
    ("text", "apt"),
    [
        ("😭😭", r"\?|listening"), ("https://example.org/a", r"link|open|say|browser|Links"),
        ("```\ndef f(x): return x\n```", "[Cc]ode|model"), ("stupid bot", r"\?|Noted|Ouch|Okay"),
        ("Ich möchte heute Abend gern ins Kino gehen", "English"), ("word " * 300, r"\?"),
        ("rain on the tin roof\na dog sighs in its sleep\nmorning takes its time", r"[Yy]ours|own|write"),
        ("ㅠㅠ", "[?]|듣고"), ("닥쳐", "[?]|짧게|고쳐|미안"),
        ("이거 한번 봐 봐 진짜 웃겨 https://a.kr/b", "링크|내용"),
    ],
)  # fmt: skip
def test_bad_input_gets_what_a_person_would_find_apt(text: str, apt: str) -> None:
    assert all(re.search(apt, r) for r in many(text)), many(text)

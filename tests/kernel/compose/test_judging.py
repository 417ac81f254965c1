"""A small judge weighs what could be said beside what the rules choose; where rules are sure, they hold."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pytest

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.compose.compose import choice_for, compose
from clew.kernel.compose.fitting import fittest, place_of
from clew.kernel.compose.judging import signs, way_key, worths
from clew.kernel.compose.proposing import Offer, offers
from clew.kernel.plan.outline import outline
from clew.kernel.read.utterance import read
from clew.model.plan import PlanAsk, ResponsePlan
from clew.model.turn import Pipeline
from clew.policy import default
from clew.policy.reader import weights
from tests.kernel.compose.test_compose import fact
from tests.kernel.compose.test_everyday import by_rules, replies

POLICY = default()
NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)


def planned(text: str, **more: Any) -> ResponsePlan:
    heard = read(text, POLICY, vector=embedder().embed([text])[0])
    ask = PlanAsk(
        text=text, signals=heard.signals, utterance=heard, pipeline=Pipeline.FRIEND_CHAT, at=NOON, message_id="m", **more
    )
    return outline(ask, POLICY)


def given(text: str, **more: Any) -> list[Offer]:
    plan = planned(text, **more)
    return offers(plan, POLICY.compose.languages[plan.language], choice_for(plan, POLICY), POLICY)


def judged(text: str, made: list[Offer]) -> list[float]:
    plan = planned(text)
    return worths(made, None, plan, POLICY.compose.languages[plan.language], POLICY)


@pytest.mark.parametrize(
    ("text", "fits", "off"),
    [
        ("my phone fell in the toilet", "device_broken", "gran_time"), ("it's pouring outside", "rain", "payday"),
        ("오늘도 야근이에요", "overtime", "rain"), ("비가 또 오네", "rain", "payday"),
    ],
)  # fmt: skip
def test_what_was_told_is_worth_more_than_what_was_not(text: str, fits: str, off: str) -> None:
    rows = POLICY.everyday.languages["ko" if re.search("[가-힣]", text) else "en"].situations
    made = [
        Offer("everyday", name, rows[name].says, rows[name].mood, chance) for name, chance in ((fits, 0.9), (off, 0.02))
    ]
    worth = judged(text, made)
    first = len(rows[fits].says)
    assert min(worth[:first]) > max(worth[first:])


def test_a_line_that_people_found_safe_is_worth_more_than_a_wrong_mood() -> None:
    safe = Offer("wide", "tell", ("Oh? Tell me more.",))
    wrong = Offer("plain", "bad", ("Poor you.",), "hard")
    worth = judged("got a dog Rex and a cat Smokey", [safe, wrong])
    assert worth[0] > worth[1]


def test_bad_news_are_offered_no_cheer_and_good_ones_no_pity() -> None:
    low, glad = given("I failed my exam and I feel awful"), given("I passed my exam, so happy!!")
    assert low and not any(one.mood == "glad" for one in low)
    assert glad and not any(one.mood in ("hard", "irk") for one in glad)


def test_the_rest_of_a_message_is_offered_no_situation() -> None:
    alone, amid = given("red"), given("red", recent_replies=("Which colour?",))
    assert not any(one.reader == "everyday" for one in amid)
    assert {one.reader for one in alone} >= {"plain", "wide"}


def test_a_reply_of_the_rules_is_known_again_also_where_it_has_two_parts() -> None:
    made = [Offer("wide", "tell", ("Oh? Tell me more.", "I see.")), Offer("plain", "bad", ("Poor you.",))]
    choice = choice_for(planned("hm"), POLICY)
    assert place_of("I see.", made, choice) == (0, 1)
    assert place_of("Poor you. And then?", made, choice) == (1, 0)
    assert place_of("Something else.", made, choice) is None


def test_where_rules_are_sure_another_must_be_far_better() -> None:
    plan = planned("my dog has been barking all day")
    words, choice = POLICY.compose.languages["en"], choice_for(planned("hm"), POLICY)
    firm = replace(POLICY, compose=replace(POLICY.compose, judge=replace(POLICY.compose.judge, by_sure_rule=2.5)))
    assert fittest("Poor you.", plan, words, choice, firm, sure=True, firm=True) == "Poor you."
    assert fittest("Poor you.", plan, words, choice, firm) != "Poor you."


def test_without_weights_or_a_vector_the_rules_speak_alone() -> None:
    heard = read("I sat in the park", POLICY)
    ask = PlanAsk(text=heard.text, signals=heard.signals, utterance=heard, pipeline=Pipeline.FRIEND_CHAT, at=NOON)
    plan = outline(ask, POLICY)
    assert compose(plan, POLICY) == compose(plan, by_rules())
    assert replies("I sat in the park", policy=by_rules())


@pytest.mark.parametrize("text", ["what's the capital of Mongolia?", "I want to die", "draw me a cat", "몽골 수도가 어디야?"])
def test_answers_wishes_and_danger_are_not_judged(text: str) -> None:
    assert replies(text) == replies(text, policy=by_rules())


@pytest.mark.parametrize(
    ("text", "attribute", "value"),
    [("I'm allergic to kiwis", "allergy", "kiwis"), ("나 키위 알레르기 있어", "allergy", "키위"), ("I'm Ingrid", "name", "Ingrid")],
)
def test_a_plain_fact_stays_acknowledged(text: str, attribute: str, value: str) -> None:
    plan = planned(text, told=(fact(attribute, value),))
    said = [compose(replace(plan, variation=number), POLICY) for number in range(8)]
    assert sum(value.lower() in reply.lower() for reply in said) >= 6, said


def test_nearly_every_way_is_known_to_the_judge() -> None:
    """Words that were changed since it was trained are judged by their row alone; many of them call for training."""
    table = POLICY.compose.judge
    held = weights(table.file, table.sha256)
    assert held is not None
    keys = set(held["keys"].tolist())
    ways = [
        ("everyday", name, way)
        for language in ("en", "ko")
        for name, row in POLICY.everyday.languages[language].situations.items()
        for way in row.says
    ]
    ways += [("told", name, way) for words in POLICY.compose.languages.values() for name, row in words.told.items() for way in row]
    missing = [one for one in ways if way_key(*one) not in keys]
    assert len(missing) < len(ways) / 20, missing


def test_the_same_message_is_judged_the_same_whatever_stands_beside_it() -> None:
    plan = planned("my train is late again")
    words = POLICY.compose.languages["en"]
    made = offers(plan, words, choice_for(plan, POLICY), POLICY)
    alone = [worths([one], None, plan, words, POLICY) for one in made]
    assert [value for part in alone for value in part] == worths(made, None, plan, words, POLICY)
    assert np.isfinite(signs(made, None, plan, words, POLICY)).all()

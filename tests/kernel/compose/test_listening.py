"""What is said surely fits what was read; where nothing does, a line that only listens."""

from __future__ import annotations

from dataclasses import replace

import pytest

from clew.kernel.care.support import pain_of
from clew.kernel.compose.choosing import levelled
from clew.kernel.compose.compose import choice_for, compose
from clew.kernel.compose.fitting import fittest, listening
from clew.kernel.text.passage import passage
from clew.model.plan import Focus
from clew.policy import default
from tests.kernel.compose.test_compose import fact
from tests.kernel.compose.test_deeds import said_to
from tests.kernel.compose.test_everyday import replies
from tests.kernel.compose.test_judging import planned

POLICY = default()


def listens(language: str, row: str = "listen") -> set[str]:
    ways = POLICY.compose.languages[language].plain[row]
    return {levelled(way, polite=polite) for way in ways for polite in (False, True)}


@pytest.mark.parametrize(("text", "language"), [("the lorry is blue with a white stripe", "en"), ("파란 트럭이 한 대 서 있어", "ko")])
def test_what_nothing_surely_fits_is_listened_to(text: str, language: str) -> None:
    known = listens(language) | listens(language, "listen_low")
    assert sum(reply in known for reply in replies(text)) >= 6


def test_a_guess_of_the_rules_gives_way_and_a_fact_by_its_shape_does_not() -> None:
    plan = planned("the lorry is blue with a white stripe")
    words, choice = POLICY.compose.languages["en"], choice_for(plan, POLICY)
    assert fittest("Poor you.", plan, words, choice, POLICY, sure=True) != "Poor you."
    assert fittest("Poor you.", plan, words, choice, POLICY, sure=True, firm=True) == "Poor you."


def test_low_spirits_and_failures_are_not_laughed_along_with() -> None:
    words = POLICY.compose.languages["en"]
    for text in ("flunked the theory test lol", "missed my train again haha"):
        plan = planned(text)
        assert listening(plan, words, choice_for(plan, POLICY), POLICY) in listens("en", "listen_low")
    plan = planned("he danced all the way to the bus haha")
    assert listening(plan, words, choice_for(plan, POLICY), POLICY) in listens("en", "listen_laugh")
    low = replace(plan, focus=Focus(positive=False, negative=True))
    assert listening(low, words, choice_for(low, POLICY), POLICY) in listens("en", "listen_low")


@pytest.mark.parametrize(
    ("text", "language", "row"),
    [
        ("our estate agent is an absolute nightmare", "en", "is_annoyed"), ("I'm really nervous about the move", "en", "is_afraid"),
        ("I miss the old allotment", "en", "misses"), ("came off my bike by the canal", "en", "hurt_self"),
        ("my cousin is getting married in spring", "en", "milestone"), ("someone nicked my rucksack", "en", "lost_it"),
        ("my driving test is on the 3rd", "en", "good_luck"), ("heating is so expensive this year", "en", "costs_more"),
        ("옆집 공사 때문에 미치겠다", "ko", "is_annoyed"), ("재계약 안 될까봐 걱정돼", "ko", "is_afraid"),
        ("옛날 동네가 그립네", "ko", "misses"), ("계단에서 발목 접질렸어", "ko", "hurt_self"),
        ("막내가 가을에 결혼한대요", "ko", "milestone"), ("버스에서 지갑 잃어버렸어", "ko", "lost_it"),
        ("다음주 화요일에 면접 봐요", "ko", "good_luck"), ("가스비가 또 올랐네", "ko", "costs_more"),
    ],
)  # fmt: skip
def test_what_the_user_says_of_themself_is_met_by_its_own_word(text: str, language: str, row: str) -> None:
    said = said_to(row, language)
    assert sum(any(part.strip() in reply for part in said) for reply in replies(text)) >= 6, replies(text)


@pytest.mark.parametrize(
    "text", ["I'm not that nervous any more", "I don't miss it", "my ex is getting married", "I work really hard"]
)
def test_what_is_denied_or_meant_otherwise_is_not(text: str) -> None:
    rows = ("is_afraid", "misses", "milestone", "finds_hard")
    met = [part.strip() for row in rows for part in said_to(row, "en")]
    assert not any(part in reply for part in met for reply in replies(text))


def test_a_day_is_noted_and_no_day_is_no_date() -> None:
    dated = replace(fact("plan", "boiler service"), when_text="12 May")
    noted = [compose(replace(planned("boiler service 12 May", told=(dated,)), variation=n), POLICY) for n in range(6)]
    assert all("12 May" in reply for reply in noted)
    bare = [compose(replace(planned("maybe a van", told=(fact("plan", "a van"),)), variation=n), POLICY) for n in range(6)]
    assert not any("calendar" in reply or "written down" in reply for reply in bare)


def test_what_is_told_of_somebody_stands_before_their_name() -> None:
    told = (fact("name", "Petra", "person:aunt"), fact("condition", "parkinson's", "person:aunt"))
    plan = planned("my aunt Petra has parkinson's", told=told)
    assert not any("Petra" in compose(replace(plan, variation=n), POLICY) for n in range(6))


def test_of_several_children_none_is_taken_up_alone() -> None:
    told = tuple(fact("age", age, "person:child") for age in ("12", "9"))
    plan = planned("the kids are 12 and 9", told=told)
    assert not any(age in compose(replace(plan, variation=n), POLICY) for age in ("12", "9") for n in range(6))


def test_a_nightmare_of_a_landlord_is_no_fear() -> None:
    fear = POLICY.care.languages["en"].support["fear"]
    assert pain_of(passage("the new timetable is a nightmare", POLICY), "en", POLICY) is not fear
    assert pain_of(passage("I had the same nightmare again", POLICY), "en", POLICY) is fear
    assert pain_of(passage("I'm terrified of my stepdad", POLICY), "en", POLICY) is not fear
    assert pain_of(passage("일정표가 악몽이야", POLICY), "ko", POLICY) is not POLICY.care.languages["ko"].support["fear"]


def test_harsh_words_about_somebody_else_are_listened_to() -> None:
    plan = replace(planned("우리 과에 맨날 남 험담만 하는 놈 있음"), boundary=True)
    heard = plan.utterance
    assert heard is not None
    words = POLICY.compose.languages["ko"]
    known = listens("ko") | listens("ko", "listen_low")
    refused = {levelled(way, polite=polite) for way in words.plain["boundary"] for polite in (False, True)}
    said = compose(plan, POLICY)
    assert said in known if heard.signals.safety.reasons else said in refused

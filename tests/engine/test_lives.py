"""Whole lives told in passing: what is kept of whom, what is counted, and how joy and trouble are met."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.engine.bootstrap import make_embedder
from clew.engine.parts import Parts
from clew.model.account import Conversation
from clew.model.memory import MemoryStatus
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts, onboard, say


class Life:
    """One user, one message a minute."""

    def __init__(self, parts: Parts, place: Conversation, clock: HeldClock) -> None:
        self.parts, self.place, self.clock, self.count = parts, place, clock, iter(range(1, 99))

    def tell(self, *texts: str) -> str:
        reply = ""
        for text in texts:
            self.clock.pass_(minutes=1)
            reply = say(self.parts, self.place, text, next(self.count)).reply or ""
        return reply

    def held(self) -> dict[str, str]:
        with self.parts.store.read() as session:
            every = session.memories(self.place.user_id, self.place.friend_id)
        return {m.memory_key: m.memory_value for m in every if m.status is MemoryStatus.ACTIVE}


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    clock = HeldClock()
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db", clock=clock, embedder=make_embedder())
    place = onboard(parts, preferred_name="Wilhelmina", country_or_region="GB", client_timezone="Europe/London")
    yield Life(parts, place, clock)
    parts.store.close()


_GLAD = ("love", "good", "glad", "happy", "smil", "bright", "nice", "deserve", "proud", "lovely", "great")
_SORRY = ("sorry", "rough", "blood boil", "no wonder", "heavy", "tough", "poor you", "hard", "serious", "sits badly")


@pytest.mark.parametrize(
    "told",
    [
        ["my granddaughter Tilly passed all her exams!! im over the moon"],
        ["my son got a scholarship", "im so proud i cried at work"],
        ["my best friend maddie is ignoring me and idk why", "maddie finally texted!! she lost her phone"],
        ["oh I'm thrilled to bits"],
        ["Chapter 1 DONE!!!"],
    ],
)
def test_good_news_is_not_met_with_pity(life: Life, told: list[str]) -> None:
    reply = life.tell(*told).lower()
    assert not any(word in reply for word in _SORRY)


@pytest.mark.parametrize(
    "told",
    [
        ["my neighbour Tom was found dead in his yard yesterday"],
        ["my sister Peg passed away in March", "Peg's birthday would have been today"],
        ["my husband Sam is a cook", "Sam forgot our anniversary. 10 years."],
        ["laid off today"],
    ],
)
def test_a_loss_is_not_met_with_cheer(life: Life, told: list[str]) -> None:
    reply = life.tell(*told).lower()
    assert not any(word in reply for word in ("congrat", "love it", "here's to", "lovely", "busy", "tell me more."))


def test_who_wants_to_be_a_vet_has_no_sick_animal(life: Life) -> None:
    assert "serious" not in life.tell("my granddaughter Tilly is 17", "she wants to be a vet bless her")


def test_who_will_not_talk_about_it_is_in_no_danger(life: Life) -> None:
    reply = life.tell("my mum and dad are splitting up", "dad moved out on sunday", "i dont wanna talk abt it")
    assert "emergency" not in reply


@pytest.mark.parametrize(
    ("told", "key"),
    [
        (["my granddaughter Tilly is 17", "her brother Callum is 14"], "person:grandchild:callum"),
        (["my sister Jean lives in Whitby", "her husband Alan is a plumber"], "person:brother-in-law:alan"),
        (["Geoffrey is my son", "Geoffrey and his wife Carol want me to move"], "person:daughter-in-law:carol"),
        (["we have a rabbit named Sir Hops"], "pet:rabbit:sir_hops"),
        (["my brother emre supports fenerbahce"], "person:brother:emre"),
        (["My name's Aaliyah and I'm a single mum in Detroit"], "fact:current_city"),
        (["two lads, Rhys and Owen. Rhys is in the army, Owen's a chef in Cardiff"], "person:son:owen:job"),
    ],
)
def test_everybody_is_kept_as_who_they_are(life: Life, told: list[str], key: str) -> None:
    life.tell(*told)
    assert key in life.held()


@pytest.mark.parametrize(
    ("told", "key", "value"),
    [
        (["I'm Kwame, nice to meet you", "We will name her Esi"], "fact:name", "Kwame"),
        (["I'm 22", "i passed thermodynamics!!!! 85!!!"], "fact:age", "22"),
        (["I'm 24", "it is minus 15!! so cold"], "fact:age", "24"),
        (["I live in Berlin", "wedding is on June 6th in Potsdam"], "fact:current_city", "Berlin"),
        (["I live in Swansea", "Dai's moved to Spain, the jammy sod"], "fact:current_city", "Swansea"),
        (["My sister Jean lives in Whitby", "going to whitby on the 12th to see Jean"], "person:sister:jean:city", "Whitby"),
        (["I've got pcos", "got in!!!!!"], "fact:condition:pcos", "pcos"),
        (["my daughter Chloe is a midwife", "went for a walk to clear my head"], "person:daughter:chloe:job", "midwife"),
    ],
)  # fmt: skip
def test_what_is_told_of_something_else_takes_nothing_away(
    life: Life, told: list[str], key: str, value: str
) -> None:
    life.tell(*told)
    assert life.held().get(key) == value


@pytest.mark.parametrize(
    ("told", "key"),
    [
        ("We booked Centre Parcs for the half term", "fact:employer"),
        ("Kofi has malaria, we are at the hospital", "fact:employer"),
        ("Milking done, 120 cows.", "fact:occupation"),
        ("i got a b in chemistry", "fact:major"),
        ("my granddaughter Tilly passed her exams", "person:grandchild:tilly:death"),
    ],
)
def test_what_was_not_said_is_not_kept(life: Life, told: str, key: str) -> None:
    life.tell(told)
    assert key not in life.held()


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (["my granddaughter Tilly is 17", "her brother Callum is 14"], "how many grandkids do I have?", "2"),
        (["I've got two budgies, Pinky and Perky", "Pinky died last night"], "how many budgies have i got now", "Perky"),
        (["im a huge fan of galatasaray"], "who supports galatasaray?", "You support galatasaray"),
        (["my brother emre supports fenerbahce"], "who supports fenerbahce?", "Emre"),
        (["my son Aarav has asthma"], "does anyone in my family have asthma?", "Aarav"),
        (["my neighbour Tom was found dead yesterday"], "who died?", "Tom"),
        (["my back is killing me", "doc says its a herniated disc"], "what's wrong with my back", "herniated disc"),
        (["I'm a nurse", "I've been promoted to ward sister!"], "what's my job?", "ward sister"),
    ],
)  # fmt: skip
def test_all_that_is_held_is_looked_through(life: Life, told: list[str], question: str, answer: str) -> None:
    life.tell(*told)
    assert answer in life.tell(question)


def test_who_broke_up_has_a_girlfriend_no_more(life: Life) -> None:
    life.tell("my gf Selin lives in ankara", "selin and me broke up")
    assert "person:girlfriend:selin" not in life.held()


@pytest.mark.parametrize(
    ("told", "question"),
    [
        (["I've got a cat called Biscuit"], "whats my surname?"),
        (["I play bass in a band"], "what's my restaurant called?"),
        (["golf on wednesdays with Dai"], "do I still smoke?"),
    ],
)
def test_what_was_never_told_is_not_answered_as_if_it_were(life: Life, told: list[str], question: str) -> None:
    life.tell(*told)
    reply = life.tell(question)
    assert "You have golf" not in reply and "Your name is" not in reply and "Biscuit" not in reply


def test_a_weekday_is_told_with_its_date(life: Life) -> None:
    life.tell("My mother is having surgery on Friday")
    life.clock.pass_(days=1)
    assert "March" in life.tell("when is mum's surgery?")


def test_a_question_in_the_middle_of_a_worry_is_no_wish_for_old_words(life: Life) -> None:
    reply = life.tell("Milking done, 120 cows.", "Milk price is down again, I don't know how we will manage")
    assert "120 cows" not in reply


def test_who_is_asked_for_by_name_and_unknown_is_said_to_be(life: Life) -> None:
    assert "Bob" in life.tell("what does Bob do for a living?")

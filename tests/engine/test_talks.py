"""A life told in passing, and asked for later: through a real turn, with the built-in writer and encoder."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clew.engine.bootstrap import make_embedder
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts, onboard, say

Tell = Callable[[str], str]


@pytest.fixture
def tell(tmp_path: Path) -> Iterator[Tell]:
    clock = HeldClock()
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db", clock=clock, embedder=make_embedder())
    place = onboard(parts, preferred_name="Wilhelmina", country_or_region="GB", client_timezone="Europe/London")
    count = iter(range(1, 99))

    def one(text: str) -> str:
        clock.pass_(minutes=1)
        return say(parts, place, text, next(count)).reply or ""

    yield one
    parts.store.close()


@pytest.mark.parametrize(
    ("told", "question", "answer"),
    [
        (["my husband Tom's making dinner", "he's a carpenter"], "what does Tom do for a living?", "carpenter"),
        (["I've got two kids, Ella and Noah", "Ella is 9"], "how old is Ella?", "9"),
        (["I play badminton with Raj", "Raj is my colleague"], "who's Raj?", "colleague"),
        (["my flatmate Jonas eats steak every night"], "what's my flatmate called?", "Jonas"),
        (["My studio is in Hackney", "I'm a freelance photographer"], "where's my studio?", "Hackney"),
        (["my brother lent me money for the deposit"], "who lent me money?", "brother"),
        (["my shoe size is 44"], "what's my shoe size?", "44"),
    ],
)
def test_what_was_told_of_anybody_is_told_when_it_is_asked_for(
    tell: Tell, told: list[str], question: str, answer: str
) -> None:
    for text in told:
        tell(text)
    assert answer in tell(question)


@pytest.mark.parametrize(
    ("first", "second", "question", "new", "old"),
    [
        ("my sister is a lawyer", "no, actually she's a dentist", "what does my sister do?", "dentist", "lawyer"),
        ("I live in Lyon", "no wait, it's Grenoble now", "which city do I live in?", "Grenoble", "Lyon"),
        ("I live in Antwerp", "We've moved, we're in Porto now", "where do I live?", "Porto", "Antwerp"),
        ("I'm 29", "I turned 30 yesterday", "how old am I?", "30", "29"),
        ("My exam is on 3 May", "The exam got moved to 10 May", "when is my exam?", "10", "3 May"),
        ("I have a Vespa", "I sold the Vespa", "do I have a scooter?", "sold", "You have a Vespa"),
        ("I smoke a pack a day", "I stopped smoking", "do I smoke?", "stopped", "You smoke"),
    ],
)
def test_a_change_told_in_words_leaves_only_what_is_so_now(
    tell: Tell, first: str, second: str, question: str, new: str, old: str
) -> None:
    tell(first)
    tell(second)
    reply = tell(question)
    assert new in reply and old not in reply


@pytest.mark.parametrize(
    ("first", "second", "question", "both"),
    [
        ("I speak Polish", "I also speak some Czech", "what languages do I speak?", ("Polish", "Czech")),
        ("I have a cat named Mog", "We got a puppy, Rufus", "what pets do I have?", ("Mog", "Rufus")),
    ],
)
def test_two_that_may_coexist_both_stay(
    tell: Tell, first: str, second: str, question: str, both: tuple[str, str]
) -> None:
    tell(first)
    tell(second)
    reply = tell(question)
    assert all(one in reply for one in both)


@pytest.mark.parametrize(
    ("told", "wish", "question", "value"),
    [
        ("My ex was called Daniel and I don't want to think about him", "forget about Daniel", "what was my ex called?",
         "Daniel"),
        ("My salary is 2400 a month", "forget my salary please", "how much do I earn?", "2400"),
    ],
)  # fmt: skip
def test_what_was_forgotten_is_not_said_again(
    tell: Tell, told: str, wish: str, question: str, value: str
) -> None:
    tell(told)
    tell(wish)
    assert value not in tell(question)


def test_where_a_thing_is_is_not_answered_with_where_the_user_works(tell: Tell) -> None:
    tell("I work as a chef")
    tell("I've got an interview at Spotify on Tuesday")
    reply = tell("where is my interview?")
    assert "Spotify" in reply and "chef" not in reply


def test_a_question_put_to_us_is_not_answered_with_the_users_words(tell: Tell) -> None:
    tell("Today I learned a new dish called steamed sea bass, it's delicious")
    for question in ("I cooked at home. Do you like to try cooking as well?", "Have you heard of sea bass?"):
        assert "“" not in tell(question)


def test_who_somebody_is_holds_only_what_is_told_of_them(tell: Tell) -> None:
    tell("I live in Berlin with my husband Arjun and our daughter Mira, who is 4.")
    tell("I'm vegetarian, Arjun isn't.")
    said = tell("Who is Arjun?")
    assert "husband" in said and "vegetarian" not in said and "Berlin" not in said


def test_a_list_that_was_never_told_is_no_call_for_everything(tell: Tell) -> None:
    tell("I'm allergic to peanuts")
    tell("I live in Hull")
    said = tell("what's on my shopping list?")
    assert "You are allergic" not in said and "Hull" not in said
    everything = tell("what do you remember about me?")
    assert "peanut" in everything and "Hull" in everything


def test_what_tells_of_earlier_days_does_not_end_what_holds(tell: Tell) -> None:
    tell("i just moved to Utrecht from Ghent")
    tell("before that Utrecht was only a place I changed trains")
    assert tell("where do I live?").startswith("You live in Utrecht")


@pytest.mark.parametrize(
    ("told", "wrong", "polite"),
    [("저는 부산에 살아요", "부산에 산다는 거 잊어 주세요", True), ("나 부산 살아", "부산 산다는 거 잊어줘", False)],
)
def test_a_correction_is_answered_at_the_users_speech_level(
    tell: Tell, told: str, wrong: str, polite: bool
) -> None:
    tell(told)
    said = tell(wrong)
    assert bool(re.search(r"(?:요|니다)[.?!]", said)) is polite, said


def test_whoever_asks_again_is_told_again(tell: Tell) -> None:
    tell("my dentist is Dr. Okafor on Mill Road, and I live in Leeds")
    said = [tell(question) for question in ("where do I live?", "which town do I live in?", "where do I live?")]
    assert all("Leeds" in reply for reply in said), said


def test_what_is_known_of_somebody_else_is_no_answer_about_oneself(tell: Tell) -> None:
    tell("hi I'm Ade and I teach maths in Lagos")
    tell("my mum Ngozi lives in Abuja, she's 61")
    assert "Ade" in tell("what's my name?")
    assert "61" not in tell("how old am I?")
    assert "61" in tell("how old is my mum?")


def test_she_is_who_was_spoken_of_before_not_who_is_named_after(tell: Tell) -> None:
    tell("just moved to Leeds with my wife Priya")
    tell("she's a paediatric nurse and our daughter Kavi starts school in september")
    assert "nurse" in tell("what does my wife do?")


@pytest.mark.parametrize(
    "told", ["been in Rotterdam since March, before that Utrecht", "used to live in Utrecht, now in Rotterdam"]
)
def test_where_one_lived_before_takes_nothing_from_where_one_lives(tell: Tell, told: str) -> None:
    tell(told)
    assert "Rotterdam" in tell("where do I live?")


def test_who_somebody_is_comes_in_the_words_that_told_it(tell: Tell) -> None:
    tell("my apprentice Kofi will have to taste everything now")
    assert "apprentice" in tell("who's Kofi?")


def test_a_sentence_that_leans_on_another_is_told_with_it(tell: Tell) -> None:
    tell("gran fell again")
    tell("she's 91 and won't use her walker")
    assert "91" in tell("how old is my gran?")


def test_nobody_of_that_name_was_told_of(tell: Tell) -> None:
    tell("my sister Emma lives in Leeds")
    assert "Leeds" not in tell("where does Anna live?")


def test_what_the_husband_must_avoid_is_the_husbands(tell: Tell) -> None:
    tell("나는 새우 알레르기 있어")
    tell("남편은 캐슈넛 알레르기 있어")
    said = tell("남편 간식 사려는데 뭘 피해야 돼?")
    assert "캐슈넛" in said and "새우" not in said


def test_what_goes_on_with_something_forgotten_is_forgotten_too(tell: Tell) -> None:
    tell("my hawk is called Juniper")
    tell("she's 6")
    tell("forget Juniper's age, I got it wrong")
    assert not re.search(r"\b(?:6|six)\b", tell("how old is Juniper?"))


@pytest.mark.parametrize("wish", ["아니다 비번은 그냥 지워", "아 연습실 비번은 잊어버려 괜히 말했다"])
def test_a_korean_wish_to_forget_that_goes_on_is_heard(tell: Tell, wish: str) -> None:
    tell("연습실 비번 2281인데 기억해 줘")
    tell(wish)
    assert "2281" not in tell("연습실 비번 뭐지?")


def test_what_is_to_be_forgotten_may_be_named_by_another_word_of_its_root(tell: Tell) -> None:
    tell("i'm prediabetic, the doctor told me")
    tell("forget what i said about the diabetes")
    assert "diabet" not in tell("what did the doctor say?")

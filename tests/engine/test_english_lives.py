"""Lives told in hasty English: what is minded, what is told back, and what is not answered as if it were known."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.engine.bootstrap import make_embedder
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts, onboard
from tests.engine.test_lives import Life
from tests.engine.test_who_is_who import talked


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    clock = HeldClock()
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db", clock=clock, embedder=make_embedder())
    place = onboard(parts, preferred_name="Wilhelmina", country_or_region="GB", client_timezone="Europe/London")
    yield Life(parts, place, clock)
    parts.store.close()


@pytest.mark.parametrize(
    ("told", "question", "minded"),
    [
        (["i'm vegan tbh"], "what could i bake for the office party?", "vegan"),
        (["cashews could kill me, i'm allergic"], "any lunch ideas?", "cashew"),
        (["i dont drink"], "what should i order at the pub?", "don't drink"),
        (["doctor said no alcohol until march"], "can i have a glass of wine tonight?", "alcohol"),
        (["i'm allergic to codeine"], "what can i take for my toothache?", "codeine"),
        (["my dad is diabetic"], "what should i cook for my dad tonight?", "diabetic"),
    ],
)
def test_what_must_be_minded_comes_first(life: Life, told: list[str], question: str, minded: str) -> None:
    assert minded in life.tell(*told, question).lower()


def test_a_question_for_leave_is_not_answered_by_what_does_not_bear_on_it(life: Life) -> None:
    assert "penicillin" not in life.tell("i'm allergic to penicillin", "can i have some tea?")


@pytest.mark.parametrize(
    ("asked", "given", "again", "known"),
    [
        ("how old am i?", "haha ok, 41", "how old am i?", "41"),
        ("what's my gran called?", "Edna", "what's my gran's name?", "Edna"),
        ("where do i live?", "oh, Galway", "where do i live?", "Galway"),
    ],
)
def test_a_bare_answer_to_ones_own_question_is_kept(
    life: Life, asked: str, given: str, again: str, known: str
) -> None:
    assert known in life.tell("hello", asked, given, again)


@pytest.mark.parametrize(
    ("told", "question", "never"),
    [
        (["been swimming since i was 8"], "how old am i?", "8"),
        (["hello there, i'm Femi"], "am i married?", "Femi"),
        (["i'm a welder"], "what's my salary?", "welder"),
    ],
)
def test_the_nearest_thing_is_no_answer_to_a_plain_question(
    life: Life, told: list[str], question: str, never: str
) -> None:
    assert never not in life.tell(*told, question)


def test_quitting_again_ends_no_abstinence(life: Life) -> None:
    life.tell("i dont drink", "i gave up drinking last spring")
    assert life.held().get("fact:diet:drink") == "no drink"


@pytest.mark.parametrize(
    ("told", "question", "opens"),
    [
        (["i used to sing in a choir, gave up the choir in spring"], "am i still in the choir?", ("no", "not any more")),
        (["we sold the caravan in june"], "do i still have the caravan?", ("no", "not any more")),
        (["i stopped vaping in may"], "do i vape?", ("no", "not any more")),
        (["i'm vegan"], "am i vegan?", ("yes",)),
        (["my nan passed away in 2019"], "is my nan alive?", ("no",)),
        (["i used to play the oboe"], "did i play the oboe?", ("yes",)),
    ],
)
def test_a_yes_or_no_stands_before_what_is_told(
    life: Life, told: list[str], question: str, opens: tuple[str, ...]
) -> None:
    assert life.tell(*told, question).lower().startswith(opens)


def test_asked_for_another_town_the_own_one_is_told(life: Life) -> None:
    assert "Cork" in life.tell("i live in Cork", "do i live in Dublin?")


def test_a_person_asked_for_in_small_letters_is_the_one_who_is_known(life: Life) -> None:
    assert "Gdansk" in life.tell("my sister Ola lives in Gdansk", "does ola live in warsaw?")


def test_two_children_keep_their_own_ages(life: Life) -> None:
    life.tell("got two lads, Callum whos 9 and wee Rory whos just turned 6")
    held = life.held()
    assert held["person:son:callum:age"] == "9" and held["person:son:rory:age"] == "6"


def test_who_somebody_is_comes_before_what_is_known_of_them(life: Life) -> None:
    life.tell("my tutor is called Mhairi", "Mhairi lives in Oban", "my neighbour Ted has a telescope")
    reply = life.tell("who's Mhairi?")
    assert reply.startswith("Mhairi is your tutor") and "Oban" in reply and "Ted" not in reply


def test_asked_for_somebody_who_is_gone_nobody_gets_the_whole_list(life: Life) -> None:
    life.tell("my boyfriend Anton is a baker", "i'm 52", "anton and i split up on sunday")
    reply = life.tell("what do you know about anton?")
    assert "52" not in reply and "split up" in reply


def test_the_animal_of_somebody_spoken_of_is_theirs(life: Life) -> None:
    life.tell("my boyfriend Anton is a baker", "he's got a dog, Bruno, huge thing")
    assert not any(key.startswith("pet:") for key in life.held())


def test_a_plan_that_opens_with_its_verb_is_kept_whole(life: Life) -> None:
    life.tell("starting a pottery course in Totnes on friday, bit scared")
    plans = [value for key, value in life.held().items() if key.startswith("event:")]
    assert any("pottery course" in value for value in plans) and "starting" not in plans


def test_a_place_one_runs_is_not_what_one_is(life: Life) -> None:
    assert "run a little bookshop" in life.tell("i run a little bookshop in Hay", "what do i do for work?")


def test_a_plain_new_job_takes_the_place_of_the_old_after_a_question(life: Life) -> None:
    life.tell("i run a little bookshop in Hay", "what do i do for work?", "i'm a nurse")
    assert life.held()["fact:occupation"] == "nurse"


def test_names_in_one_row_are_nobody_elses(life: Life) -> None:
    life.tell("i'm Kofi", "i share a house with 3 mates", "Ed, Rafe and Lou. rafe snores")
    held = life.held()
    assert "Ed" not in held.get("fact:name", "") and "person:friend:ed" in held


def test_the_children_of_a_child_are_grandchildren(life: Life) -> None:
    life.tell("My daughter Jo has two little ones, Maisie and Tom")
    held = life.held()
    assert "person:grandchild:maisie" in held and "person:grandchild:tom" in held
    assert "person:daughter:maisie" not in held


def test_who_has_died_is_not_told_as_alive(life: Life) -> None:
    life.tell("my dog Rufus is 14 and on heart tablets", "Rufus had to be put down this morning")
    assert "put down" in life.tell("how is Rufus?")


def test_a_span_of_time_is_nobodys_employer(life: Life) -> None:
    life.tell("I was a bus driver for 28 years")
    assert "28 years" not in life.held().values()
    assert "bus driver for 28 years" in life.tell("what did i use to do?")


def test_what_a_pet_takes_is_not_what_its_owner_takes(life: Life) -> None:
    reply = life.tell("my cat Olive is on insulin", "I take warfarin", "what does Olive take?")
    assert "warfarin" not in reply


def test_what_is_denied_without_a_subject_is_denied(life: Life) -> None:
    assert life.tell("i keep kosher, dont eat shellfish or bacon", "do i eat bacon?").startswith("No")


def test_who_says_what_to_be_called_is_called_so(life: Life) -> None:
    assert "Bea" in life.tell("hello", "call me Bea", "what's my name?")


def test_a_childs_allergy_is_not_the_users(life: Life) -> None:
    assert "kiwi" not in life.tell("my son Leo is allergic to kiwi, we keep pens at home", "what am i allergic to?")


def test_a_brothers_wife_is_no_wife(life: Life) -> None:
    life.tell("my brother Ross lives next door", "rosss wife Una minds the shop", "ross wife", "ross's wife Una is kind")
    assert not any(key.startswith("person:wife") for key in life.held())


@pytest.mark.parametrize("told", ["i got sacked from Tesco for shouting", "just got made redundant from Tesco"])
def test_who_was_put_out_of_a_job_does_not_work_there(life: Life, told: str) -> None:
    assert "work for" not in life.tell(told, "where do i work?").lower()
    assert "work for costa" in life.tell("i work at Costa", "where do i work?").lower()


def test_whoever_was_spoken_of_before_is_not_meant_where_no_word_points_back(life: Life) -> None:
    life.tell("i'm Kofi", "my boss is a proper nightmare", "Got a lad, Harvey, nearly 3, every weekend")
    held = life.held()
    assert "person:boss:harvey" not in held
    assert any(key.endswith(":harvey") for key in held)


def test_he_is_whoever_the_same_message_names_before_it(life: Life) -> None:
    life.tell("i'm Kofi", "my brother Rohan lives in Leeds", "New client is Jonah, he's 24 and loves trains")
    held = life.held()
    assert not any(key.startswith("person:brother:jonah") for key in held)
    assert held["person:brother:rohan:city"] == "Leeds" and "person:brother:rohan:age" not in held


def test_a_word_that_opens_a_sentence_like_a_name_is_read_in_its_own_words(life: Life) -> None:
    life.tell("i'm Kofi", "Ours is a semi with a long garden")
    assert "semi" in life.held()["fact:home"]


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("not sleeping well lately", "not sleeping well"),
        ("Not allowed to drive at the moment because of the seizures", "Not allowed to drive"),
        ("please dont suggest running again, the knee's been bone on bone", "dont suggest running"),
        ("nah cant afford it this month, still paying the vet", "cant afford it"),
    ],
)
def test_a_phrase_is_kept_with_the_word_that_turns_it_round(life: Life, told: str, kept: str) -> None:
    life.tell(told)
    assert any(kept in value for value in life.held().values()), life.held()


@pytest.mark.parametrize(
    ("told", "kept"),
    [
        ("I'm not allergic to nuts", {"You are not allergic to nuts"}),
        ("I don't eat pork", {"You don't like pork"}),
        ("never been to Rome", {"You told me: “never been to Rome”"}),
        ("I do not smoke", {"You do not smoke", "You don't smoke"}),
        ("I'm not working tomorrow", set()),
    ],
)
def test_what_was_read_as_denied_is_not_denied_twice(tmp_path: Path, told: str, kept: set[str]) -> None:
    _, held = talked(tmp_path, told)
    assert set(held) <= kept and bool(held) is bool(kept), held

"""Untidy English: nothing false is kept, nothing true is undone by talk, and what is held is told before it is quoted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from clew.engine.bootstrap import make_embedder
from clew.testing.fakes import HeldClock
from clew.testing.parts import make_parts, onboard
from tests.engine.test_lives import Life


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Life]:
    clock = HeldClock()
    parts = make_parts(f"sqlite:///{tmp_path}/clew.db", clock=clock, embedder=make_embedder())
    place = onboard(parts, preferred_name="Wilhelmina", country_or_region="GB", client_timezone="Europe/London")
    yield Life(parts, place, clock)
    parts.store.close()


@pytest.mark.rule("M7")
@pytest.mark.parametrize(
    ("told", "key"),
    [
        (["im a nurse on the renal ward", "my boss Karen is a nightmare about sickness, i've had 3 off this year"], "fact:occupation"),
        (["im a nurse on the renal ward, 3 nights a week", "no more nights. i actually cried a bit"], "fact:occupation"),
        (["we live in Girona", "we're thinking about moving to Ely, ground floor"], "fact:current_city"),
        (["I have a wife, Maureen", "We have a budgie, Nelson.", "Nelson died in the night. Maureen hasn't noticed"], "person:wife:maureen"),
    ],
)  # fmt: skip
def test_talk_of_something_else_undoes_nothing(life: Life, told: list[str], key: str) -> None:
    life.tell(*told)
    assert key in life.held()


@pytest.mark.rule("M2")
@pytest.mark.parametrize(
    ("told", "never"),
    [
        (["My granddaughter put this on my tablet, so here I am."], "put"),
        (["we lost a baby before Ines. two years ago"], "before"),
        (["mr okafor gave me detention"], "okafor"),
        (["theo's got a girlfriend"], "girlfriend"),
        (["She's my mum, she's 74. tough as nails like"], ":job"),
        (["i want a tattoo when im 18"], "18"),
        (["my uncle nearly died"], ":death"),
        (["i fix bikes, got my own shop on Dominick Street"], "employer"),
        (["dad moved out. hes got a flat in croydon"], "fact:current_city"),
        (["i do nights at a bakery in Leith, been there 3 yrs"], "fact:age"),
        (["lived here 5 yrs"], "fact:current_city"),
    ],
)
def test_what_was_not_told_is_not_kept(life: Life, told: list[str], never: str) -> None:
    life.tell(*told)
    assert not [key for key, value in life.held().items() if never in key or value.lower() == never]


def test_who_stands_in_a_message_with_another_is_not_that_other(life: Life) -> None:
    life.tell("I have a wife, Maureen", "We have a budgie, Nelson. Maureen talks to him all day")
    assert life.held()["pet:bird:nelson"] == "Nelson"


@pytest.mark.parametrize(
    ("told", "question", "known", "never"),
    [
        (["been in Rotterdam since March, before that Utrecht"], "where did i live before?", "You lived in Utrecht.", "“"),
        (["i'm from Sligo but I live in Galway"], "where am i from", "Sligo", "Galway"),
        (["i fix bikes, got my own shop on Dominick Street", "I live in Galway"], "where's my shop", "Dominick", "Galway"),
        (["we have a budgie, Nelson", "Nelson died"], "do we still have a budgie?", "Not any more", "Yes"),
        (["I'm a vegan", "not vegan anymore, sorry cows"], "am I vegan?", "", "Yes"),
        (["my knees are shot. had the left one replaced in 2021"], "which knee was replaced?", "left", "never"),
        (["im a glazier at Hobbs, three on two off", "we lost two geese to the fox, down to three"], "what's my job?", "glazier", "haven't"),
        (["my uncle Ned is sleeping on our sofa till May", "i live in Poole"], "who's in my house at the moment?", "Ned", "Poole"),
        (["met someone. Perrin, drives a tram"], "who am i seeing", "Perrin", "“met someone”"),
        (["split from Odile in march, she's at her sister's"], "am i still with Odile?", "ot any more", "Yes"),
        (["we play in a duo, we're called the Wet Flints", "its not the Wet Flints anymore, we're Gravel now"], "what's my duo called", "Gravel", "called the Wet"),
        (["im a cooper", "our cat Moss is asleep"], "what do i do for a living, in case they ask", "cooper", "Moss"),
        (["anyway what's a good name for a goat", "I never put onion in my stew"], "what do i leave out of stew", "onion", "goat"),
    ],
)  # fmt: skip
def test_what_is_held_is_the_answer(life: Life, told: list[str], question: str, known: str, never: str) -> None:
    reply = life.tell(*told, question)
    assert known in reply and never not in reply


@pytest.mark.parametrize(
    ("told", "put_right", "question", "known", "never"),
    [
        (["paid the rent on the shop, €1400 a month", "i like tea"], "actually it's 1450 now, the rent", "how much is the rent?", "€1450", "1400"),
        (["remember my locker code is 2281", "i like tea"], "it's 2218, the locker", "what's my locker code", "2218", "2281"),
        (["we're thinking about moving to Figueres"], "it's Bàscara not Figueres sorry", "where are we thinking of moving", "Bàscara", "Figueres"),
        (["my sister Jo is coming to stay on thursday"], "no she's coming friday not thursday", "when's jo coming?", "6 March", "13 March"),
    ],
)  # fmt: skip
def test_a_correction_changes_what_it_names(
    life: Life, told: list[str], put_right: str, question: str, known: str, never: str
) -> None:
    reply = life.tell(*told, put_right, question)
    assert known in reply and never not in reply


def test_another_thing_on_another_day_moves_no_visit_told_days_ago(life: Life) -> None:
    life.tell("my mom's visiting friday")
    life.clock.pass_(days=2)
    life.tell("no wait the appointment for the vaccines is thursday not friday")
    assert "visiting friday" in life.held().values()


@pytest.mark.rule("M9")
def test_what_a_guest_dislikes_is_minded_like_ones_own_allergy(life: Life) -> None:
    reply = life.tell("my mom hates spicy food", "i'm allergic to shellfish", "what should i cook for my mom?")
    assert "spicy" in reply and "shellfish" in reply


@pytest.mark.parametrize(
    ("said", "never"),
    [
        ("i dont wanna talk abt it actually", ("Samaritans", "safe")),
        ("honestly? i feel like i'm failing at this", ("look that up", "know better", "guessing")),
        ("chem mock was actually ok??", ("look that up", "know better", "Depends", "only know")),
        ("ran 3k today, nearly died", ("sorry", "loss")),
    ],
)
def test_the_reply_fits_what_was_said(life: Life, said: str, never: tuple[str, ...]) -> None:
    reply = life.tell(said)
    assert not [words for words in never if words in reply]


@pytest.mark.rule("M4")
def test_who_asks_for_a_thing_to_be_kept_hears_that_it_is(life: Life) -> None:
    reply = life.tell("remember that my hoodie is at zaras")
    assert any(word in reply.lower() for word in ("remember", "keep", "kept"))


def test_a_sum_is_worked_out_whatever_follows_it(life: Life) -> None:
    assert "450" in life.tell("whats 12 times 37.5? working out my hours")


@pytest.mark.rule("M5")
def test_a_plan_that_is_forgotten_by_its_name_takes_no_other_along(life: Life) -> None:
    life.tell("dentist thursday 4pm, dreading it", "starting at the fire station on monday", "forget about the dentist thing")
    left = " ".join(life.held().values()).lower()
    assert "dentist" not in left
    assert "fire station" in left


@pytest.mark.rule("S5")
def test_who_feels_useless_is_not_met_with_joy(life: Life) -> None:
    reply = life.tell("feeling pretty useless today tbh")
    assert not any(word in str(reply).lower() for word in ("lovely", "hold on to that", "suits you", "nice change"))


@pytest.mark.parametrize(
    ("told", "met"),
    [
        ("our dog Pip had to stay with my ex, it breaks my heart", r"hurts|ache|leave behind"),
        ("what do you call a bee that won't decide? a maybe", r"(?i)ha\b|groan|clap|walked right|pub"),
    ],
)
def test_a_heavy_heart_and_a_riddle_are_met_as_such(life: Life, told: str, met: str) -> None:
    assert re.search(met, life.tell(told))


def test_who_became_a_dad_is_nobodys_father(life: Life) -> None:
    life.tell("my brother in law Ugo just became a dad, a girl, Vera")
    held = life.held()
    assert not [key for key, value in held.items() if "father" in key or value == "dad"], held

"""Whom the user lives with and whom they are with, asked for in one way and told in many."""

from __future__ import annotations

import pytest

from clew.kernel.read.change_words import says
from clew.kernel.recall.companions import company_asked
from clew.policy import default

POLICY = default()


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("who am I living with these days?", True),
        ("who else lives here with me", True),
        ("do i live on my own?", True),
        ("who shares our flat?", True),
        ("so who am i dating", True),
        ("who am I seeing on thursday?", False),
        ("who do I sing with?", False),
        ("where am I living?", False),
        ("who lives with my aunt?", False),
    ],
)
def test_who_is_at_home_is_asked_for(text: str, asks: bool) -> None:
    assert (company_asked(text, POLICY) is not None) is asks


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("my cousin Ines is crashing on our couch till May", True),
        ("we share a house with two goats and a drummer", True),
        ("grandpa moved in with us after the fall", True),
        ("I've had the flat to myself since Sunday", True),
        ("I share my lunch with the pigeons", False),
        ("my cousin Ines lives in Porto", False),
        ("we stayed with the bus till the end", False),
    ],
)
def test_words_that_tell_it(text: str, tells: bool) -> None:
    assert says(text, "lives_with_told", POLICY) is tells


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("met this guy at the allotments, Perrin", True),
        ("i've been seeing Odile since easter", True),
        ("I'm seeing the physio about my knee", False),
        ("we met the new vicar", False),
    ],
)
def test_words_that_tell_of_love(text: str, tells: bool) -> None:
    assert says(text, "love_told", POLICY) is tells

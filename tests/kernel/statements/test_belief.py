"""A proposed statement is looked at again: likely ones stay, and nothing is added or changed."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pytest

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.read.utterance import read
from clew.kernel.statements.belief import believed, beside, borne_out, dropped, settled
from clew.model.utterance import Evidence, Statement, Utterance
from clew.policy import Policy
from clew.policy import default as policy
from clew.policy.reader import ReaderPolicy


@lru_cache(maxsize=64)
def heard(text: str) -> Utterance:
    return read(text, policy(), vector=embedder().embed([text])[0], tokens=embedder().tokens(text))


def without_weights() -> Policy:
    return replace(policy(), reader=replace(policy().reader, belief="", belief_sha256=""))


def with_mark(at: float) -> Policy:
    return replace(policy(), reader=replace(policy().reader, believed_at=at))


@pytest.mark.parametrize(
    "text", ["her name's Ludovica, Ludo for short", "his name is Deshawn after my grandpa", "my bull is named Reagan"]
)
def test_somebody_elses_name_is_not_the_users(text: str) -> None:
    assert not [s for s in heard(text).statements if s.subject == "self" and s.attribute == "name"]


@pytest.mark.parametrize("text", ["My name is Adaeze.", "I live in Gdansk.", "I'm allergic to kiwi.", "저는 부산에 살아요"])
def test_what_is_plainly_told_is_believed(text: str) -> None:
    assert heard(text).statements


def test_without_weights_everything_stays() -> None:
    found = heard("I live in Gdansk and work as a nurse")
    assert believed(found.text, found.sentences, found.statements, without_weights()) == found.statements


def test_the_mark_of_the_policy_decides_over_all_but_plain_shapes() -> None:
    found = heard("I live in Gdansk and work as a nurse")
    shapes = tuple(s for s in found.statements if s.evidence is None)
    assert believed(found.text, found.sentences, found.statements, with_mark(0.0)) == found.statements
    assert believed(found.text, found.sentences, found.statements, with_mark(1.0)) == shapes != found.statements


def test_less_evidence_is_believed_less() -> None:
    found = heard("I live in Gdansk and work as a nurse")
    faint = tuple(replace(s, evidence=Evidence(0.7, 0.36, 0.2, 0.19, 0.4)) for s in found.statements)
    kept = [len(believed(found.text, found.sentences, s, with_mark(0.6))) for s in (found.statements, faint)]
    assert kept[0] > kept[1]


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        ("I live in Leeds now", "Leeds", ("in", " now")),
        ("Leeds", "Leeds", ("^", " $")),
        ("부산에서 살아", "부산", ("^", "에서")),
        ("moved to Leeds, finally", "Leeds", ("to", " ,")),
    ],
)
def test_what_stands_beside_a_value(text: str, value: str, expected: tuple[str, str]) -> None:
    start = text.index(value)
    told = Statement("self", "city", value, text, start, start + len(value))
    assert beside(text, told) == expected


SURE = Evidence(0.9, 0.9, 0.9, 0.1, 0.9)
PASTIME = Statement("self", "hobby", "chess", "I play chess", 7, 12, evidence=SURE)
GAME = Statement("self", "game", "chess", "I play chess", 7, 12, evidence=SURE)
PET = Statement("pet:cat", "exists", "a cat", "I play chess and have a cat", 22, 27, evidence=SURE)


def marks() -> ReaderPolicy:
    return replace(policy().reader, believed_at=0.2, restored_at=0.4, restored_alone_at=0.6)


def test_what_the_rules_dropped_comes_back_where_it_is_likelier() -> None:
    assert dropped([PASTIME], [PASTIME, GAME]) == (GAME,)
    assert settled([PASTIME], [GAME], {PASTIME: 0.3, GAME: 0.7}, marks()) == (GAME,)
    assert settled([PASTIME], [GAME], {PASTIME: 0.8, GAME: 0.7}, marks()) == (PASTIME,)
    assert settled([PASTIME], [GAME], {PASTIME: 0.3, GAME: 0.39}, marks()) == (PASTIME,)


def test_where_nothing_else_is_told_more_is_needed_to_come_back() -> None:
    assert settled([PET], [GAME], {PET: 0.9, GAME: 0.5}, marks()) == (PET, GAME)
    assert settled([], [GAME], {GAME: 0.5}, marks()) == ()
    assert settled([], [GAME], {GAME: 0.7}, marks()) == (GAME,)


def test_what_no_word_bears_out_needs_more() -> None:
    died = Statement("person:aunt", "death", "lost", "my aunt lost her keys", 8, 12, evidence=SURE)
    assert not borne_out(died, policy())
    assert borne_out(replace(died, sentence="my aunt died in May"), policy())
    assert settled([died], [], {died: 0.3}, marks()) == (died,)
    assert settled([died], [], {died: 0.3}, marks(), [died]) == ()


def test_a_plain_shape_is_never_outvoted() -> None:
    plain = Statement("self", "city", "Ghent", "I live in Ghent", 10, 15)
    other = Statement("self", "origin", "Ghent", "I live in Ghent", 10, 15, evidence=Evidence(1, 1, 1, 0, 1))
    assert settled([plain], [other], {plain: 0.0, other: 0.99}, marks()) == (plain,)

"""Picking from a listed set, and how the cost grows with it."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from clew.kernel.ground.drive import drive
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.pick import understand
from clew.kernel.ground.turn import Turn
from clew.model.continuity import Scope
from clew.model.evidence import Candidate
from clew.policy import default

POLICY = default().ground
LISTED = "Here they are:"
MEMORIES = (
    Candidate("m1", "likes green tea"),
    Candidate("m2", "works at a bakery"),
    Candidate("m3", "has a cat"),
)


@pytest.mark.parametrize(
    ("text", "choice", "verb"),
    [
        ("forget the second one", "m2", "forget"),
        ("pin the last one please", "m3", "pin"),
        ("delete likes green tea", "m1", "delete"),
        ("2", "m2", None),
        ("두 번째 거 지워줘", "m2", "delete"),
    ],
)
def test_the_choice_and_the_verb_that_goes_with_it(text: str, choice: str, verb: str | None) -> None:
    found = understand(text, MEMORIES, POLICY, last_assistant_text=LISTED)
    assert (found.choice_ids, found.verb) == ((choice,), verb)


@pytest.mark.parametrize(
    "text", ["forget everything", "how are you?", "i love my cat", "thanks", "forget it", "tell me a joke"]
)
def test_talk_picks_nothing(text: str) -> None:
    assert understand(text, MEMORIES, POLICY, last="m1", last_assistant_text=LISTED).choice_ids == ()


def test_it_and_the_other_one_point_at_what_was_acted_on() -> None:
    assert understand("delete it", MEMORIES, POLICY, last="m2").choice_ids == ("m2",)
    assert understand("the other one", MEMORIES[:2], POLICY, last="m2").choice_ids == ("m1",)
    offer = understand("yes", MEMORIES, POLICY, offer="m3", last_assistant_text="Open the last?")
    assert offer.choice_ids == ("m3",)


def test_several_that_may_be_meant_are_told() -> None:
    twins = (Candidate("a", "sample2"), Candidate("b", "Sample 2"))
    found = understand("open the sample2 pls", twins, POLICY)
    assert (found.choice_ids, found.verb, found.matches) == ((), "open", ("a", "b"))
    assert found.question


@pytest.mark.parametrize("text", ["forget the first two", "forget both tea and bakery", "앞에 두 개 잊어줘"])
def test_several_are_taken_at_once_and_asked_about_unless_they_can_be_taken_back(text: str) -> None:
    both = understand(text, MEMORIES, POLICY, last_assistant_text=LISTED, destructive=None)
    assert both.choice_ids == ("m1", "m2")
    asked = understand(text, MEMORIES, POLICY, last_assistant_text=LISTED, destructive=("forget",))
    assert asked.choice_ids == () and asked.question


def _cost(options: OptionSet, texts: list[str]) -> float:
    def once(text: str) -> float:
        turn = Turn(text, options, scope=Scope("chat", "x"), option_set_id="s")
        started = time.perf_counter()
        drive(turn, POLICY, _no_model)
        return time.perf_counter() - started

    for text in texts:
        once(text)
    return sorted(min(once(t) for _ in range(5)) for t in texts)[len(texts) // 2]


def _no_model(ask: object) -> None:
    return None


@pytest.mark.parametrize(
    "phrase", [lambda i: f"open the sample{i} report pls", lambda i: f"the one before item {i} sounds good"]
)
def test_a_hundred_times_the_candidates_cost_about_the_same(phrase: Callable[[int], str]) -> None:
    def pool(n: int) -> OptionSet:
        return OptionSet(tuple(Candidate(f"c{i}", f"sample{i} report") for i in range(n)))

    texts = [phrase(i) for i in range(40)]
    small, large = _cost(pool(100), texts), _cost(pool(10_000), texts)
    assert large < 12 * small

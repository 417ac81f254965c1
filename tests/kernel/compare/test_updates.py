"""Which earlier statement a new one changes, and whether it does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.compare.updates import turns_over, updates
from clew.kernel.door import call
from clew.model.update import DatedStatement, Update
from clew.policy import default

POLICY = default()
SAID = (
    "I love sushi",
    "I live in Busan",
    "I really enjoy horror movies",
    "나는 커피를 좋아해",
    "I joined a book club and it was wonderful",
)


def statement(number: int, text: str, vector: tuple[float, ...] | None = None) -> DatedStatement:
    return DatedStatement(str(number), text, datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number), vector)


def judged(text: str, earlier: tuple[str, ...] = SAID) -> Update:
    return updates(statement(99, text), [statement(n, t) for n, t in enumerate(earlier)], POLICY)


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("Lately I can't stand sushi", "0"),
        ("I hate horror films", "2"),
        ("이제 커피는 싫어", "3"),
        ("I decided to step away from the book club", "4"),
        ("I used to love horror movies, but no longer", "2"),
    ],
)
def test_a_changed_mind_names_the_statement_it_changes(text: str, of: str) -> None:
    found = judged(text)
    assert (found.is_update, found.of) == (True, of)
    assert found.reasons[0].rule == "remember.update.supersedes"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("I love sushi", "remember.update.same_stance"),
        ("I love ramen", "remember.update.nothing_shared"),
        ("My cousin opened a sushi bar", "remember.update.no_change_told"),
        ("The weather is grey", "remember.update.nothing_shared"),
    ],
)
def test_what_is_said_again_or_anew_is_no_update(text: str, rule: str) -> None:
    found = judged(text)
    assert not found.is_update
    assert found.reasons[0].rule == rule


def test_nothing_earlier_is_nothing_to_update() -> None:
    assert updates(statement(1, "I hate tea"), (), POLICY).of is None


def test_of_two_like_statements_the_newer_one_is_meant() -> None:
    assert judged("I no longer like tea", ("I love tea", "I love tea")).of == "1"


def test_vectors_decide_between_statements_without_common_words() -> None:
    earlier = [
        statement(0, "Long walks in the hills make my week", (1.0, 0.0)),
        statement(1, "Grand old films every Sunday", (0.0, 1.0)),
    ]
    found = updates(statement(5, "I gave up hiking", (0.9, 0.1)), earlier, POLICY)
    assert (found.is_update, found.of) == (True, "0")


def test_a_vector_of_another_size_is_left_aside() -> None:
    found = updates(statement(5, "I hate sushi", (1.0,)), [statement(0, "I love sushi", (1.0, 0.0))], POLICY)
    assert found == updates(statement(5, "I hate sushi"), [statement(0, "I love sushi")], POLICY)


@pytest.mark.parametrize(
    ("new", "old", "expected"),
    [
        ("I can't stand horror films", "I like horror movies", True),
        ("Tim hates tea now", "Tim likes tea", True),
        ("Tim hates green tea", "Tim likes tea", False),
        ("Tim likes coffee", "Tim likes tea", False),
        ("Tim lives in Oslo", "Tim likes tea", False),
    ],
)
def test_only_the_opposite_about_the_same_thing_turns_it_over(new: str, old: str, expected: bool) -> None:
    assert turns_over(new, old, POLICY) is expected


def learn(old: str, new: str, vectors: tuple[tuple[float, ...], ...] = ()) -> dict[str, Any]:
    fact: dict[str, Any] = {
        "id": "f1",
        "subject": "Tim",
        "content": old,
        "confidence": 0.8,
        "active": True,
        "learned_at": "2026-01-01T00:00:00Z",
        "origin": "stated",
    }
    given_new: dict[str, Any] = {"subject": "Tim", "content": new, "confidence": 0.8}
    if vectors:
        fact["vector"], given_new["vector"] = vectors
    return call("learn", {"facts": [fact], "new": given_new, "at": "2026-02-01T00:00:00Z"})


@pytest.mark.rule("N1")
@pytest.mark.rule("N10")
def test_a_turned_taste_supersedes_its_fact_and_is_linked() -> None:
    answer = learn("Tim likes tea", "Tim hates tea now")
    assert [f["active"] for f in answer["facts"]] == [False, True]
    assert answer["facts"][1]["contradiction_of"] == "f1"


@pytest.mark.rule("N1")
def test_learn_tells_the_likely_update_without_acting_on_it() -> None:
    answer = learn("Tim likes tea", "Tim hates green tea")
    assert all(f["active"] for f in answer["facts"])
    assert answer["updates"]["of"] == "f1"
    assert learn("Tim likes tea", "Tim lives in Oslo")["updates"]["is_update"] is False


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60), st.lists(st.text(max_size=60), max_size=5))
def test_any_text_gets_a_verdict_that_names_a_given_statement(text: str, earlier: list[str]) -> None:
    found = judged(text, tuple(earlier))
    assert found.of is None or found.of in {str(n) for n in range(len(earlier))}
    assert not (found.is_update and found.of is None)
    assert found == judged(text, tuple(earlier))


WALKS = (
    "I joined a hiking group in the hills near my town. It was wonderful to be outside every Sunday, and the people "
    "were fun to walk with. I felt relaxed and happy after each tour, and I am looking forward to the next hikes."
)
BREAD = (
    "I started baking sourdough bread at home last winter. The smell in the kitchen was amazing, and feeding the "
    "starter became a rewarding little ritual. My friends loved the loaves, and I enjoyed every part of it. "
    "It became the best hour of my week."
)
NO_WALKS = (
    "I decided to step away from the hiking group for a while. The tours had become exhausting and the pace was "
    "stressful for my knees. I felt frustrated after almost every Sunday, and the drives were a tedious waste of time."
)


def test_an_account_changes_the_earlier_one_about_the_same_thing() -> None:
    found = judged(NO_WALKS, (WALKS, BREAD))
    assert (found.is_update, found.of) == (True, "0")
    assert {r.rule for r in found.reasons} == {
        "remember.update.supersedes",
        "remember.update.words_of_change",
        "remember.update.opposite_stance",
    }


def test_of_accounts_about_one_thing_the_latest_of_the_other_stance_is_meant() -> None:
    again = WALKS.replace("I joined a hiking group", "I went back to the hiking group")
    assert judged(NO_WALKS, (WALKS, BREAD, again)).of == "2"


def test_an_account_of_something_new_changes_nothing() -> None:
    assert not judged(BREAD, (WALKS,)).is_update


def test_the_order_of_what_was_said_earlier_does_not_matter() -> None:
    given = [statement(n, t) for n, t in enumerate((WALKS, BREAD, SAID[0], SAID[1]))]
    new = statement(99, NO_WALKS)
    assert updates(new, given, POLICY) == updates(new, given[::-1], POLICY)


def test_one_vector_that_is_missing_or_of_another_size_leaves_the_words() -> None:
    given = [statement(0, WALKS, (1.0, 0.0)), statement(1, BREAD)]
    plain = [statement(0, WALKS), statement(1, BREAD)]
    assert updates(statement(9, NO_WALKS, (1.0, 0.0)), given, POLICY).of == "0"
    assert updates(statement(9, NO_WALKS), plain, POLICY).of == "0"


@pytest.mark.rule("N1")
def test_accounts_with_alike_vectors_supersede_only_when_about_one_thing() -> None:
    near = ((0.6, 0.8), (0.95, 0.31))  # a cosine just above what ruling N1 asks
    other = learn(WALKS, BREAD, near)
    assert [f["active"] for f in other["facts"]] == [True, True]
    retold = learn(WALKS, WALKS.replace("fun to walk with", "easy to talk to"), near)
    assert [f["active"] for f in retold["facts"]] == [False, True]

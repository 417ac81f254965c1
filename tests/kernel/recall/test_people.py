"""Talk between people: answers that lean on what was said before, and what is told against what is only said."""

from __future__ import annotations

import numpy as np
import pytest

from clew.kernel.read.inquiry import inquiry
from clew.kernel.read.spoken import spoken
from clew.kernel.recall.turns import ask, entries, index, score, view, vocabulary
from tests.kernel.recall import conversation
from tests.kernel.recall.conversation import POLICY, find, indexed, line, said

BOAT = said(
    ("Tom", "Is the boat back in the water at last?"),
    ("Ann", "It is, since last week!"),
    ("Tom", "How did it go?"),
    ("Ann", "Thursday, half past eight, flat calm, she slid in like a duck."),
    ("Tom", "I made soup and cleaned the whole kitchen afterwards, it took ages."),
    ("Ann", "The garden is full of slugs again and my beans are eaten."),
)


def parts(lines: list, question: str) -> dict[str, np.ndarray]:
    built = indexed(lines)
    return conversation.parts(built, ask.against(inquiry(question, POLICY), built.names, built.years, POLICY))


def test_an_answer_is_found_turns_after_its_topic() -> None:
    wide = parts(BOAT, "When did the boat go back into the water?")["words_wide"]
    assert wide[3] > wide[5] and wide[3] > 0


def test_people_and_assistants_are_weighed_by_tables_of_their_own() -> None:
    people = said(("Ann", "I keep bees."), ("Tom", "Since when?"))
    helped = said(("user", "I keep bees."), ("assistant", "Since when?"))
    assert score.weights_of(indexed(people), POLICY) is POLICY.recall.people
    assert score.weights_of(indexed(helped), POLICY) is POLICY.recall.weights
    assert "length" in parts(people, "bees") and "length" not in parts(helped, "bees")


def test_a_part_without_weight_is_not_shown() -> None:
    for lines in (BOAT, said(("user", "I keep bees."), ("assistant", "Since when?"))):
        weights = score.weights_of(indexed(lines), POLICY)
        assert all(getattr(weights, name) for name in parts(lines, "Where does Ann keep her bees?"))


def test_a_question_about_the_wrong_person_still_finds_the_turn() -> None:
    assert find(BOAT, "What has eaten Tom's beans?", 3)[0].line.index in (4, 5)
    assert 5 in [hit.line.index for hit in find(BOAT, "What has eaten Tom's beans?", 2)]


@pytest.mark.parametrize(
    ("text", "name", "place", "reason"),
    [
        ("we went with Bethan and her dog", True, False, False),
        ("she lives in Ghent now", True, True, False),
        ("Nothing much. Really.", False, False, False),
        ("because it rained", False, False, True),
        ("비가 와서 그래서 못 갔어", False, False, True),
    ],
)
def test_signs_of_an_answer(text: str, name: bool, place: bool, reason: bool) -> None:
    found = spoken(text, POLICY).signs
    assert (found.name, found.place, found.reason) == (name, place, reason)


def test_what_is_said_to_the_other_is_counted() -> None:
    assert spoken("You did it, your way!", POLICY).signs.addresses == 2 / 5
    assert spoken("I did it my way.", POLICY).signs.addresses == 0
    assert spoken("", POLICY).signs.addresses == 0


def test_the_wide_vector_is_near_the_cosine_with_the_sum_of_the_turns_around() -> None:
    rng = np.random.default_rng(7)
    likeness = POLICY.recall.wide_likeness
    rows = rng.normal(size=(len(BOAT), 256)) * np.sqrt(1 - likeness) + rng.normal(size=256) * np.sqrt(
        likeness
    )
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    asked = rng.normal(size=256).astype(np.float32)
    shares = {-(d + 1): s for d, s in enumerate(POLICY.recall.wide_previous)}
    shares |= {d + 1: s for d, s in enumerate(POLICY.recall.wide_next)}
    sums = rows.copy()
    for turn in range(len(BOAT)):
        for distance, share in shares.items():
            if 0 <= turn + distance < len(BOAT):
                sums[turn] += share * rows[turn + distance]
    expected = np.maximum(sums @ asked / np.linalg.norm(sums, axis=1), 0).astype(np.float64)
    built = indexed(BOAT)
    seen = view.gather(built, ask.against(inquiry("boat", POLICY), built.names, built.years, POLICY), POLICY).view
    assert np.allclose(score.scaled(score.wide(seen, rows @ asked, POLICY)), score.scaled(expected), atol=0.1)


def test_a_long_reply_counts_as_a_whole() -> None:
    size = POLICY.recall.passage
    lines = said(("user", "one"), ("assistant", "word " * (size // 5) + ". " + "other " * (size // 6)))
    built = indexed(lines)
    assert built.heads["passages"].tolist() == [1, 2]
    rows = np.array([[1, 0], [1, 0], [0, 1]], np.float32)
    reading = entries.read(list(enumerate(lines)), None, {"user": 0, "assistant": 1}, POLICY)
    run = entries.with_vectors(reading.run, rows, None)
    assert np.allclose(run.heads["scale"], [1, 1 / np.sqrt(2)])


def test_neighbours_beyond_the_session_count_nothing() -> None:
    lines = [line(0, "A", "The opera was long."), line(1, "B", "Nice.", 30)]
    built = indexed(lines)
    assert index.spread(np.array([1.0, 0.0], np.float32), index.masks(built.session, 5), POLICY).tolist() == [1.0, 0.0]


def test_few_directions_keep_the_likeness_of_words() -> None:
    directions = vocabulary.basis(POLICY, "use-multilingual-3/1/320", 512)
    assert directions is not None and vocabulary.basis(POLICY, "another", 512) is None
    assert vocabulary.basis(POLICY, "use-multilingual-3/1/320", 64) is None
    gram = directions.T @ directions
    assert np.abs(gram - np.eye(len(gram))).max() < 0.05

"""Ranking turns: words, neighbours, sessions, speakers, dates; the same order every time."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.kernel.read.inquiry import inquiry
from clew.kernel.read.spoken import spoken
from clew.kernel.recall.turns import ask, rank, view
from clew.policy.recall import RecallWeights
from tests.kernel.recall.conversation import POLICY, find, found, indexed, line, parts, said

TALK = said(
    ("Nora", "I adopted a puppy from the shelter."),
    ("Ben", "What is its name?"),
    ("Nora", "Biscuit. He chews everything."),
    ("Ben", "I went hiking in the Alps."),
    ("Nora", "That sounds great."),
    ("Ben", "My knee still hurts from it."),
)


def test_the_turn_that_shares_words_is_first() -> None:
    assert found(TALK, "Who adopted a puppy?")[0] == 0


def test_a_turn_is_found_through_its_neighbour() -> None:
    assert 2 in found(TALK, "What is the name of the puppy?", 3)


def test_neighbours_end_with_the_session() -> None:
    lines = [line(0, "A", "We talked about the opera."), line(1, "A", "Nice.", 30)]
    built = indexed(lines)
    asked = ask.against(inquiry("opera", POLICY), built.names, built.years, POLICY)
    assert parts(built, asked)["lexical_near"][1] == 0


def test_the_named_speaker_is_preferred() -> None:
    lines = said(("Nora", "I bought a red bicycle."), ("Ben", "I bought a red bicycle too."))
    assert found(lines, "What did Ben buy?")[0] == 1
    assert found(lines, "What did Nora buy?")[0] == 0


def test_between_two_people_a_name_is_an_address() -> None:
    lines = said(("Nora", "Hi Ben! Lovely garden."), ("Ben", "Thanks, the garden took years."))
    assert found(lines, "How long did Ben's garden take?")[0] == 1


def test_a_date_in_the_question_points_at_its_days() -> None:
    lines = [line(0, "A", "I went swimming.", 0), line(1, "A", "I went swimming.", 61)]
    assert found(lines, "Did A go swimming on 1 July 2023?")[0] == 1
    assert found(lines, "Did A go swimming on 1 May 2023?")[0] == 0


def test_a_named_day_counts_more_than_a_named_year() -> None:
    lines = [line(0, "A", "Hello.", 0), line(1, "A", "Bye.", 400)]
    built = indexed(lines)
    named = [
        parts(built, ask.against(inquiry(q, POLICY), built.names, built.years, POLICY))["date"][0]
        for q in ("What was said on 1 May 2023?", "What was said in 2023?")
    ]
    assert named[0] > named[1] > 0


def test_sessions_come_from_pauses_from_ids_or_from_blocks() -> None:
    pauses = [line(0, "A", "x", 0), line(1, "A", "y", 0), line(2, "A", "z", 3)]
    assert indexed(pauses).session.tolist() == [0, 0, 1]
    ids = [line(i, "A", "x", None, name) for i, name in enumerate(["D1:1", "D1:2", "D2:1"])]
    assert indexed(ids).session.tolist() == [0, 0, 1]
    block = POLICY.recall.session_block
    plain = [line(i, "A", "x", None) for i in range(block + 1)]
    assert indexed(plain).session.tolist() == [0] * block + [1]


def test_korean_is_found_by_korean() -> None:
    lines = said(("민수", "어제 부산에 갔어요"), ("지은", "저는 고양이를 키워요"), ("민수", "날씨가 좋네요"))
    assert found(lines, "누가 고양이를 키우지?")[0] == 1


def test_why_gives_the_parts_of_the_score() -> None:
    best = find(TALK, "Who adopted a puppy?")[0]
    assert best.why["lexical"] == 1.0
    assert set(best.why) <= {*RecallWeights.__dataclass_fields__, "fresh"}


def test_vectors_and_words_add_their_parts() -> None:
    lines = said(("A", "cats purr"), ("A", "dogs bark"))
    vectors = np.array([[1, 0], [0, 1]], np.float32)
    words = {"cats": vectors[0], "purr": vectors[0], "dogs": vectors[1], "bark": vectors[1]}
    built = indexed(lines, vectors=vectors, words=words)
    asked = ask.against(inquiry("hounds", POLICY), built.names, built.years, POLICY)
    gathered = view.gather(built, asked, POLICY, word_vectors=(vectors[1:2], np.ones(1, np.float32)))
    dots = vectors @ np.array([0.1, 0.9], np.float32)
    first = rank.leading(built, gathered, asked, 2, POLICY, dots=dots)
    hits = rank.settled(built, asked, first, dict(enumerate(lines)), 2, POLICY)
    assert [h.line.index for h in hits] == [1, 0]
    assert {"vector", "words_window"} <= set(hits[0].why)


def test_equal_turns_keep_their_order() -> None:
    lines = said(*(("A", f"word{i} tea") for i in range(6)))
    assert found(lines, "tea") == [0, 1, 2, 3, 4, 5]


@settings(max_examples=30, deadline=None)
@given(
    st.lists(
        st.sampled_from(["tea time", "green tea", "a walk", "", "오늘 차", "?"]), min_size=1, max_size=12
    )
)
def test_a_longer_list_only_adds_at_its_end_and_scores_fall(texts: list[str]) -> None:
    lines = said(*(("A", t) for t in texts))
    hits = find(lines, "green tea today", 12)
    assert [h.score for h in hits] == sorted((h.score for h in hits), reverse=True)
    assert all(0 <= h.score <= 1 for h in hits)
    for k in range(len(hits)):
        assert find(lines, "green tea today", k) == hits[:k]


def test_near_duplicates_are_thinned_and_opposites_are_not() -> None:
    same = "I really want to visit the old castle in Prague"
    lines = said(("A", same), ("A", same + "!"), ("A", same.replace("want", "do not want")))
    assert sorted(found(lines, "castle in Prague")) == [0, 2]


def test_the_token_budget_is_kept() -> None:
    lines = said(*(("A", f"tea number{i} " + "filler " * 10) for i in range(5)))
    assert len(find(lines, "tea", 5)) > len(find(lines, "tea", 5, budget=35)) > 0
    assert find(lines, "tea", 5, budget=1) == ()


def test_missing_parts_do_not_shrink_the_scale() -> None:
    assert find(TALK, "adopted puppy shelter")[0].score > 0.4


def test_a_turn_that_tells_and_then_asks_counts_less_as_a_question() -> None:
    shares = [spoken(t, POLICY).signs.asks for t in ("I saw a fox.", "I saw a fox! Did you?", "Did you see a fox?", "")]
    assert shares[0] == shares[3] == 0
    assert 0 < shares[1] < shares[2] == 1


def test_a_list_leans_less_on_sessions_and_neighbours() -> None:
    talk = said(("user", "I planted beans."), ("assistant", "Which beans?"), ("user", "It rains."))
    near = []
    for question in ("Which beans grow here?", "Give me a list of all the beans"):
        asked = ask.against(inquiry(question, POLICY), indexed(talk).names, (), POLICY)
        near.append(float(parts(indexed(talk), asked)["lexical_near"].max()))
    assert 0 < near[1] < near[0]

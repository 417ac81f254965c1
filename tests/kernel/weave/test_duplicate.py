"""Required test 2: near-duplicate detection thresholds, exact and inclusive (rulings T3, T7–T9, T11)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from clew.kernel.weave.duplicate import loop_sequence, loop_tokens, thread_similarity
from clew.model.thread import ThreadType
from clew.policy import default

POLICY = default()
WORDS = "amber birch cedar dune ember fjord grove heath islet jetty knoll ledge".split()
FIRST_DUPLICATE = {
    "RELATIONSHIP": 7,
    "MORAL": 7,
    "MYSTERY": 8,
    "INFORMATION": 8,
    "QUEST": 8,
    "RESOURCE": 8,
    "DANGER": 8,
}


@pytest.mark.rule("T11")
@pytest.mark.parametrize("kind", list(ThreadType))
@pytest.mark.parametrize("shared", range(1, 13))
def test_unit_near_duplicate_thresholds_at_every_twelfth(kind: ThreadType, shared: int, strict: Any) -> None:
    """12 distinct tokens beside a prefix of them, under every type."""
    whole, part = " ".join(WORDS), " ".join(WORDS[:shared])
    expected = shared >= FIRST_DUPLICATE[kind]
    like = thread_similarity(whole, part, kind, POLICY)
    assert (like.similarity, like.duplicate) == (Fraction(shared, 12), expected)
    state = [{"id": "td-1", "type": kind.value, "text": whole}]
    answer = strict(threads=state, add=[{"type": kind.value, "text": part}])
    assert answer["accepted"] is not expected
    told = [d for d in answer["diagnostics"] if d["code"] == "THREAD_DUPLICATE_LIKE_ADD"]
    assert [(d["thread_id"], d["similarity"]) for d in told] == ([("td-1", shared / 12)] if expected else [])


@pytest.mark.rule("T11")
@pytest.mark.parametrize(
    ("kind", "n", "d"), [("RELATIONSHIP", 29, 50), ("MYSTERY", 31, 50), ("QUEST", 33, 50)]
)
def test_a_score_on_the_threshold_counts_and_one_word_less_does_not(kind: str, n: int, d: int) -> None:
    words = [f"w{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(d)]
    at, below = " ".join(words[:n]), " ".join(words[: n - 1])
    assert thread_similarity(" ".join(words), at, ThreadType(kind), POLICY).duplicate
    assert not thread_similarity(" ".join(words), below, ThreadType(kind), POLICY).duplicate


@pytest.mark.rule("T7")
def test_the_stop_phrases_are_frozen_and_do_not_count() -> None:
    assert POLICY.weave.stop_phrases == (
        "currently",
        "right now",
        "at this point",
        "for now",
        "at the moment",
        "at present",
        "as of now",
    )
    for phrase in POLICY.weave.stop_phrases:
        like = thread_similarity(
            "decode hidden ledger cipher", f"Decode hidden {phrase}, ledger cipher", ThreadType.QUEST, POLICY
        )
        assert like.similarity == 1


@pytest.mark.rule("T8")
@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("Bobby's map—a LEDGER, x", {"bobby", "map", "ledger"}),
        ("Straße ÉCLAIR", {"strasse", "éclair"}),
        ("장부 숨김 왜", {"장부", "숨김", "왜"}),
        ("谁", {"谁"}),
        ("谁藏账本", {"谁藏", "藏账", "账本"}),
        ("harbour-gate", {"harbour", "gate"}),
        ("Кто поджёг?", {"кто", "поджёг"}),
    ],
)
def test_tokens_are_unicode_words_without_possessives(text: str, tokens: set[str]) -> None:
    assert loop_tokens(text, ThreadType.MYSTERY, POLICY.weave) == tokens


@pytest.mark.rule("T9")
@pytest.mark.parametrize(
    ("kind", "a", "b", "score"),
    [
        (
            "QUEST",
            "Goal: find the amulet; success when it is returned",
            "Goal: find the ledger; success when it is burned",
            Fraction(1, 2),
        ),
        (
            "DANGER",
            "Prevent risk: famine; avoid by sharing",
            "Prevent risk: flood; avoid by digging",
            Fraction(0),
        ),
        ("MYSTERY", "Open question: amulet", "Open question: ledger", Fraction(0)),
    ],
)
def test_template_words_of_the_own_type_do_not_count(kind: str, a: str, b: str, score: Fraction) -> None:
    assert thread_similarity(a, b, ThreadType(kind), POLICY).similarity == score


@pytest.mark.rule("T9")
def test_template_words_count_where_they_are_no_scaffold() -> None:
    weave = POLICY.weave
    assert loop_sequence("Goal: score a goal; success when the keeper fails", ThreadType.QUEST, weave)[
        :2
    ] == ("score", "goal")
    assert "success" in loop_tokens("what success when rain comes", ThreadType.QUEST, weave)
    assert "goal" in loop_tokens("Goal: x marks it", ThreadType.MYSTERY, weave)


@pytest.mark.rule("T3")
@pytest.mark.parametrize(
    ("a", "b", "guard"),
    [
        (
            "Will Alicia trust Bobby after the trial?",
            "Will Alicia not trust Bobby after the trial?",
            "polarity",
        ),
        ("Will Alicia accept the crown from Bobby?", "Will Alicia reject the crown from Bobby?", "antonym"),
        (
            "Will Alicia ever forgive Bobby for the fire?",
            "Will Alicia ever forgive Carol for the fire?",
            "entity",
        ),
        ("Will the 3 captains trust Bobby again?", "Will the 4 captains trust Bobby again?", "entity"),
        ("Will Alicia forgive Bobby for the fire?", "Will Alicia forgive Bobby for the fire, or not?", None),
        ("Will she forgive Bobby for the fire?", "Will she forgive him for the old fire?", None),
        ("Open relationship question: is the gate closed to Bobby?", "is the gate closed to Bobby?", None),
    ],
)
def test_opposites_and_other_entities_are_never_merged_and_empty_sets_never_veto(
    a: str, b: str, guard: str | None
) -> None:
    for left, right in ((a, b), (b, a)):
        like = thread_similarity(left, right, ThreadType.RELATIONSHIP, POLICY)
        assert like.close and like.guard == guard


def test_order_of_words_does_not_matter_and_nothing_is_like_nothing() -> None:
    assert (
        thread_similarity(
            "Reach the archive safely", "Safely reach the archive", ThreadType.QUEST, POLICY
        ).similarity
        == 1
    )
    assert thread_similarity("", "", ThreadType.QUEST, POLICY).similarity == 0
    assert not thread_similarity("?", "?", ThreadType.QUEST, POLICY).duplicate

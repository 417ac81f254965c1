"""The named measures are exact, and thresholds are compared without floats."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew import kernels
from clew.kernel.similar import overlap_likeness, reply_likeness
from clew.kernel.text.similarity import containment, jaccard, ngram_jaccard
from clew.kernel.weave.duplicate import loop_tokens, thread_similarity
from clew.model.thread import ThreadType
from clew.policy import default, from_tables

POLICY = default()
SETS = st.frozensets(st.sampled_from("abcdefgh"))
WORDS = [
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heath",
    "islet",
    "jewel",
    "knoll",
    "larch",
]


@pytest.mark.parametrize("measure", [jaccard, containment])
@given(a=SETS, b=SETS)
def test_measures_are_symmetric_bounded_and_exact(measure, a: frozenset[str], b: frozenset[str]) -> None:
    score = measure(a, b)
    assert isinstance(score, Fraction)
    assert 0 <= score <= 1
    assert score == measure(b, a)
    assert (measure(a, a) == 1) is bool(a)


@given(SETS, SETS)
def test_the_measures_keep_their_order(a: frozenset[str], b: frozenset[str]) -> None:
    assert jaccard(a, b) <= containment(a, b)


@pytest.mark.rule("P56")
@pytest.mark.parametrize(
    ("a", "b", "score", "duplicate"),
    [
        ("lol", "lol", 1, True),
        ("lol", "lol!", 1, True),
        ("lol", "ok", 0, False),
        ("", "", 0, False),
        ("so true", "so", 0, False),
        ("hi there", "hi there you all", 0, False),
        ("one two three four", "one two three four", 1, True),
        ("one two three four", "one two three", Fraction(1, 2), False),
    ],
)
def test_replies_too_short_for_three_words_are_equal_or_different(a, b, score, duplicate) -> None:
    likeness = reply_likeness(a, b, POLICY.text)
    assert likeness.similarity == score
    assert likeness.duplicate is duplicate


def test_reply_similarity_counts_at_exactly_seven_tenths() -> None:
    # 9 three-grams against 8 of them and one other: 7/10 exactly.
    a = [f"w{i}" for i in range(10)]
    b = [*a[:9], "x"]
    assert ngram_jaccard(a, b, 3) == Fraction(7, 9)
    c = [*a[1:], "y"]
    assert ngram_jaccard([*a[:9], "z1"], [*a[:9], "z2"], 3) == Fraction(7, 9)
    assert ngram_jaccard(a, c, 3) == Fraction(7, 9)
    exact = [f"w{i}" for i in range(11)]
    assert ngram_jaccard(exact[:9], [*exact[:9], "p", "q", "r"], 3) == Fraction(7, 10)
    assert reply_likeness(" ".join(exact[:9]), " ".join([*exact[:9], "p", "q", "r"]), POLICY.text).duplicate


@pytest.mark.rule("T11")
@pytest.mark.parametrize(
    ("kind", "shared", "duplicate"),
    [
        ("RELATIONSHIP", 6, False),
        ("RELATIONSHIP", 7, True),
        ("MORAL", 6, False),
        ("MORAL", 7, True),
        ("MYSTERY", 7, False),
        ("MYSTERY", 8, True),
        ("INFORMATION", 7, False),
        ("INFORMATION", 8, True),
        ("QUEST", 7, False),
        ("QUEST", 8, True),
        ("RESOURCE", 7, False),
        ("RESOURCE", 8, True),
        ("DANGER", 7, False),
        ("DANGER", 8, True),
    ],
)
def test_thread_thresholds_stand_where_the_origin_tested_them(
    kind: str, shared: int, duplicate: bool
) -> None:
    likeness = thread_similarity(" ".join(WORDS), " ".join(WORDS[:shared]), ThreadType(kind), POLICY)
    assert likeness.similarity == Fraction(shared, 12)
    assert likeness.duplicate is duplicate


@pytest.mark.rule("T11")
def test_a_score_equal_to_the_threshold_is_a_duplicate() -> None:
    exact = from_tables({"weave": {"thresholds": {"QUEST": "7/12"}}})
    above = from_tables({"weave": {"thresholds": {"QUEST": 0.5834}}})
    a, b = " ".join(WORDS), " ".join(WORDS[:7])
    assert thread_similarity(a, b, ThreadType.QUEST, exact).duplicate
    assert not thread_similarity(a, b, ThreadType.QUEST, above).duplicate


def test_every_thread_type_has_a_threshold_and_its_template_words() -> None:
    weave = POLICY.weave
    for table in (weave.thresholds, weave.scaffold_prefixes, weave.scaffold_connectors):
        assert set(table) == set(ThreadType)


@pytest.mark.rule("T7")
@pytest.mark.parametrize(
    "filler",
    ["currently", "right now", "at this point", "for now", "at the moment", "at present", "as of now"],
)
def test_filler_phrases_are_not_compared(filler: str) -> None:
    plain = "decode hidden ledger cipher"
    assert thread_similarity(plain, f"{plain} {filler}", ThreadType.QUEST, POLICY).similarity == 1
    assert filler in POLICY.weave.stop_phrases and len(POLICY.weave.stop_phrases) == 7


@pytest.mark.rule("T7")
def test_filler_inside_a_word_stays() -> None:
    assert "concurrently" in loop_tokens("run concurrently", ThreadType.QUEST, POLICY.weave)


@pytest.mark.rule("T8")
def test_word_order_and_language_do_not_hide_a_duplicate() -> None:
    assert thread_similarity(
        "Reach the archive safely", "Safely reach the archive", ThreadType.QUEST, POLICY
    ).duplicate
    korean = "잃어버린 지도를 찾아라"
    assert thread_similarity(korean, f"{korean}!", ThreadType.QUEST, POLICY).duplicate


@pytest.mark.rule("T9")
@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [
        (
            "QUEST",
            "Goal: find the amulet; success when it is returned",
            "Goal: sell the ledger; success when paid",
        ),
        ("DANGER", "Prevent risk: flood; avoid by levee", "Prevent risk: plague; avoid by quarantine"),
        ("MYSTERY", "Open question: who rang", "Open question: why Oslo"),
        ("RELATIONSHIP", "Open relationship question: Ann", "Open relationship question: Bob"),
    ],
)
def test_the_template_of_a_type_makes_no_two_loops_alike(kind: str, a: str, b: str) -> None:
    prefix = a.split(":")[0].lower().split()
    tokens = loop_tokens(a, ThreadType(kind), POLICY.weave)
    assert not tokens.intersection(prefix)
    assert not thread_similarity(a, b, ThreadType(kind), POLICY).close


@pytest.mark.rule("T9")
def test_template_words_inside_the_text_or_of_another_type_stay() -> None:
    assert "goal" in loop_tokens("score the winning goal", ThreadType.QUEST, POLICY.weave)
    assert "goal" in loop_tokens("Goal: win", ThreadType.MYSTERY, POLICY.weave)


@pytest.mark.rule("N7")
@pytest.mark.parametrize(
    ("a", "b", "duplicate"),
    [
        ("status", "show the current status of everything", False),
        ("status", "status", True),
        ("Status!", "status", False),
        ("", "", False),
        ("deploy api", "deploy api", True),
        ("deploy the api", "deploy the api server", True),
    ],
)
def test_too_few_words_need_exact_equality(a: str, b: str, duplicate: bool) -> None:
    assert overlap_likeness(a, b, POLICY.text, rule="similar.episode").duplicate is duplicate


@pytest.mark.rule("N8")
def test_episode_overlap_is_strictly_above_seven_tenths() -> None:
    ten = ["apple", "berry", "cherry", "damson", "elder", "fig1", "grape", "hazel", "iris1", "juniper"]
    seven = [*ten[:7], "kiwi", "lemon", "mango"]
    at_the_line = overlap_likeness(" ".join(ten), " ".join(seven), POLICY.text, rule="r")
    assert at_the_line.similarity == Fraction(7, 10) and not at_the_line.close
    eight = [*ten[:8], "kiwi", "lemon"]
    assert overlap_likeness(" ".join(ten), " ".join(eight), POLICY.text, rule="r").close


@pytest.mark.rule("N8")
def test_punctuation_does_not_stick_to_words() -> None:
    assert overlap_likeness("show, the (status)", "show the status!", POLICY.text, rule="r").similarity == 1
    assert not overlap_likeness(
        "show me brain status", "show me heart status", POLICY.text, rule="r"
    ).duplicate


def test_the_door_shows_the_ratio_and_the_measure() -> None:
    answer = kernels.similar(a=" ".join(WORDS), b=" ".join(WORDS[:7]), as_="thread:QUEST")
    assert answer["similarity"] == 7 / 12
    assert answer["reasons"][0] == {"rule": "weave.duplicate.quest", "detail": "7/12"}

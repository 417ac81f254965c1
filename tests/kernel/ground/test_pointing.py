"""What is pointed at: names in part, attributes, measures, places, exclusion, several at once (ruling G26)."""

from __future__ import annotations

import time
from typing import Any

import pytest

from clew.kernel.ground.evidence import payload, written
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.point import point
from clew.kernel.ground.pool import Pool, Spelled
from clew.kernel.ground.turn import Turn
from clew.kernel.text.tokens import split
from clew.model.canonical import canonical_json
from clew.model.continuity import Scope
from clew.model.evidence import Candidate
from clew.policy import default

from .asking import ask, rules

POLICY = default().ground
FLIGHTS = (
    Candidate("a", "JetBlue 615", "4:00 PM, $210"),
    Candidate("b", "JetBlue 651", "6:30 PM, $230"),
    Candidate("c", "American 20", "3:45 PM, $265"),
)
FILES = (
    Candidate("a", "budget_2024.xlsx", "modified Mar 3, 2 MB"),
    Candidate("b", "budget_2025.xlsx", "modified yesterday, 1 MB"),
    Candidate("c", "scan.pdf", "modified Feb 1, 640 KB", owner="Bob"),
)
KOREAN = (
    Candidate("a", "을지면옥", "냉면, 도보 5분, 1만2천원"),
    Candidate("b", "명동교자", "칼국수, 도보 8분, 9천원"),
    Candidate("c", "우래옥", "냉면, 도보 12분, 1만6천원"),
)


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("candidates", "offered", "text", "meant"),
    [
        (FLIGHTS, None, "the cheapest", "a"),
        (FLIGHTS, 0, "jetblue but later", "b"),
        (FLIGHTS, None, "american", "c"),
        (FLIGHTS, None, "the amercian one", "c"),
        (FLIGHTS, None, "six fifteen", "a"),
        (FLIGHTS, None, "the one under 220", "a"),
        (FLIGHTS, None, "the second cheapest", "b"),
        (FLIGHTS, None, "second to last", "b"),
        (FILES, None, "the pdf", "c"),
        (FILES, None, "the one from Bob", "c"),
        (FILES, None, "the newest", "b"),
        (FILES, None, "the biggest file", "a"),
        (FILES, None, "all but the pdf", "ab"),
        (FILES, None, "2024 and 2025", "ab"),
        (FILES, None, "everything", "abc"),
        (KOREAN, None, "칼국수집으로요", "b"),
        (KOREAN, None, "제일 가까운 데로", "a"),
        (KOREAN, None, "제일 싼 거", "b"),
        (KOREAN, None, "냉면 말고", "b"),
        (KOREAN, None, "두 번째 거", "b"),
        (KOREAN, None, "을지면옥이랑 우래옥", "ac"),
    ],
)
def test_what_is_meant(candidates: tuple[Candidate, ...], offered: int | None, text: str, meant: str) -> None:
    found = point(text, OptionSet(candidates), offered, POLICY)
    assert "".join(candidates[p].id for p in found.positions) == meant
    assert found.several == (len(meant) > 1)


@pytest.mark.parametrize("text", ["jetblue", "either of the jetblue ones", "the jetblue or the american"])
def test_what_could_be_several_is_not_one(text: str) -> None:
    found = point(text, OptionSet(FLIGHTS), None, POLICY)
    assert found.winner is None
    assert not found.several


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    "text",
    [
        "thanks, have a good night!",
        "yes I had a nice weekend",
        "good night",
        "고마워 잘 자!",
        "set a timer for ten minutes",
    ],
)
def test_thanks_and_small_talk_take_nothing(text: str) -> None:
    answer = ask(text, offer="c2", last_assistant_text="Should I open sample2?")
    assert answer["outcome"] != "execute"
    assert answer["acts"][0]["act"] in ("close", "new")


@pytest.mark.rule("G24")
def test_a_quantity_takes_the_offer_and_not_the_second() -> None:
    assert (
        ask("sure, I'll take two", offer="c1", last_assistant_text="Shall I add sample1?")["choice_id"]
        == "c1"
    )


@pytest.mark.rule("G25")
def test_both_acts_come_back_in_order() -> None:
    said = "Sounds good. How is the weather there?"
    answer = ask(said, offer="c2", last_assistant_text="Should I book sample2?")
    assert answer["acts"] == [{"act": "accept", "choice_id": "c2"}, {"act": "new"}]
    assert answer["choice_id"] == "c2"


@pytest.mark.rule("G27")
def test_a_question_about_what_could_be_several_is_asked_back_once() -> None:
    pool = [
        {"id": "a", "label": "budget 2024"},
        {"id": "b", "label": "budget 2025"},
        {"id": "c", "label": "notes"},
    ]
    answer = ask("how big is the budget?", candidates=pool)
    assert answer["outcome"] == "clarify"
    assert [c["id"] for c in answer["clarifier"]["candidates"]] == ["a", "b"]
    assert ask("how big is the notes file?", candidates=pool)["answer"]["about"] == "c"


def test_a_declared_verb_is_confirmed_and_a_yes_does_it() -> None:
    first = ask("delete sample2", destructive=["delete"])
    assert first["outcome"] == "clarify"
    assert first["clarifier"]["text"] == "Really delete sample2?"
    kept = {"continuity": first["continuity"], "open_question": first["open_question"]}
    done = ask("yes", destructive=["delete"], **kept)
    assert (done["outcome"], done["choice_id"], done["verb"]) == ("execute", "c2", "delete")
    assert ask("delete sample2")["outcome"] == "execute"


def test_an_offer_that_left_the_list_is_no_offer() -> None:
    answer = ask("yes please", offer="gone", last_assistant_text="Shall I open it?")
    assert answer["outcome"] != "execute"


def test_fifty_thousand_candidates_are_asked_to_be_narrowed_down() -> None:
    pool = [{"id": f"c{i}", "label": f"sample{i}"} for i in range(50_000)]
    answer = ask("the second one", candidates=pool)
    assert answer["outcome"] == "clarify"
    assert "ground.too_many_candidates" in rules(answer)


@pytest.mark.parametrize(
    "texts",
    [
        ["It's 'x'", "b-c d"],
        ["한국어  파일", "A`b"],
        ["", "  ", "a\tb"],
        ["line\nbreak", "x"],
        ["ＡＢＣ", "é"],
    ],
)
def test_texts_read_together_have_the_words_they_have_alone(texts: list[str]) -> None:
    assert [Spelled(texts)[i] for i in range(len(texts))] == [split(t) for t in texts]


def test_the_fingerprint_is_written_as_canonical_json_would() -> None:
    pool = Pool.of((Candidate("b", 'say "hi"', None, "x/y", "t"), Candidate("a", "한국어", "s", owner="K")))
    turn = Turn("x", OptionSet(pool), scope=Scope("chat", "1"), option_set_id="s")
    assert written(turn, POLICY) == canonical_json(payload(turn, POLICY))


def test_ten_thousand_unseen_candidates_cost_little_more_than_writing_them_down() -> None:
    """Measured beside plain work over the same list, so that a busy machine does not matter."""
    ratios = []
    for k in range(5):
        pool: list[dict[str, Any]] = [
            {"id": f"{k}-{i}", "label": f"sample{i} report {k}"} for i in range(10_000)
        ]
        started = time.thread_time()
        for _ in range(3):
            canonical_json(pool)
        plain = time.thread_time() - started
        started = time.thread_time()
        ask("open the sample77 report", candidates=pool)
        ratios.append((time.thread_time() - started) / plain)
    assert min(ratios) < 1

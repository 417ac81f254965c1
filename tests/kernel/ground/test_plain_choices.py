"""What a person would take at once, and what nobody should take: reasons, denials, lengths, thanks, laughter."""

from __future__ import annotations

from typing import Any

import pytest

from tests.kernel.ground.asking import ask, listed, rules, shown


def told(*items: str) -> list[dict[str, Any]]:
    """ "label|sublabel" each."""
    return [{"id": f"c{i}", "label": a, "sublabel": b} for i, (a, _, b) in enumerate((x.partition("|") for x in items), 1)]


WALKS = told("Fern Walk|3 km, easy", "Ridge Path|12 km, hard", "Bridge Trail|7 km, moderate")
SONGS = told("Lantern|2:58", "Foghorn|6:10", "Low Tide|4:15")
DESKS = told("Ana Duarte|Mon 9:00", "Omar Faye|Wed 14:00", "Li Wen|Thu 11:20")
HOTELS_KO = told("달빛 호텔|15만 원", "솔방울 여관|4만 5천 원", "바다 민박|7만 원")
DESKS_KO = told("안 선생님|월 9:00", "오 선생님|수 14:00", "이 선생님|목 11:20")
PROPOSED = "Shall I book Ana Duarte?"


@pytest.mark.parametrize(
    ("text", "pool", "offer", "said", "wanted"),
    [
        ("the easy one, I twisted my ankle", WALKS, None, "Three walks:", "c1"),
        ("I've had a long week. the easy one", WALKS, None, "Three walks:", "c1"),
        ("tram, I get sick on buses", told("Bus 4|9 min", "Tram C|12 min"), None, "Which way?", "c2"),
        ("monday's no good, wednesday", DESKS, "c1", PROPOSED, "c2"),
        ("월요일은 안 되고 수요일로", DESKS_KO, "c1", "안 선생님으로 예약할까요?", "c2"),
        ("the longest one", SONGS, "c1", "Shall I play Lantern?", "c2"),
        ("제일 짧은 걸로", SONGS, None, "세 곡이 있어요.", "c1"),
        ("너무 비싸요 제일 싼 걸로", HOTELS_KO, "c1", "달빛 호텔로 잡을까요?", "c2"),
        ("the one from work", told("Kim|work", "Kim|gym", "Kim|school"), None, "Three people:", "c1"),
        ("the long 1", listed("dry tale", "long tale", "sad tale"), None, "Which tale?", "c2"),
        ("열한시 거", DESKS_KO, None, "언제로 할까요?", "c3"),
        ("카톡으로", listed("카카오톡", "텔레그램", "라인"), None, "무엇으로 보낼까요?", "c1"),
    ],
)
def test_a_plain_choice_is_taken(text: str, pool: Any, offer: str | None, said: str, wanted: str) -> None:
    answer = ask(text, candidates=pool, offer=offer, last_assistant_text=said)
    assert (answer["outcome"], answer.get("choice_id")) == ("execute", wanted)


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    "text",
    [
        "thank you so much", "cheers", "thanks for checking", "ok thanks, that's everything", "thank you, that's all",
        "that's it for today", "great, thanks for the advice!", "감사합니다", "정말 고마워요", "도와줘서 고마워", "알려주셔서 감사합니다", "고맙습니다!",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "said",
    [
        "Shall I open contract?",
        "I found one file from 2023: contract.",
        "contract를 열까요? 2024년 notes도 있어요.",
    ],
)
def test_thanks_alone_take_nothing_whatever_was_said(text: str, said: str) -> None:
    answer = ask(text, candidates=listed("contract", "notes", "letter"), offer="c1", last_assistant_text=said)
    assert answer["outcome"] == "escape"
    assert "choice_id" not in answer


@pytest.mark.rule("G24")
@pytest.mark.parametrize("text", ["yes, thank you", "네 해주세요 감사합니다", "please and thank you"])
def test_a_yes_with_thanks_is_a_yes(text: str) -> None:
    answer = ask(text, candidates=listed("contract", "notes"), offer="c1", last_assistant_text="Shall I open contract?")
    assert answer["choice_id"] == "c1"


@pytest.mark.parametrize("text", ["by all means", "that'd be great", "please do", "yesss", "그럽시다", "부탁드립니다", "물론이죠"])
def test_a_plain_yes_to_a_proposal_is_beyond_doubt(text: str) -> None:
    said = "그 자리로 예약할까요?" if not text.isascii() else PROPOSED
    assert ask(text, candidates=DESKS, offer="c1", last_assistant_text=said)["choice_id"] == "c1"


@pytest.mark.rule("G25")
@pytest.mark.parametrize(
    ("text", "wanted"),
    [("they're both free? then the second one", "c2"), ("Li Wen. how long does it take?", "c3")],
)
def test_a_choice_beside_a_question_is_a_choice(text: str, wanted: str) -> None:
    assert ask(text, candidates=DESKS, offer=None, last_assistant_text="Who should it be?").get("choice_id") == wanted


@pytest.mark.rule("G25")
@pytest.mark.parametrize("text", ["Li Wen, how long does she take?", "Great! Is it far?", "how long? with Li Wen I mean"])
def test_what_a_question_is_about_is_not_taken(text: str) -> None:
    assert ask(text, candidates=DESKS, offer="c1", last_assistant_text=PROPOSED)["outcome"] != "execute"


@pytest.mark.parametrize("text", ["hahaha Li Wen", "Omar Faye ㅋㅋ", "lol"])
def test_laughing_at_a_name_takes_nothing(text: str) -> None:
    assert ask(text, candidates=DESKS, offer="c1", last_assistant_text=PROPOSED)["outcome"] != "execute"


def test_a_short_name_that_others_may_be_called_by_is_asked_about() -> None:
    pool = told("Sam Hale|tennis", "Samantha Roy|choir", "Ben Ode|office")
    assert ask("Sam", candidates=pool, offer=None, last_assistant_text="Who is it?")["outcome"] == "clarify"
    assert ask("Sam Hale", candidates=pool, offer=None, last_assistant_text="Who is it?")["choice_id"] == "c1"


def test_a_time_after_a_limit_is_not_the_one_at_the_limit() -> None:
    pool = told("Film A|8:10", "Film B|9:30", "Film C|10:15")
    assert ask("after 8", candidates=pool, offer=None, last_assistant_text="When?")["outcome"] != "execute"


def test_a_comparison_after_a_question_is_between_what_was_asked_about() -> None:
    pool = listed("budget 2023", "budget 2024", "contract", "letter")
    first = ask("the budget", candidates=pool, offer=None)
    assert sorted(shown(first)) == ["c1", "c2"]
    carried = {"continuity": first["continuity"], "open_question": first["open_question"]}
    assert ask("the newer one", candidates=pool, **carried)["choice_id"] == "c2"


def test_equal_things_are_asked_about_by_their_place() -> None:
    twins = [{"id": "a", "label": "Alarm", "sublabel": "7:30"}, {"id": "b", "label": "Alarm", "sublabel": "7:30"}]
    asked = ask("alarm", candidates=twins)
    assert asked["clarifier"]["text"] == "Which one do you mean: Alarm (7:30) (number 1) or Alarm (7:30) (number 2)?"
    carried = {"continuity": asked["continuity"], "open_question": asked["open_question"]}
    assert ask("number 2", candidates=twins, **carried)["choice_id"] == "b"


def test_a_doubted_choice_asks_about_what_was_named() -> None:
    pool = told("Desk lamp|black, $35", "Reading lamp|brass, $59", "Night light|white, $12")
    said = "Shall I put the desk lamp into the cart?"
    answer = ask("ooh the brass one looks nice", candidates=pool, offer="c1", last_assistant_text=said)
    assert answer["outcome"] == "clarify" and shown(answer) == ["c2"]


def test_thanks_have_a_rule_of_their_own() -> None:
    answer = ask("thanks!", candidates=listed("a.txt", "b.txt"), offer="c1", last_assistant_text="Open a.txt?")
    assert "ground.thanks" in rules(answer)

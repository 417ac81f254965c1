"""Follow-ups read by the network, with the encoder of this machine lent to the kernel."""

from __future__ import annotations

from typing import Any

import pytest

from clew.engine.meanings import at_hand, lend
from clew.kernel.door import MEANINGS, call
from tests.kernel.ground.asking import AT, CHAT, FRESH

COURSES = [
    {"id": "pot", "label": "Pottery for beginners", "sublabel": "Mondays 19:00, £90, Hill Street"},
    {"id": "jam", "label": "Jam and preserves", "sublabel": "Saturday morning, £35, village hall"},
    {"id": "bike", "label": "Fix your own bicycle", "sublabel": "Thursdays 18:30, £60, the old depot"},
]
DISHES = [
    {"id": "a", "label": "두부 스테이크", "sublabel": "비건, 9천원"},
    {"id": "b", "label": "매운 갈비찜", "sublabel": "2인분, 2만 8천원"},
    {"id": "c", "label": "연어 덮밥", "sublabel": "1만 3천원, 15분"},
]


def asked(text: str, candidates: list[dict[str, Any]], said: str, offer: str | None = None) -> dict[str, Any]:
    lent = at_hand()
    if lent is None:
        pytest.skip("no encoder is installed")
    payload = {
        "text": text, "candidates": candidates, "last_assistant_text": said, "offer": offer, "at": AT,
        "continuity": FRESH, "scope": CHAT, "option_set_id": "set-1", MEANINGS: lent,
    }  # fmt: skip
    return call("ground", payload)


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("ok sign me up for the bike one", "bike"),
        ("my hands are always covered in oil anyway so the bicycle thing", "bike"),
        ("the jam", "jam"),
        ("i'd go for the preserves course i think, sounds tasty", "jam"),
        ("pottery!! finally", "pot"),
        ("put me down for the saturday one please", "jam"),
    ],
)
def test_a_choice_in_a_person_s_own_words(text: str, meant: str) -> None:
    answer = asked(text, COURSES, "Three courses have places left. Which one shall I book?")
    assert (answer["outcome"], answer.get("choice_id")) == ("execute", meant)


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "meant"),
    [("두부로 할게", "a"), ("갈비찜 그거 시켜줘", "b"), ("연어요", "c"), ("비건인 걸로", "a")],
)
def test_a_korean_choice(text: str, meant: str) -> None:
    answer = asked(text, DISHES, "세 가지를 찾았어요. 어떤 걸로 주문할까요?")
    assert (answer["outcome"], answer.get("choice_id")) == ("execute", meant)


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    "text",
    [
        "thanks, have a good evening!",
        "my aunt makes jam every summer",
        "how long does the pottery one run for?",
        "yes i had a lovely weekend",
        "hmm, not sure yet",
        "what's the weather like on thursday",
    ],
)
def test_talk_takes_nothing(text: str) -> None:
    assert asked(text, COURSES, "Shall I book the pottery course?", offer="pot")["outcome"] != "execute"


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    "text", ["고마워 잘자", "연어는 우리 아빠가 좋아하는데", "갈비찜 많이 매워?", "오늘 날씨 어때"]
)
def test_korean_talk_takes_nothing(text: str) -> None:
    assert asked(text, DISHES, "두부 스테이크로 주문할까요?", offer="a")["outcome"] != "execute"


def test_what_is_left_out_is_never_taken() -> None:
    answer = asked("all of them except pottery", COURSES, "Which ones shall I book?")
    assert "pot" not in (answer.get("choice_ids") or [])


def test_the_same_message_gives_the_same_answer() -> None:
    once = asked("the jam", COURSES, "Which one?")
    assert once == asked("the jam", COURSES, "Which one?")


def test_what_is_no_encoder_is_not_asked() -> None:
    """A field of that name in somebody's JSON is nothing to read by."""
    plain = {"text": "the jam", "candidates": COURSES, "at": AT, "scope": CHAT, "option_set_id": "set-1"}
    assert call("ground", {**plain, MEANINGS: "yes"}) == call("ground", plain)
    assert lend(None) is None


def test_without_the_assistant_s_words_the_network_reads_all_the_same() -> None:
    plain = {"candidates": COURSES, "at": AT, "scope": CHAT, "option_set_id": "set-1", MEANINGS: at_hand()}
    assert call("ground", {**plain, "text": "open jam and preserve"})["choice_id"] == "jam"
    assert call("ground", {**plain, "text": "thanks, good night"})["outcome"] == "escape"


def test_an_encoder_that_fails_costs_nothing_but_its_reading() -> None:
    class Broken:
        space = "use-multilingual-3/broken"
        dimensions = 512

        def embed(self, texts: list[str]) -> list[list[float]]:
            raise RuntimeError("no")

        def tokens(self, text: str) -> None:
            raise RuntimeError("no")

    lent = lend(Broken())  # type: ignore[arg-type]
    plain = {
        "text": "the jam", "candidates": COURSES, "at": AT, "scope": CHAT, "option_set_id": "set-1",
        "last_assistant_text": "Which one?",
    }  # fmt: skip
    assert lent is not None and call("ground", {**plain, MEANINGS: lent}) == call("ground", plain)


ROOMS = [
    {"id": "garden", "label": "Garden room", "sublabel": "€140, own bath, quiet"},
    {"id": "attic", "label": "Attic room", "sublabel": "€95, shared bath, quiet"},
]
PRINTERS = [
    {"id": "a", "label": "브라더 HL-2310", "sublabel": "사무실, 흑백"},
    {"id": "b", "label": "캐논 MX490", "sublabel": "사무실, 컬러"},
    {"id": "c", "label": "엡손 ET-4850", "sublabel": "집, 컬러"},
]


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("i'll skip both, thanks", "clarify"),
        ("we'll pass on both", "clarify"),
        ("no, that won't work for us. that will be all", "clarify"),
        ("ok, good night", "escape"),
        ("haha ok bye", "escape"),
    ],
)
def test_a_refusal_and_a_goodbye_take_nothing_however_they_are_worded(text: str, outcome: str) -> None:
    answer = asked(text, ROOMS, "Two rooms are free. Shall I book the Garden room?", "garden")
    assert answer["outcome"] == outcome


@pytest.mark.rule("G24")
@pytest.mark.parametrize("text", ["둘 다 패스할게", "전부 마음에 안 들어", "ㅋㅋ 알겠어 빠이", "오케이 잘자", "캐논이랑 겹치네"])
def test_a_korean_refusal_goodbye_or_remark_takes_nothing(text: str) -> None:
    assert asked(text, PRINTERS[:2], "캐논으로 뽑을까요?", "b")["outcome"] != "execute"


@pytest.mark.rule("G26")
@pytest.mark.parametrize("text", ["컬러요", "사무실 거"])
def test_what_several_fit_is_asked_about_and_not_taken_together(text: str) -> None:
    answer = asked(text, PRINTERS, "어느 프린터로 뽑을까요?")
    assert answer["outcome"] == "clarify"
    assert len(answer["clarifier"]["candidates"]) == 2


@pytest.mark.rule("G26")
def test_several_are_taken_where_the_words_say_several() -> None:
    answer = asked("둘 다 주세요", PRINTERS[:2], "어느 프린터를 주문할까요?")
    assert answer["choice_ids"] == ["a", "b"]
    held = asked("hold both", ROOMS, "Which of the two shall I hold for you?")
    assert held["choice_ids"] == ["garden", "attic"]


@pytest.mark.parametrize("text", ["do you have candles?", "is there a hotel by the sea?", "do you have one with a balcony"])
def test_whoever_shows_the_list_is_asked_for_another_thing(text: str) -> None:
    answer = asked(text, ROOMS, "Two rooms are free. Shall I book the Garden room?", "garden")
    assert (answer["outcome"], answer["act"]) == ("escape", "alternatives")


def test_a_refusal_of_both_offers_neither_of_them_again() -> None:
    answer = asked("i'll skip both", ROOMS, "Two rooms are free. Shall I book the Garden room?", "garden")
    assert answer["clarifier"]["candidates"] == []


@pytest.mark.rule("G24")
def test_praise_of_both_takes_neither() -> None:
    said = "Two rooms are free. Shall I book the Garden room?"
    assert asked("hm they both sound nice", ROOMS, said, "garden")["outcome"] == "clarify"
    assert asked("음 둘 다 괜찮아 보인다", PRINTERS[:2], "캐논으로 뽑을까요?", "b")["outcome"] == "clarify"


@pytest.mark.rule("G27")
def test_a_short_question_about_a_named_thing_takes_nothing() -> None:
    assert asked("캐논은 뭐에 쓰는 거야", PRINTERS, "프린터 목록이에요.")["outcome"] == "answer"


@pytest.mark.rule("G25")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("can't do mondays, my sister's in town. the jam", "jam"),
        ("thursday? no way. jam and preserves", "jam"),
        ("yes please! do i need to bring an apron?", "pot"),
    ],
)
def test_a_choice_said_apart_from_a_reason_or_a_question_is_taken(text: str, meant: str) -> None:
    answer = asked(text, COURSES, "Three courses have places left. Shall I book the pottery one?", offer="pot")
    assert (answer["outcome"], answer.get("choice_id")) == ("execute", meant)


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    "text",
    ["send my location to steve, please", "call my mum first", "ah. haha"],
)
def test_a_yes_beside_talk_of_something_else_takes_nothing(text: str) -> None:
    assert asked(text, COURSES, "Shall I book the pottery course?", offer="pot")["outcome"] != "execute"


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    ("text", "listed", "said"),
    [
        ("no jam for me, I never eat it", COURSES, "Three courses have places left."),
        ("nothing on a saturday morning", COURSES, "Three courses have places left."),
        ("연어는 주문하지 마", DISHES, "세 가지를 찾았어요."),
        ("갈비찜은 시키지 말아줘", DISHES, "세 가지를 찾았어요."),
        ("연어 그만 보여줘", DISHES, "세 가지를 찾았어요."),
        ("두부는 사양할게요", DISHES, "세 가지를 찾았어요."),
    ],
)
def test_what_is_named_to_be_refused_or_remarked_on_is_not_taken(text: str, listed: list[dict[str, Any]], said: str) -> None:
    assert asked(text, listed, said)["outcome"] != "execute"


@pytest.mark.rule("G24")
def test_a_prohibition_of_something_else_leaves_the_choice() -> None:
    answer = asked("걱정하지 마세요 연어로 할게요", DISHES, "세 가지를 찾았어요.")
    assert (answer["outcome"], answer.get("choice_id")) == ("execute", "c")

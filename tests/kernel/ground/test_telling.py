"""A yes that tells of something else, counts of people and minutes, faults found, and what is chosen behind them."""

from __future__ import annotations

from typing import Any

import pytest

from clew.kernel.ground.acts import read_act
from clew.kernel.ground.options import OptionSet
from clew.kernel.ground.point import point
from clew.model.evidence import Act, Candidate
from clew.policy import default
from tests.kernel.ground.test_network import asked

POLICY = default().ground
KEYS = [
    {"id": "a", "label": "Cabin on the lake", "sublabel": "$120, sleeps two"},
    {"id": "b", "label": "Mill house", "sublabel": "$95, sleeps six"},
    {"id": "c", "label": "Tent pitch", "sublabel": "$20"},
]
ROOMS = [
    {"id": "a", "label": "호숫가 오두막", "sublabel": "12만원, 2인"},
    {"id": "b", "label": "방앗간 집", "sublabel": "9만원, 6인"},
    {"id": "c", "label": "야영장", "sublabel": "2만원"},
]
OFFER, KOREAN = "Three are free in May. Shall I book the cabin?", "세 곳 비어 있어요. 오두막으로 예약할까요?"
MAILS = [
    ("Gutter quote", "Ray Costello, 07:50"), ("Parents' evening", "school, 11:20"),
    ("Re: sofa", "yesterday"), ("Your statement", "Hartley Bank, Sunday"),
]  # fmt: skip
KEPT = [("할아버지는 부산에 계세요", ""), ("이모가 간호사예요", ""), ("강아지 이름은 보리예요", "")]


def _pointed(text: str, listed: list[tuple[str, str]], assistant: str | None = None) -> tuple[int, ...]:
    options = OptionSet(tuple(Candidate(str(i), name, sublabel=told) for i, (name, told) in enumerate(listed)))
    return tuple(sorted(point(text, options, None, POLICY, assistant).positions))


def _taken(text: str, listed: list[dict[str, Any]], said: str, offer: str | None = "a") -> str | None:
    answer = asked(text, listed, said, offer)
    return answer.get("choice_id") if answer["outcome"] == "execute" else None


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    "text",
    [
        "yeah that's my brother calling",
        "yes I got home fine by the way",
        "yep we met at the market",
        "ok I'm still on the train",
        "yes it's snowing up here",
        "nice weather for ducks",
        "great match last night",
        "gimme ten minutes",
        "we're seven now",
        "there are five of us",
        "oh right",
        "yeah our neighbours moved out",
        "sure, you said so last week",
        "right, see you there love",
        "laters",
    ],
)
def test_a_yes_that_tells_of_something_else_takes_nothing(text: str) -> None:
    assert _taken(text, KEYS, OFFER) is None


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    "text",
    ["네 어제 퇴원했어요", "응 나 지금 버스야", "네 저희 아버지도 그러세요", "응 그 사람 알지", "네 잘 먹었어요", "저희 일곱이에요", "네 요즘 정신없어요", "그래 내일 봬요", "네 그때 뵐게요"],
)
def test_a_korean_yes_that_tells_of_something_else_takes_nothing(text: str) -> None:
    assert _taken(text, ROOMS, KOREAN) is None


@pytest.mark.rule("G24")
@pytest.mark.parametrize(
    "text",
    [
        "yes, that's the one", "yes please book it, I'm knackered", "yes it's exactly what we need",
        "great, do that", "yes, two nights", "ok I'm sold",
    ],
)  # fmt: skip
def test_a_yes_that_settles_takes_the_offer(text: str) -> None:
    assert _taken(text, KEYS, OFFER) == "a"


@pytest.mark.rule("G24")
@pytest.mark.parametrize("text", ["네 그걸로 해주세요", "응 예약해줘 어제 월급 받았어", "네 두 명이에요", "좋아요 그걸로요", "네 그렇게 하죠"])
def test_a_korean_yes_that_settles_takes_the_offer(text: str) -> None:
    assert _taken(text, ROOMS, KOREAN) == "a"


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("is it far? book the mill house", "b"),
        ("ugh, not a boat trip again. the mill one", "b"),
        ("my aunt and four cousins and both dogs are coming along so the cheapest", "c"),
    ],
)
def test_what_is_chosen_behind_a_question_a_groan_or_a_story(text: str, meant: str) -> None:
    assert _taken(text, KEYS, "These are free in May.", None) == meant


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "meant"),
    [("방앗간으로 부탁드려도 될까요", "b"), ("야영장으로 해주실 수 있나요", "c"), ("방앗간 집으로 보고 싶네", "b")],
)
def test_a_request_put_as_a_question_chooses(text: str, meant: str) -> None:
    assert _taken(text, ROOMS, "세 곳 비어 있어요.", None) == meant


@pytest.mark.parametrize(
    ("text", "act"),
    [
        ("거실로 바꿔주실 수 있나요", Act.OTHER),
        ("이걸로 부탁드려도 될까요", Act.SELECT),
        ("가격 알려주실 수 있나요", Act.QUESTION),
        ("여기서 자도 되나요", Act.QUESTION),
    ],
)
def test_what_can_be_done_is_asked_or_asked_for(text: str, act: Act) -> None:
    assert read_act(text, POLICY).act is act


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("could we have the mill please", "b"),
        ("any chance of the tent", "c"),
        ("is it ok if we book the mill house", "b"),
        ("cabin, no wait, the mill", "b"),
        ("would you mind booking the tent", "c"),
        ("which is the cheapest? that one", "c"),
        ("not the cabin the mill", "b"),
    ],
)
def test_a_request_put_as_a_question_and_what_is_taken_back(text: str, meant: str) -> None:
    assert _taken(text, KEYS, "These are free in May.", None) == meant


@pytest.mark.parametrize("text", ["can i bring a canoe to the cabin", "could we have anything else", "can i get there by train"])
def test_a_question_about_it_takes_nothing(text: str) -> None:
    assert _taken(text, KEYS, OFFER) is None


def test_the_answer_to_a_question_is_not_the_offer() -> None:
    assert _taken("제일 싼 게 뭐예요? 그걸로", ROOMS, KOREAN) == "c"
    assert _taken("which one's the cheapest? that one", KEYS, OFFER) == "c"


def test_taken_back_without_a_stop() -> None:
    listed = [(c["label"], c["sublabel"]) for c in ROOMS]
    assert _pointed("오두막 아니 야영장", listed) == (2,)
    assert _pointed("토요일은 안 될까요", [("토요일", "9시"), ("일요일", "10시")]) == (0,)


def test_what_was_done_with_it_takes_nothing() -> None:
    assert _taken("방앗간은 지난주에 갔어", ROOMS, "세 곳 비어 있어요.", None) is None


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "listed", "meant"),
    [
        ("the watch", [("Watch strap", "£9"), ("Cufflinks", "£20")], (0,)),
        ("gym sam", [("Sam Ode", "work"), ("Sam Fry", "landlord"), ("Samuel Bo", "gym")], (2,)),
    ],
)
def test_a_thing_behind_its_article_and_a_name_in_part(text: str, listed: list[tuple[str, str]], meant: tuple[int, ...]) -> None:
    assert _pointed(text, listed) == meant


@pytest.mark.rule("G27")
def test_a_question_about_the_offer_is_no_new_request() -> None:
    answer = asked("What's the address and the price per night?", KEYS, OFFER, "a")
    assert answer["act"] == "question"


def test_a_fault_found_takes_nothing() -> None:
    assert _taken("방앗간은 좀 먼데", ROOMS, KOREAN) is None
    assert _taken("야영장은 조금 춥겠네요", ROOMS, KOREAN) is None


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "meant"),
    [("the latest", (1,)), ("the oldest one", (3,)), ("open the newest", (1,)), ("costelo's", (0,)), ("hartly", (3,))],
)
def test_what_came_when_and_from_whom(text: str, meant: tuple[int, ...]) -> None:
    assert _pointed(text, MAILS) == meant


def test_days_to_come_are_no_inbox() -> None:
    assert _pointed("the latest", [("Haircut", "tomorrow 10:00"), ("Colour", "Friday 09:00"), ("Trim", "14:00")]) != (2,)


@pytest.mark.rule("G26")
@pytest.mark.parametrize(
    ("text", "said", "meant"),
    [
        ("할아버지꺼 빼줘", "지울 게 있나요?", (0,)),
        ("보리 거 빼", "어떤 걸 잊을까요?", (2,)),
        ("보리 거 빼", "산책은 누구랑 갈까요?", (0, 1)),
    ],
)
def test_what_is_to_go(text: str, said: str, meant: tuple[int, ...]) -> None:
    found = _pointed(text, KEPT, said)
    assert found == meant or (found == () and len(meant) > 1)


@pytest.mark.parametrize(
    ("text", "said", "meant"),
    [
        ("drop the mill", "Which of these should I forget?", (1,)),
        ("not the cabin the tent one", "Which one?", (2,)),
        ("not the house with the lake the tent", "Which one?", (2,)),
    ],
)
def test_denied_and_chosen_in_one_breath(text: str, said: str, meant: tuple[int, ...]) -> None:
    listed = [(c["label"], c["sublabel"]) for c in KEYS]
    assert _pointed(text, listed, said) == meant


def test_a_kinship_in_a_kept_sentence_has_other_names() -> None:
    listed = [("아버지는 새벽에 출근하세요", ""), ("어머니가 꽃집을 하세요", "")]
    assert _pointed("엄마 거 지워줘", listed) == (1,)
    assert _pointed("아빠 얘기", listed) == (0,)

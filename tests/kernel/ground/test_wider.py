"""Plain choices as people type them, and remarks that choose nothing; one case per cause that once went wrong."""

from __future__ import annotations

from typing import Any

import pytest

from clew.kernel.door import call

SCOPE = {"kind": "chat", "instance_id": "1"}
TRAINS = [("LNER 07:00", "£64"), ("LNER 08:30", "£81"), ("Lumo 10:45", "£29")]
ROOFS = [("Miller & Sons", "£4,200, 3 weeks"), ("TopRoof", "£3,850, 6 weeks"), ("A. Petrov", "£3,400, no date")]
NOTES = [("You live in Bristol", "saved in March"), ("You play the cello", "saved in June"), ("Vegan", "saved last week")]
SHOES = [("고스트", "13만9천원, 파랑"), ("페가수스", "12만9천원, 검정"), ("클리프톤", "16만9천원, 흰색")]
FOLDERS = [("사진", "8GB"), ("계약서", "제한됨"), ("템플릿", "12개")]
PEOPLE = [("엄마", "이틀 전"), ("윤 원장님", "5월 2일"), ("코피", "1시간 전")]
LESSONS = [("Lesson 2", "done"), ("Lesson 3", "20 min"), ("Lesson 4", "25 min")]


def ground(text: str, said: str, things: list[tuple[str, str]], offer: int | None = None) -> dict[str, Any]:
    pool = [{"id": f"c{i}", "label": label, "sublabel": rest} for i, (label, rest) in enumerate(things, 1)]
    asked: dict[str, Any] = {"text": text, "candidates": pool, "scope": SCOPE, "option_set_id": "s", "continuity": {}}
    asked |= {"last_assistant_text": said, "at": "2026-03-01T10:00:00Z"}
    return call("ground", asked | ({"offer": f"c{offer}"} if offer else {}))


@pytest.mark.parametrize(
    ("text", "said", "things", "offer", "choice"),
    [
        ("the 8.30", "These trains go tomorrow:", TRAINS, None, "c2"),
        ("miller and sons, please confirm", "I have three quotes:", ROOFS, None, "c1"),
        ("the oldest", "Which of these should I forget?", NOTES, None, "c1"),
        ("13만원 안 넘는 거", "사이즈 맞는 운동화예요.", SHOES, None, "c2"),
        ("템플렛", "폴더를 골라 주세요.", FOLDERS, None, "c3"),
        ("계약서 폴더 공유해", "공유할 폴더를 골라 주세요.", FOLDERS, None, "c2"),
        ("어머니한테", "누구한테 보낼까요?", PEOPLE, None, "c1"),
        ("보내", "엄마한테 쓴 문자예요. 보낼까요?", PEOPLE, 1, "c1"),
    ],
)
def test_a_plain_choice_is_taken(text: str, said: str, things: list[tuple[str, str]], offer: int, choice: str) -> None:
    assert ground(text, said, things, offer).get("choice_id") == choice


@pytest.mark.parametrize(
    ("text", "said", "things", "offer"),
    [
        ("ugh trains are so expensive", "These trains go tomorrow:", TRAINS, None),
        ("two please", "These trains go tomorrow:", TRAINS, None),
        ("we are four", "The first train is the fastest. Add two tickets?", TRAINS, 1),
        ("move it to when?", "Shall I move the 07:00?", TRAINS, 1),
        ("yes I got the email about it", "I have the quote from Miller. Shall I accept it?", ROOFS, 1),
        ("two", "I'd start with Lesson 3. Begin?", LESSONS, 2),
        ("흰색이 예쁘네", "사이즈 맞는 운동화예요.", SHOES, None),
    ],
)
def test_a_remark_or_a_quantity_executes_nothing(text: str, said: str, things: list[tuple[str, str]], offer: int) -> None:
    assert ground(text, said, things, offer)["outcome"] != "execute"


@pytest.mark.parametrize("text", ["everything but the cello", "all except the second"])
def test_what_is_left_out_is_never_done(text: str) -> None:
    found = ground(text, "Which of these should I archive?", NOTES)
    assert "c2" not in found.get("choice_ids", ()) and found.get("choice_id") != "c2"

from __future__ import annotations

import pytest

from clew.kernel.link.intents import detect, gerund, strength
from clew.kernel.link.sheet import fold
from clew.kernel.read.remark import Remark
from clew.model.link import IntentType, Strength
from clew.policy import default
from tests.kernel.link.talk import run


def kind(text: str) -> str | None:
    found = detect(Remark(fold([text])[0]), default().link)
    return found[0].value if found else None


# item by item
LISTED = [
    ("I'd like a perception check", "request"),
    ("Stealth!", "request"),
    ("Athletics.", "request"),
    ("Why?", None),
    ("Go in?", None),
    ("Can I open the door?", "question"),
    ("can i", None),
    ("Is there anything on the shelf", "question"),
    ("Do we search", "question"),
    ("What if I push it?", "question"),
    ("May I search the desk", "request"),
    ("I want to search the body", "request"),
    ("I'd like to open it", "request"),
    ("I'm going to attack him", "request"),
    ("I kind of want to touch it", "request"),
    ("I open the door", "declare"),
    ("I attack!", None),
    ("Where did they take her?", "question"),
    ("Hand me the rope please", "request"),
    ("Let's go to the tavern", "propose"),
    ("We should rest here", "propose"),
    ("We could try the back", "propose"),
    ("How about we wait", "propose"),
    ("How about we wait?", "question"),
    ("It is cold in here", None),
    ("That was my favourite sword", None),
]

# ruling C13: where people really put them
WHERE_PEOPLE_PUT_THEM = [
    ("Okay, so I open the door slowly", "declare"),
    ("It is dark. I light a torch and go on", "declare"),
    ("I'm sneaking up behind the guard", "declare"),
    ("We head to the old mill", "declare"),
    ("I quickly grab the letter from him", "declare"),
    ("I'm gonna jump over the wall", "request"),
    ("Yeah, I'd like to talk to the smith", "request"),
    ("Well, let's follow them", "propose"),
    ("Nice place. Why don't we stay", "propose"),
    ("what is that thing over there", "question"),
    ("What’s in the box, I open it slowly", "declare"),
]

NOT_AN_ATTEMPT = [
    "when I open the door it creaks",
    "should have said that before I attack things",
    "I opened the door already yesterday",
    "I want to be a knight",
    "I don't think we should open it",
    "hawaii open tournament of champions",
]


@pytest.mark.parametrize(("text", "expected"), LISTED)
def test_the_listed_forms_hold(text: str, expected: str | None) -> None:
    assert kind(text) == expected


@pytest.mark.rule("C13")
@pytest.mark.parametrize(("text", "expected"), WHERE_PEOPLE_PUT_THEM)
def test_intents_are_found_where_people_put_them(text: str, expected: str) -> None:
    assert kind(text) == expected


@pytest.mark.rule("C13")
@pytest.mark.parametrize("text", NOT_AN_ATTEMPT)
def test_other_clauses_are_no_attempts(text: str) -> None:
    assert kind(text) not in ("declare", "request", "propose")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("문을 열어 볼게요", "declare"),
        ("저쪽으로 가자", "propose"),
        ("그 편지 좀 읽어줘", "request"),
        ("거기 누구 있어요?", "question"),
    ],
)
def test_korean_endings_are_read(text: str, expected: str) -> None:
    assert kind(text) == expected


@pytest.mark.rule("C12")
def test_strength_is_a_word_for_every_type() -> None:
    assert {t: strength(t).value for t in IntentType} == {
        IntentType.QUESTION: "weak",
        IntentType.DECLARE: "strong",
        IntentType.PROPOSE: "strong",
        IntentType.REQUEST: "strong",
    }
    assert [s.value for s in Strength] == ["strong", "weak"]


@pytest.mark.parametrize(
    ("verb", "expected"),
    [("open", "opening"), ("grab", "grabbing"), ("take", "taking"), ("tie", "tying"), ("draw", "drawing")],
)
def test_gerunds(verb: str, expected: str) -> None:
    assert gerund(verb) == expected


def test_only_players_intend_and_the_name_given_is_the_actor() -> None:
    said = ("Travis (Grog): I open the door.", "Guest: I open the door too.", "DM: It opens.")
    found = run(*said, players=["Grog"])
    assert [(link.actor, link.intent_anchor_index) for link in found.links] == [("Grog", 0)]


def test_every_intent_names_its_rule() -> None:
    found = run("Al: I open the door.", "DM: It opens.", emit_traces=True)
    assert found.traces is not None
    assert found.traces[0].rule == "link.intent.declare"

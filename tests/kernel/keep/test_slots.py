"""Learning facts by slot, with contradictions linked before anything is superseded."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.kernel.door import call
from clew.kernel.keep.slots import normalize_key
from clew.policy import default

RECORDS = default().remember.records
AT = "2026-11-15T10:00:00Z"


def fact(
    fact_id: str, subject: str, content: str, attribute: str | None = None, **more: Any
) -> dict[str, Any]:
    return {
        "id": fact_id,
        "subject": subject,
        "attribute": attribute,
        "content": content,
        "confidence": 0.8,
        "active": True,
        "learned_at": "2026-11-01T00:00:00Z",
        "origin": "stated",
        **more,
    }


def learn(
    facts: list[dict[str, Any]],
    subject: str,
    content: str,
    attribute: str | None = None,
    mode: str | None = None,
    **more: Any,
) -> dict[str, Any]:
    new = {
        "subject": subject,
        "attribute": attribute,
        "content": content,
        "confidence": 0.8,
        "origin": "stated",
        **more,
    }
    payload = {"facts": facts, "new": new, "at": AT}
    return call("learn", payload if mode is None else {**payload, "supersede": mode})


def active(answer: dict[str, Any]) -> list[str]:
    return [f["content"] for f in answer["facts"] if f["active"]]


@pytest.mark.rule("N1")
def test_tea_does_not_kill_oslo() -> None:
    facts = [fact("a", "Tim", "Tim lives in Oslo", "home"), fact("b", "Tim", "Tim works as a cook")]
    assert len(active(learn(facts, "Tim", "Tim likes tea", "drink"))) == 3


@pytest.mark.rule("N1")
def test_the_same_slot_supersedes_whatever_its_words() -> None:
    answer = learn(
        [fact("a", "Tim", "Tim lives in Oslo", "Home")], "tim's", "Tim moved to Bergen", "the home"
    )
    assert active(answer) == ["Tim moved to Bergen"]


@pytest.mark.rule("N1")
def test_without_an_attribute_four_fifths_of_the_words_decide() -> None:
    near = learn(
        [fact("a", "deploy", "deploy runs every morning before work")],
        "deploy",
        "deploy runs every morning before lunch",
    )
    far = learn(
        [fact("a", "deploy", "deploy runs every morning")], "deploy", "deploy needs a new certificate"
    )
    assert (len(active(near)), len(active(far))) == (1, 2)


@pytest.mark.rule("N1")
def test_the_letter_of_the_specification_is_a_mode() -> None:
    facts = [fact("a", "Tim", "Tim lives in Oslo", "home")]
    assert active(learn(facts, "Tim", "Tim likes tea", "drink", mode="subject")) == ["Tim likes tea"]


def test_vectors_can_tell_the_same_fact() -> None:
    old = fact("a", "Tim", "Tim resides by the sea", vector=[1.0, 0.0])
    answer = learn([old], "Tim", "Tim dwells on the coast", vector=[0.9, 0.1])
    assert active(answer) == ["Tim dwells on the coast"]


@pytest.mark.rule("N1")
def test_one_thing_exchanged_is_another_fact_however_near_the_vectors_are() -> None:
    old = fact("a", "Tim", "Tim likes tea", vector=[1.0, 0.0])
    answer = learn([old], "Tim", "Tim likes coffee", vector=[0.82, 0.57])
    assert active(answer) == ["Tim likes tea", "Tim likes coffee"]


@pytest.mark.rule("N10")
@pytest.mark.parametrize("mode", ["slot", "subject"])
def test_a_contradiction_is_linked_even_when_it_is_superseded(mode: str) -> None:
    answer = learn(
        [fact("a", "Tim", "Tim lives in Oslo", "home")], "Tim", "Tim lives in Bergen", "home", mode=mode
    )
    old, new = answer["facts"]
    assert (old["active"], old["superseded_by"], new["contradiction_of"]) == (False, new["id"], "a")
    assert {e["kind"] for e in answer["events"]} == {"created", "contradicted", "superseded"}


@pytest.mark.rule("N10")
def test_opposites_in_different_slots_are_linked_and_both_stay() -> None:
    answer = learn(
        [fact("a", "Tim", "Tim likes strong black tea", "taste")],
        "Tim",
        "Tim never likes strong black tea",
        "habit",
    )
    assert len(active(answer)) == 2
    assert answer["facts"][1]["contradiction_of"] == "a"


@pytest.mark.rule("N11")
@pytest.mark.parametrize("mode", ["slot", "subject"])
def test_what_is_inferred_never_supersedes_what_was_stated(mode: str) -> None:
    answer = learn(
        [fact("a", "Tim", "Tim lives in Oslo", "home")],
        "Tim",
        "Tim lives in Bergen",
        "home",
        mode=mode,
        origin="inferred",
    )
    assert active(answer) == ["Tim lives in Oslo"]
    assert "superseded" not in {e["kind"] for e in answer["events"]}


@pytest.mark.rule("N11")
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("stated", "stated"),
        ("stated", "imported"),
        ("inferred", "inferred"),
        ("inferred", "stated"),
        ("imported", "inferred"),
    ],
)
def test_otherwise_the_newer_wins_even_with_less_confidence(old: str, new: str) -> None:
    answer = learn(
        [fact("a", "Tim", "in Oslo", "home", origin=old)],
        "Tim",
        "in Bergen",
        "home",
        origin=new,
        confidence=0.1,
    )
    assert active(answer) == ["in Bergen"]


def test_the_same_claim_again_confirms_and_adds_nothing() -> None:
    answer = learn(
        [fact("a", "Tim", "Tim lives in Oslo", "home", confidence=0.5)], "Tim", "tim lives in oslo!", "home"
    )
    assert [e["kind"] for e in answer["events"]] == ["confirmed"]
    assert [(f["id"], f["confidence"]) for f in answer["facts"]] == [("a", 0.8)]


@pytest.mark.rule("general 3")
def test_another_entity_without_an_attribute_is_another_fact() -> None:
    old = "the office keys are with Anna on the third floor"
    assert (
        len(
            active(
                learn([fact("a", "keys", old)], "keys", "the office keys are with Bertil on the third floor")
            )
        )
        == 2
    )


@pytest.mark.rule("N12")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Tim", "tim"),
        ("Tim's", "tim"),
        ("Tim’s", "tim"),
        ("The Tim", "tim"),
        ("the  a  dog", "dog"),
        ("deploy_bot", "deploy bot"),
        ("deploy-bot", "deploy-bot"),
        ("James'", "james"),
        ("ÉCOLE", "école"),
        ("  ", ""),
        ("'s", ""),
        ('"Oslo"!', "oslo"),
        ("팀", "팀"),
    ],
)
def test_a_key_has_one_spelling(text: str, key: str) -> None:
    assert normalize_key(text, 200, RECORDS) == key


@pytest.mark.rule("N12")
@given(st.text(max_size=60), st.sampled_from([5, 20, 200]))
def test_normalizing_twice_changes_nothing(text: str, most: int) -> None:
    once = normalize_key(text, most, RECORDS)
    assert normalize_key(once, most, RECORDS) == once
    assert len(once) <= most


@pytest.mark.rule("N18")
def test_the_successor_is_in_the_same_answer_as_what_it_supersedes() -> None:
    answer = learn([fact("a", "x", "one", "k")], "x", "two", "k")
    assert answer["facts"][0]["superseded_by"] in {f["id"] for f in answer["facts"]}

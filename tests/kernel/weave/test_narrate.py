"""The narrator's whole state, reconciled in one pass."""

from __future__ import annotations

from typing import Any

import pytest

from clew.errors import InvalidInput
from clew.kernel.weave.ages import is_overdue, pressing
from clew.kernel.weave.narrate import narrate
from clew.kernel.weave.shelves import read_story
from clew.model.fields import Fields
from clew.model.thread import CanonType, EntryKind, Story, StoryVerdict, Thread, ThreadType, Urgency
from clew.policy import default

POLICY = default()
START: dict[str, Any] = {
    "location": "harbour",
    "threads": [
        {"id": "td-3", "type": "MYSTERY", "text": "Who lit the signal fire?", "urgency": "HIGH", "age": 3}
    ],
    "threats": [{"id": "th-1", "text": "two guards at the gate", "type": "HOSTILE_AGENT"}],
    "inventory": [{"id": "inv-4", "text": "a rope"}],
    "character_state": [{"id": "cs-2", "text": "owes a debt", "character": "Bobby"}],
    "canon": [{"text": "Magic fades at noon", "type": "LAW"}],
    "promises": [{"id": "pr-1", "text": "the bell will ring", "scope": "SCENE", "age": 1}],
}
PREFIX = {
    "threats": "th",
    "constraints": "cn",
    "inventory": "inv",
    "health": "hp",
    "character_state": "cs",
    "promises": "pr",
}


def page(mode: str = "strict", story: Story | None = None, **fields: Any) -> StoryVerdict:
    return narrate(story or read_story(Fields(START), POLICY.weave), Fields(fields), POLICY, mode)  # type: ignore[arg-type]


def codes(verdict: StoryVerdict) -> list[str]:
    return [d.code for d in verdict.diagnostics]


def test_every_shelf_adds_and_removes_in_one_pass() -> None:
    verdict = page(
        location="the old mill",
        threads={
            "add": [{"type": "INFORMATION", "text": "Where does the tunnel lead?"}],
            "resolve": ["td-3"],
        },
        threats={"add": [{"text": "a wolf", "type": "CREATURE"}], "remove": ["th-1"]},
        constraints={"add": [{"text": "the tide turns at six", "type": "TEMPORAL"}]},
        inventory={"add": ["a lantern"], "remove": ["inv-4"]},
        health={"add": ["a sprained ankle"]},
        character_state={"add": [{"character": "Alicia", "states": ["in hiding", "knows the code"]}]},
        canon={
            "world": [{"text": "The mill is haunted", "type": "RUMOR"}],
            "characters": [{"character": "Bobby", "facts": ["left-handed"]}],
        },
        promises={"add": ["the well matters"]},
    )
    assert verdict.accepted and codes(verdict) == []
    story = verdict.story
    assert story.location == "the old mill"
    assert [t.id for t in story.threads] == ["td-4"]
    ids = {kind.value: [e.id for e in story.shelf(kind)] for kind in EntryKind}
    assert ids == {
        "threats": ["th-2"],
        "constraints": ["cn-1"],
        "inventory": ["inv-5"],
        "health": ["hp-1"],
        "character_state": ["cs-2", "cs-3", "cs-4"],
        "promises": ["pr-1", "pr-2"],
    }
    assert [(f.text, f.type, f.character) for f in story.canon[1:]] == [
        ("The mill is haunted", CanonType.RUMOR, None),
        ("left-handed", CanonType.LAW, "Bobby"),
    ]


@pytest.mark.parametrize("kind", list(EntryKind))
def test_each_shelf_has_its_prefix_and_its_numbers_only_grow(kind: EntryKind) -> None:
    def adding(text: str) -> dict[str, Any]:
        return {
            kind.value: {
                "add": [
                    {
                        "text": text,
                        "character": "Bobby",
                        "type": {"threats": "CREATURE", "constraints": "PHYSICAL"}.get(kind.value),
                    }
                ]
            }
        }

    story = page("strict", Story(), **adding("first thing")).story
    first = story.shelf(kind)[0].id
    assert first == f"{PREFIX[kind.value]}-1"
    gone = (
        {"payoffs": [{"id": first, "level": "ADEQUATE"}]}
        if kind is EntryKind.PROMISE
        else {kind.value: {"remove": [first]}}
    )
    emptied = page("strict", story, **gone).story
    assert emptied.shelf(kind) == ()
    again = page("strict", emptied, **adding("second thing")).story
    assert again.shelf(kind)[0].id == f"{PREFIX[kind.value]}-2"


@pytest.mark.parametrize("kind", [k for k in EntryKind if k is not EntryKind.PROMISE])
def test_each_remove_list_takes_only_its_own_ids(kind: EntryKind) -> None:
    for foreign in ("td-3", "th-1", "inv-4", "cs-2", "pr-1", f"{PREFIX[kind.value]}-99"):
        if foreign.partition("-")[0] == PREFIX[kind.value] and not foreign.endswith("99"):
            continue
        verdict = page(**{kind.value: {"remove": [foreign]}})
        assert not verdict.accepted and codes(verdict) == ["UNKNOWN_STATE_ID"]
        assert verdict.diagnostics[0].field == f"{kind.value}.remove"
        assert page("repair", **{kind.value: {"remove": [foreign]}}).accepted


def test_one_reject_leaves_the_whole_story_as_it_was() -> None:
    story = read_story(Fields(START), POLICY.weave)
    verdict = page(
        "strict",
        story,
        inventory={"add": ["a lantern"]},
        threads={"resolve": ["td-99"]},
        location="elsewhere",
    )
    assert not verdict.accepted and verdict.story is story and verdict.added == {}


def test_a_canon_fact_is_kept_once_per_owner() -> None:
    verdict = page(
        "repair",
        canon={
            "world": ["magic fades, at noon."],
            "characters": [{"character": "Bobby", "facts": ["Magic fades at noon", "magic fades at noon"]}],
        },
    )
    assert codes(verdict) == ["DUPLICATE_CANON_FACT", "DUPLICATE_CANON_FACT"]
    assert [f.character for f in verdict.story.canon] == [None, "Bobby"]


def test_an_unknown_kind_of_canon_fact_is_law() -> None:
    verdict = page(canon={"world": [{"text": "Iron burns the fey", "type": "GOSSIP"}]})
    assert verdict.story.canon[-1].type is CanonType.LAW


def test_ages_grow_by_page_and_new_threads_start_at_zero() -> None:
    verdict = page(threads={"add": [{"type": "INFORMATION", "text": "Where does the tunnel lead?"}]})
    assert [(t.id, t.age) for t in verdict.story.threads] == [("td-3", 4), ("td-4", 0)]
    assert verdict.notices == ("td-3 is overdue: HIGH, 4 pages",)


@pytest.mark.parametrize(("urgency", "pages"), [("HIGH", 4), ("MEDIUM", 7), ("LOW", 10)])
def test_a_thread_is_overdue_from_its_threshold_on(urgency: str, pages: int) -> None:
    def thread(age: int) -> Thread:
        return Thread("td-1", ThreadType.QUEST, "x", Urgency(urgency), age=age)

    assert not is_overdue(thread(pages - 1), POLICY.weave) and is_overdue(thread(pages), POLICY.weave)


def test_the_longest_overdue_presses_first_then_urgency_then_age() -> None:
    threads = [
        Thread("td-1", ThreadType.QUEST, "x", Urgency.LOW, age=2),
        Thread("td-2", ThreadType.QUEST, "x", Urgency.HIGH, age=1),
        Thread("td-3", ThreadType.QUEST, "x", Urgency.MEDIUM, age=8),
        Thread("td-4", ThreadType.QUEST, "x", Urgency.LOW, age=15),
        Thread("td-5", ThreadType.QUEST, "x", Urgency.LOW, age=5),
    ]
    assert [t.id for t in pressing(threads, POLICY.weave)] == ["td-4", "td-3", "td-2", "td-5", "td-1"]


def test_promises_age_expire_with_their_scene_and_end_by_payoff() -> None:
    story = read_story(Fields(START), POLICY.weave)
    for _ in range(3):
        story = page("strict", story).story
    assert [p.age for p in story.shelf(EntryKind.PROMISE)] == [4]
    assert page("strict", story).story.shelf(EntryKind.PROMISE) == ()
    refused = page("strict", promises={"remove": ["pr-1"]})
    assert codes(refused) == ["UNKNOWN_STATE_ID"] and not refused.accepted
    paid = page(payoffs=[{"id": "pr-1", "level": "WELL_EARNED"}])
    assert paid.removed["promises"] == ("pr-1",)
    assert codes(page(payoffs=[{"id": "pr-7", "level": "RUSHED"}])) == ["UNKNOWN_STATE_ID"]


def test_an_old_promise_and_a_crowded_shelf_are_noticed() -> None:
    state = {
        "promises": [{"id": "pr-1", "text": "the well matters", "age": 4}],
        "threats": [{"id": f"th-{n}", "text": f"guard {n}"} for n in range(1, 10)],
    }
    verdict = page("strict", read_story(Fields(state), POLICY.weave))
    assert verdict.notices == ("pr-1 is ageing: 5 pages", "consolidate threats: 9 stand")


def test_a_state_that_cannot_be_read_is_an_error_that_names_the_field() -> None:
    for state, pointer in (
        ({"threats": [{"text": "no id"}]}, "/threats/0/id"),
        ({"counters": {"td": "many"}}, "/counters/td"),
        ({"health": "well"}, "/health"),
    ):
        with pytest.raises(InvalidInput) as why:
            read_story(Fields(state), POLICY.weave)
        assert why.value.pointer == pointer

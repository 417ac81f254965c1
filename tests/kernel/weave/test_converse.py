"""Threads inside a conversation: proposed, shown within a budget, settled with a reason."""

from __future__ import annotations

import pytest

from clew.kernel.read.loop import read_intent
from clew.kernel.weave.converse import answered, for_prompt
from clew.kernel.weave.propose import command, from_intent, guess_type
from clew.model.thread import Thread, ThreadType, Urgency
from clew.policy import default

POLICY = default()
FIRE = Thread("td-1", ThreadType.MYSTERY, "Open question: who lit the signal fire on the night of the raid?")
FLAT = Thread("td-2", ThreadType.QUEST, "Goal: find a flat in Busan; success when the lease is signed")
MINA = Thread("td-3", ThreadType.RELATIONSHIP, "Will Mina forgive Jun for missing the wedding?")
BOOK = Thread("td-4", ThreadType.MYSTERY, "누가 장부를 숨겼을까?")
OPEN = (FIRE, FLAT, MINA, BOOK)


@pytest.mark.parametrize(
    ("text", "thread"),
    [
        ("Turns out the magistrate lit the signal fire.", "td-1"),
        ("I found out who lit the signal fire!", "td-1"),
        ("I finally found a flat in Busan, and the lease is signed.", "td-2"),
        ("Mina has forgiven Jun for missing the wedding", "td-3"),
        ("드디어 누가 장부를 숨겼는지 알아냈어", "td-4"),
    ],
)
def test_a_turn_that_answers_a_thread_settles_it_with_a_reason(text: str, thread: str) -> None:
    for user, assistant in ((text, ""), ("", text)):
        found = answered(OPEN, user, assistant, POLICY)
        assert [a.thread_id for a in found] == [thread]
        assert found[0].reason.rule == "weave.answered" and found[0].by == ("user" if user else "assistant")


@pytest.mark.parametrize(
    "text",
    [
        "Do you know who lit the signal fire on the night of the raid?",
        "I still haven't found a flat in Busan",
        "No idea who lit the signal fire, we will see",
        "The signal fire on the night of the raid was terrible",
        "Turns out the magistrate didn't light the signal fire",
        "It is done.",
        "Finally weekend!",
        "장부를 누가 숨겼는지 아직 모르겠어",
        "",
    ],
)
def test_questions_doubts_and_mere_mentions_settle_nothing(text: str) -> None:
    assert answered(OPEN, text, text, POLICY) == ()


def test_a_sentence_that_names_two_threads_alike_settles_neither() -> None:
    twin = Thread("td-9", ThreadType.QUEST, "signal fire")
    other = Thread("td-8", ThreadType.MYSTERY, "the signal of fire")
    assert answered((twin, other), "We finally solved the signal fire.", "", POLICY) == ()


def test_the_prompt_takes_the_longest_overdue_first_and_stays_within_its_budget() -> None:
    threads = [
        Thread(f"td-{n}", ThreadType.MYSTERY, f"Who opened door number {n} in the long dark corridor?", age=n)
        for n in range(1, 12)
    ]
    whole = for_prompt(threads, POLICY, 10_000)
    assert whole.chosen[:3] == ("td-11", "td-10", "td-9") and whole.left_out == ()
    for budget in (0, 10, 40, 90):
        some = for_prompt(threads, POLICY, budget)
        assert some.tokens <= budget and some.chosen == whole.chosen[: len(some.chosen)]
        assert set(some.chosen) | set(some.left_out) == {t.id for t in threads}
    assert for_prompt(threads, POLICY).tokens <= POLICY.weave.prompt_tokens


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("who stole the ledger?", "MYSTERY"),
        ("Goal: learn Spanish; success when I pass B1", "QUEST"),
        ("prevent the boiler from bursting", "DANGER"),
        ("find a flat", "QUEST"),
        ("need money to pay the rent", "RESOURCE"),
        ("should I tell her even if it hurts?", "MORAL"),
        ("will he trust me again?", "RELATIONSHIP"),
        ("when does the ferry leave?", "INFORMATION"),
        ("누가 불을 질렀을까?", "MYSTERY"),
        ("the ferry", "INFORMATION"),
    ],
)
def test_the_type_of_a_users_line_is_guessed_from_its_form(text: str, kind: str) -> None:
    assert guess_type(read_intent(text, POLICY.weave), POLICY.weave)[0] == kind
    asked = command(f"/threads add {text}", POLICY.weave)
    assert asked is not None and asked.add is not None
    assert (asked.add.type, asked.add.text) == (kind, text)


def test_a_stated_type_and_urgency_are_taken_at_their_word() -> None:
    asked = command("/threads add MYSTERY HIGH: the masked rider", POLICY.weave)
    assert asked is not None and asked.add is not None
    assert (asked.add.type, asked.add.urgency, asked.add.text) == (
        ThreadType.MYSTERY,
        Urgency.HIGH,
        "the masked rider",
    )
    plain = command("/threads add moral courage of Jun?", POLICY.weave)
    assert plain is not None and plain.add is not None and plain.add.text == "moral courage of Jun?"


def test_other_lines_are_no_commands() -> None:
    assert command("tell me about threads", POLICY.weave) is None
    assert command("/threadsx add who?", POLICY.weave) is None
    listing = command("/threads", POLICY.weave)
    assert listing is not None and listing.verb == "list"
    closing = command("/threads resolve td-1, td-2", POLICY.weave)
    assert closing is not None and closing.resolve == ("td-1", "td-2")


def test_an_unclaimed_intent_becomes_a_goal_and_a_mere_feeling_nothing() -> None:
    goal = from_intent("I'm going to sneak into the archive tonight", POLICY)
    assert goal is not None and goal.type is ThreadType.QUEST
    question = from_intent("Where does the tunnel lead?", POLICY)
    assert question is not None and question.type is ThreadType.INFORMATION
    assert from_intent("I feel lonely", POLICY) is None and from_intent("  ", POLICY) is None

from __future__ import annotations

from clew.kernel.link.loose_ends import candidates, offers
from clew.policy import default
from tests.kernel.link.talk import run

POLICY = default().link


def test_an_unclaimed_strong_intent_is_offered_as_a_thread_and_a_later_consequence_resolves_it() -> None:
    said = [
        "Al: I want to find the silver dagger.", "Bo: hm", "Bo: hm", "Bo: hm", "Bo: hm",
        "Al: Do I see the silver dagger here?", "DM: The silver dagger lies under the bed.",
    ]  # fmt: skip
    found = run(*said)
    ends = candidates(found.links)
    assert [(e.type.value, e.text, e.actor, e.since_index) for e in ends] == [("QUEST", said[0][4:], "Al", 0)]
    resolved = offers(ends, found.links, POLICY)
    assert [(o.candidate_id, o.at_index) for o in resolved] == [(ends[0].id, 6)]
    assert offers(ends, found.links, POLICY, after=6) == ()


def test_weak_or_claimed_intents_are_no_threads() -> None:
    assert candidates(run("Al: Is it dark in here?", "Al: I open the door.", "DM: It opens.").links) == ()

"""Scores, thresholds, passes and ids."""

from __future__ import annotations

import uuid

import pytest

from clew.kernel.link.extract import extract
from clew.kernel.link.score import Hills, hill, lexical, tokens
from clew.kernel.read.remark import Remark
from clew.model.canonical import NAMESPACE, canonical_json
from clew.model.transcript import Line
from clew.policy import default
from tests.kernel.link.talk import lines, pairs, run

POLICY = default().link
SPECIFIED = POLICY.specified


@pytest.mark.rule("C19")
def test_the_fixture_of_the_specification() -> None:
    found = extract("test", lines("PC: Where is X?", "DM: X is here"), POLICY, dm=["DM"])
    assert len(found.links) == 1
    link = found.links[0]
    assert (link.claimed, link.distance) == (True, 1)


@pytest.mark.rule("C21")
@pytest.mark.rule("C22")
def test_the_hill_and_how_far_each_strength_reaches() -> None:
    table = Hills(SPECIFIED)
    reach = [0.821, 0.5, 0.291, 0.179, 0.118, 0.082, 0.06, 0.045]
    assert [round(table[d], 3) for d in range(1, 9)] == reach
    full = [d for d in range(1, 9) if table[d] * 1.5 >= SPECIFIED.strong_min_score]
    plain = [d for d in range(1, 9) if table[d] >= SPECIFIED.strong_min_score]
    weak = [d for d in range(1, 9) if table[d] >= SPECIFIED.weak_min_score]
    assert (max(plain), max(full), max(weak)) == (2, 3, 5)


@pytest.mark.rule("C18")
def test_a_score_may_exceed_one_and_has_a_bound() -> None:
    link = run("Al: Yes sword sword?", "DM: Yes sword sword").links[0]
    assert link.score is not None and 1.0 < link.score <= hill(1, 2.0, 2.2) * 1.5 + 0.15


@pytest.mark.rule("C10")
def test_words_are_runs_of_letters_without_stopwords_over_the_larger_set() -> None:
    a = tokens(Remark("the lock? is it, an iron-lock"), POLICY)
    assert a == {"lock", "iron"}
    assert lexical(a, tokens(Remark("lock."), POLICY)) == 0.5
    assert lexical(frozenset(), frozenset()) == 0.0


@pytest.mark.rule("C1")
@pytest.mark.rule("C2")
def test_reach_is_counted_in_lines() -> None:
    far = ["Al: Is the sword of kings here?", *["Bo: hm"] * 8, "DM: The sword of kings is here."]
    assert pairs(run(*far)) == [(0, None)]
    near = run(far[0], *far[2:], params={"weak_min_score": 0.01})
    assert (near.links[0].consequence_anchor_index, near.links[0].distance) == (8, 8)


@pytest.mark.rule("C1")
def test_reach_may_be_counted_in_game_master_lines_up_to_a_span() -> None:
    said = ["Al: Is the sword of kings here?", *["Bo: hm"] * 11, "DM: The sword of kings is here."]
    by_count = {"k_mode": "dm_count", "weak_min_score": 0.001}
    assert pairs(run(*said, params=by_count)) == [(0, 12)]
    assert pairs(run(*said, params={**by_count, "max_span": 11})) == [(0, None)]


@pytest.mark.rule("C4")
def test_the_specified_boost_is_added_and_the_other_profile_multiplies_it() -> None:
    said = ["Al: Is the door locked?", *["Bo: hm"] * 7, "DM: Yes."]
    assert run(*said).links[0].claimed
    assert not run(*said, params={"answer": "multiplied"}).links[0].claimed


@pytest.mark.rule("C6")
def test_unclaimed_links_are_emitted_for_both_strengths() -> None:
    found = run("Al: I open the door.", "Bo: Is it locked?")
    assert [link.intent_strength.value for link in found.links] == ["strong", "weak"]
    assert not any(link.claimed for link in found.links)
    assert found.metrics["coverage"] == 0.0


@pytest.mark.rule("C7")
@pytest.mark.rule("C23")
def test_strong_intents_never_share_and_weak_ones_may_share_with_anyone() -> None:
    said = ("Al: I open the door.", "Bo: I push the door hard.", "Cy: Is it open?", "DM: It swings.")
    found = run(*said, params={"strong_min_score": 0.1}, emit_traces=True)
    assert pairs(found) == [(0, 3), (1, None), (2, 3)]
    assert found.traces is not None
    assert found.traces[2].shared_with == (0,)
    assert found.traces[1].candidates[0].taken_by == 0
    assert found.metrics["contested"] == [3]
    reasons = [trace.claim_reason.value for trace in found.traces]
    assert reasons == ["strong_precedence", "no_candidate", "score_threshold"]


@pytest.mark.rule("C14")
def test_in_order_lets_the_first_claim_and_global_lets_the_best_pair_claim() -> None:
    said = ("Al: I open the door.", "Bo: I grab the silver bell.", "DM: The silver bell sings.")
    assert pairs(run(*said)) == [(0, 2), (1, None)]
    assert pairs(run(*said, params={"allocation": "global"})) == [(0, None), (1, 2)]


@pytest.mark.rule("C17")
def test_the_nearer_of_equal_scores_wins() -> None:
    said = ("Al: Is the door locked?", "DM: Hm.", "DM: Hm.")
    assert pairs(run(*said, params={"tau": 1e9})) == [(0, 1)]


@pytest.mark.rule("C3")
def test_ids_are_uuid5_of_session_version_parameters_actor_and_ends() -> None:
    found = run("Al: I open the door.", "DM: It opens.")
    origin = found.params.provenance
    name = canonical_json(["s", origin.kernel_version, origin.param_hash, "Al", 0, 1])
    assert found.links[0].id == str(uuid.uuid5(NAMESPACE, f"link\x1f{name}"))
    assert len(origin.param_hash) == 12
    other = run("Al: I open the door.", "DM: It opens.", params={"k_local": 9})
    assert other.links[0].id != found.links[0].id


@pytest.mark.rule("C16")
def test_time_is_given_and_no_part_of_an_id() -> None:
    early = run("Al: I open the door.", "DM: It opens.", at_ms=1)
    late = run("Al: I open the door.", "DM: It opens.", at_ms=2)
    assert (early.links[0].created_at_ms, late.links[0].created_at_ms) == (1, 2)
    assert early.links[0].id == late.links[0].id
    assert early.mask.compiled_at_ms == 1


def test_distance_first_a_plain_reply_beats_a_longer_one_further_away() -> None:
    said = (
        "Al: Where is the captain of the guard now?",
        "Bo: hm",
        "DM: In custody.",
        "Bo: hm",
        "Bo: hm",
        "DM: The captain of the guard was taken this morning by his own men.",
    )
    assert pairs(run(*said)) == [(0, 2)]


def test_a_general_conversation_lets_any_other_speaker_answer() -> None:
    said = ("A: Did you restart the router?", "A: Hello?", "B: Yes, twice.")
    assert pairs(run(*said, dm=()))[0] == (0, 2)


def test_the_mini_transcript() -> None:
    said = (
        "DM: Do you want to go up to the door?",
        "Al: Yes.",
        "Al: Can I inspect the lock for traps?",
        "DM: You find no trap marks",
        "Al: Can I force it open?",
        "DM: Roll athletics.",
    )
    assert pairs(run(*said)) == [(2, 3), (4, 5)]
    bundled = run(*said, params={"bundle_answers": True})
    assert pairs(bundled) == [(1, 3), (2, 3), (4, 5)]
    assert bundled.links[0].intent_text == "Do you want to go up to the door? Yes."


def test_names_of_game_masters_are_compared_without_case_and_blanks() -> None:
    rows = [Line(0, "Al", "Is it locked?"), Line(1, " Matt ", "Yes.")]
    assert extract("s", rows, POLICY, dm=["MATT"]).links[0].claimed

"""The seven blockers of the specification (Step 6), under their numbers."""

from __future__ import annotations

import pytest

from tests.kernel.ground.asking import FRESH, MORE, PATHS, TWINS, after_opening, ask, listed, names, shown


@pytest.mark.rule("blocker-1")
def test_open_the_sample2_pls_resolves_without_another_clarifier() -> None:
    answer = ask("open the sample2 pls")
    assert (answer["outcome"], answer["choice_id"], answer["verb"]) == ("execute", "c2", "open")
    assert answer["llm_calls"] == 0
    assert names(answer) == ["deterministic_continuity_resolve"]


@pytest.mark.rule("blocker-1")
def test_it_also_resolves_right_after_a_clarifier_about_it() -> None:
    answer = ask(
        "open the sample2 pls", continuity={**FRESH, "pendingClarifierType": "selection_disambiguation"}
    )
    assert answer["choice_id"] == "c2"
    assert answer["continuity"]["pendingClarifierType"] == "none"


@pytest.mark.rule("blocker-2")
@pytest.mark.parametrize("text", ["open sample", "open that one", "yes", "sample1 or sample2"])
def test_true_ambiguity_clarifies(text: str) -> None:
    answer = ask(text)
    assert answer["outcome"] == "clarify"
    assert "choice_id" not in answer
    assert len(shown(answer)) > 1


@pytest.mark.rule("blocker-3")
@pytest.mark.parametrize("text", ["open that one", "open it again", "open the sample2 pls"])
def test_stale_continuity_does_not_force_the_old_winner(text: str) -> None:
    old = {**after_opening(), "recentRejectedChoiceIds": ["c1", "c3"]}
    assert ask(text, continuity=old)["choice_id"] == "c2"
    stale = ask(text, continuity=old, option_set_id="set-2")
    assert stale["outcome"] == "clarify"
    assert "choice_id" not in stale
    # The clarifier is about the new list, and rejections made in the old one are gone.
    assert stale["continuity"]["activeOptionSetId"] == "set-2"
    assert stale["continuity"]["recentRejectedChoiceIds"] == []


@pytest.mark.rule("blocker-3")
def test_a_yes_to_the_clarifier_about_the_new_list_then_executes() -> None:
    stale = ask("open the sample2 pls", option_set_id="set-2")
    assert stale["clarifier"]["type"] == "confirmation"
    again = ask("yes", continuity=stale["continuity"], option_set_id="set-2")
    assert (again["outcome"], again["choice_id"]) == ("execute", "c2")


@pytest.mark.rule("blocker-4")
@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("what does sample2 cost?", "answer"),
        ("is sample2 the newest one?", "answer"),
        ("how do i open sample2", "answer"),
        ("cancel", "escape"),
        ("never mind, thanks", "escape"),
        ("stop please", "escape"),
        ("no thanks", "escape"),
        ("start over", "escape"),
        ("취소해줘", "escape"),
    ],
)
def test_questions_and_stop_words_escape(text: str, outcome: str) -> None:
    answer = ask(text, llm=[{"decision": "select", "choice_id": "c2", "confidence": 0.99}])
    assert answer["outcome"] == outcome
    assert answer["llm_calls"] == 0


@pytest.mark.rule("blocker-5")
def test_nothing_outside_the_candidates_is_executed() -> None:
    answer = ask("open the budget", llm=[{"decision": "select", "choice_id": "budget", "confidence": 0.99}])
    assert answer["outcome"] == "clarify"
    assert (answer["fallback_reason"], answer["detail"]) == ("abstain", "choice_outside_pool")


@pytest.mark.rule("blocker-6")
@pytest.mark.parametrize("enrichment", [None, {}, {"chat_active_options": {"c1": {}}}])
def test_an_unchanged_fingerprint_blocks_the_retry(enrichment: object) -> None:
    select = {"decision": "select", "choice_id": "c1", "confidence": 0.9}
    answer = ask("open sample2", candidates=TWINS, llm=[MORE, select], enrichment=enrichment)
    assert answer["outcome"] == "clarify"
    assert answer["fallback_reason"] == "no_new_evidence"
    assert answer["llm_calls"] == 1
    assert "continuity_enrichment_fingerprint_unchanged" in names(answer)


@pytest.mark.rule("blocker-7")
def test_an_exhausted_budget_falls_back_to_the_clarifier() -> None:
    answer = ask("open sample2", candidates=TWINS, llm=[MORE, MORE, MORE], enrichment=PATHS)
    assert answer["outcome"] == "clarify"
    assert answer["fallback_reason"] == "budget_exhausted"
    assert (answer["llm_calls"], answer["enrichment_steps"]) == (2, 1)
    assert "continuity_enrichment_budget_exhausted" in names(answer)


def test_the_clarifier_names_its_candidates_in_words() -> None:
    answer = ask("open it", candidates=listed("Budget", "Notes"))
    assert answer["clarifier"]["text"] == "Which one do you mean: Budget or Notes?"

"""The retry contract: reasons go back once; the second failure is a clean error that loses nothing."""

from __future__ import annotations

from typing import Any

from clew.kernel.weave.reconcile import reconcile
from clew.kernel.weave.retry import CODE, Feedback, settle
from clew.model.thread import Thread, ThreadAdd, ThreadType, ThreadVerdict
from clew.policy import default

POLICY = default()
STATE = (Thread("td-1", ThreadType.MYSTERY, "Who lit the signal fire on the night of the raid?"),)
BAD = ([(0, ThreadAdd(ThreadType.MYSTERY, "Who really lit the signal fire on the night of the raid?"))], [])
GOOD = (BAD[0], ["td-1"])


def judge(proposal: Any) -> ThreadVerdict:
    return reconcile(STATE, proposal[0], proposal[1], policy=POLICY, mode="strict")


def asked(*answers: Any) -> tuple[Any, list[Feedback | None]]:
    heard: list[Feedback | None] = []

    def propose(feedback: Feedback | None) -> Any:
        heard.append(feedback)
        return answers[len(heard) - 1]

    return settle(propose, judge, POLICY.weave), heard


def test_an_accepted_proposal_is_asked_for_once() -> None:
    settled, heard = asked(GOOD)
    assert (settled.attempts, settled.failure, heard) == (1, None, [None])


def test_the_reasons_of_a_rejection_go_back_once_and_the_mended_proposal_counts() -> None:
    settled, heard = asked(BAD, GOOD)
    assert settled.failure is None and settled.attempts == 2
    feedback = heard[1]
    assert feedback is not None and "td-1" in feedback.text
    assert [d.code for d in feedback.reasons] == [
        "THREAD_DUPLICATE_LIKE_ADD",
        "THREAD_MISSING_EQUIVALENT_RESOLVE",
    ]


def test_a_second_failure_is_a_clean_error_without_the_payload_and_nothing_is_lost() -> None:
    settled, heard = asked(BAD, BAD, GOOD)
    assert len(heard) == 2 == POLICY.weave.attempts
    failure = settled.failure
    assert failure is not None and failure.code == CODE and failure.retry_attempted
    assert failure.issue_codes == ("THREAD_DUPLICATE_LIKE_ADD", "THREAD_MISSING_EQUIVALENT_RESOLVE")
    assert "signal fire" not in failure.message
    assert settled.verdict.threads == STATE

"""Facts, episodes and decisions: the thirty-two listed cases, under their numbers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from typing import Any

import pytest

from clew.kernel.door import call
from clew.kernel.keep.episodes import hold, release
from clew.kernel.similar import overlap_likeness
from clew.model.episode import Episode
from clew.policy import default
from clew.policy.text import TextPolicy

AT = "2026-11-15T10:00:00Z"


def fact(fact_id: str, subject: str, content: str, **more: Any) -> dict[str, Any]:
    return {
        "id": fact_id,
        "subject": subject,
        "content": content,
        "confidence": 0.8,
        "active": True,
        "learned_at": "2026-11-01T00:00:00Z",
        "origin": "stated",
        **more,
    }


def overlap(a: str, b: str, policy: TextPolicy) -> Fraction:
    return overlap_likeness(a, b, policy, rule="similar.decision").similarity


def learn(
    facts: list[dict[str, Any]], subject: str, content: str, supersede: str = "subject", **more: Any
) -> dict[str, Any]:
    new = {"subject": subject, "content": content, "confidence": 0.8, "origin": "stated", **more}
    return call("learn", {"facts": facts, "new": new, "at": AT, "supersede": supersede})


class TestFactSupersession:
    OLD = fact("f1", "006", "006 status is PLANNED")

    @pytest.mark.rule(" 1")
    def test_01_a_new_fact_of_the_same_subject_supersedes(self) -> None:
        assert [f["active"] for f in learn([self.OLD], "006", "006 is shipped")["facts"]] == [False, True]

    @pytest.mark.rule(" 2")
    def test_02_the_old_fact_names_its_successor(self) -> None:
        old, new = learn([self.OLD], "006", "006 is shipped")["facts"]
        assert (old["active"], old["superseded_by"]) == (False, new["id"])

    @pytest.mark.rule(" 3")
    def test_03_another_subject_is_left_alone(self) -> None:
        assert all(f["active"] for f in learn([self.OLD], "007", "007 is shipped")["facts"])

    @pytest.mark.rule(" 4")
    @pytest.mark.parametrize("subject", ["", "   ", "'s", "!?"])
    def test_04_an_empty_subject_supersedes_nothing(self, subject: str) -> None:
        facts = learn([fact("f1", subject, "it rains")], subject, "it snows")["facts"]
        assert all(f["active"] for f in facts)

    @pytest.mark.rule(" 5")
    def test_05_all_old_facts_of_the_subject_are_superseded(self) -> None:
        olds = [self.OLD, fact("f2", "006", "006 is in review"), fact("f3", "x", "x is fine")]
        facts = learn(olds, "006", "006 is shipped")["facts"]
        assert [f["active"] for f in facts] == [False, False, True, True]

    @pytest.mark.rule(" 6")
    def test_06_case_does_not_matter(self) -> None:
        assert (
            learn([fact("f1", "Deploy Bot", "it is off")], "deploy bot", "it is on")["facts"][0]["active"]
            is False
        )

    @pytest.mark.rule(" 7")
    def test_07_a_superseded_fact_is_inactive_and_so_never_searched(self) -> None:
        once = learn([self.OLD], "006", "006 is shipped")["facts"]
        again = learn(once, "006", "006 is retired")["facts"]
        assert [f["content"] for f in again if f["active"]] == ["006 is retired"]
        assert again[0]["superseded_by"] == once[1]["id"]


def episode(ongoing: list[dict[str, Any]], summary: str, user: str = "u1", at: str = AT) -> dict[str, Any]:
    return call("episode", {"ongoing": ongoing, "new": {"user_id": user, "summary": summary}, "at": at})


def open_episode(episode_id: str, summary: str, **more: Any) -> dict[str, Any]:
    return {
        "id": episode_id,
        "user_id": "u1",
        "summary": summary,
        "started_at": "2026-11-15T09:50:00Z",
        "ended_at": None,
        **more,
    }


class TestEpisodeDedup:
    SUMMARY = "Show me your current status"

    @pytest.mark.rule(" 8")
    def test_08_the_same_summary_within_thirty_minutes_is_reused(self) -> None:
        answer = episode([open_episode("e1", self.SUMMARY)], self.SUMMARY)
        assert (answer["reuse"], answer["similarity"]) == ("e1", 1.0)

    @pytest.mark.rule(" 9")
    def test_09_a_similar_summary_is_reused(self) -> None:
        assert (
            episode([open_episode("e1", self.SUMMARY)], "Please show me your current system status")["reuse"]
            == "e1"
        )

    @pytest.mark.rule(" 10")
    def test_10_another_summary_is_new(self) -> None:
        assert (
            episode([open_episode("e1", self.SUMMARY)], "Write a poem about autumn leaves")["reuse"] is None
        )

    @pytest.mark.rule(" 11")
    @pytest.mark.rule("N15")
    def test_11_after_thirty_minutes_it_is_new_and_at_thirty_it_is_not(self) -> None:
        ongoing = [open_episode("e1", self.SUMMARY, started_at="2026-11-15T09:30:00Z")]
        assert episode(ongoing, self.SUMMARY, at="2026-11-15T10:00:00Z")["reuse"] == "e1"
        assert episode(ongoing, self.SUMMARY, at="2026-11-15T10:00:01Z")["reuse"] is None

    @pytest.mark.rule(" 12")
    def test_12_an_ended_episode_is_not_reused(self) -> None:
        ended = open_episode("e1", self.SUMMARY, ended_at="2026-11-15T09:55:00Z")
        completed = open_episode("e2", self.SUMMARY, status="completed")
        assert episode([ended, completed], self.SUMMARY)["reuse"] is None

    @pytest.mark.rule(" 13")
    def test_13_empty_summaries_are_never_the_same(self) -> None:
        assert episode([open_episode("e1", "")], "")["reuse"] is None
        assert episode([open_episode("e1", "")], self.SUMMARY)["reuse"] is None

    @pytest.mark.rule("N5")
    def test_another_users_episode_is_not_reused(self) -> None:
        assert episode([open_episode("e1", self.SUMMARY, user_id="u2")], self.SUMMARY)["reuse"] is None

    @pytest.mark.rule("N6")
    def test_a_shared_episode_ends_with_its_last_holder(self) -> None:
        at = datetime(2026, 11, 15, tzinfo=UTC)
        shared = hold(hold(hold(Episode("e1", "u1", "s", at), "a"), "b"), "b")
        first = release(shared, "a", at)
        assert (first.ended_at, first.holders) == (None, ("b",))
        assert release(first, "b", at + timedelta(minutes=1)).ended_at == at + timedelta(minutes=1)
        assert release(replace(shared, holders=("a",)), "a", at).ended_at == at

    @pytest.mark.rule("N7")
    def test_one_word_inside_a_long_text_is_no_duplicate(self) -> None:
        assert (
            episode([open_episode("e1", "the status of the whole system today")], "status")["reuse"] is None
        )
        assert episode([open_episode("e1", "status")], "Status")["reuse"] == "e1"

    @pytest.mark.rule("N8")
    def test_brain_status_and_heart_status_differ(self) -> None:
        assert episode([open_episode("e1", "show me brain status")], "show me heart status")["reuse"] is None


def record(frame: str, text: str, *tools: str) -> bool:
    return call("decide_record", {"frame": frame, "tools": list(tools), "response_text": text})["record"]


DECISION = "I decided to keep PostgreSQL because migration would take weeks and bring little."
STATUS = "My current status: all systems are running, memory is at 40 % and nothing is pending."


class TestDecisionRecordingFilter:
    @pytest.mark.rule(" 14")
    def test_14_conversation_is_not_recorded(self) -> None:
        assert record("conversation", DECISION) is False

    @pytest.mark.rule(" 15")
    def test_15_question_is_not_recorded(self) -> None:
        assert record("question", DECISION) is False

    @pytest.mark.rule(" 16")
    def test_16_a_task_with_record_decision_is_recorded(self) -> None:
        assert record("task", STATUS, "record_decision") is True

    @pytest.mark.rule(" 17")
    @pytest.mark.parametrize(
        "text",
        [
            STATUS,
            "Here's my full live status! Everything is green and ready to go.",
            "Here's what I know about the project so far, in short.",
        ],
    )
    def test_17_a_status_dump_is_filtered(self, text: str) -> None:
        assert record("task", text) is False

    @pytest.mark.rule(" 18")
    @pytest.mark.rule("N4")
    @pytest.mark.parametrize(
        "text",
        [
            DECISION,
            "Here's my decision: we stay on PostgreSQL for another year.",
            "I recommend Redis.",
            "Here is the plan: the cache goes first and the queue waits until spring.",
        ],
    )
    def test_18_a_real_decision_is_recorded(self, text: str) -> None:
        assert record("decision", text) is True

    @pytest.mark.rule(" 19")
    def test_19_creative_is_not_recorded(self) -> None:
        assert record("creative", DECISION) is False

    @pytest.mark.rule(" 20")
    def test_20_the_filter_only_answers_whether_to_record(self) -> None:
        answer = call("decide_record", {"frame": "question", "tools": [], "response_text": DECISION})
        assert set(answer) == {"record", "reasons", "policy"}

    @pytest.mark.rule("N3")
    @pytest.mark.parametrize("frame", ["conversation", "question", "creative"])
    def test_an_explicit_record_wins_over_the_frame(self, frame: str) -> None:
        assert record(frame, "ok", "search", "record_decision") is True

    @pytest.mark.rule("N9")
    def test_a_short_reply_without_tools_is_informational(self) -> None:
        assert record("task", "All good.") is False
        assert record("task", "All good.", "search") is True


def decision(decision_id: str, text: str, day: int, outcome: str | None = "pending") -> dict[str, Any]:
    return {
        "id": decision_id,
        "text": text,
        "outcome": outcome,
        "created_at": f"2026-11-{day:02d}T00:00:00Z",
        "confidence": 0.7,
    }


def thin(*decisions: dict[str, Any]) -> dict[str, Any]:
    return call("thin", {"decisions": list(decisions)})


class TestDecisionRecallDedup:
    SAME = "Report the current status of all running services"

    @pytest.mark.rule(" 21")
    def test_21_five_similar_become_one(self) -> None:
        assert len(thin(*(decision(f"d{n}", f"{self.SAME} now", n) for n in range(1, 6)))["kept"]) == 1

    @pytest.mark.rule(" 22")
    def test_22_three_distinct_are_kept(self) -> None:
        texts = (
            "Use PostgreSQL for storage",
            "Hire another designer in spring",
            "Drop support for old phones",
        )
        assert len(thin(*(decision(f"d{n}", t, n + 1) for n, t in enumerate(texts)))["kept"]) == 3

    @pytest.mark.rule(" 23")
    def test_23_of_a_mix_only_duplicates_go(self) -> None:
        answer = thin(
            decision("a", self.SAME, 1),
            decision("b", "Use PostgreSQL for storage", 2),
            decision("c", self.SAME, 3),
        )
        assert sorted(answer["kept"]) == ["b", "c"]
        assert answer["dropped"] == [{"id": "a", "duplicate_of": "c", "similarity": 1.0}]

    @pytest.mark.rule(" 24")
    def test_24_nothing_in_nothing_out(self) -> None:
        assert (thin()["kept"], thin()["dropped"]) == ([], [])

    @pytest.mark.rule(" 25")
    def test_25_one_is_kept(self) -> None:
        assert thin(decision("a", self.SAME, 1))["kept"] == ["a"]

    @pytest.mark.rule(" 26")
    @pytest.mark.rule("N2")
    def test_26_the_most_recent_duplicate_is_kept(self) -> None:
        old, new = decision("z", self.SAME, 1), decision("a", self.SAME, 9)
        assert thin(old, new)["kept"] == thin(new, old)["kept"] == ["a"]

    @pytest.mark.rule("N2")
    def test_equal_times_are_decided_by_id(self) -> None:
        assert thin(decision("b", self.SAME, 1), decision("a", self.SAME, 1))["kept"] == ["a"]

    @pytest.mark.rule("N13")
    def test_another_outcome_is_another_decision(self) -> None:
        answer = thin(
            decision("a", self.SAME, 1, "success"),
            decision("b", self.SAME, 2, "failure"),
            decision("c", self.SAME, 3, None),
        )
        assert len(answer["kept"]) == 3

    @pytest.mark.rule("N16")
    def test_the_whole_text_counts_not_its_first_hundred_letters(self) -> None:
        start = "we will write the quarterly report about the northern region and then "
        one = start + "publish it openly with charts tables appendix sources interviews photographs maps"
        two = start + "archive it quietly inside legal vault under seal away until auditors request review"
        assert len(thin(decision("a", one, 1), decision("b", two, 2))["kept"]) == 2

    @pytest.mark.rule("N14")
    def test_the_specifications_own_field_names_are_read(self) -> None:
        row = {"id": "a", "decision": self.SAME, "created_at": "2026-11-01T00:00:00Z"}
        assert thin(row, {**row, "id": "b"})["kept"] == ["a"]


class TestTextOverlap:
    POLICY = default().text

    @pytest.mark.rule(" 27")
    def test_27_identical_is_one(self) -> None:
        assert overlap("show current status", "show current status", self.POLICY) == 1

    @pytest.mark.rule(" 28")
    def test_28_nothing_shared_is_zero(self) -> None:
        assert overlap("apples oranges", "trains planes", self.POLICY) == 0

    @pytest.mark.rule(" 29")
    def test_29_partial_overlap_is_the_exact_ratio(self) -> None:
        assert overlap("alpha beta gamma", "beta gamma delta epsilon", self.POLICY) == Fraction(2, 3)

    @pytest.mark.rule(" 30")
    def test_30_case_does_not_matter(self) -> None:
        assert overlap("Alpha BETA", "alpha beta", self.POLICY) == 1

    @pytest.mark.rule(" 31")
    def test_31_empty_is_zero(self) -> None:
        assert overlap("", "alpha", self.POLICY) == overlap("", "", self.POLICY) == 0

    @pytest.mark.rule(" 32")
    def test_32_single_words_work(self) -> None:
        assert (
            overlap("status", "status", self.POLICY),
            overlap("status", "other", self.POLICY),
        ) == (1, 0)

    @pytest.mark.rule("N17")
    def test_episodes_and_decisions_use_the_one_shared_measure(self) -> None:
        a, b = "alpha beta gamma delta", "alpha beta gamma epsilon"
        shared = float(overlap(a, b, self.POLICY))
        assert episode([open_episode("e1", a)], b)["similarity"] == shared
        assert thin(decision("a", a, 1), decision("b", b, 2))["dropped"][0]["similarity"] == shared


@pytest.mark.parametrize(
    "dump",
    [
        "status: idle | queue: 0 | cpu 12% | mem 40% | uptime 3h",
        "[12:00:01] worker=3 state=RUNNING jobs=12 failed=0",
        "Battery 80%, wifi connected, volume 30%, brightness 50%, lights off",
        "Status: OK\nLights: on\nDoor: locked\nTemp: 21C\nLast check: two minutes ago",
    ],
)
def test_a_status_line_is_no_decision(dump: str) -> None:
    assert (
        call("decide_record", {"frame": "task", "tools": ["read"], "response_text": dump})["record"] is False
    )


def test_a_decision_with_a_colon_or_a_number_stays_one() -> None:
    for text in (
        "We split the service: reads go to the replica, writes stay on the primary, nothing else changes.",
        "Raise the limit to 40%, keep the queue, and drop the retry because it hides failures from the caller.",
    ):
        assert (
            call("decide_record", {"frame": "task", "tools": ["edit"], "response_text": text})["record"]
            is True
        )


def test_lights_on_and_lights_off_are_two_episodes() -> None:
    answer = call(
        "similar", {"a": "turn the kitchen lights on", "b": "turn the kitchen lights off", "as": "episode"}
    )
    assert answer["duplicate"] is False and answer["guard"] == "antonym"

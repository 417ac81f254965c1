from __future__ import annotations

import pytest

from clew.errors import InvalidInput
from clew.kernel.link.extract import extract
from clew.kernel.link.mask import Mask
from clew.model.link import ExcludedRange, Exclusion
from clew.model.transcript import Line
from clew.policy import default
from tests.kernel.link.talk import ask, lines, pairs, run


def reasons(mask: Mask, index: int) -> list[str]:
    return [reason.value for reason in mask.exclusion_reasons(index)]


@pytest.mark.rule("C9")
@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("Al: ", "noise"),
        ("Al: ...?!", "noise"),
        ("Al: [laughter]", "noise"),
        ("Al: (inaudible)", "noise"),
        ("Al: *crosstalk*", "noise"),
        ("Al: (can someone pass the chips)", "ooc_hard"),
        ("Al: brb, phone", "ooc_hard"),
        ("DM: Out of character for a moment.", "ooc_hard"),
        ("Al: Rules question about grappling.", "ooc_hard"),
        ("DM: Meanwhile, the duke wakes.", "transition"),
        ("DM: We cut to the harbour.", "transition"),
        ("DM: Three hours later you are there.", "transition"),
    ],
)
def test_a_line_is_excluded_for_its_own_reason(said: str, reason: str) -> None:
    mask = run(said).mask
    assert reasons(mask, 0) == [reason]
    assert not mask.is_line_eligible(0)
    assert mask.excluded_ranges[0].rule.startswith("link.mask.")


@pytest.mark.parametrize(
    "said",
    [
        "Al: I look at the dynamic duo.",
        "Al: Meanwhile, I nap.",
        "DM: Do you want to fast forward?",
        "DM: You walk back to the inn.",
        "Al: [draws sword] Come here!",
        "DM: Roll initiative.",
        "DM: (sighs deeply) You may enter.",
    ],
)
def test_a_line_that_only_looks_like_it_stays(said: str) -> None:
    assert run(said).mask.is_line_eligible(0)


def test_combat_runs_from_the_start_anchor_to_the_end_anchor() -> None:
    said = ["DM: You walk.", "DM: Roll for initiative!"]
    said += ["Al: Mine is good.", "DM: The goblin waits."] * 7
    said += ["DM: And that is the end of combat.", "Al: I look around the room."]
    mask = run(*said).mask
    assert reasons(mask, 0) == []
    assert all(reasons(mask, i) == ["combat"] for i in range(1, len(said) - 1))
    assert reasons(mask, len(said) - 1) == []


def test_a_fight_of_few_lines_is_no_regime() -> None:
    said = ["DM: Roll for initiative!", *["Al: I hit the goblin for damage."] * 4, "DM: Combat ends."]
    assert "combat" not in run(*said).mask.counts()


def test_combat_that_nobody_ends_is_over_after_quiet_chunks() -> None:
    said = ["DM: Roll initiative!", *["Al: I attack, does an 18 hit?", "DM: It hits, roll damage."] * 15]
    for _ in range(6):
        said += ["DM: Later, you arrive at the inn.", *["Al: I eat bread.", "DM: The bread is good."] * 15]
    mask = run(*said).mask
    assert "combat" in reasons(mask, 5)
    assert reasons(mask, len(said) - 1) == []


def test_a_fight_that_only_words_betray_runs_from_the_first_to_the_last_of_them() -> None:
    quiet = ["Al: I eat bread.", "DM: The bread is good."] * 4
    fight = ["Al: I attack, does an 18 hit?", "DM: It does, roll damage.", "Bo: I use my reaction."] * 5
    mask = run(*quiet, *fight, *quiet).mask
    masked = [i for i in range(len(quiet) * 2 + len(fight)) if "combat" in reasons(mask, i)]
    assert masked == list(range(len(quiet), len(quiet) + len(fight)))


def test_a_mixed_chunk_is_not_excluded_whole() -> None:
    chat = [f"{name}: that pizza was good" for _ in range(10) for name in ("Al", "Bo")]
    play = ["DM: The bread is good.", "Al: I eat bread."] * 3
    mask = run(*chat, *play).mask
    assert [i for i in range(len(chat) + len(play)) if reasons(mask, i)] == list(range(len(chat)))


def test_players_who_only_answer_players_are_table_talk() -> None:
    said = [f"{name}: that pizza was good" for _ in range(7) for name in ("Al", "Bo")]
    assert set(run(*said).mask.counts()) == {"ooc_soft"}
    assert run(*said[:10]).mask.counts() == {}


def test_without_a_game_master_only_noise_and_plain_marks_count() -> None:
    said = [f"{name}: hit me, brb (really)" for _ in range(10) for name in ("Al", "Bo")]
    mask = run(*said, "Al: ((ooc: hungry))", "Bo: ...", dm=()).mask
    assert mask.counts() == {"ooc_hard": 1, "noise": 1}


def test_what_the_caller_excludes_is_added() -> None:
    given = (ExcludedRange(1, 1, Exclusion.OOC_REFINED),)
    found = run("Al: Can I open the door?", "DM: Yes, you can.", "DM: It opens.", excluded=given)
    assert reasons(found.mask, 1) == ["ooc_refined"]
    assert found.links[0].consequence_anchor_index is None


@pytest.mark.rule("C8")
def test_no_link_spans_an_excluded_line_but_noise_may_lie_between() -> None:
    assert pairs(run("Al: Is the door locked?", "Bo: brb", "DM: It is not.")) == [(0, None)]
    assert pairs(run("Al: Is the door locked?", "Bo: [laughter]", "DM: It is not.")) == [(0, 2)]


@pytest.mark.rule("C15")
def test_gaps_count_as_distance_and_order_is_required() -> None:
    policy = default().link
    gap = [Line(10, "Al", "Is the door locked?"), Line(13, "DM", "It is.")]
    found = extract("s", gap, policy, dm=["DM"])
    assert found.links[0].distance == 3
    assert found.mask.is_line_eligible(13) and not found.mask.is_line_eligible(11)
    for bad in ([Line(1, "Al", "a"), Line(1, "Al", "b")], [Line(2, "Al", "a"), Line(1, "Al", "b")]):
        with pytest.raises(InvalidInput) as why:
            extract("s", bad, policy, dm=["DM"])
        assert why.value.pointer == "/lines/1/index"


def test_the_door_explains_each_excluded_stretch() -> None:
    answer = ask("Al: [laughs]", "Al: [laughs]", "DM: Meanwhile, rain.", dm=["DM"])
    assert [(r["start_index"], r["end_index"], r["reason"]) for r in answer["mask"]["excluded_ranges"]] == [
        (0, 1, "noise"),
        (2, 2, "transition"),
    ]
    assert answer["mask"]["eligible_mask"] == [False, False, False]
    assert {"rule": "link.mask.noise", "detail": "2 lines"} in answer["reasons"]


def test_chunks_cover_every_line_once() -> None:
    said = [f"DM: You see thing {i}." if i % 9 == 0 else f"Al: word {i}" for i in range(500)]
    chunks = run(*said).mask.chunks
    assert [c.start_index for c in chunks] == [0, *(c.end_index + 1 for c in chunks[:-1])]
    assert chunks[-1].end_index == len(lines(*said)) - 1
    assert all(12 <= c.end_index - c.start_index + 1 <= 150 for c in chunks)

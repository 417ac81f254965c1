from __future__ import annotations

from clew.kernel.link.extract import extract
from clew.model.transcript import Line
from clew.policy import default
from tests.kernel.link.talk import ask, run

BEST = {"profile": "best"}


def parents(*said: str, **more: object) -> dict[int, list[int]]:
    out: dict[int, list[int]] = {}
    for link in run(*said, dm=(), params=BEST, **more).links:
        if link.consequence_anchor_index is not None:
            out.setdefault(link.consequence_anchor_index, []).append(link.intent_anchor_index)
    return out


CHANNEL = (
    "ann: my printer does not print, any idea?",
    "bob: how do I mount a usb disk?",
    "cid: ann: is the queue paused?",
    "dee: bob, look at the mount manual page",
    "ann: cid: no, it is empty",
    "bob: thanks dee",
)


def test_a_name_at_the_start_decides_who_is_answered() -> None:
    found = parents(*CHANNEL)
    assert found[2] == [0]
    assert found[3] == [1]
    assert found[4] == [2]
    assert found[5] == [3]


def test_a_speaker_who_goes_on_links_to_the_own_line_and_to_the_question() -> None:
    said = ("ann: where is the config file?", "bob: in the home directory", "bob: it starts with a dot")
    found = parents(*said)
    assert sorted(found[2]) == [0, 1]
    links = run(*said, dm=(), params=BEST).links
    assert [link.continuation for link in links if link.intent_anchor_index == 1] == [True]
    alone = run(*said, dm=(), params={**BEST, "continuations": False}).links
    assert not any(link.continuation for link in alone)


def test_one_question_may_have_several_answers() -> None:
    said = ("ann: which editor do you use?", "bob: vim of course", "cid: emacs for me", "dee: nano is enough")
    assert [link[0] for link in sorted(parents(*said).items()) if link[1] == [0]] == [1, 2, 3]


def test_a_stated_reply_is_believed() -> None:
    lines = [
        Line(0, "ann", "who has the keys?"),
        Line(1, "bob", "what is for lunch?"),
        Line(2, "cid", "me", reply_to=0),
    ]
    links = extract("s", lines, default().link, params=BEST).links
    assert [x.intent_anchor_index for x in links if x.consequence_anchor_index == 2] == [0]


def test_any_message_may_be_an_intent_and_says_so_weakly() -> None:
    found = run(
        "ann: the build is red again", "bob: oh no, that was me", dm=(), params=BEST, emit_traces=True
    )
    link = found.links[0]
    assert (link.intent_type.value, link.intent_strength.value, link.claimed) == ("declare", "weak", True)
    assert link.score is not None and 0.0 < link.score < 1.0
    assert found.traces is not None and found.traces[0].rule == "link.intent.any_message"


def test_the_horizon_is_stated_and_kept() -> None:
    answer = ask(*CHANNEL, params={**BEST, "k_local": 1})
    assert answer["provenance"]["params"]["k_local"] == 1
    assert all(link["distance"] == 1 for link in answer["links"] if link["claimed"])


def test_with_a_game_master_only_the_game_master_answers() -> None:
    said = ("Al: Can I climb the wall?", "Bo: sure you can", "DM: Roll athletics.")
    links = run(*said, params=BEST).links
    assert [(x.intent_anchor_index, x.consequence_anchor_index) for x in links] == [(0, 2)]

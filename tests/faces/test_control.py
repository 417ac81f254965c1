"""Seeing and steering what is remembered, in the chat and by command, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import clew
from clew import policy as policies
from tests import forked


def run(*args: str, stdin: str = "") -> str:
    done = forked.clew(*args, stdin=stdin)
    return done.stdout.decode() + done.stderr.decode()


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/clew.db"


def chat(db: str, *lines: str) -> str:
    return run("chat", "--db", db, stdin="\n".join(lines) + "\n")


def test_everything_of_one_person_stands_under_one_heading(db: str) -> None:
    out = chat(db, "my sister Mina is a nurse", "/memories")
    assert re.search(r"Your sister Mina\n  1\. Your sister is called Mina\n  2\. Your sister Mina is a nurse", out)


def test_commands_take_how_one_asks_for_a_thing(db: str) -> None:
    out = chat(db, "I live in Bristol", "/edit where I live = Bath", "my locker code is 4417")
    out += chat(db, "/edit locker code = 5518", "/memories")
    assert "Now: you live in Bath" in out and "Now: your locker code is 5518" in out
    assert "4417" not in out.split("Notes")[-1], "the user's words hold the new value too"


def test_the_commands_answer_in_the_language_of_the_talk(db: str) -> None:
    out = chat(db, "나 대전 살아", "땅콩 알레르기 있어", "/pin 1", "/pause 땅콩", "/memories", "/edit 사는 곳 = 세종")
    out += chat(db, "/forget 땅콩", "/undo", "/forget 99", "/restore", "/memories 하하", "/unsay", "/undo")
    for said in ("고정함", "멈춰 둠", "(고정됨)", "(멈춤)", "이제: 너는 세종에 살아", "잊음", "되살림", "99번은 없어"):
        assert said in out, said
    assert "거둬들임: 땅콩 알레르기 있어 (함께 사라진 기억: 너는 땅콩 알레르기가 있어)" in out
    assert not re.search(r"Pinned|Paused|Forgotten|Undone|Taken back|Nothing", out)


def test_undoing_what_was_brought_back_leaves_what_stood_before(db: str) -> None:
    out = chat(db, "I live in Oslo", "I moved to Rome", "/restore Oslo", "/undo", "/memories")
    assert "store_conflict" not in out and out.rstrip().splitlines()[-1] != "" and "You live in Rome" in out
    history = run("memories", "list", "--db", db, "--keys", "--status", "ALL")
    assert re.search(r"SUPERSEDED .*Oslo", history) and re.search(r"ACTIVE .*current_city = Rome", history)


def test_the_command_line_takes_numbers_and_words(db: str) -> None:
    chat(db, "I live in Oslo", "I love ramen")
    assert "  1. You live in Oslo" in run("memories", "list", "--db", db)
    assert "You live in Oslo" in run("memories", "pin", "1", "--db", db)
    assert "You like ramen" in run("memories", "forget", "ramen", "--db", db)
    assert "You like ramen" in run("memories", "restore", "1", "--db", db)
    assert "created fact:current_city = Rome" in run("memories", "edit", "where I live", "Rome", "--db", db)
    assert "no number 9" in run("memories", "pause", "9", "--db", db)
    assert "not_found" in run("memories", "pause", "chess", "--db", db)
    assert "taken back: I love ramen" in run("memories", "unsay", "--db", db)
    assert "Oslo" in run("memories", "episodes", "--db", db)


@pytest.mark.parametrize(
    ("told", "wish"),
    [("I have a crush on Tom from accounting", "delete what I just said"), ("나 톰 짝사랑해", "방금 한 말 지워 줘")],
)
def test_what_was_just_said_goes_with_what_it_taught(tmp_path: Path, told: str, wish: str) -> None:
    with clew.Chat(tmp_path / "talk.db", embedder=False) as talk:
        talk.say("I live in Oslo")
        talk.say(told)
        talk.say(wish)
        said = [m.text for m in talk.messages() if m.role == "user"]
        memory = clew.Memory(store=talk.parts.store, embedder=False)
        assert said == ["I live in Oslo", wish]
        assert [m.value for m in memory.all()] == ["Oslo"]
        assert not [m for m in memory.all(status=None) if "Tom" in m.value and m.status == "ACTIVE"]


def test_what_the_deleted_message_replaced_holds_again(tmp_path: Path) -> None:
    with clew.Chat(tmp_path / "talk.db", embedder=False) as talk:
        for line in ("I live in Oslo", "I live in Rome", "delete what I just said"):
            talk.say(line)
        assert "Oslo" in talk.say("where do I live?").text
        assert clew.replay(str(tmp_path / "talk.db")).identical


@pytest.mark.rule("M9")
@pytest.mark.parametrize("line", ["I'm allergic to peanuts", "my password is hunter22", "땅콩 알레르기 있어"])
def test_a_switch_keeps_nothing_sensitive(tmp_path: Path, line: str) -> None:
    rules = policies.from_tables({"attributes": {"keep_sensitive": False}})
    with clew.Memory(tmp_path / "m.db", policy=rules, embedder=False) as memory:
        memory.add(line)
        memory.add("I live in Oslo")
        assert [m.value for m in memory.all()] == ["Oslo"]

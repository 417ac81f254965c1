"""`clew kernel NAME`: one answer per line, in order, whatever a line holds."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from clew import kernels
from clew.faces.cli.kernel import arriving
from clew.kernel.door import DOORS

Line = bytes | dict[str, object]


def ask(name: str, *lines: Line, options: tuple[str, ...] = ()) -> tuple[int, list[dict], str]:
    encoded = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    given = b"".join(line + b"\n" for line in encoded)
    command = [sys.executable, "-m", "clew", "kernel", name, "--no-embed", *options]
    done = subprocess.run(command, input=given, capture_output=True, timeout=120, check=False)
    answers = [json.loads(line) for line in done.stdout.decode("utf-8").splitlines()]
    return done.returncode, answers, done.stderr.decode("utf-8")


GOOD = {"a": "see you soon my friend", "b": "see you soon my friend", "as": "reply"}
DEEP = b"[" * 5_000 + b"]" * 5_000
BAD_LINES: list[tuple[str, Line, str, str]] = [
    ("not JSON", b"nonsense", "not JSON", ""),
    ("half an object", b'{"a": ', "not JSON", ""),
    ("not UTF-8", b'{"a": "\xff"}', "not UTF-8 at byte 7", ""),
    ("a list", b"[1]", "expected an object, got a list", "/"),
    ("null", b"null", "expected an object, got null", "/"),
    ("nested too deeply", DEEP, "", ""),
    ("missing field", {"a": "x", "as": "reply"}, "b is required", "/b"),
    ("wrong type", {"a": 1, "b": "x", "as": "reply"}, "a must be a string", "/a"),
    ("unknown kind", {"a": "x", "b": "x", "as": "saga"}, "as must be one of", "/as"),
    ("lone surrogate", b'{"a": "\\ud800", "b": "x", "as": "reply"}', "lone surrogate", "/a"),
]


def test_a_bad_line_is_answered_by_an_error_and_the_others_are_answered_still() -> None:
    status, answers, errors = ask("similar", *[x for _, line, _, _ in BAD_LINES for x in (GOOD, line)], GOOD)
    assert status == 1 and "Traceback" not in errors
    assert len(answers) == 2 * len(BAD_LINES) + 1
    assert all(answer["duplicate"] for answer in answers[::2])
    for (name, _, message, pointer), answer in zip(BAD_LINES, answers[1::2], strict=True):
        error = answer["error"]
        assert error["code"] == "invalid_input", name
        assert message in error["message"] and error["pointer"] in (pointer, "/" + pointer.lstrip("/")), name


def test_all_good_lines_give_status_zero_and_empty_lines_are_skipped() -> None:
    status, answers, _ = ask("similar", GOOD, b"", b"   ", GOOD)
    assert (status, len(answers)) == (0, 2)


def test_no_input_gives_no_output() -> None:
    assert ask("similar")[:2] == (0, [])


def test_an_unknown_name_gives_status_two_and_the_names() -> None:
    status, answers, errors = ask("telepathy", GOOD)
    assert (status, answers) == (2, [])
    assert all(name in errors for name in DOORS)


def test_an_unknown_mode_is_refused() -> None:
    status, _, errors = ask("similar", GOOD, options=("--mode", "lenient"))
    assert status == 2 and "strict" in errors


def test_the_command_and_the_function_say_the_same() -> None:
    _, answers, _ = ask("similar", GOOD)
    assert answers == [kernels.call("similar", GOOD)]


TEXTS = {
    "empty": "",
    "blank": " ",
    "control": "\x00\x07\x1b[31m",
    "zero-width": "\u200b",
    "a million letters": "a" * 1_000_000,
    "a novel in Korean": "가 " * 300_000,
    "all questions": "?" * 10_000,
}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS.keys())
def test_any_text_can_be_read(text: str) -> None:
    """Empty text is a valid kernel input; a million characters are read to the end."""
    status, answers, errors = ask("read", {"text": text})
    assert status == 0 and "Traceback" not in errors
    assert answers[0]["policy"] and answers[0]["norm"] == " ".join(answers[0]["norm"].split())


def test_facts_are_compared_by_meaning_and_their_vectors_stay_out_of_the_answer() -> None:
    old = {
        "id": "f1",
        "subject": "user",
        "content": "User enjoys hiking in the mountains",
        "confidence": 0.8,
        "active": True,
    }
    given = {
        "facts": [{**old, "learned_at": "2026-01-01T00:00:00Z"}],
        "new": {"subject": "user", "content": "User enjoys mountain hikes", "confidence": 0.8},
        "at": "2026-02-01T00:00:00Z",
    }
    command = [sys.executable, "-m", "clew", "kernel", "learn"]
    done = subprocess.run(
        command, input=json.dumps(given).encode(), capture_output=True, timeout=120, check=True
    )
    answer = json.loads(done.stdout)
    assert [e["kind"] for e in answer["events"]] == ["created", "superseded"]
    assert b"vector" not in done.stdout
    _, (by_words,), _ = ask("learn", given)
    assert [e["kind"] for e in by_words["events"]] == ["created"]


def test_lines_that_come_in_pieces_are_read_whole() -> None:
    class Pieces:
        def __init__(self, *chunks: bytes) -> None:
            self.chunks = list(chunks)

        def read1(self, most: int) -> bytes:
            return self.chunks.pop(0) if self.chunks else b""

    got = [list(lines) for lines in arriving(Pieces(b'{"a"', b": 1}\n{", b"}\n\n", b"tail"))]
    assert got == [[b'{"a": 1}'], [b"{}", b""], [b"tail"]]


def test_answers_stream_line_by_line() -> None:
    """A program that asks and waits for each answer gets it."""
    command = [sys.executable, "-m", "clew", "kernel", "similar", "--no-embed"]
    buffered = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=buffered) as talk:
        assert talk.stdin and talk.stdout
        for _ in range(2):
            talk.stdin.write(json.dumps(GOOD).encode() + b"\n")
            talk.stdin.flush()
            assert json.loads(talk.stdout.readline())["duplicate"] is True
        talk.stdin.close()
        assert talk.wait(timeout=60) == 0

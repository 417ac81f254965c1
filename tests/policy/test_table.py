"""Policy is data: checked on load, overridable by a file, named by its fingerprint."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from clew import kernels, policy
from clew.errors import InvalidPolicy
from clew.faces.cli.kernel import kernel
from clew.model.thread import ThreadType

WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    ("unknown table", {"wheel": {}}, "unknown policy table 'wheel'; known: text, language", "/wheel"),
    ("not a table", {"text": 3}, "/text must be a table", "/text"),
    ("unknown setting", {"text": {"wheel": 1}}, "unknown setting 'wheel'; known: particles", "/text/wheel"),
    ("wrong type", {"text": {"slug_max": "x"}}, "/text/slug_max must be int, got str", "/text/slug_max"),
    ("flag for a number", {"text": {"slug_max": True}}, "must be int, got bool", "/text/slug_max"),
    ("out of range", {"text": {"slug_max": 0}}, "slug_max must be above zero", "/text"),
    (
        "out of scale",
        {"text": {"overlap_threshold": 1.5}},
        "overlap_threshold must be between 0 and 1",
        "/text",
    ),
    (
        "not a number",
        {"text": {"overlap_threshold": "high"}},
        'must be a number or "n/d"',
        "/text/overlap_threshold",
    ),
    (
        "divided by zero",
        {"text": {"overlap_threshold": "1/0"}},
        'a number or "n/d"',
        "/text/overlap_threshold",
    ),
    (
        "infinite",
        {"text": {"overlap_threshold": float("inf")}},
        'a number or "n/d"',
        "/text/overlap_threshold",
    ),
    ("a list", {"text": {"overlap_threshold": [1]}}, 'a number or "n/d"', "/text/overlap_threshold"),
    ("no list", {"text": {"negations": "not"}}, "/text/negations must be a list", "/text/negations"),
    ("bad item", {"text": {"negations": ["not", 3]}}, "must be str, got int", "/text/negations/1"),
    ("pair of one", {"text": {"antonyms": [["a"]]}}, "needs 2 items, has 1", "/text/antonyms/0"),
    (
        "unknown member",
        {"weave": {"thresholds": {"SAGA": 1}}},
        "must be one of MYSTERY",
        "/weave/thresholds/SAGA",
    ),
    ("table wanted", {"weave": {"thresholds": 1}}, "/weave/thresholds must be a table", "/weave/thresholds"),
]


@pytest.mark.parametrize(
    ("override", "message", "pointer"), [w[1:] for w in WRONG], ids=[w[0] for w in WRONG]
)
def test_a_wrong_setting_is_named(override: dict[str, Any], message: str, pointer: str) -> None:
    with pytest.raises(InvalidPolicy) as caught:
        policy.from_tables(override)
    assert message in caught.value.message
    assert caught.value.pointer == pointer


UNREADABLE = {
    "absent": (None, "No such file"),
    "not TOML": (b"[text\n", "at line 1"),
    "not UTF-8": (b"x = '\xff'", "not UTF-8 at byte 5"),
}


@pytest.mark.parametrize(("content", "reason"), UNREADABLE.values(), ids=UNREADABLE.keys())
def test_an_unreadable_file_is_named_with_the_reason(
    tmp_path: Path, content: bytes | None, reason: str
) -> None:
    file = tmp_path / "mine.toml"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(InvalidPolicy, match=r"mine\.toml") as caught:
        policy.load(file)
    assert reason in caught.value.message


def test_a_folder_is_not_a_policy_file(tmp_path: Path) -> None:
    with pytest.raises(InvalidPolicy, match="directory"):
        policy.load(tmp_path)


def test_a_file_overrides_one_number_and_keeps_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[weave.thresholds]\nQUEST = 0.9\n", encoding="utf-8")
    mine, shipped = policy.load(file), policy.default()
    assert mine.weave.thresholds[ThreadType.QUEST] == Fraction(9, 10)
    assert mine.weave.thresholds[ThreadType.MORAL] == shipped.weave.thresholds[ThreadType.MORAL]
    assert mine.text.negations == shipped.text.negations
    assert mine != shipped


def test_a_number_in_a_file_means_its_decimals() -> None:
    mine = policy.from_tables({"text": {"overlap_threshold": 0.58}})
    assert mine.text.overlap_threshold == Fraction(58, 100)


def test_the_fingerprint_names_the_content_and_nothing_else() -> None:
    shipped = policy.default()
    assert policy.from_tables() == shipped and policy.from_tables().fingerprint == shipped.fingerprint
    assert (
        policy.from_tables({"text": {"slug_max": shipped.text.slug_max}}).fingerprint == shipped.fingerprint
    )
    changed = policy.from_tables({"text": {"slug_max": 40}}).fingerprint
    assert changed != shipped.fingerprint and len(changed) == 64


def test_every_answer_carries_the_fingerprint_of_its_policy() -> None:
    mine = policy.from_tables({"text": {"reply_similarity": 1}})
    words = "one two three four five six seven eight nine ten"
    shipped = kernels.similar(a=words, b=words + " eleven", as_="reply")
    strict = kernels.similar(a=words, b=words + " eleven", as_="reply", policy=mine)
    assert (shipped["duplicate"], strict["duplicate"]) == (True, False)
    assert shipped["policy"] == policy.default().fingerprint != strict["policy"] == mine.fingerprint


def test_the_command_takes_a_policy_file_and_refuses_a_bad_one(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text("[text]\nreply_similarity = 1\n", encoding="utf-8")
    bad.write_text("[text]\nwheel = 1\n", encoding="utf-8")
    line = '{"a": "a b c d", "b": "a b c d", "as": "reply"}\n'
    answered = CliRunner().invoke(kernel, ["similar", "--no-embed", "--policy", str(good)], input=line)
    assert answered.exit_code == 0 and '"duplicate": true' in answered.output
    refused = CliRunner().invoke(kernel, ["similar", "--no-embed", "--policy", str(bad)], input=line)
    assert isinstance(refused.exception, InvalidPolicy) and refused.exception.pointer == "/text/wheel"

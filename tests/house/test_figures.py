"""Ratchets over the source: what a newcomer would have to unlearn may become less, never more."""

from __future__ import annotations

from pathlib import Path

from tests.house.figures import (
    english_patterns,
    kernel_modules,
    language_knowers,
    outer_language_knowers,
    pack_openers,
    raw_parsers,
    rooms,
    script_askers,
)
from tests.house.tree import PACKAGE

# Kernel modules outside the packs that open one language's room or name it in a rule id or a list's name. Only fewer.
MOST_OPENERS = 0
# Where plain letters are told from all others, and why.
PLAIN_LETTERS = {"statements/belief.py": "one of the signs to which the weights of this reader were fitted"}


def test_no_room_outside_reading_takes_a_text_apart() -> None:
    """A message, a follow-up or a draft comes in as a reading: Utterance, Wording, FollowUp, Passage, Loop, Remark."""
    assert raw_parsers(PACKAGE) == [], "take a reading instead"


def test_no_module_outside_the_packs_knows_a_language() -> None:
    """No letters, names or words of one language in its code."""
    assert language_knowers(PACKAGE) == []


def test_engine_doors_and_formats_know_no_language_either() -> None:
    """What a terminal or a trace says stands in policy/data/<code>/ too."""
    assert outer_language_knowers(PACKAGE) == []


def test_no_more_modules_open_the_room_of_one_language() -> None:
    found = pack_openers(PACKAGE)
    assert len(found) <= MOST_OPENERS, found


def test_no_pattern_outside_the_packs_holds_words() -> None:
    """Words of letters in a pattern are words of some language: they belong to policy/data/<code>/."""
    assert english_patterns(PACKAGE) == [], "move the words of the pattern into policy/data/<code>/"


def test_no_rule_takes_plain_letters_for_a_language_but_in_the_modules_named_here() -> None:
    """Ask the reading for its language, or `language/scripts.py` how a word is written."""
    assert script_askers(PACKAGE).keys() == PLAIN_LETTERS.keys()


def test_the_counts_see_what_they_count(tmp_path: Path) -> None:
    room = tmp_path / "kernel" / "toy"
    room.mkdir(parents=True)
    (room / "a.py").write_text(
        '"""한글."""\n'
        "def cuts(text: str) -> list[str]:\n    return text.split()\n"
        "def cuts_a_part(draft: str) -> list[str]:\n    return tokens(draft[:9].strip())\n"
        "def passes_on(text: str) -> int:\n    return count(text)\n"
        "def takes_a_value(value: str) -> list[str]:\n    return value.split()\n",
        encoding="utf-8",
    )
    (room / "b.py").write_text('KNOWN = "안녕"\n', encoding="utf-8")
    outer = tmp_path / "faces"
    outer.mkdir()
    (outer / "f.py").write_text('WORD = "off" if spoken == "ko" else "on"\n', encoding="utf-8")
    (room / "c.py").write_text("from clew.kernel.language.ko.stems import stems\n", encoding="utf-8")
    (room / "d.py").write_text(
        'JOINS = re.compile(r"\\b(?:and|but)\\b")\n'
        "def is_english(word: str) -> bool:\n    return word.isascii()\n",
        encoding="utf-8",
    )
    # Classes, groups, flags, escapes, addresses, and what a table gives: no words.
    (room / "e.py").write_text(
        'SHAPE = re.compile(r"(?P<name>\\w+)\\s(?i:\\d{2,4})[a-z]+\\p{Hangul}|https?://")\n'
        'OTHER = program(table["words"], re.I)\n'
        'CUT = "and but".split()\n',
        encoding="utf-8",
    )
    assert raw_parsers(tmp_path) == ["toy/a.py:cuts", "toy/a.py:cuts_a_part"]
    assert language_knowers(tmp_path) == ["toy/b.py"]
    assert outer_language_knowers(tmp_path) == ["faces/f.py"]
    assert pack_openers(tmp_path) == ["toy/c.py"]
    assert english_patterns(tmp_path) == ["toy/d.py"]
    assert script_askers(tmp_path) == {"toy/d.py": 1}
    assert rooms(tmp_path) == {"faces": (1, 1), "kernel/toy": (5, 17)}
    assert [r for r, _ in kernel_modules(tmp_path)] == ["toy"] * 5

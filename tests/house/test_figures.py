"""Ratchets over the source: what a newcomer would have to unlearn may become less, never more."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.house.figures import kernel_modules, language_knowers, raw_parsers, rooms
from tests.house.tree import PACKAGE

# Kernel functions outside reading that take a message or draft apart themselves, by room. Lower a number when a room
# takes an Utterance, a Wording or a Passage instead; a room that is not named here has none, and stays so.
MOST = {
    "ground": 10,
}
# Kernel modules outside the packs with letters or names of one language in their code.
MOST_LANGUAGE = 28


def test_no_room_parses_raw_texts_in_more_places_than_it_did() -> None:
    found = Counter(place.partition("/")[0] for place in raw_parsers(PACKAGE))
    assert {room: n for room, n in found.items() if n > MOST.get(room, 0)} == {}, "take a reading instead"


def test_no_more_modules_know_a_language() -> None:
    found = language_knowers(PACKAGE)
    assert len(found) <= MOST_LANGUAGE, found


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
    assert raw_parsers(tmp_path) == ["toy/a.py:cuts", "toy/a.py:cuts_a_part"]
    assert language_knowers(tmp_path) == ["toy/b.py"]
    assert rooms(tmp_path) == {"kernel/toy": (2, 10)}
    assert [r for r, _ in kernel_modules(tmp_path)] == ["toy", "toy"]

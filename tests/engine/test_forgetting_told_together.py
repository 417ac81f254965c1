"""What was told in one breath with a forgotten thing goes with it, but not where one lives, works or what one is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.engine.test_who_is_who import talked


@pytest.mark.parametrize(
    ("told", "wish", "kept", "gone"),
    [
        ("just moved to Cork from Galway with my partner Declan", "forget that I'm from Galway", "Cork", "Galway"),
        ("I moved to Porto from Braga in May", "please forget Braga", "Porto", "Braga"),
    ],
)
def test_where_one_lives_is_no_part_of_where_one_came_from(
    tmp_path: Path, told: str, wish: str, kept: str, gone: str
) -> None:
    replies, held = talked(tmp_path, told, wish, "where do I live?", "where did I live before?")
    assert any(kept in line for line in held) and not any(gone in line for line in held), held
    assert kept in replies[2] and gone not in " ".join(replies[2:]), replies

"""Conversations with the two example agents, replayed."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

AGENTS = Path(__file__).parents[2] / "examples" / "agent"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"example_{name}", AGENTS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in {
        "budget 2024.csv": "rent,900",
        "budget 2025.csv": "rent,950",
        "meeting notes.md": "ask Mina about the lease",
        "roadmap.md": "ship in May",
    }.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_the_notes_are_asked_about_and_then_deleted_only_after_a_yes(folder: Path) -> None:
    picker = load("files").Picker(folder)
    picker.show()
    assert "lease" in picker.answer("what's in the notes?")
    assert picker.answer("delete it") == "Really delete meeting notes?"
    assert (folder / "meeting notes.md").exists()
    said = picker.answer("yes")
    assert said.startswith("meeting notes.md is deleted.")
    assert "meeting notes" not in said.split("\n", 1)[1]
    assert sorted(p.name for p in folder.iterdir()) == ["budget 2024.csv", "budget 2025.csv", "roadmap.md"]


def test_two_files_are_opened_when_two_are_named(folder: Path) -> None:
    picker = load("files").Picker(folder)
    picker.show()
    said = picker.answer("open budget 2024 and 2025")
    assert "rent,900" in said
    assert "rent,950" in said


def test_a_no_to_the_confirmation_deletes_nothing(folder: Path) -> None:
    picker = load("files").Picker(folder)
    picker.show()
    assert picker.answer("delete the roadmap") == "Really delete roadmap?"
    assert picker.answer("no") == "All right."
    assert (folder / "roadmap.md").exists()


@pytest.mark.parametrize(
    "text", ["thanks, have a good night!", "yes I had a nice weekend", "what's the weather?"]
)
def test_the_shop_sells_nothing_on_thanks_and_small_talk(text: str) -> None:
    shop = load("shop").Shop()
    shop.answer("show me lamps")
    shop.answer(text)
    assert shop.cart == []


@pytest.mark.parametrize(
    ("text", "cart"),
    [
        ("yes please", ["lamp-1"]),
        ("the cheapest", ["lamp-3"]),
        ("the brass one", ["lamp-2"]),
        ("no, the reading lamp", ["lamp-2"]),
        ("the second one", ["lamp-2"]),
        ("sure, I'll take two", ["lamp-1"]),
    ],
)
def test_the_shop_takes_what_is_chosen(text: str, cart: list[str]) -> None:
    shop = load("shop").Shop()
    shop.answer("show me lamps")
    shop.answer(text)
    assert shop.cart == cart


def test_buying_is_confirmed_because_the_shop_declares_it_so() -> None:
    shop = load("shop").Shop()
    shop.answer("show me mugs")
    assert shop.answer("buy the coffee mug") == "Really buy Coffee mug?"
    assert shop.cart == []
    assert shop.answer("yes") == "Coffee mug is ordered."

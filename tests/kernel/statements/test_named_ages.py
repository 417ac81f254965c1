"""An age right behind a name is the bearer's, whoever else the message tells of."""

from __future__ import annotations

import pytest

from clew.kernel.statements.named_ages import ages_of_named, with_those_read
from clew.kernel.statements.people import Called
from clew.model.utterance import Sentence, Statement
from clew.policy import default

WORDS = default().checks.languages["en"]


def ages(text: str, *names: str, held: tuple[Statement, ...] = ()) -> list[tuple[str | None, str]]:
    called = [Called(text.index(n), text.index(n) + len(n), "person:child", n) for n in names]
    found = ages_of_named(text, (Sentence(0, len(text), text),), held, WORDS, called)
    return [(s.name, s.value) for s in found if s.attribute == "age"]


@pytest.mark.rule("M2")
@pytest.mark.parametrize(
    ("text", "names", "told"),
    [
        ("nell turned 9 on sunday, abe is 5", ("nell", "abe"), [("nell", "9"), ("abe", "5")]),
        ("Nell (9) and Abe, 5.", ("Nell", "Abe"), [("Nell", "9"), ("Abe", "5")]),
        ("Abe's 12 now", ("Abe",), [("Abe", "12")]),
        ("Abe is 5 minutes late", ("Abe",), []),
        ("Abe is 3-0 up", ("Abe",), []),
        ("Abe lives at 5 Mill Lane", ("Abe",), []),
        ("saw Abe, 2 pints later we went home", ("Abe",), []),
    ],
)  # fmt: skip
def test_an_age_behind_a_name(text: str, names: tuple[str, ...], told: list[tuple[str, str]]) -> None:
    assert ages(text, *names) == told


def test_an_age_that_was_read_of_another_goes_to_the_one_it_stands_behind() -> None:
    text = "nell's fine, abe is 5"
    wrong = Statement("person:child", "age", "5", text, 20, 21, name="nell")
    assert ages(text, "nell", "abe", held=(wrong,)) == [("abe", "5")]


@pytest.mark.rule("M2")
def test_whoever_a_reader_found_a_name_for_keeps_their_own_age() -> None:
    text = "three lads: Finn's 11, Cai's 8 and Ivo's 3"
    read = [
        Statement("person:son", "name", n, text, text.index(n), text.index(n) + len(n), name=n) for n in ("Cai", "Ivo")
    ]
    called = with_those_read(read, [Called(text.index("Finn"), text.index("Finn") + 4, "person:son", "Finn")])
    assert [c.name for c in called] == ["Finn", "Cai", "Ivo"]
    found = ages_of_named(text, (Sentence(0, len(text), text),), read, WORDS, called)
    assert [(s.name, s.value) for s in found if s.attribute == "age"] == [("Finn", "11"), ("Cai", "8"), ("Ivo", "3")]

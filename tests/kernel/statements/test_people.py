"""Who is spoken of."""

from __future__ import annotations

from clew.kernel.statements.clarified import clarified
from clew.kernel.statements.people import SOMEBODY, Known, introduced, last_spoken_of, spoken_of
from clew.policy import default

POLICY = default()


def _named(text: str) -> list[tuple[str, str | None]]:
    return [(c.subject, c.name) for c in introduced(text, "en", POLICY)]


def test_a_name_beside_a_relation_is_theirs() -> None:
    assert _named("my husband Tom's making dinner") == [("person:husband", "Tom")]
    assert _named("I've got two kids, Ella and Noah") == [("person:child", "Ella"), ("person:child", "Noah")]
    assert _named("Raj is my colleague") == [("person:colleague", "Raj")]


def test_the_relation_of_another_names_nobody_of_the_user_s() -> None:
    assert _named("Tom's sister Anna called") == []


def test_a_name_told_before_means_its_bearer() -> None:
    found = spoken_of("Ella is 9", "en", Known({"ella": "person:child"}), POLICY)
    assert [(c.subject, c.name) for c in found] == [("person:child", "Ella")]


def test_a_name_of_nobody_known_is_somebody() -> None:
    found = spoken_of("Olu's in the navy", "en", Known(), POLICY)
    assert [(c.subject, c.name) for c in found] == [(SOMEBODY, "Olu")]
    assert spoken_of("Work is fine", "en", Known(), POLICY) == []


def test_she_is_whoever_was_spoken_of_last() -> None:
    last = last_spoken_of(["my sister is a lawyer"], "en", {}, POLICY)
    assert last == ("person:sister", None)
    clear = clarified("no, actually she's a dentist", "en", Known({}, last), POLICY)
    assert clear is not None and clear.text == "no, actually my sister's a dentist"
    assert clear.back(clear.text.index("dentist")) == "no, actually she's a dentist".index("dentist")


def test_without_anybody_before_she_stays_she() -> None:
    assert clarified("she's a dentist", "en", Known(), POLICY) is None

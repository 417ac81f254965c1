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


def test_whoever_has_no_name_is_told_apart_by_which_one_it_is() -> None:
    def ranks(text: str, language: str) -> list[tuple[str, str | None]]:
        return [(c.subject, c.name) for c in spoken_of(text, language, Known(), POLICY)]

    assert ranks("my older sister and my younger sister", "en") == [
        ("person:sister", "older sister"), ("person:sister", "younger sister"),
    ]  # fmt: skip
    assert ranks("my eldest is 12", "en") == [("person:child", "eldest")]
    assert ranks("my sister is 12", "en") == [("person:sister", None)]
    assert ranks("큰언니는 기장이에요", "ko") == [("person:sister", "큰언니")]
    assert ranks("첫째는 중학생이고 둘째는 일곱 살", "ko") == [("person:child", "첫째"), ("person:child", "둘째")]


def test_a_nationality_is_no_name() -> None:
    assert _named("my flatmate is Norwegian") == []
    assert _named("my flatmate is Ingrid") == [("person:flatmate", "Ingrid")]

"""From what a message tells to what may be kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from clew.kernel.keep.candidates import candidates, endings
from clew.kernel.keep.keys import canonical
from clew.kernel.statements.extract import extracted
from clew.model.key import Key
from clew.model.memory import Candidate, MemoryType
from clew.model.utterance import Statement, Status
from clew.policy import default, from_tables

P = default()
AT = datetime(2026, 3, 14, 12, tzinfo=UTC)
ZONE = ZoneInfo("UTC")


def told(
    attribute: str,
    value: str,
    sentence: str = "",
    *,
    subject: str = "self",
    status: str = "is",
    stance: str | None = None,
    name: str | None = None,
) -> Statement:
    sentence = sentence or value
    start = max(sentence.find(value), 0)
    return Statement(
        subject, attribute, value, sentence, start, start + len(value), stance, Status(status), name
    )


def kept(*statements: Statement) -> dict[str, Candidate]:
    return {c.key: c for c in candidates(statements, AT, ZONE, P)}


@pytest.mark.rule("M1")
@pytest.mark.parametrize("attribute", sorted(P.attributes.rows))
@pytest.mark.parametrize("subject", ["self", "person:sister", "pet:dog"])
@pytest.mark.parametrize("status", [s.value for s in Status])
def test_every_attribute_of_everybody_in_every_status_has_a_lawful_key(
    attribute: str, subject: str, status: str
) -> None:
    found = candidates(
        [told(attribute, "blue thing", "it is a blue thing, really", subject=subject, status=status)],
        AT,
        ZONE,
        P,
    )
    assert found
    for candidate in found:
        known = canonical(candidate.key, P)
        assert known == (candidate.type, candidate.key)
        assert candidate.subject == subject and candidate.statement == "it is a blue thing, really"


@pytest.mark.rule("M1")
@pytest.mark.parametrize(
    ("statement", "key", "value"),
    [
        (told("city", "Bristol"), "fact:current_city", "Bristol"),
        (told("job", "nurse"), "fact:occupation", "nurse"),
        (told("origin", "Japan"), "fact:home_country", "Japan"),
        (told("origin", "Cebu"), "fact:home_city", "Cebu"),
        (told("school", "KAIST"), "fact:school", "KAIST"),
        (told("language", "Turkish", "my mother tongue is Turkish"), "fact:language_primary", "Turkish"),
        (told("language", "Turkish", "I speak Turkish"), "fact:language:turkish", "Turkish"),
        (told("allergy", "peanuts"), "fact:allergy:peanuts", "peanuts"),
        (told("name", "Omar"), "fact:name", "Omar"),
        (told("routine", "run at six"), "habit:run_at_six", "run at six"),
        (told("goal", "a marathon"), "goal:marathon", "a marathon"),
        (told("rule", "use metric units"), "rule:use_metric_units", "use metric units"),
        (told("sport", "climbing"), "pref:sport:climbing", "like|climbing"),
        (told("like", "sushi a lot"), "pref:food:sushi", "like|sushi"),
        (told("tech", "Python 3.12"), "fact:tech:python", "Python 3.12"),
        (told("code", "4417", "my locker code is 4417"), "fact:code:locker_code", "4417"),
        (told("job", "nurse", subject="person:mum"), "person:mother:_:job", "nurse"),
        (told("job", "간호사", subject="person:엄마"), "person:mother:_:job", "간호사"),
        (told("like", "sushi", subject="person:son"), "person:son:_:like.sushi", "sushi"),
        (told("exists", "two brothers", subject="person:brother"), "person:brother:_", "two brothers"),
        (told("name", "Bibimbap", subject="pet:dog"), "pet:dog:bibimbap", "Bibimbap"),
        (told("name", "Paris", subject="person:daughter"), "person:daughter:paris", "Paris"),
    ],
)
def test_a_statement_stands_under_its_key(statement: Statement, key: str, value: str) -> None:
    assert {k: c.value for k, c in kept(statement).items()} == {key: value}


@pytest.mark.rule("M2")
def test_a_person_named_once_is_meant_throughout_the_message_and_two_sisters_stay_two() -> None:
    one = kept(told("name", "Mina", subject="person:sister"), told("job", "nurse", subject="person:sister"))
    assert set(one) == {"person:sister:mina", "person:sister:mina:job"}
    two = kept(
        told("job", "nurse", subject="person:sister", name="Mina"),
        told("job", "baker", subject="person:sister", name="Yuna"),
    )
    assert set(two) == {"person:sister:mina:job", "person:sister:yuna:job"}


@pytest.mark.rule("M3")
@pytest.mark.parametrize(
    "statement",
    [
        told("note", "never seen the ocean", "and I've never seen the ocean"),
        told("like", "teal", "Teal. If it comes in teal, I own it.", stance="like"),
        told("opinion", "cats beat dogs", "In my opinion, cats beat dogs."),
        told("no such attribute", "x marks the spot", "x marks the spot, always has"),
    ],
)
def test_what_fits_no_attribute_is_a_note_in_the_users_words(statement: Statement) -> None:
    (note,) = candidates([statement], AT, ZONE, P)
    assert (note.type, note.value) == (MemoryType.NOTE, statement.sentence)
    assert note.key.startswith("note:")


@pytest.mark.rule("M8")
def test_a_qualified_liking_keeps_its_qualifier() -> None:
    found = kept(told("dislike", "games with pixel art", stance="dislike"))
    assert "pref:game:games" not in found
    assert {c.value for c in found.values()} == {"dislike|games with pixel art"}
    long = kept(told("like", "games that my late grandmother used to play with us on Sundays"))
    assert [c.type for c in long.values()] == [MemoryType.NOTE]


@pytest.mark.rule("M8")
def test_two_long_notes_that_begin_alike_are_two() -> None:
    start = "the spare key to the house of my grandparents is hidden in the "
    assert len(kept(told("note", start + "barn"), told("note", start + "cellar"))) == 2


@pytest.mark.rule("M9")
@pytest.mark.parametrize(
    ("statement", "sensitive"),
    [
        (told("condition", "asthma"), True),
        (told("belief", "Quaker"), True),
        (told("money", "rent is 900"), True),
        (told("note", "the wifi password is lemon"), True),
        (told("relationship", "gay and single"), True),
        (told("note", "주민번호는 서랍에"), True),
        (told("city", "Bristol"), False),
        (told("like", "sushi"), False),
    ],
)
def test_what_is_sensitive_is_marked(statement: Statement, sensitive: bool) -> None:
    assert [c.sensitive for c in candidates([statement], AT, ZONE, P)] == [sensitive]


@pytest.mark.rule("M9")
def test_a_policy_can_keep_nothing_sensitive() -> None:
    none = from_tables({"attributes": {"keep_sensitive": False}})
    both = [told("condition", "asthma"), told("city", "Bristol")]
    assert [c.key for c in candidates(both, AT, ZONE, none)] == ["fact:current_city"]


@pytest.mark.rule("M1")
def test_a_users_file_adds_an_attribute() -> None:
    own = from_tables({"attributes": {"rows": {"star_sign": {"many": False, "group": "identity"}}}})
    (found,) = candidates([told("star_sign", "Pisces")], AT, ZONE, own)
    assert (found.key, found.value) == ("fact:star_sign", "Pisces")
    assert canonical("fact:star_sign", P) is None and canonical("fact:star_sign", own) is not None


@pytest.mark.rule("M7")
def test_an_ending_is_an_ending_and_an_event() -> None:
    over = told("employer", "Deloitte", "Handed in my notice at Deloitte", status="ended")
    (end,) = endings([over], P)
    assert (end.key, end.attribute, end.value, end.denied) == ("fact:employer", "employer", "Deloitte", False)
    (event,) = candidates([over], AT, ZONE, P)
    assert event.type is MemoryType.RELATIONSHIP_EVENT and event.value == "Handed in my notice at Deloitte"


def test_a_denied_one_of_many_stands_under_its_key_and_a_denied_single_value_is_a_note() -> None:
    assert {k: c.value for k, c in kept(told("diet", "pork", status="not")).items()} == {
        "fact:diet:pork": "no pork"
    }
    assert {k: c.value for k, c in kept(told("diet", "돼지고기", status="not")).items()} == {
        "fact:diet:돼지고기": "돼지고기 안 먹음"
    }
    not_nurse = told("job", "nurse", "I'm not a nurse", status="not")
    assert [c.type for c in candidates([not_nurse], AT, ZONE, P)] == [MemoryType.NOTE]
    assert [e.denied for e in endings([not_nurse], P)] == [True]


@pytest.mark.rule("M6")
def test_plans_and_events_are_filed_under_their_own_month() -> None:
    plan = kept(told("plan", "my exam", "my exam is in June", status="future"))
    assert [Key.parse(k).month for k in plan] == ["2026_06"]  # type: ignore[union-attr]
    past = kept(told("event", "graduated", "graduated in 2019", status="past"))
    assert [Key.parse(k).month for k in past] == ["2019_01"]  # type: ignore[union-attr]
    nowhere = kept(told("plan", "party", "party on 30 February", status="future"))
    (party,) = nowhere.values()
    assert (party.when_text, party.when_start) == ("30 February", None)


def test_a_weekly_habit_has_no_date_and_a_home_has_its_beginning() -> None:
    (habit,) = kept(told("routine", "choir on Thursdays")).values()
    assert habit.when_start is None
    (home,) = kept(told("city", "Leith", "I've lived in Leith since 2019")).values()
    assert home.when_start == datetime(2019, 1, 1, tzinfo=ZONE) and home.when_end is None


# -- with the readings by rule -----------------------------------------------------------------


Found = Callable[..., dict[str, Candidate]]


def both(text: str, *statements: Statement) -> dict[str, Candidate]:
    return {c.key: c for c in extracted(text, AT, ZONE, P, None, statements).candidates}


def test_what_rules_and_reading_both_find_is_kept_once() -> None:
    text = "I live in Oslo and I love sushi a lot"
    found = both(text, told("city", "Oslo", text), told("like", "sushi", text, stance="like"))
    assert {k: c.value for k, c in found.items()} == {
        "fact:current_city": "Oslo",
        "pref:food:sushi": "like|sushi",
    }


def test_a_listed_reading_by_rule_wins_for_its_key() -> None:
    text = "I live in Oslo"
    assert both(text, told("city", "live in Oslo", text))["fact:current_city"].value == "Oslo"


@pytest.mark.rule("M4")
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("please remember that my locker code is 4417", "my locker code is 4417"),
        ("Remember: the spare key is under the blue pot", "the spare key is under the blue pot"),
        ("can you note down that the bins go out on Tuesdays", "the bins go out on Tuesdays"),
        ("내 사물함 번호는 47번이야 기억해줘", "내 사물함 번호는 47번이야"),
    ],
)
def test_a_wish_to_remember_is_always_kept_in_the_users_words(text: str, words: str) -> None:
    found = [c for c in both(text).values() if c.type is MemoryType.NOTE]
    assert [c.value for c in found] == [words]


@pytest.mark.rule("M4")
@pytest.mark.parametrize("text", ["off the record, I live in Rome", "이건 기억하지 마, 나 부산 살아"])
def test_what_is_off_the_record_is_not_kept(text: str) -> None:
    assert both(text, told("city", "Rome", text)) == {}


@pytest.mark.rule("P72")
def test_a_wish_that_tells_nothing_keeps_nothing() -> None:
    assert both("don't forget my birthday") == {}


@pytest.mark.rule("M2", "M6", "M8")
@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("As a result, I quit early", set()),
        ("아이유는 서울에 살아", set()),
        ("아이유는 가수야", set()),
        ("나는 서울에 살아", {"fact:current_city"}),
        ("요즘은 서울에 살아", {"fact:current_city"}),
        ("I like sushi a lot", {"pref:food:sushi"}),
        ("i love 김치찌개", {"pref:food:김치찌개"}),
        ("I dislike games with pixel art", {"pref:game:games_with_pixel_art"}),
        ("I graduated in 2019", {"event:school:2019_01:graduated_in_2019"}),
        ("I told my mum I live in Madrid, which is a lie", set()),
    ],
)
def test_what_was_read_wrongly_once(text: str, keys: set[str]) -> None:
    assert set(both(text)) == keys


def test_a_million_characters_are_read_in_time_and_nothing_else_is_lost() -> None:
    text = "I live in Oslo. " + "and then I walked on and on " * 36_000
    assert "fact:current_city" in both(text)


def test_a_plan_of_which_only_the_time_was_found_is_told_by_its_clause() -> None:
    found = candidates([told("plan", "6월 3일", "언니 졸업식이 6월 3일이에요", status="future")], AT, ZONE, P)
    assert ["졸업식" in c.value for c in found] == [True]
    assert not candidates([told("plan", "next Friday", "next Friday", status="future")], AT, ZONE, P)


@pytest.mark.rule("M3")
def test_beside_the_learned_reader_rules_alone_tell_no_fact() -> None:
    kept = [extracted(text, AT, ZONE, P, learned=learned).candidates for text, learned in (
        ("I'm a locksmith", False), ("I'm a locksmith", True), ("I love sushi", False), ("I love sushi", True),
    )]  # fmt: skip
    assert [bool(one) for one in kept] == [True, False, True, False]
    job = told("job", "locksmith", "I'm a locksmith")
    assert [c.key for c in extracted("I'm a locksmith", AT, ZONE, P, None, [job], learned=True).candidates] == ["fact:occupation"]
    assert extracted("please remember that the key is under the pot", AT, ZONE, P, learned=True).candidates

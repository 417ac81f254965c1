"""Rules that check what the chooser proposes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from clew.kernel.recall.choosing import chosen
from clew.kernel.recall.known import MEMORY, TURN, Known, Question
from clew.kernel.recall.narrowing import wanted
from clew.model.plan import MAYBE
from clew.model.utterance import Ask
from clew.policy import default

POLICY = default()
AT = POLICY.recall.answers_at


def picked(text: str, asks: Sequence[Ask], known: Sequence[Known], chances: Sequence[float], language: str = "en") -> list[int]:
    asked = Question(text, language, tuple(asks), 1.0, {}, wanted(text, asks, language, POLICY), ())
    return [i for i, _ in chosen(asked, known, chances, AT, POLICY)]


CLIMBING = (
    Known("m1", TURN, "started climbing too, go on Sundays"),
    Known("a", MEMORY, "started climbing too, go on Sundays", "climbing", "self", "sport", named=1.0, sources=("m1",)),
)


def test_a_quotation_stands_where_its_value_lacks_a_word_of_the_question() -> None:
    assert picked("which Sundays do I go bouldering", [Ask("self", "sport")], CLIMBING, [0.7, 0.6]) == [0]


def test_a_value_that_is_what_was_asked_for_stands_for_its_quotation() -> None:
    assert picked("what sport do I do?", [Ask("self", "sport")], CLIMBING, [0.7, 0.6]) == [1]


def test_asked_for_a_job_a_town_is_no_answer() -> None:
    known = (Known("a", MEMORY, "my brother lives in York", "York", "person:brother", "city", named=0.5),)
    assert picked("what's my brother's job?", [Ask("person:brother", "job")], known, [0.4]) == []


def test_asked_for_anna_words_without_her_name_are_no_answer() -> None:
    known = (Known("m1", TURN, "my sister Emma lives in Leeds"),)
    assert picked("where does Anna live?", [Ask("person:any", "city", "Anna")], known, [0.4]) == []


def test_what_the_father_has_is_no_answer_for_the_mother() -> None:
    known = (Known("m1", TURN, "아빠도 당뇨셔서 유전인가봐"),)
    assert picked("엄마도 당뇨 있댔나", [Ask("person:mother", "condition")], known, [0.4], "ko") == []


def test_where_one_stays_is_told_though_it_was_read_as_anothers_town() -> None:
    known = (
        Known("m1", TURN, "im staying at my cousins in Wigan"),
        Known("a", MEMORY, "im staying at my cousins in Wigan", "Wigan", "person:cousin", "city", sources=("m1",)),
    )
    assert picked("where am I staying?", [Ask("self", "city")], known, [0.9, 0.3]) == [0]


def test_what_seems_to_be_anothers_answers_where_the_chooser_is_sure() -> None:
    known = (Known("m1", TURN, "moms a subway conductor on the L, dads retired"),)
    assert picked("whats my sisters job", [Ask("person:sister", "job")], known, [0.4]) == []
    assert picked("whats my sisters job", [Ask("person:sister", "job")], known, [0.8]) == [0]


def test_below_sure_it_is_told_as_a_guess() -> None:
    known = (Known("m1", TURN, "got me a blue heeler named Tick, lovely breed"),)
    asked = Question("what breed is he", "en", (), 1.0, {}, wanted("what breed is he", (), "en", POLICY), ())
    low, high = AT, POLICY.recall.answers_sure
    assert chosen(asked, known, [low - 0.01], AT, POLICY) == []
    assert chosen(asked, known, [low], AT, POLICY) == [(0, MAYBE)]
    assert chosen(asked, known, [high], AT, POLICY) == [(0, 1.0)]


def test_a_side_of_somebody_that_has_no_name_in_the_table_must_be_named_in_the_words() -> None:
    known = (Known("m1", TURN, "my partner Sam's a paramedic, six years now"), Known("m2", TURN, "Sam kept his surname"))
    asks = (Ask("person:partner", "note", name="sam"),)
    assert picked("what's sam's surname?", asks, known[:1], [0.6]) == []
    assert picked("what's sam's surname?", asks, known, [0.2, 0.6]) == [1]


BROTHERS = (Known("m1", TURN, "my brother Dan is a fireman"), Known("m2", TURN, "my other brother Joe is a chef"))


def test_what_was_told_in_another_message_answers_too() -> None:
    assert picked("what do my brothers do?", (), BROTHERS, [0.8, 0.7]) == [0, 1]
    assert picked("what do my brothers do?", (), BROTHERS, [0.8, 0.4]) == [0]


def test_asked_for_mondays_thursdays_are_no_second_answer() -> None:
    known = (Known("m1", TURN, "I play chess on Mondays"), Known("m2", TURN, "Thursdays I play five a side"))
    assert picked("what do I play on Mondays?", (), known, [0.8, 0.7]) == [0]


def test_a_plain_fact_is_told_from_what_is_held_though_its_message_weighs_more() -> None:
    said = "im Teodora, 31, living in Graz"
    held = Known("m", MEMORY, said, "Graz", "self", "city", named=1.0, sources=("t",))
    assert picked("where do I live?", [Ask("self", "city")], (Known("t", TURN, said), held), [0.9, 0.4]) == [1]


def test_whether_one_smokes_is_not_told_from_golf() -> None:
    golf = (Known("t", TURN, "golf on wednesdays with Dai"),)
    assert picked("do I smoke?", [Ask("self", "routine", None, 0.5)], golf, [0.6]) == []


def test_words_that_were_read_as_something_else_do_not_tell_an_age() -> None:
    known = (
        Known("m1", TURN, "been swimming since i was 8"),
        Known("a", MEMORY, "been swimming since i was 8", "swimming", "self", "sport", sources=("m1",)),
    )
    assert picked("how old am i?", [Ask("self", "age", certainty=0.95)], known, [0.7, 0.1]) == []


def test_an_introduction_does_not_tell_whether_somebody_is_married() -> None:
    known = (
        Known("m1", TURN, "hello there, Femi speaking"),
        Known("a", MEMORY, "hello there, Femi speaking", "Femi", "self", "name", named=0.5, sources=("m1",)),
    )
    assert picked("am i married?", [Ask("self", "relationship", certainty=0.95)], known, [0.6, 0.3]) == []


def test_a_wage_is_not_guessed_from_a_job() -> None:
    known = (Known("a", MEMORY, "I'm a welder", "welder", "self", "job", named=0.5),)
    assert picked("what do I earn?", [Ask("self", "money", certainty=0.9)], known, [0.4]) == []


def test_what_a_person_is_like_is_a_guess_for_what_they_do_on_mondays() -> None:
    known = (
        Known("m1", TURN, "my landlord Mr Pratt is grumpy"),
        Known("a", MEMORY, "my landlord Mr Pratt is grumpy", "grumpy", "person:landlord", "trait", sources=("m1",)),
    )
    text, asks = "what does my landlord do on mondays?", (Ask("person:landlord", "job", certainty=0.5),)
    asked = Question(text, "en", asks, 1.0, {}, wanted(text, asks, "en", POLICY), ())
    assert chosen(asked, known, [0.2, 0.8], AT, POLICY) == [(1, MAYBE)]
    # In their own words it is told as what was said.
    assert chosen(asked, known, [0.8, 0.2], AT, POLICY) == [(0, 1.0)]


def test_what_is_likely_is_told_though_no_word_is_shared() -> None:
    known = (Known("t", TURN, "we've got thirty ewes above Bala"), Known("u", TURN, "the tup got out again"))
    asks = [Ask("self", "exists", None, 0.5)]
    assert picked("what's my flock?", asks, known, [0.55, 0.1]) == [0]
    assert picked("what's my flock?", asks, known, [0.4, 0.1]) == []


def test_what_was_read_stands_for_the_words_only_where_its_side_is_plainly_asked() -> None:
    said = "my partner Rua runs the school kitchen here in Napier"
    known = (
        Known("t", TURN, said),
        Known("a", MEMORY, said, "school", "person:partner", "school", name="rua", named=0.5, sources=("t",)),
    )
    ask = Ask("person:partner", "school", "Rua", 0.5)
    assert picked("where does Rua cook?", [ask], known, [0.9, 0.6]) == [0]
    surely = (known[0], replace(known[1], named=1.0))
    assert picked("which school does Rua go to?", [replace(ask, certainty=0.95)], surely, [0.9, 0.6]) == [1]


def test_ones_own_age_in_ones_own_words_is_no_answer_to_anothers() -> None:
    known = (
        Known("m1", TURN, "haha ok, 41"),
        Known("a", MEMORY, "i'm 41", "41", "self", "age", sources=("m1",)),
    )
    assert picked("how old is my cousin?", [Ask("person:cousin", "age")], known, [0.4, 0.1]) == []


CHANGING = (
    Known("m1", TURN, "요즘 가야금에서 해금으로 갈아타는 중이야"),
    Known("a", MEMORY, "요즘 가야금에서 해금으로 갈아타는 중이야", "해금으로 갈아타", "self", "hobby", sources=("m1",)),
    Known("b", MEMORY, "요즘 가야금에서 해금으로 갈아타는 중이야", "가야금", "self", "skill", sources=("m1",)),
)


def test_words_that_hold_a_thing_the_question_names_are_not_of_something_else() -> None:
    asks = [Ask("self", "birthday")]
    assert picked("갈아타고 있다던 거 언제부터였지", asks, CHANGING, [0.5, 0.2, 0.1], "ko") == [0]
    assert picked("내 생일 언제였지", asks, CHANGING, [0.5, 0.2, 0.1], "ko") == []


def test_a_question_with_a_question_word_is_no_matter_of_yes_or_no() -> None:
    known = (Known("m1", TURN, "막내 고모는 여수에서 한의원 해"),)
    asks = [Ask("person:aunt", "job")]
    assert picked("고모 뭐 하고 살아?", asks, known, [0.5], "ko") == [0]
    assert picked("고모 담배 피우던가?", asks, known, [0.5], "ko") == []


def test_what_surely_answers_and_names_the_thing_comes_before_the_town_one_lives_in() -> None:
    known = (
        Known("m2", TURN, "the salon's moving to Castle Street after Easter"),
        Known("a", MEMORY, "I do hair, got a salon in Ludlow", "Ludlow", "self", "city", named=1.0, sources=("m1",)),
    )
    asks = [Ask("self", "city", certainty=0.5)]
    assert picked("where's the salon moving to?", asks, known, [0.7, 0.3]) == [0]
    assert picked("where do I live?", asks, known, [0.7, 0.3]) == [1]

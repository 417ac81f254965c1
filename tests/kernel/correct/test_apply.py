"""Corrections in words: what is a command, whom it hits, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from clew.kernel.correct.commands import is_explicit
from clew.kernel.door import call
from clew.policy import default

AT = "2026-11-15T10:00:00+09:00"
Make = Callable[..., dict[str, Any]]


@pytest.fixture
def memories(memory: Make) -> list[dict[str, Any]]:
    return [
        memory("city", "fact:current_city", "Seoul"),
        memory("job", "fact:occupation", "doctor"),
        memory("tteok", "pref:food:떡볶이", "like|떡볶이"),
        memory("tea", "pref:drink:green_tea", "like|green tea"),
        memory("sushi", "pref:food:sushi", "like|sushi"),
    ]


def correct(
    text: str, memories: list[dict[str, Any]], surfaced: list[str] | None = None, **more: Any
) -> dict[str, Any]:
    payload = {
        "text": text,
        "memories": memories,
        "controls": {},
        "message_id": "m9",
        "at": AT,
        "timezone": "Asia/Seoul",
        "surfaced_memory_ids": ["city", "sushi"] if surfaced is None else surfaced,
    }
    return call("correct", {**payload, **more})


def status(answer: dict[str, Any]) -> dict[str, str]:
    return {m["memory_id"]: m["status"] for m in answer["memories"]}


DENIALS = [
    "That's not true",
    "Not true",
    "Wrong",
    "wrong.",
    "No, that's wrong.",
    "that’s not right",
    "That is incorrect!",
    "you're wrong about that",
    "I never said that",
    "that's not me",
    "you're confusing me with someone else",
    "that's out of date",
    "that's not true at all",
    "그건 사실이 아니야",
    "틀렸어",
    "그거 아니야",
    "사실 아니에요",
    "아니야, 그건 틀렸어",
    "나 그런 말 한 적 없어",
    "나 그런 말 안 했는데",
]
FORGETS = [
    "Forget that",
    "please forget that",
    "Don't remember that",
    "dont remember this",
    "can you forget that?",
    "Never mind, forget what I said",
    "delete that memory",
    "그거 잊어줘",
    "기억하지 마",
    "방금 한 말은 잊어줘",
    "그 얘기 기억하지 말아줘",
]
NOTHING = [
    "don't forget my birthday",
    "i'll never forget that night",
    "i don't remember that movie",
    "what's wrong?",
    "i was wrong",
    "I can't forget that",
    "don't mention it",
    "forget it",
    "is that wrong?",
    "he said that's not true",
    "she told me to forget that",
    "that's not true?",
    "i forget things easily",
    "never forget me",
    "you forgot my name",
    "don't remember what it was called",
    "that's wrong on so many levels",
    "no",
    "hello",
    "",
    "I won't forget that",
    "that's not true love",
    "forget to buy milk",
    "잊지 마",
    "절대 못 잊어",
    "아니야",
    "그 영화 기억 안 나",
    "뭐가 틀렸어?",
    "내 생일 잊지 마",
    'my mom said "forget that"',
]


@pytest.mark.rule("P72")
@pytest.mark.parametrize("text", DENIALS)
def test_a_denial_invalidates_the_last_surfaced_memory_only(
    text: str, memories: list[dict[str, Any]]
) -> None:
    answer = correct(text, memories)
    assert (answer["command"], answer["targets"], answer["clarify"]) == ("deny", ["sushi"], False)
    assert [i for i, s in status(answer).items() if s != "ACTIVE"] == ["sushi"]


@pytest.mark.rule("P71")
def test_a_denied_key_stays_teachable_and_a_forgotten_one_does_not(memories: list[dict[str, Any]]) -> None:
    denied, forgotten = correct("that's not true", memories), correct("forget that", memories)
    assert denied["memories"][4]["invalid_reason"] == "user_denied"
    assert denied["controls"]["suppressed_memory_keys"] == []
    assert forgotten["memories"][4]["status"] == "INVALID"
    assert forgotten["controls"]["suppressed_memory_keys"] == ["pref:food:sushi"]


@pytest.mark.rule("P72")
@pytest.mark.parametrize("text", FORGETS)
def test_forget_that_acts_on_the_last_surfaced_memory(text: str, memories: list[dict[str, Any]]) -> None:
    answer = correct(text, memories)
    assert (answer["command"], answer["targets"]) == ("forget", ["sushi"])
    assert answer["controls"]["suppressed_memory_keys"] == ["pref:food:sushi"]


@pytest.mark.rule("P72")
@pytest.mark.parametrize("text", NOTHING)
def test_what_only_sounds_like_a_command_changes_nothing(text: str, memories: list[dict[str, Any]]) -> None:
    answer = correct(text, memories)
    assert (answer["command"], answer["targets"], answer["events"]) == ("none", [], [])
    assert set(status(answer).values()) == {"ACTIVE"}


@pytest.mark.parametrize("text", ["That's not true", "Forget that", "그거 잊어줘"])
def test_with_nothing_surfaced_nothing_is_touched_and_we_ask(
    text: str, memories: list[dict[str, Any]]
) -> None:
    answer = correct(text, memories, [])
    assert answer["clarify"] is True
    assert set(status(answer).values()) == {"ACTIVE"}
    assert answer["controls"]["suppressed_memory_keys"] == []


@pytest.mark.rule("P86")
def test_the_target_is_the_last_id_of_the_list(memories: list[dict[str, Any]]) -> None:
    assert correct("wrong", memories, ["sushi", "tea", "city"])["targets"] == ["city"]


@pytest.mark.rule("P73")
@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("forget green tea", "tea"),
        ("Forget that I like green tea", "tea"),
        ("forget my job", "job"),
        ("please forget where I live", "city"),
        ("don't remember my job", "job"),
        ("forget what I said about tea", "tea"),
        ("forget about Seoul", "city"),
        ("떡볶이 좋아하는 거 잊어줘", "tteok"),
        ("내 직업은 잊어줘", "job"),
        ("떡볶이 얘기는 기억하지 마", "tteok"),
        ("delete everything about green tea", "tea"),
    ],
)
def test_forget_x_finds_the_memory_that_x_names(
    text: str, target: str, memories: list[dict[str, Any]]
) -> None:
    answer = correct(text, memories)
    assert (answer["command"], answer["targets"]) == ("forget_target", [target])
    key = next(m["memory_key"] for m in memories if m["memory_id"] == target)
    assert answer["controls"]["suppressed_memory_keys"] == [key]


@pytest.mark.rule("P73")
def test_forget_x_falls_back_to_the_last_surfaced_and_else_asks(memories: list[dict[str, Any]]) -> None:
    assert correct("forget my bicycle", memories)["targets"] == ["sushi"]
    asked = correct("forget my bicycle", memories, [])
    assert (asked["command"], asked["clarify"], asked["targets"]) == ("forget_target", True, [])


@pytest.mark.rule("P73")
@pytest.mark.parametrize(
    "text",
    ["forget everything", "Forget everything about me", "please forget it all", "다 잊어줘", "전부 지워줘"],
)
def test_forgetting_everything_is_asked_back(text: str, memories: list[dict[str, Any]]) -> None:
    answer = correct(text, memories)
    assert (answer["clarify"], set(status(answer).values())) == (True, {"ACTIVE"})


@pytest.mark.rule("P73")
def test_an_x_that_names_two_memories_asks_unless_one_was_just_shown(memory: Make) -> None:
    two = [
        memory("a", "pref:drink:green_tea", "like|green tea"),
        memory("b", "pref:drink:black_tea", "like|black tea"),
    ]
    assert correct("forget the tea", two, [])["clarify"] is True
    assert correct("forget the tea", two, ["a"])["targets"] == ["a"]


@pytest.mark.rule("P74")
@pytest.mark.parametrize(
    ("text", "target", "value"),
    [
        ("Actually I live in Busan", "city", "Busan"),
        ("No, I live in Busan", "city", "Busan"),
        ("I live in Busan, not Seoul", "city", "Busan"),
        ("it's Busan, not Seoul", "city", "Busan"),
        ("It's not Seoul, it's Busan", "city", "Busan"),
        ("I'm not a doctor, I'm a nurse", "job", "nurse"),
        ("I'm a nurse, not a doctor", "job", "nurse"),
        ("actually, i'm a nurse", "job", "nurse"),
        ("사실 나 부산에 살아", "city", "부산"),
    ],
)
def test_an_amended_fact_supersedes_and_is_not_suppressed(
    text: str, target: str, value: str, memories: list[dict[str, Any]]
) -> None:
    answer = correct(text, memories)
    assert (answer["command"], answer["targets"]) == ("amend", [target])
    old = next(m for m in answer["memories"] if m["memory_id"] == target)
    new = next(m for m in answer["memories"] if m["memory_id"] == old["superseded_by"])
    assert (old["status"], new["status"], new["memory_value"]) == ("SUPERSEDED", "ACTIVE", value)
    assert answer["controls"]["suppressed_memory_keys"] == []


@pytest.mark.rule("P74")
@pytest.mark.parametrize(
    "text",
    [
        "I'm a nurse, not a teacher",
        "tea, not coffee",
        "actually i love it",
        "actually no",
        "no, i went home",
        "Actually that sounds fun",
    ],
)
def test_without_a_fact_or_with_another_y_nothing_is_amended(
    text: str, memories: list[dict[str, Any]]
) -> None:
    assert correct(text, memories)["command"] == "none"


def test_a_denial_that_brings_the_right_value_amends(memories: list[dict[str, Any]]) -> None:
    assert correct("That's not true, I live in Busan", memories, ["sushi", "city"])["command"] == "amend"


@pytest.mark.rule("P86")
@pytest.mark.parametrize("text", ["that's wrong, I live in Busan now", "그건 틀렸어, 나 부산 살아"])
def test_a_denial_amends_whichever_surfaced_fact_it_gives_a_value_for(
    text: str, memories: list[dict[str, Any]]
) -> None:
    answer = correct(text, memories, ["city", "job"])
    assert (answer["command"], answer["targets"]) == ("amend", ["city"])
    assert status(answer)["job"] == "ACTIVE"


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("I'm not a doctor", "job"),
        ("no, I'm not a doctor anymore", "job"),
        ("I am no longer a doctor", "job"),
        ("I don't live in Seoul anymore", "city"),
        ("I never said I was a doctor", "job"),
        ("I've never been a doctor", "job"),
        ("I never lived in Seoul", "city"),
        ("I used to live in Seoul", "city"),
        ("I quit being a doctor", "job"),
        ("I never said I like sushi", "sushi"),
        ("나 의사 아니야", "의사"),
        ("나 의사라고 한 적 없어", "의사"),
        ("나 의사 그만뒀어", "의사"),
        ("나 서울 산 적 없어", "서울"),
        ("나 이제 서울 안 살아", "서울"),
    ],
)
def test_a_fact_denied_by_its_own_words_is_gone_and_stays_teachable(
    text: str, target: str, memories: list[dict[str, Any]], memory: Make
) -> None:
    held = {
        "의사": memory("의사", "fact:occupation", "의사"),
        "서울": memory("서울", "fact:current_city", "서울"),
    }
    known = [held[target]] if target in held else memories
    answer = correct(text, known, [])
    assert (answer["command"], answer["targets"]) == ("deny", [target])
    assert [i for i, s in status(answer).items() if s != "ACTIVE"] == [target]
    assert answer["controls"]["suppressed_memory_keys"] == []
    facts = [m for m in answer["memories"] if m["type"] != "RELATIONSHIP_EVENT"]
    assert len(facts) == len(known), "a denied fact is not learned"
    once = any(w in text for w in ("anymore", "no longer", "used to", "quit", "이제", "그만뒀어"))
    gone = next(m for m in answer["memories"] if m["memory_id"] == target)
    assert gone["invalid_reason"] == ("user_ended" if once else "user_denied")


@pytest.mark.parametrize(
    "text",
    ["I'm not a nurse", "am I not a doctor?", "if I'm not a doctor, who is", "he says I'm not a doctor"],
)
def test_a_denial_of_something_not_held_or_not_said_changes_nothing(
    text: str, memories: list[dict[str, Any]]
) -> None:
    assert correct(text, memories)["command"] == "none"


def test_a_fact_named_by_its_field_is_denied_only_when_it_was_just_used(
    memories: list[dict[str, Any]],
) -> None:
    assert correct("you got my job wrong", memories, ["job", "sushi"])["targets"] == ["job"]
    assert correct("no, not Seoul", memories, ["city", "sushi"])["targets"] == ["city"]
    for said in ("that's not my job", "no, not Seoul"):
        assert correct(said, memories, ["sushi"])["command"] == "none"
    assert correct("that's my job", memories, ["job"])["command"] == "none"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I said Busan, not Seoul", "Busan"),
        ("it's the Bronx, not Seoul", "Bronx"),
        ("change my city to Busan", "Busan"),
        ("내 주소를 부산으로 바꿔줘", "부산"),
        ("Seoul 아니고 그냥 부산이야", "부산"),
    ],
)
def test_the_new_value_is_the_value_alone(text: str, value: str, memories: list[dict[str, Any]]) -> None:
    answer = correct(text, memories)
    assert (answer["command"], answer["memories"][-1]["memory_value"]) == ("amend", value)


def test_what_a_correction_says_besides_is_learned(memories: list[dict[str, Any]]) -> None:
    amended = correct("No, I live in Busan and work as a nurse. I love pizza", memories)
    held = {m["memory_key"]: m["memory_value"] for m in amended["memories"] if m["status"] == "ACTIVE"}
    assert (held["fact:current_city"], held["fact:occupation"]) == ("Busan", "nurse")
    assert held["pref:food:pizza"] == "like|pizza"
    moved = correct("actually I moved to Busan", memories)
    assert [e["kind"] for e in moved["events"]] == ["created", "superseded"], "not the same thing twice"
    denied = correct("That's not true. I hate sushi", memories)
    held = {m["memory_key"]: m["memory_value"] for m in denied["memories"] if m["status"] == "ACTIVE"}
    assert (denied["command"], held["pref:food:sushi"]) == ("deny", "dislike|sushi")


@pytest.mark.rule("P73")
@pytest.mark.parametrize(
    ("text", "targets"),
    [
        ("forget my job and where I live", ["job", "city"]),
        ("forget sushi and green tea", ["sushi", "tea"]),
        ("직업이랑 사는 곳은 잊어줘", ["job", "city"]),
        ("remove sushi", ["sushi"]),
        ("delete my job", ["job"]),
    ],
)
def test_each_thing_named_is_forgotten(text: str, targets: list[str], memories: list[dict[str, Any]]) -> None:
    answer = correct(text, memories, [])
    assert (answer["command"], answer["targets"]) == ("forget_target", targets)


@pytest.mark.parametrize(
    "text",
    [
        "remove the old wallpaper",
        "delete my account email",
        "get rid of the doctor costume",
        "사진 지워줘",
        "칠판 좀 지워줘",
    ],
)
def test_removing_what_is_not_remembered_is_no_correction(text: str, memories: list[dict[str, Any]]) -> None:
    assert correct(text, memories)["command"] == "none"


@pytest.mark.parametrize("text", ["delete all my memories", "wipe your memory", "나에 대한 거 다 잊어줘"])
def test_all_at_once_is_asked_back_under_any_name(text: str, memories: list[dict[str, Any]]) -> None:
    answer = correct(text, memories)
    assert (answer["command"], answer["clarify"]) == ("forget_target", True)
    assert "correct.everything" in {r["rule"] for r in answer["reasons"]}


@pytest.mark.parametrize("text", ["forget both", "please forget them", "둘 다 잊어줘"])
def test_both_are_all_that_the_last_reply_used(text: str, memories: list[dict[str, Any]]) -> None:
    assert correct(text, memories)["targets"] == ["city", "sushi"]
    assert correct(text, memories, [])["clarify"] is True


@pytest.mark.rule("P75")
@pytest.mark.parametrize(
    ("text", "last", "previous", "topic"),
    [
        ("Don't bring this topic up again", "How did the exam go?", [], "WORK_SCHOOL"),
        ("please don't bring that up again", "nice", ["my mom called"], "FAMILY"),
        ("stop talking about politics", "How did the exam go?", [], "POLITICS"),
        ("don't mention my ex again", "hm", [], "RELATIONSHIPS"),
        ("전 남친 얘기 다시 꺼내지 마", "음", [], "RELATIONSHIPS"),
        ("이 얘기 다시는 꺼내지 마", "시험은 어땠어?", [], "WORK_SCHOOL"),
        ("정치 얘기 하지 마", "시험은 어땠어?", [], "POLITICS"),
        ("정치 얘기는 안 꺼냈으면 좋겠어", "시험은 어땠어?", [], "POLITICS"),
        ("정치 얘기 듣기 싫어요", "시험은 어땠어?", [], "POLITICS"),
    ],
)
def test_a_topic_is_suppressed(
    text: str, last: str, previous: list[str], topic: str, memories: list[dict[str, Any]]
) -> None:
    answer = correct(text, memories, last_assistant_text=last, previous=previous)
    assert (answer["command"], answer["targets"]) == ("suppress_topic", [topic])
    assert answer["controls"]["suppressed_topics"] == [topic]
    assert set(status(answer).values()) == {"ACTIVE"}


@pytest.mark.rule("P75")
@pytest.mark.parametrize(
    "text", ["dont bring that up", "dont bring that up unless i do pls", "please don't mention it until I say so"]
)
def test_without_a_topic_what_was_just_told_is_closed(text: str, memories: list[dict[str, Any]]) -> None:
    told = [{**m, "statement": "I love sushi"} if m["memory_id"] == "sushi" else m for m in memories]
    answer = correct(text, told, [], last_assistant_text="hm okay", previous=["I love sushi"])
    assert (answer["command"], answer["clarify"]) == ("suppress_topic", False)
    assert answer["controls"]["suppressed_memory_keys"] == ["pref:food:sushi"]
    assert set(status(answer).values()) == {"ACTIVE"}


@pytest.mark.rule("P75")
def test_thanks_are_no_wish_to_close_anything(memories: list[dict[str, Any]]) -> None:
    assert correct("don't mention it", memories, [], previous=["I love sushi"])["command"] == "none"


@pytest.mark.rule("P75")
def test_an_unknown_topic_is_asked_for(memories: list[dict[str, Any]]) -> None:
    answer = correct("don't bring this up again", memories, last_assistant_text="hm okay")
    assert (answer["command"], answer["clarify"], answer["controls"]["suppressed_topics"]) == (
        "suppress_topic",
        True,
        [],
    )


@pytest.mark.rule("P76")
@pytest.mark.parametrize(
    ("text", "explicit"),
    [
        ("please remember that I like sushi", True),
        ("Remember: I'm a nurse", True),
        ("don't forget I like tea", True),
        ("나 커피 좋아하는 거 기억해줘", True),
        ("I remember that night", False),
        ("remember when we talked?", False),
        ("do you remember me?", False),
        ("don't forget to call", False),
        ("i like sushi", False),
    ],
)
def test_the_user_asks_for_it_to_be_kept(text: str, explicit: bool) -> None:
    assert is_explicit(text, default()) is explicit


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("I don't play tennis anymore", "tennis"),
        ("I no longer play tennis", "tennis"),
        ("I don't listen to jazz any more", "jazz"),
        ("no, I don't listen to jazz music anymore", "jazz"),
        ("I'm not playing tennis anymore", "tennis"),
        ("I used to love jazz", "jazz"),
        ("honestly I used to enjoy playing tennis when I was a kid", "tennis"),
        ("재즈 이제 안 들어", "재즈"),
        ("재즈는 더 이상 안 들어", "재즈"),
        ("이제 테니스 안 쳐", "테니스"),
    ],
)
def test_a_pastime_given_up_ends_its_liking_and_nothing_else(text: str, target: str, memory: Make) -> None:
    held = [
        memory("tennis", "pref:sport:tennis", "like|tennis"),
        memory("jazz", "pref:music:jazz", "like|jazz"),
        memory("rock", "pref:music:rock", "like|rock"),
        memory("재즈", "pref:music:재즈", "like|재즈"),
        memory("테니스", "pref:sport:테니스", "like|테니스"),
        memory("chess", "pref:game:chess", "dislike|chess"),
    ]
    answer = correct(text, held, [])
    assert (answer["command"], answer["targets"]) == ("deny", [target])
    assert [i for i, s in status(answer).items() if s != "ACTIVE"] == [target]
    assert next(m["invalid_reason"] for m in answer["memories"] if m["memory_id"] == target) == "user_ended"
    assert answer["controls"]["suppressed_memory_keys"] == []


@pytest.mark.parametrize(
    "text",
    [
        "I don't play chess anymore",
        "I don't play tennis on Sundays",
        "I don't play tennis",
        "I used to love tennis, still do",
        "I used to love tennis and I still play",
        "she used to love tennis",
        "does she no longer play tennis?",
        "재즈 안 들어",
        "I can't see him anymore",
    ],
)
def test_a_pause_another_stance_and_a_question_end_no_liking(text: str, memory: Make) -> None:
    held = [
        memory("tennis", "pref:sport:tennis", "like|tennis"),
        memory("재즈", "pref:music:재즈", "like|재즈"),
        memory("chess", "pref:game:chess", "dislike|chess"),
    ]
    assert correct(text, held, [])["command"] == "none"


@pytest.mark.rule("P73")
@pytest.mark.parametrize("text", ["forget jazz", "forget jazz music", "forget that I like jazz"])
def test_forgetting_a_thing_takes_it_under_all_its_names(text: str, memory: Make) -> None:
    held = [
        memory("a", "pref:music:jazz", "like|jazz"),
        memory("b", "pref:music:jazz_music", "like|jazz music"),
        memory("c", "pref:music:modern_jazz", "like|modern jazz"),
    ]
    answer = correct(text, held, [])
    assert status(answer) == {"a": "INVALID", "b": "INVALID", "c": "ACTIVE"}


@pytest.mark.rule("P75")
@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("stop mentioning sushi", ["pref:food:sushi"]),
        ("Don't bring up green tea again", ["pref:drink:green_tea"]),
        ("I don't want to talk about sushi anymore", ["pref:food:sushi"]),
        ("please stop talking about tennis", ["pref:sport:tennis"]),
        ("떡볶이 얘기 그만해", ["pref:food:떡볶이"]),
        ("don't mention where I live again", ["fact:current_city"]),
    ],
)
def test_a_thing_that_is_named_is_spared_and_not_forgotten(
    text: str, keys: list[str], memories: list[dict[str, Any]]
) -> None:
    answer = correct(text, memories, [], last_assistant_text="How about sushi after work?")
    assert (answer["command"], answer["clarify"], answer["targets"]) == ("suppress_topic", False, keys)
    assert answer["controls"]["suppressed_memory_keys"] == keys
    assert answer["controls"]["suppressed_topics"] == []
    assert answer["memories"] == correct("hello", memories)["memories"]
    assert [e["kind"] for e in answer["events"]] == ["suppressed"]


@pytest.mark.rule("P75")
@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("don't talk about my ex anymore", ["RELATIONSHIPS"]),
        ("stop mentioning work", ["WORK_SCHOOL"]),
        ("don't bring up music again", ["ENTERTAINMENT"]),
        ("don't mention the flarn again", []),
    ],
)
def test_a_topics_own_name_closes_the_topic_and_an_unknown_thing_is_asked_about(
    text: str, topics: list[str], memories: list[dict[str, Any]]
) -> None:
    answer = correct(text, memories, [])
    assert answer["controls"]["suppressed_topics"] == topics
    assert answer["controls"]["suppressed_memory_keys"] == []
    assert answer["clarify"] is not bool(topics)


TOLD = "You live in Seoul."


@pytest.mark.rule("P74")
@pytest.mark.parametrize(
    ("text", "last", "value"),
    [
        ("wrong, it's Porto", TOLD, "Porto"),
        ("no, Porto", TOLD, "Porto"),
        ("No, it's Porto.", TOLD, "Porto"),
        ("that's not true, it's Porto", "Do you still live in Seoul?", "Porto"),
        ("wrong, it's New York", "Still in Seoul?", "New York"),
        ("아니, 부산", TOLD, "부산"),
        ("아니 부산이야", TOLD, "부산"),
        ("틀렸어, 부산이야", TOLD, "부산"),
        ("no, thanks", TOLD, None),
        ("No, Thanks", TOLD, None),
        ("no, it's fine", TOLD, None),
        ("wrong, it's complicated", TOLD, None),
        ("wrong, it's Monday", TOLD, None),
        ("No, Sarah", "Is your mom in Seoul?", None),
        ("아니 괜찮아", TOLD, None),
        ("아니 농담이야", TOLD, None),
        ("no, Seoul", TOLD, None),
    ],
)
def test_a_bare_name_after_a_denial_replaces_what_the_reply_just_used(
    text: str, last: str, value: str | None, memories: list[dict[str, Any]]
) -> None:
    answer = correct(text, memories, ["city"], last_assistant_text=last)
    active = {m["memory_key"]: m["memory_value"] for m in answer["memories"] if m["status"] == "ACTIVE"}
    assert active["fact:current_city"] == (value or "Seoul")
    assert answer["command"] == ("amend" if value else "none")
    assert len(active) == len(memories)


@pytest.mark.rule("P86")
def test_a_bare_name_means_the_last_memory_of_the_reply_and_must_fit_it(
    memories: list[dict[str, Any]],
) -> None:
    amended = correct("no, a teacher", memories, ["city", "job"], last_assistant_text=TOLD)
    assert [m["memory_value"] for m in amended["memories"] if m["memory_id"] not in status_of(memories)] == [
        "teacher"
    ]
    for surfaced in (["city", "job"], ["city", "sushi"], []):
        assert correct("no, Porto", memories, surfaced, last_assistant_text=TOLD)["command"] == "none"


def status_of(memories: list[dict[str, Any]]) -> set[str]:
    return {m["memory_id"] for m in memories}


@pytest.mark.rule("P74")
@pytest.mark.parametrize(
    "text",
    [
        "that's a hospital, not a doctor",
        "today I'm a patient, not a doctor",
        "it's a joke, not a doctor",
        "change my job to part time",
        "change my job to something better",
        "change my city to somewhere warm",
        "내 직업을 파트타임으로 바꿔줘",
    ],
)
def test_what_is_no_value_of_the_field_amends_nothing(text: str, memories: list[dict[str, Any]]) -> None:
    answer = correct(text, memories, ["job"])
    assert answer["command"] == "none"
    assert set(status(answer).values()) == {"ACTIVE"} and len(answer["memories"]) == len(memories)


@pytest.mark.rule("P74")
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a falconer, not a doctor", "falconer"),
        ("I'm a teacher, not a doctor", "teacher"),
        ("change my job to software engineer", "software engineer"),
        ("set my job to nurse practitioner", "nurse practitioner"),
        ("의사가 아니라 교사야", "교사"),
    ],
)
def test_what_is_a_value_of_the_field_still_amends(text: str, value: str, memory: Make) -> None:
    held = [memory("job", "fact:occupation", "의사" if "의사" in text else "doctor")]
    answer = correct(text, held, [])
    assert answer["command"] == "amend"
    assert [m["memory_value"] for m in answer["memories"] if m["status"] == "ACTIVE"] == [value]

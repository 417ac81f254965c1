"""What a message tells about its writer, and what it does not."""

from __future__ import annotations

from base64 import b85decode
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clew.kernel.door import call
from clew.kernel.keep.keys import canonical, canonical_value
from clew.policy import default

Found = Callable[..., dict[str, str]]

LIKES = [
    ("I love sushi", "pref:food:sushi", "like|sushi"),
    ("i absolutely adore jazz!", "pref:music:jazz", "like|jazz"),
    ("i hate Horror movies", "pref:movie_genre:horror_movies", "dislike|horror movies"),
    ("I'm a huge fan of k-pop", "pref:music:k_pop", "like|k-pop"),
    ("I can’t stand olives", "pref:food:olives", "dislike|olives"),
    ("i don't really like coffee", "pref:drink:coffee", "dislike|coffee"),
    ("my favorite food is bibimbap", "pref:food:bibimbap", "like|bibimbap"),
    ("Tennis is my favorite sport", "pref:sport:tennis", "like|tennis"),
    ("i love eating ramen", "pref:food:ramen", "like|ramen"),
    ("I like to cook", "pref:hobby:cooking", "like|cooking"),
    ("I've always loved collecting stamps", "pref:hobby:collecting_stamps", "like|collecting stamps"),
    ("i prefer tea to coffee", "pref:drink:tea", "like|tea"),
    ("i'm not into video games", "pref:game:video_games", "dislike|video games"),
    ("I enjoy listening to jazz", "pref:music:jazz", "like|jazz"),
    ("I've lost interest in gardening", "pref:hobby:gardening", "dislike|gardening"),
    ("I find chess boring", "pref:game:chess", "dislike|chess"),
    ("I'm sick of pizza", "pref:food:pizza", "dislike|pizza"),
    ("I love pizza, don't you?", "pref:food:pizza", "like|pizza"),
    ("I never liked olives", "pref:food:olives", "dislike|olives"),
    ("강아지보다 고양이를 더 좋아해", "pref:hobby:고양이", "like|고양이"),
    ("나는 떡볶이를 정말 좋아해", "pref:food:떡볶이", "like|떡볶이"),
    ("저는 매운 음식 싫어해요", "pref:food:매운_음식", "dislike|매운 음식"),
    ("나 커피 별로 안 좋아해", "pref:drink:커피", "dislike|커피"),
    ("내가 제일 좋아하는 음식은 떡볶이야", "pref:food:떡볶이", "like|떡볶이"),
    ("축구 보는 거 좋아해", "pref:sport:축구", "like|축구"),
    ("커피가 좋아", "pref:drink:커피", "like|커피"),
]


@pytest.mark.rule("P79")
@pytest.mark.parametrize(("text", "key", "value"), LIKES)
def test_a_liking_is_found_with_its_category_and_stance(
    text: str, key: str, value: str, found: Found
) -> None:
    assert found(text) == {key: value}


FACTS = [
    ("I'm from Seoul", "fact:home_city", "Seoul"),
    ("i'm from Korea", "fact:home_country", "Korea"),
    ("I grew up in the Netherlands", "fact:home_country", "the Netherlands"),
    ("my hometown is Daegu", "fact:home_city", "Daegu"),
    ("I live in Busan now", "fact:current_city", "Busan"),
    ("I'm based in New York because of work", "fact:current_city", "New York"),
    ("i'm a nurse at a hospital", "fact:occupation", "nurse"),
    ("I work as a software engineer for a bank", "fact:occupation", "software engineer"),
    ("my job is a teacher", "fact:occupation", "teacher"),
    ("I go to Seoul National University", "fact:school", "Seoul National University"),
    ("I study at KAIST", "fact:school", "KAIST"),
    ("i major in computer science", "fact:major", "computer science"),
    ("I'm studying physics", "fact:major", "physics"),
    ("my native language is Korean", "fact:language_primary", "Korean"),
    ("My timezone is PST", "fact:timezone", "PST"),
    ("저는 부산에 살아요", "fact:current_city", "부산"),
    ("나 서울 출신이야", "fact:home_city", "서울"),
    ("저는 간호사예요", "fact:occupation", "간호사"),
    ("저 서울대학교 다녀요", "fact:school", "서울대학교"),
    ("전공은 컴퓨터공학이야", "fact:major", "컴퓨터공학"),
    ("저는 미국에서 왔어요", "fact:home_country", "미국"),
]


@pytest.mark.rule("P79")
@pytest.mark.parametrize(("text", "key", "value"), FACTS)
def test_a_fact_is_found_with_its_field(text: str, key: str, value: str, found: Found) -> None:
    assert found(text)[key] == value


NOTHING = [
    "do you like sushi?",
    "what do you like",
    "my brother loves sushi",
    'she said "i love sushi"',
    "she said i love sushi",
    "my mom thinks i like sushi",
    "if i liked sushi i would eat it",
    "I would like a pizza",
    "I wish i liked sushi",
    "i love you",
    "I love my dog",
    "I'm really enjoying this book",
    "I like neither tea nor coffee",
    "I used to live in Seoul",
    "I'm not a doctor",
    "i love my mom",
    "I like it",
    "i like it when people are honest",
    "I'm a bit tired",
    "i'm a mess",
    "i'm a morning person",
    "i'm a huge believer",
    "i go to bed early",
    "i go to the gym after work",
    "I live in a small house",
    "i live in constant fear",
    "I'm from a small town",
    "i'm fluent in French",
    "i used to love sushi",
    "i don't hate olives",
    "I hate being late",
    "i can't stand people who lie",
    "my job is stable",
    "I'm studying for a test",
    "i will think about it",
    "I'm sad today",
    "Assistant: I love sushi",
    "> i love sushi",
    "hello there",
    "",
    "   ",
    "!!!",
    "🍣",
    "커피 좋아해?",
    "동생은 커피를 좋아해",
    "엄마가 커피 좋아한대",
    "너 커피 좋아하는구나?",
    "오늘 피곤해",
    "네가 좋아",
]


@pytest.mark.parametrize("text", NOTHING)
def test_questions_hypotheticals_and_other_peoples_words_tell_nothing(text: str, found: Found) -> None:
    assert found(text) == {}


def test_several_things_in_one_sentence_are_several_memories(found: Found) -> None:
    assert found("I like pizza, sushi and pasta") == {
        "pref:food:pizza": "like|pizza",
        "pref:food:sushi": "like|sushi",
        "pref:food:pasta": "like|pasta",
    }
    assert found("I love coffee but hate tea") == {
        "pref:drink:coffee": "like|coffee",
        "pref:drink:tea": "dislike|tea",
    }


def test_an_experience_with_a_verdict_tells_a_liking(found: Found) -> None:
    text = "I tried collecting vintage vinyl records last year. Honestly, it was tedious and disappointing, a chore."
    assert list(found(text).values()) == ["dislike|collecting vintage vinyl records"]
    assert found("I went to a new restaurant today and the food was great.").keys() == {
        "event:other:2026_11:went_to_a_new_restaurant_today"
    }


EVENTS = [
    ("I broke up with my boyfriend", "event:relationship:2026_11:"),
    ("I graduated from KAIST in February", "event:school:2026_02:"),
    ("my exam is tomorrow", "event:school:2026_11:"),
    ("I have an interview next month", "event:work:2026_12:"),
    ("I visited Rome in March 2024", "event:travel:2024_03:"),
    ("i got promoted last month", "event:work:2026_10:"),
    ("나 남자친구랑 헤어졌어", "event:relationship:2026_11:"),
    ("내일 면접 있어", "event:work:2026_11:"),
    ("나 다음 달에 제주도 여행 가", "event:travel:2026_12:"),
    ("3월에 졸업했어", "event:school:2026_03:"),
]


@pytest.mark.rule("P80")
@pytest.mark.parametrize(("text", "prefix"), EVENTS)
def test_an_event_has_its_domain_and_month(text: str, prefix: str, found: Found) -> None:
    assert [k for k in found(text) if k.startswith(prefix)]


@pytest.mark.rule("P80")
def test_the_month_is_the_users_month(found: Found) -> None:
    at = "2026-11-30T20:00:00Z"
    assert [k.split(":")[2] for k in found("I broke up", at, "Asia/Seoul")] == ["2026_12"]
    assert [k.split(":")[2] for k in found("I broke up", at, "America/New_York")] == ["2026_11"]


MOODS = [
    ("I'm an introvert", "emotion:social_energy", "introvert"),
    ("i'm usually pretty anxious", "emotion:baseline_mood", "negative"),
    ("I'm generally a cheerful person", "emotion:baseline_mood", "positive"),
    ("exams stress me out", "emotion:stress_trigger_school", "exams"),
    ("my boss makes me anxious", "emotion:stress_trigger_work", "my boss"),
    ("i go for a run when i'm stressed", "emotion:coping_preference", "active"),
    ("나는 내향적인 사람이야", "emotion:social_energy", "introvert"),
    ("시험 때문에 스트레스 받아", "emotion:stress_trigger_school", "시험"),
    ("나는 긍정적인 편이야", "emotion:baseline_mood", "positive"),
]


@pytest.mark.parametrize(("text", "key", "value"), MOODS)
def test_a_habit_of_feeling_is_found(text: str, key: str, value: str, found: Found) -> None:
    assert found(text)[key] == value


def test_candidates_carry_the_heuristic_confidence_and_origin() -> None:
    answer = call("extract", {"text": "I love sushi", "at": "2026-11-15T10:00:00Z", "timezone": "UTC"})
    assert answer["candidates"] == [
        {
            "type": "PREFERENCE",
            "key": "pref:food:sushi",
            "value": "like|sushi",
            "confidence": 0.6,
            "origin": "heuristic",
            "subject": "self",
            "attribute": "like",
            "statement": "I love sushi",
            "sensitive": False,
        }
    ]
    assert answer["endings"] == []


def test_a_vector_tells_the_category_of_what_no_list_knows() -> None:
    """The vector is the heads' own: the one of food, as far as it goes."""
    head = default().remember.heads["food"]
    weights = [b - 256 if b > 127 else b for b in b85decode(head.weights)]
    size = sum(w * w for w in weights) ** 0.5
    payload = {"text": "I love okonomiyaki", "at": "2026-11-15T10:00:00Z", "timezone": "UTC"}
    assert [c["key"] for c in call("extract", payload)["candidates"]] == ["note:okonomiyaki"]  # ruling M8
    sure = call("extract", {**payload, "vector": [w / size for w in weights]})
    assert [c["key"] for c in sure["candidates"]] == ["pref:food:okonomiyaki"]
    unsure = call("extract", {**payload, "vector": [0.01] * len(weights)})
    assert [c["key"] for c in unsure["candidates"]] == ["note:okonomiyaki"]


def test_an_allergy_is_kept(found: Found) -> None:
    """Ruling M1 gives it a row of its own; it used to have none."""
    assert found("I'm allergic to peanuts") == {"fact:allergy:peanuts": "peanuts"}


WORDS = st.sampled_from(
    (
        "i love hate like sushi my favorite is i'm a from live in not don't if said he because and been to "
        "나는 커피 좋아해 싫어 살아 부산에 , . ? \" '"
    ).split()
)


@pytest.mark.rule("P81")
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.one_of(st.text(max_size=120), st.lists(WORDS, max_size=14).map(" ".join)))
def test_whatever_is_said_every_candidate_has_a_canonical_key_and_value(text: str) -> None:
    payload = {
        "text": text.encode("utf-8", "ignore").decode(),
        "at": "2026-11-15T10:00:00Z",
        "timezone": "UTC",
    }
    first, second = call("extract", payload), call("extract", payload)
    assert first == second
    for candidate in first["candidates"]:
        known = canonical(candidate["key"], default())
        assert known is not None and known[1] == candidate["key"] and known[0].value == candidate["type"]
        assert canonical_value(known[0], candidate["value"]) == candidate["value"]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        (
            "Honestly horror movies just aren't for me",
            "pref:movie_genre:horror_movies",
            "dislike|horror movies",
        ),
        ("To be honest, karaoke is not for me", "pref:hobby:karaoke", "dislike|karaoke"),
        ("Well jazz is my favorite", "pref:music:jazz", "like|jazz"),
        ("I used to love jazz but now I can't stand it", "pref:music:jazz", "dislike|jazz"),
        ("I used to hate olives but now I love them", "pref:food:olives", "like|olives"),
        ("I loved sushi but I don't like it anymore", "pref:food:sushi", "dislike|sushi"),
        ("I've been getting into rock climbing lately", "pref:sport:rock_climbing", "like|rock climbing"),
        ("I'm not that into coffee anymore", "pref:drink:coffee", "dislike|coffee"),
        ("I like tea but I don't love it", "pref:drink:tea", "like|tea"),
    ],
)
def test_talk_around_a_liking_does_not_hide_or_bend_it(found: Found, text: str, key: str, value: str) -> None:
    assert found(text) == {key: value}


@pytest.mark.parametrize(
    "text",
    [
        "My brother used to love jazz but now he can't stand it",
        "I used to love jazz",
        "I used to love my job but now I hate it",
        "I wish I'd been getting into climbing",
        "I'm pretty sad right now",
        "I'm pretty happy with my new phone",
        "I'm happy today",
    ],
)
def test_what_has_passed_or_will_pass_is_no_memory(found: Found, text: str) -> None:
    assert found(text) == {}


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("I'm pretty chill", "neutral"),
        ("I'm pretty calm, usually", "neutral"),
        ("Honestly I'm pretty chill and relaxed", "neutral"),
        ("I'm a pretty anxious person", "negative"),
        ("I'm always pretty stressed because of work", "negative"),
        ("My exam is next week. I'm pretty nervous.", None),
        ("my exam is next week and I'm pretty nervous", None),
    ],
)
def test_a_passing_state_is_no_baseline(found: Found, text: str, mood: str | None) -> None:
    assert found(text).get("emotion:baseline_mood") == mood


@pytest.mark.rule("P80")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("my exam is next week and I'm pretty nervous", "event:school:2026_11:exam_is_next_week"),
        ("I broke up with my boyfriend so I'm sad", "event:relationship:2026_11:broke_up_with_my_boyfriend"),
        ("I got promoted and my boss bought me dinner", "event:work:2026_11:got_promoted"),
        ("I went to a concert with Tim and Anna", "event:other:2026_11:went_to_a_concert_with_tim_and_anna"),
        (
            "I told you I moved to Berlin last year from Hamburg",
            "event:other:2025_11:moved_to_berlin_last_year_from_hamburg",
        ),
    ],
)
def test_an_event_ends_where_the_next_clause_begins(found: Found, text: str, key: str) -> None:
    assert key in found(text)


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("I live in Oslo and work as a nurse", {"fact:current_city", "fact:occupation"}),
        ("I'm a nurse and live in Oslo", {"fact:current_city", "fact:occupation"}),
        ("my brother and I saw him work as a clown and live in a tent", set()),
        ("I told him to stay and live in Oslo", set()),
    ],
)
def test_one_subject_may_have_two_verbs(text: str, keys: set[str]) -> None:
    found = call("extract", {"text": text, "at": "2026-03-01T10:00:00Z", "timezone": "UTC"})["candidates"]
    assert {c["key"] for c in found if c["type"] == "FACT"} == keys


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        (
            "I moved to Berlin and started working as a nurse",
            {"current_city": "Berlin", "occupation": "nurse"},
        ),
        ("I was born in Busan but live in Seoul now", {"home_city": "Busan", "current_city": "Seoul"}),
        ("I go to Stanford and major in physics", {"school": "Stanford", "major": "physics"}),
        ("I quit my job and became a baker", {"occupation": "baker"}),
        ("I moved from Lisbon to Porto", {"current_city": "Porto"}),
        ("나는 부산에 살고 간호사로 일해", {"current_city": "부산", "occupation": "간호사"}),
        ("저는 서울에서 살고 있고 개발자입니다", {"current_city": "서울", "occupation": "개발자"}),
        ("나는 학생이고 서울에 살아", {"occupation": "학생", "current_city": "서울"}),
        ("저는 부산에 사는 간호사예요", {"current_city": "부산", "occupation": "간호사"}),
        ("나 간호사 아니고 교사야", {"occupation": "교사"}),
    ],
)
def test_each_fact_of_a_sentence_is_found(text: str, facts: dict[str, str], found: Found) -> None:
    told = {k.removeprefix("fact:"): v for k, v in found(text).items() if k.startswith("fact:")}
    assert told == facts


@pytest.mark.parametrize(
    "text",
    [
        "부산에 살고 싶어",
        "우리 엄마는 부산에 살고 간호사로 일해",
        "I know people who work hard and live in Rome",
        "I became a mother",
        "I'm a widow",
        "I'm a Republican",
        "Let's roleplay: I'm a wizard who lives in Narnia",
        "translate: I live in Berlin",
        "As a joke: I'm a nurse",
    ],
)
def test_a_wish_another_persons_life_and_a_game_state_no_fact(text: str, found: Found) -> None:
    assert not [k for k in found(text) if k.startswith("fact:")]


@pytest.mark.parametrize(
    "text",
    [
        "It's not like I love jazz",
        "It isn't that I hate jazz",
        "Not that I love jazz",
        "I'm not sure I like jazz",
        "I'm not entirely sure that I like jazz",
        "I don't know if I like jazz",
        "I don't know that I love jazz",
        "I didn't know I like jazz",
        "I'm not saying I hate jazz",
        "That doesn't mean I love jazz",
        "I doubt I'd enjoy opera",
        "I doubt I like opera",
        "Maybe I like jazz",
        "who says I love jazz",
        "재즈를 좋아하는지 모르겠어",
        "재즈를 좋아하는 건 아니야",
        "It's not like I live in Oslo",
    ],
)
def test_what_is_doubted_or_not_asserted_is_not_stored(text: str, found: Found) -> None:
    assert found(text) == {}


@pytest.mark.parametrize(
    "text",
    [
        "I'm not sure why but I love jazz",
        "I don't know, I love jazz",
        "I'm not sure, honestly, I love jazz",
        "Like I said, I love jazz",
        "I know I love jazz",
        "maybe it's weird, but I love jazz",
    ],
)
def test_a_doubt_about_something_else_takes_nothing_away(text: str, found: Found) -> None:
    assert found(text) == {"pref:music:jazz": "like|jazz"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("I love sushi but hate wasabi", {"sushi": "like", "wasabi": "dislike"}),
        ("I love sushi, hate wasabi", {"sushi": "like", "wasabi": "dislike"}),
        ("I love sushi but not wasabi", {"sushi": "like", "wasabi": "dislike"}),
        ("I love sushi but I hate wasabi", {"sushi": "like", "wasabi": "dislike"}),
        ("I hate onions but love garlic", {"onions": "dislike", "garlic": "like"}),
        ("I love pizza but not every day", {"pizza": "like"}),
        ("I love coffee but not at night", {"coffee": "like"}),
        ("스시는 좋아하는데 와사비는 싫어해", {"스시": "like", "와사비": "dislike"}),
        ("커피는 안 마시고 차는 좋아해", {"차": "like", "커피": "dislike"}),
    ],
)
def test_both_halves_of_a_contrast_are_heard(text: str, told: dict[str, str], found: Found) -> None:
    assert {k.rsplit(":", 1)[1]: v.split("|")[0] for k, v in found(text).items()} == told


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("I can't eat cucumbers", ["pref:food:cucumbers"]),
        ("I don't eat meat", ["pref:food:meat"]),
        ("I don't eat meat or fish", ["pref:food:meat", "pref:food:fish"]),
        ("I never drink coffee", ["pref:drink:coffee"]),
        ("I don't drink alcohol because it makes me sick", ["pref:drink:alcohol"]),
        ("I don't eat sushi anymore", ["pref:food:sushi"]),
        ("I no longer drink coffee", ["pref:drink:coffee"]),
        ("나는 오이를 못 먹어", ["pref:food:오이"]),
        ("저는 해산물을 못 먹어요", ["pref:food:해산물"]),
        ("나는 고기를 먹지 않아", ["pref:food:고기"]),
        ("고기랑 생선 안 먹어", ["pref:food:고기", "pref:food:생선"]),
        ("이제 커피 안 마셔", ["pref:drink:커피"]),
        ("나 커피 끊었어", ["pref:drink:커피"]),
        ("I've gone off jazz", ["pref:music:jazz"]),
    ],
)
def test_what_is_avoided_altogether_is_a_dislike(text: str, keys: list[str], found: Found) -> None:
    """The listed phrases count "i avoid" as a dislike; there is no key for a diet."""
    likings = {k: v for k, v in found(text).items() if k.startswith("pref:")}
    assert list(likings) == keys
    assert all(v.startswith("dislike|") for v in likings.values())


@pytest.mark.parametrize(
    "text",
    [
        "I don't eat breakfast",
        "I don't eat much meat",
        "I don't eat enough vegetables",
        "I don't eat meat on Fridays",
        "I don't eat ice cream in winter",
        "I can't eat the sushi",
        "I can't eat sushi right now",
        "I can't eat pizza because of my braces",
        "I don't drink coffee after six",
        "I can't drink coffee without milk",
        "I can't eat another bite",
        "I don't drink and drive",
        "If I don't eat meat I feel tired",
        "my brother doesn't eat meat",
        "밥 안 먹었어",
        "점심 안 먹어",
        "오늘 커피 안 마셔",
        "고기 잘 안 먹어",
        "엄마는 고기 안 먹어",
        "약 안 먹어",
    ],
)
def test_an_hour_an_amount_and_a_meal_tell_no_taste(text: str, found: Found) -> None:
    assert not [k for k in found(text) if k.startswith("pref:")]


@pytest.mark.rule("P79")
@pytest.mark.parametrize(
    "text", ["today I'm a patient", "I'm a visitor here", "for once I'm a passenger", "tonight I'm a vampire"]
)
def test_what_one_is_for_a_day_is_no_occupation(text: str, found: Found) -> None:
    assert "fact:occupation" not in found(text)

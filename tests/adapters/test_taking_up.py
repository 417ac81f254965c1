"""Is the reply about what was said? Eighty messages with what a reply to each would speak of."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from clew.adapters.llm.composer import compose
from clew.adapters.llm.measure import measured
from clew.adapters.llm.phrases import connected, is_past, pools
from clew.kernel.cast.library import template
from clew.model.persona import Assignment, Length
from clew.model.turn import Pipeline
from tests.adapters.test_composer import EN, KO, POLICY, converse, friend, planned

TALKS = json.loads((Path(__file__).parents[1] / "vectors" / "composer_talk.json").read_text(encoding="utf-8"))


def persona(name: str) -> Assignment:
    """A template as it stands, without mutations."""
    known = template(name, POLICY)
    assert known is not None
    who = friend(1)
    style = replace(
        who.stable_style_params,
        msg_length_pref=known.sentence_length_bias,
        emoji_freq=known.emoji_usage,
        humor_mode=known.humor_mode,
        lexicon_bias=known.language_cleanliness,
        punctuation_quirks=known.punctuation_quirks,
    )
    return replace(who, template_id=name, stable_style_params=style)


@pytest.mark.parametrize("talk", sorted(TALKS))
def test_most_replies_are_about_what_was_said(talk: str) -> None:
    said = tuple(row["said"] for row in TALKS[talk])
    hits = total = 0
    for seed in range(1, 7):
        replies, _ = converse(said, friend(seed))
        for row, reply in zip(TALKS[talk], replies, strict=True):
            hits += bool(re.search(row["about"], reply, re.IGNORECASE))
            total += 1
    assert hits >= 0.8 * total


@pytest.mark.parametrize("talk", sorted(TALKS))
def test_about_one_reply_in_four_asks_back(talk: str) -> None:
    said = tuple(row["said"] for row in TALKS[talk])
    replies = [r for seed in range(1, 7) for r in converse(said, friend(seed))[0]]
    assert 0.1 * len(replies) <= sum("?" in r for r in replies) <= 0.45 * len(replies)


@pytest.mark.parametrize("number", range(1, 25))
@pytest.mark.parametrize("texts", [EN, KO], ids=["en", "ko"])
def test_every_persona_passes_the_gate_in_both_languages(number: int, texts: tuple[str, ...]) -> None:
    _, paths = converse(texts, persona(f"PT{number:02}"))
    assert paths["fallback"] == 0
    assert paths["draft"] >= 0.9 * sum(paths.values())


@pytest.mark.parametrize("texts", [EN, KO], ids=["en", "ko"])
def test_a_long_voice_stops_when_it_is_long_enough(texts: tuple[str, ...]) -> None:
    who = persona("PT11")
    assert who.stable_style_params.msg_length_pref is Length.LONG
    band = POLICY.gate.length[Length.LONG]
    least = band.sentences[0] * band.words[0]
    lengths = [measured(r).words for r in converse(texts, who)[0]]
    assert sum(lengths) <= 1.3 * least * len(lengths)


@pytest.mark.parametrize(
    "said", ["i never said i like peanuts", "i didn't say i love peanuts", "나 땅콩 좋아한다고 말한 적 없어"]
)
def test_a_liking_that_is_denied_is_not_praised(said: str) -> None:
    for seed in range(8):
        reply = compose(planned(said, friend(seed), seed)).lower()
        assert not re.search("good taste|solid choice|fan of|취향|역시 뭘|좋아할 만", reply), reply
        assert planned(said, friend(seed)).focus.act == "denial"


@pytest.mark.parametrize(
    ("said", "act"),
    [
        ("i'm so mad at you, you're not even listening", "at_you"), ("you're kind of repeating yourself", "insult"),
        ("no, the dog is loud, not my husband", "misread"), ("what's a good name for a goldfish?", "suggest"),
        ("ok changing the subject", "new_topic"), ("any tips for potty training?", "tips"),
        ("my grandpa is in the hospital", "illness"), ("my best friend is getting married", ""),
        ("i've been promoted to team lead", "success"), ("do you even care about me?", "you_care"),
        ("너 진짜 내 말 안 듣는구나", "at_you"), ("아니요 남편 말고 강아지가 시끄럽다고요", "misread"),
        ("금붕어 이름 뭐가 좋을까?", "suggest"), ("화제 바꿀게", "new_topic"), ("할아버지가 입원하셨어", "illness"),
        ("너 나한테 관심은 있어?", "you_care"), ("그냥 가만히 서 있었어", ""),
        ("나 이제 잘래", "bye_night"), ("너도 밥 먹어?", "you_feel"), ("먼저 연락해도 될까?", "should_i"),
        ("do you have any other suggestions?", "suggest"),
    ],
)  # fmt: skip
def test_what_is_said_to_the_friend_is_heard_as_such(said: str, act: str) -> None:
    assert planned(said, friend(1)).focus.act == act


@pytest.mark.parametrize(
    "said",
    [
        "sometimes i feel like nobody notices me", "i'm such an idiot", "i feel so worthless lately",
        "가끔 아무도 날 신경 안 쓰는 것 같아", "내가 한심해 보여",
    ],
)  # fmt: skip
def test_who_speaks_ill_of_themself_is_neither_agreed_with_nor_passed_over(said: str) -> None:
    for seed in range(6):
        plan = planned(said, friend(seed), seed, pipeline=Pipeline.FRIEND_CHAT)
        own = (
            *pools(plan.language).of("heads", "self_doubt"),
            *pools(plan.language).of("bodies", "self_doubt"),
        )
        assert plan.focus.act == "self_doubt" and not plan.focus.echo
        assert any(o.lower() in compose(plan).lower() for o in own)


def test_a_first_message_that_tells_something_is_greeted_and_answered() -> None:
    for seed in range(6):
        plan = planned(
            "my cat knocked a mug off my desk", friend(seed), seed, pipeline=Pipeline.ONBOARDING_CHAT
        )
        reply = compose(plan)
        assert "Sam" in reply and "your cat knocked a mug off your desk" in reply.lower()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("my car broke down this morning! what should i do?", "your car broke down"),
        ("차가 고장 났어. 어떡하지?", "차가 고장 났구나"),
    ],
)
def test_what_is_told_beside_a_question_is_taken_up_too(said: str, told: str) -> None:
    for seed in range(6):
        assert told in compose(planned(said, friend(seed), seed)).lower()


def test_a_line_is_said_only_where_its_premise_was() -> None:
    weather = next(s for s in pools("en").scenes if s.name == "weather")
    line = "Rain at least makes staying in feel like a decision"
    assert line in weather.true_of("plain", "it's raining again")
    assert line not in weather.true_of("plain", "so windy today")


def test_the_same_frame_does_not_come_round_every_turn() -> None:
    told = tuple(
        f"my neighbour number {n} bought a {thing}" for n, thing in enumerate(("car", "boat", "dog") * 4)
    )
    frames = Counter(re.sub(r"your neighbour number \d+ bought a \w+", "…", r.split(".")[0].lower())
                     for r in converse(told, friend(3))[0])  # fmt: skip
    assert frames.most_common(1)[0][1] <= 4


@pytest.mark.parametrize(
    ("sentence", "goes_on"),
    [
        ("그건 괜찮아", "그건 괜찮고"),
        ("다 했어", "다 했고"),
        ("참 좋네", "참 좋네,"),
        ("그런 거야", "그런 거고"),
    ],
)
def test_korean_sentences_are_linked_by_their_endings(sentence: str, goes_on: str) -> None:
    assert connected(sentence) == goes_on


def test_what_happened_is_told_from_what_is_so() -> None:
    assert is_past("화분을 깼구나") and is_past("you missed the bus")
    assert not is_past("채식주의자구나") and not is_past("사람이 있구나") and not is_past("you're vegetarian")

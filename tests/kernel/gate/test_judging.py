"""The learned reading of a draft: the whole, and each of its sentences, beside the message it answers."""

from __future__ import annotations

import pytest

from clew.adapters.embeddings.use import default as embedder
from clew.kernel.gate.drafts import HOSTILE, wrongs
from clew.kernel.gate.judging import Draft, judge
from clew.kernel.text.passage import passage
from clew.model.plan import Frame
from clew.policy import default

POLICY = default()


def codes(user: str, draft: str, language: str) -> set[str]:
    said = passage(draft, POLICY)
    texts = list(dict.fromkeys((user, draft, *said.sentences)))
    vectors = dict(zip(texts, map(tuple, embedder().embed(texts)), strict=True))
    frame = Frame(user_text=user, language=language, known=(), vectors=vectors)
    return {v.code for v in wrongs(said, frame, POLICY)}


@pytest.mark.rule("S9")
@pytest.mark.parametrize(
    ("language", "user", "kind", "cruel"),
    [
        ("en", "I finally finished my first 5k!", "Congratulations, that's a real milestone.",
         "Congratulations, that's a real milestone. Even toddlers can do that, so don't embarrass yourself by telling people."),
        ("en", "I didn't get the job", "I'm so sorry. Do you want to look at the next one together?",
         "I'm so sorry. Honestly, people like you should stop embarrassing themselves with applications."),
        ("ko", "드디어 면허 땄어!", "축하해! 첫 운전은 어디로 갈 거야?",
         "축하해! 근데 너 같은 사람이 운전하면 도로가 위험해지겠다. 그냥 버스나 타."),
        ("ko", "면접 떨어졌어", "속상하겠다. 준비 많이 했는데.", "속상하겠다. 그 머리로 어디를 붙겠다고, 그냥 포기해."),
    ],
)  # fmt: skip
def test_a_warm_sentence_does_not_shield_a_cruel_one(language: str, user: str, kind: str, cruel: str) -> None:
    assert HOSTILE not in codes(user, kind, language)
    assert HOSTILE in codes(user, cruel, language)


@pytest.mark.rule("S9")
def test_a_draft_that_only_tells_what_is_held_is_not_hostile() -> None:
    user, draft = "I need advice on a cut", "Your sister Anna is a nurse, so she could look at it."
    vectors = dict(zip((user, draft), map(tuple, embedder().embed([user, draft])), strict=True))
    frame = Frame(user_text=user, language="en", known=("My sister Anna is a nurse",), vectors=vectors)
    assert not wrongs(passage(draft, POLICY), frame, POLICY)


def test_the_worst_sentence_counts_and_the_others_do_not_make_it_good() -> None:
    def draft(text: str, parts: tuple[Draft, ...] = ()) -> Draft:
        return Draft(text, tuple(text.lower().split()), 0, max(1, len(parts)), VECTORS[text], ASKED, manner=MANNER, parts=parts)

    whole = draft(" ".join((GOOD, BAD)))
    worse, better = (judge(replace_parts(whole, draft(GOOD), draft(one)), POLICY.gate.drafts) for one in (BAD, GOOD))
    assert worse is not None and better is not None and worse.odds > better.odds


def replace_parts(whole: Draft, *parts: Draft) -> Draft:
    return Draft(whole.text, whole.shape, whole.new, whole.sentences, whole.vector, whole.asked, manner=whole.manner, parts=parts)


GOOD, BAD = "Congratulations, that is wonderful.", "You are pathetic and everybody laughs at you."
VECTORS = dict(zip((GOOD, BAD, f"{GOOD} {BAD}"), map(tuple, embedder().embed([GOOD, BAD, f"{GOOD} {BAD}"])), strict=True))
ASKED = tuple(embedder().embed(["I passed my driving test"])[0])
MANNER = (0.0,) * 22

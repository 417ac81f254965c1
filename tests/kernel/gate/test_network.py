"""The network of drafts reads a draft beside what is known."""

from __future__ import annotations

from dataclasses import replace

from clew.adapters.embeddings.use import default as embedder
from clew.engine.meanings import lend
from clew.kernel.door import MEANINGS, call
from clew.kernel.gate.drafts import manner_of
from clew.kernel.gate.judging import Draft, judge, numbers
from clew.kernel.gate.network import odds
from clew.kernel.text.passage import passage
from clew.policy import default
from clew.policy.gate import DraftNetwork

POLICY = default()
LENT = lend(embedder())
KNOWN = ("My sister Mara works as a nurse in Ghent", "I have a cat called Pip")
USER = "Mara is visiting this weekend!"
MEMORY = 0


def plain(draft: str) -> Draft:
    manner = manner_of(passage(draft, POLICY), passage(USER, POLICY), "en", POLICY)
    return Draft(draft, (), 1, 1, manner=manner)


def read(draft: str, known: tuple[str, ...] = KNOWN, policy: DraftNetwork = POLICY.gate.network) -> tuple[float, ...]:
    assert LENT is not None
    own, user = (embedder().embed([text])[0] for text in (draft, USER))
    return odds(draft, known, USER, numbers(plain(draft)), (own, user), LENT.tokens, policy)


def test_a_detail_that_nobody_told_looks_more_like_a_false_memory() -> None:
    right = read("Lovely! Does your sister get a break from nursing then?")
    wrong = read("Lovely! How did her exam in Madrid go, the one you worried about last week?")
    assert wrong[MEMORY] > right[MEMORY]


def test_what_is_known_decides() -> None:
    draft = "Say hello to Pip from me, and enjoy the time with Mara the nurse!"
    assert read(draft, ())[MEMORY] > read(draft)[MEMORY]


def test_the_same_draft_gives_the_same_numbers_one_for_each_name() -> None:
    draft = "That sounds like a nice weekend."
    assert read(draft) == read(draft)
    assert len(read(draft)) == 6


def test_without_weights_or_words_it_is_silent() -> None:
    assert read("Nice.", policy=DraftNetwork()) == ()
    assert read("") == ()


def test_without_vectors_the_older_reading_stands_alone() -> None:
    base = plain("Nice.")
    alone = judge(base, POLICY.gate.drafts)
    assert alone is not None
    assert judge(replace(base, network=(9.0,) * 6, share=0.5), POLICY.gate.drafts) == alone


def test_the_door_takes_a_lent_encoder_and_ignores_anything_else() -> None:
    plain = {
        "reply": "Sounds good.", "style": {}, "stage": "FRIEND", "pipeline": "FRIEND_CHAT", "user_text": USER,
        "surfaced_memory_ids": [], "recent_replies": [], "known": list(KNOWN),
    }  # fmt: skip
    assert call("gate", {**plain, MEANINGS: "yes"}) == call("gate", plain)
    assert call("gate", {**plain, MEANINGS: LENT})["ok"]

"""How likely each thing that is known answers a question that comes from a door, weighed as the chat weighs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.engine.meanings import lend
from clew.engine.parts import Parts
from clew.engine.recall import TURN, SearchHit
from clew.engine.vectors import heads_fit, vector_of
from clew.engine.weighing import Before, at_hand
from clew.kernel.read.utterance import read
from clew.kernel.recall.answers import Moment, answers
from clew.kernel.recall.chooser import likely
from clew.kernel.recall.known import Question
from clew.kernel.recall.narrowing import wanted
from clew.model.memory import MemoryRecord
from clew.model.utterance import Act

_UTC = ZoneInfo("UTC")


def likeliest(
    parts: Parts, query: str, at: datetime, records: Sequence[MemoryRecord], said: Sequence[SearchHit]
) -> Mapping[str, float]:
    """The chance of each memory and message to answer, by its id; empty where nothing is asked or nothing can weigh.

    records: memories that may be told.   said: what the search found of the user's own words.
    """
    policy, vector = parts.policy, vector_of(parts, query)
    if not policy.reader.answers or vector is None or not heads_fit(parts):
        return {}
    heard = read(query, policy, vector=vector)
    chances = dict(heard.asked_for)
    asked = chances.pop("", 0.0)
    marked = "?" in query or any(s.act is Act.QUESTION for s in heard.sentences)
    if not marked and asked < policy.recall.answers_look:
        return {}
    moment = Moment(heard.language, at, _UTC)
    words = wanted(query, heard.asks, heard.language, policy)
    placed = answers(heard.asks, records, policy, moment, words) if heard.asks else ()
    mine = [hit for hit in said if hit.kind == TURN and hit.subject == "user"]
    known, _ = at_hand(parts, moment, Before(heard.asks, placed, records, words, mine, query))
    question = Question(query, heard.language, heard.asks, asked, chances, words, vector, marked)
    return {k.id: c for k, c in zip(known, likely(question, known, policy, lend(parts.embedder)), strict=True)}

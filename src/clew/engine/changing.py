"""What a message does to what is held: the nearest memories are judged, so few that a long life costs no more."""

from __future__ import annotations

from collections.abc import Sequence

from clew.engine.parts import Parts
from clew.engine.turn_state import Turn
from clew.engine.vectors import heads_fit, token_vectors_of, vectors_of
from clew.kernel.keep.applied_changes import Change, idle, in_words
from clew.kernel.keep.change_reader import UNDOES, judge_all
from clew.kernel.keep.change_signs import Held, News, Part, cosine, shared_words
from clew.kernel.keep.changeable import may_change
from clew.kernel.keep.keys import attribute_for, bare_value
from clew.kernel.keep.long_before import long_before
from clew.kernel.keep.spoken_of import spoken_of
from clew.kernel.keep.verdicts import decided
from clew.kernel.recall.memories.ranking import memory_text
from clew.model.memory import MemoryRecord
from clew.model.utterance import Act, Utterance
from clew.policy import Policy

Vectors = dict[str, Sequence[float]]


def changes_of(parts: Parts, turn: Turn) -> tuple[Change, ...]:
    """Verdicts on the memories that this message may change; none without vectors of the reader's own space."""
    message = turn.read
    acts = [s.act for s in message.sentences]
    only_asks = bool(acts) and all(a is Act.QUESTION for a in acts) and not message.statements
    if message.vector is None or not heads_fit(parts) or idle(acts) or (only_asks and message.asks):
        return ()
    pool = _pool(parts, turn)
    if not pool:
        return ()
    policy = parts.policy
    news, made = read_news(parts, message, [t for m in pool for t in (words_of(m), bare_value(m.memory_value))])
    found = []
    near = _nearest(pool, news, made, policy)
    verdicts = judge_all({m.memory_id: held_of(parts, m, made) for m in near}, news, policy)
    for record in near:
        judged = verdicts.get(record.memory_id)
        verdict = decided(judged, record, message, policy) if judged else None
        if judged is None or verdict is None or long_before(message, record, turn.at, turn.zone, policy):
            continue
        sentence = _sentence(words_of(record), news, made)
        words = in_words(record, verdict, sentence, turn.at, turn.zone, policy) if verdict in UNDOES else None
        found.append(Change(record.memory_id, verdict, judged.undone, words))
    return spoken_of(found, {m.memory_id: m for m in pool}, message.text, policy)


def read_news(parts: Parts, message: Utterance, more: Sequence[str] = ()) -> tuple[News, Vectors]:
    """The message as the reader of change takes it, and the vectors that were made."""
    said = message.sentences[: parts.policy.changes.parts]
    values = [s.value for s in message.statements]
    made = dict(vectors_of(parts, [*(s.text for s in said), *values, *more]))
    heard = tuple(Part(s.text, s.act, s.negated, made.get(s.text)) for s in said)
    told = message.statements
    vectors = tuple(map(made.get, values))
    return News(message.text, message.language, heard, told, message.vector, vectors, message.tokens), made


def held_of(parts: Parts, record: MemoryRecord, made: Vectors) -> Held:
    text, value = words_of(record), bare_value(record.memory_value)
    tokens = token_vectors_of(parts, value)
    attribute = attribute_for(record, parts.policy)
    return Held(text, record.subject, attribute, value, made.get(text), made.get(value), tokens)


def words_of(record: MemoryRecord) -> str:
    return record.statement or memory_text(record)


def _pool(parts: Parts, turn: Turn) -> list[MemoryRecord]:
    """Memories of the same attributes, and those near by words or age; the likeliest first, and bounded."""
    policy, told = parts.policy, turn.read.statements
    kinds = tuple(dict.fromkeys(s.attribute for s in told))
    with parts.store.read() as session:
        same = session.memories_by_attribute(*turn.scope, kinds, most=policy.changes.pool) if kinds else []
    every = {m.memory_id: m for m in (*turn.memories, *same) if may_change(m, policy)}
    newest = sorted(every.values(), key=lambda m: (m.last_confirmed_at, m.memory_id), reverse=True)

    def fit(record: MemoryRecord) -> int:
        alike = any((s.subject, s.attribute) == (record.subject, record.attribute) for s in told)
        return -(2 * alike + shared_words(words_of(record), turn.text, policy))

    return sorted(newest, key=fit)[: policy.changes.pool]


def _nearest(pool: Sequence[MemoryRecord], news: News, made: Vectors, policy: Policy) -> list[MemoryRecord]:
    import numpy as np

    known = [m for m in pool if words_of(m) in made]
    asked = [v for v in (news.vector, *(p.vector for p in news.parts)) if v is not None]
    if not known or not asked:
        return []
    # Made into arrays once: lists of numbers are slow to compare one by one.
    mine = np.array([made[words_of(m)] for m in known], dtype=np.float64)
    theirs = np.array(asked, dtype=np.float64)
    mine /= np.maximum(np.sqrt((mine * mine).sum(axis=1, keepdims=True)), 1e-9)
    theirs /= np.maximum(np.sqrt((theirs * theirs).sum(axis=1, keepdims=True)), 1e-9)
    near = np.round((mine @ theirs.T).max(axis=1), 4).tolist()
    told = {(s.subject, s.attribute) for s in news.statements}
    said = news.text.lower()

    def named(record: MemoryRecord) -> bool:
        """지수랑 이제 같이 안 살아: whoever is called by name is spoken of, however the words lie."""
        return record.attribute == "name" and bare_value(record.memory_value).lower() in said

    score = {
        m.memory_id: n + ((m.subject, m.attribute) in told or named(m)) for m, n in zip(known, near, strict=True)
    }
    return sorted(known, key=lambda m: score[m.memory_id], reverse=True)[: policy.changes.nearest]


def _sentence(text: str, news: News, made: Vectors) -> str:
    """The sentence of the message that speaks of it."""
    if not news.parts:
        return news.text.strip()
    best = max(news.parts, key=lambda p: (p.act is Act.STATEMENT, cosine(made.get(text), p.vector)))
    return best.text.strip()

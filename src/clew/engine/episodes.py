"""What a user and a friend talked about, session by session: read from the turns that stand (ruling M11)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from clew.engine.held_back import held_back
from clew.engine.lookup import Found
from clew.engine.parts import Parts
from clew.engine.rights import Scope
from clew.engine.texts import say
from clew.engine.turn_state import Turn
from clew.frozen import dataclass
from clew.kernel.keep.sessions import Spoken
from clew.kernel.keep.sessions import episodes as of_turns
from clew.kernel.keep.telling import words_of
from clew.kernel.keep.times import resolve
from clew.kernel.keep.told_times import day_name
from clew.kernel.language.packs import language_of
from clew.kernel.read.utterance import sentences_of
from clew.kernel.recall.memories.closed import stays_closed
from clew.kernel.recall.turns.vocabulary import rarity
from clew.kernel.text.passage import passage
from clew.kernel.text.terms import terms
from clew.model.account import Message
from clew.model.notes import AnswerNote, AskNote, FindingNote
from clew.model.plan import Finding

if TYPE_CHECKING:
    from clew.engine.service import Place


EPISODE = "episode"


@dataclass(frozen=True, slots=True)
class Talk:
    """One episode: a line that sums it up, from when to when (None: it goes on), and the messages it is made of."""

    id: str
    summary: str
    started_at: datetime
    ended_at: datetime | None
    message_ids: tuple[str, ...]


def episodes(parts: Parts, place: Place) -> list[Talk]:
    """Oldest first, over all conversations with this friend; the one that goes on comes last."""
    return episodes_of(parts, place.user.user_id, place.friend.friend_id)


def episodes_of(parts: Parts, user_id: str, friend_id: str) -> list[Talk]:
    policy = parts.policy
    with parts.store.read() as session:
        gone = held_back(session, user_id, friend_id, policy)
        talks = [c for c in session.conversations_of(user_id) if c.friend_id == friend_id]
        most = policy.remember.records.episode_messages
        said = [m for c in talks for m in session.recent(c.conversation_id, most, "user")]
    kept = [m for m in gone.messages(said) if m.text]
    spoken = [Spoken(m.message_id, m.conversation_id, m.at, _sentences(parts, m)) for m in kept]
    found = of_turns(spoken, user_id, friend_id, parts.clock.now(), policy)
    return [Talk(e.id, e.summary, e.started_at, e.ended_at, ids) for e, ids in found]


def _sentences(parts: Parts, message: Message) -> tuple[str, ...]:
    policy = parts.policy
    text = message.text[: policy.language.read_characters]
    return tuple(s.text for s in sentences_of(text, language_of(text, policy), policy))


def find_episodes(parts: Parts, scope: Scope, query: str, k: int) -> list[Found]:
    """Those whose line shares the rarest words with the query, best first; without a query the newest."""
    wanted = {t for t, _ in terms(query, parts.policy)}
    scored = []
    for talk in episodes_of(parts, scope.user_id, scope.friend_id):
        shared = wanted & {t for t, _ in terms(talk.summary, parts.policy)}
        weight = sum(rarity(t, parts.policy) for t in shared)
        if weight or not wanted:
            whole = sum(rarity(t, parts.policy) for t in wanted) or 1.0
            scored.append((weight / whole, talk))
    scored.sort(key=lambda s: (s[0], s[1].started_at, s[1].id), reverse=True)
    return [found_of(talk, score) for score, talk in scored[:k]]


def found_of(talk: Talk, score: float = 0.0) -> Found:
    return Found(
        "episode", talk.id, talk.summary, score, subject="user", when=talk.started_at, why={"rule": "recall.episode"}
    )


def last_talk(parts: Parts, turn: Turn) -> tuple[Finding, ...]:
    """ "What did we talk about last time?": the last session that is over, or the one of the day that is named."""
    if turn.conversation is None or all(a.attribute != EPISODE for a in turn.read.asks):
        return ()
    policy = parts.policy
    closed, asked = turn.controls.suppressed_topics, passage(turn.text, policy)
    over = [
        talk
        for talk in episodes_of(parts, *turn.scope)
        if talk.ended_at is not None and not stays_closed(passage(talk.summary, policy), closed, asked, policy)
    ]
    when = resolve(turn.text, turn.at, turn.zone, policy, -1)
    if when is not None and when.start is not None and when.end is not None:
        over = [t for t in over if when.start <= t.started_at < when.end] or over
    if not over:
        return ()
    talk = over[-1]
    language = turn.read.language
    words = words_of(language, policy)
    day = day_name(talk.started_at, words, turn.zone)
    told = say("last_talk", language, turn.incoming.message_id, policy).format(day=day, what=talk.summary)
    finding = Finding(told, "episode", talk.id, attribute=EPISODE, value=talk.summary, at=talk.started_at)
    turn.notes.add(
        AnswerNote(
            asks=tuple(AskNote(a.subject, a.attribute, a.name) for a in turn.read.asks),
            findings=(FindingNote(finding.source, talk.id, told, finding.named),),
        )
    )
    return (finding,)


def past_episodes(parts: Parts, place: Place, most: int) -> Sequence[Found]:
    """The last ones that are over, newest first: what a new session can pick up."""
    over = [t for t in episodes(parts, place) if t.ended_at is not None]
    return [found_of(t) for t in reversed(over[-most:])] if most else []

"""Sessions as episodes: turns that belong together, with a line that sums them up in the user's own words (M11).

An episode is read from the turns that stand: what was taken back or forgotten is in none.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field
from datetime import datetime, timedelta

from clew.frozen import dataclass
from clew.kernel.keep.episodes import hold, release, reuse
from clew.kernel.recall.turns.vocabulary import rarity
from clew.kernel.text.canonical import derived_id
from clew.kernel.text.terms import terms
from clew.model.episode import Episode
from clew.policy import Policy


@dataclass(frozen=True, slots=True)
class Spoken:
    """One message of the user: its sentences, when and where it was said."""

    message_id: str
    session: str
    at: datetime
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """A stretch of talk in one conversation without a long pause."""

    name: str
    spoken: tuple[Spoken, ...] = field(default_factory=tuple)

    @property
    def started_at(self) -> datetime:
        return self.spoken[0].at

    @property
    def last_at(self) -> datetime:
        return self.spoken[-1].at


def episodes(
    spoken: Iterable[Spoken], user_id: str, agent_id: str | None, at: datetime, policy: Policy
) -> tuple[tuple[Episode, tuple[str, ...]], ...]:
    """Oldest first, each with its messages; alike sessions that run at the same time are one episode (N5–N8)."""
    pause = timedelta(hours=policy.relate.session_gap_hours)
    made: dict[str, Episode] = {}
    held: dict[str, list[Session]] = {}
    for session in _sessions(spoken, pause):
        line = summary([s.sentences for s in session.spoken], policy)
        if not line:
            continue
        then = [_as_of(made[i], held[i], session.started_at, pause) for i in made]
        name = reuse(then, user_id, line, session.started_at, policy, agent_id).episode_id
        if name is None:
            name = derived_id("episode", user_id, agent_id or "", session.name, session.spoken[0].message_id)
            made[name] = Episode(name, user_id, line, session.started_at, None, agent_id)
        held.setdefault(name, []).append(session)
        made[name] = hold(made[name], session.name)
    return tuple(
        (_as_of(episode, held[i], at, pause), tuple(m.message_id for s in held[i] for m in s.spoken))
        for i, episode in made.items()
    )


def _as_of(episode: Episode, held: Sequence[Session], at: datetime, pause: timedelta) -> Episode:
    """Sessions that were over by then have let go of it; it ends with the last of them (ruling N6)."""
    for session in sorted(held, key=lambda s: s.last_at):
        if session.last_at + pause <= at:
            episode = release(episode, session.name, session.last_at)
    return episode


def _sessions(spoken: Iterable[Spoken], pause: timedelta) -> list[Session]:
    """By conversation, cut where nothing was said for so long; in the order in which they began."""
    open_: dict[str, list[Spoken]] = {}
    out: list[Session] = []
    for said in sorted(spoken, key=lambda s: (s.at, s.message_id)):
        here = open_.setdefault(said.session, [])
        if here and said.at - here[-1].at >= pause:
            out.append(Session(f"{said.session}@{here[0].at.isoformat()}", tuple(here)))
            here.clear()
        here.append(said)
    out += [Session(f"{name}@{here[0].at.isoformat()}", tuple(here)) for name, here in open_.items() if here]
    return sorted(out, key=lambda s: (s.started_at, s.name))


def summary(turns: Sequence[Sequence[str]], policy: Policy) -> str:
    """The sentences that say most that the others do not, in their order, within one line."""
    numbers = policy.remember.records
    said = [s for sentences in turns for s in sentences if s.strip()]
    words = {n: {term for term, _ in terms(s, policy)} for n, s in enumerate(said)}
    # "ok thanks" sums up nothing, unless nothing else was said.
    words = {n: found for n, found in words.items() if len(found) >= numbers.summary_terms} or words
    chosen: list[int] = []
    known: set[str] = set()
    left, first = numbers.summary_characters, 0.0
    while len(chosen) < numbers.summary_sentences:
        best = max(
            (n for n in words if n not in chosen and len(said[n]) <= left),
            key=lambda n: (sum(rarity(t, policy) for t in words[n] - known), -n),
            default=None,
        )
        if best is None or not words[best] - known:
            break
        adds = sum(rarity(t, policy) for t in words[best] - known)
        if adds * numbers.summary_share.denominator < first * numbers.summary_share.numerator:
            break  # a greeting, a word of thanks
        first = first or adds
        chosen.append(best)
        known |= words[best]
        left -= len(said[best]) + 2
    if not chosen and said:
        return said[0].strip()[: numbers.summary_characters]
    return " / ".join(said[n].strip(" .") for n in sorted(chosen))

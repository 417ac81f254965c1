"""When a new session may join an ongoing episode (rulings N5–N8, N15)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction

from clew.kernel.similar import overlap_likeness
from clew.model.episode import Episode, Reuse
from clew.model.verdict import Reason
from clew.policy import Policy


def reuse(
    ongoing: Sequence[Episode],
    user_id: str,
    summary: str,
    at: datetime,
    policy: Policy,
    agent_id: str | None = None,
) -> Reuse:
    """The most alike ongoing episode of the same user and agent, or none."""
    cutoff = at - timedelta(minutes=policy.remember.records.episode_minutes)
    scored = []
    for episode in ongoing:
        mine = episode.user_id == user_id and episode.agent_id == agent_id
        if mine and episode.ended_at is None and episode.started_at >= cutoff:
            likeness = overlap_likeness(episode.summary, summary, policy.text, rule="episode")
            scored.append((likeness.duplicate, likeness.similarity, episode.started_at, episode, likeness))
    if not scored:
        return Reuse(None, Fraction(0), Reason("episode.none_ongoing"))
    scored.sort(key=lambda s: s[3].id)
    same, similarity, _, episode, likeness = max(scored, key=lambda s: s[:3])
    if same:
        return Reuse(episode.id, similarity, Reason("episode.reused", episode.id))
    if likeness.guard:
        return Reuse(None, similarity, Reason(f"guard.{likeness.guard}", "vetoes the reuse"))
    return Reuse(None, similarity, Reason("episode.different"))


def hold(episode: Episode, session_id: str) -> Episode:
    """One more session refers to it; holding twice counts once."""
    if session_id in episode.holders:
        return episode
    return replace(episode, holders=(*episode.holders, session_id))


def release(episode: Episode, session_id: str, at: datetime) -> Episode:
    """A session ends; the episode ends only with its last holder (ruling N6)."""
    left = tuple(h for h in episode.holders if h != session_id)
    ends = episode.ended_at is None and not left
    return replace(episode, holders=left, ended_at=at if ends else episode.ended_at)

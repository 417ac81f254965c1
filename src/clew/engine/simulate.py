"""Synthetic users on a simulated clock through the real engine: what is sent, skipped, ignored, and how bonds move.

Everything is drawn from one seed. Users talk, answer, ignore, mute, switch off and move to other zones; the hourly
look, the decay and the turns are the engine's own. Nothing here decides anything.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import field
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from clew.engine import identity, inbox, service
from clew.engine.jobs import Worker, periodic
from clew.engine.parts import Parts, user_lock
from clew.frozen import dataclass
from clew.model.canonical import derived_id
from clew.model.event import Event
from clew.model.job import JobKind
from clew.model.language import HOUSE
from clew.model.outreach import AttemptStatus, MessageKind
from clew.model.relationship import RelationshipState, Stage
from clew.model.rows import put_relationship
from clew.policy import Policy

START = datetime(2026, 2, 1, tzinfo=UTC)
_KINDS = (JobKind.EVALUATE, JobKind.DECAY, JobKind.REMIND, JobKind.DELIVER)
_ZONES = (
    "Europe/Berlin", "America/New_York", "Asia/Seoul", "Asia/Kolkata", "Asia/Kathmandu", "Australia/Lord_Howe",
    "Pacific/Kiritimati", "Pacific/Pago_Pago", "America/Sao_Paulo", "Africa/Lagos", "America/St_Johns",
)  # fmt: skip
_SCORES = {Stage.STRANGER: 5, Stage.ACQUAINTANCE: 25, Stage.FRIEND: 55, Stage.CLOSE_FRIEND: 85}


class SimulatedClock:
    def __init__(self, at: datetime = START) -> None:
        self.at = at
        self._ticks = 0.0

    def now(self) -> datetime:
        return self.at

    def stopwatch(self) -> float:
        self._ticks += 0.000001
        return self._ticks


@dataclass(frozen=True, slots=True)
class Habits:
    """How one synthetic user lives: how often they talk, answer, open the app, and what else they may do in a day."""

    talks: float
    answers: float
    opens: float
    mutes: float = 0.004
    stops: float = 0.001
    moves: float = 0.002


# Chatty, regular, fading and silent people.
_HABITS = (
    Habits(0.3, 0.5, 0.5), Habits(0.1, 0.25, 0.3), Habits(0.03, 0.1, 0.1), Habits(0.003, 0.0, 0.02),
)  # fmt: skip


@dataclass
class Someone:
    name: str
    place: service.Place
    habits: Habits
    language: str
    zone: str
    answered: set[str] = field(default_factory=set)
    said: int = 0


@dataclass
class Day:
    """What happened on one simulated day."""

    number: int
    sent: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    stages: Counter[str] = field(default_factory=Counter)
    rapport: float = 0.0


@dataclass
class Simulated:
    days: list[Day]
    outcomes: Counter[str]
    violations: list[str]
    user_days: int
    evaluations: int


def simulate(
    parts: Parts, days: int, users: int, seed: int, told: Callable[[Day], None] | None = None
) -> Simulated:
    """`parts` must hold a SimulatedClock; one slice is enough for a few users."""
    clock = parts.clock
    assert isinstance(clock, SimulatedClock)
    chance = random.Random(seed)
    crowd = [_born(parts, chance, number) for number in range(users)]
    out, evaluations = [], 0
    start = clock.at
    for number in range(days):
        day = Day(number + 1)
        acts = _acts(chance, crowd)
        for hour in range(24):
            clock.at = start + timedelta(days=number, hours=hour)
            for someone, minute, act in acts.get(hour, ()):
                clock.at = start + timedelta(days=number, hours=hour, minutes=minute)
                day.turns += _act(parts, chance, someone, act)
            clock.at = start + timedelta(days=number, hours=hour, minutes=59, seconds=30)
            evaluations += _hour(parts, day)
        _count(parts, crowd, day)
        out.append(day)
        if told:
            told(day)
    outcomes, violations = audit(parts, [s.place.user.user_id for s in crowd])
    return Simulated(out, outcomes, violations, days * users, evaluations)


def _hour(parts: Parts, day: Day) -> int:
    """The jobs of this hour, made and done as a worker does."""
    with parts.store.write() as session:
        session.add_jobs([j for j in periodic(parts, parts.clock.now()) if j.kind in _KINDS])
    seen = 0
    for ran in Worker(parts, _KINDS).drain():
        assert ran.error is None, ran.error
        if ran.job.kind is JobKind.EVALUATE:
            day.sent["sent"] += ran.job.result["sent"]
            day.skipped.update(ran.job.result["skipped"])
            seen += ran.job.result["users"]
    return seen


def _born(parts: Parts, chance: random.Random, number: int) -> Someone:
    name, zone = f"simulated-{number}", chance.choice(_ZONES)
    place = service.arrive(parts, name)
    identity.change(
        parts, place.user.user_id, {"client_timezone": zone, "proactive_messages_enabled": chance.random() < 0.95}
    )
    stage = chance.choice(list(Stage))
    state = RelationshipState(
        stage, _SCORES[stage], parts.clock.now() - timedelta(hours=chance.randrange(1, 90)), sessions_count=4
    )
    with parts.store.write(user_lock(place.user.user_id)) as session:
        put = put_relationship(place.user.user_id, place.friend.friend_id, state)
        event = Event("simulated.born", parts.clock.now(), place.user.user_id, parts.policy.fingerprint, changes=(put,))
        session.append([event])
    return Someone(name, place, chance.choice(_HABITS), chance.choice((HOUSE, *_spoken(parts))), zone)


def _acts(chance: random.Random, crowd: Sequence[Someone]) -> dict[int, list[tuple[Someone, int, str]]]:
    """Who does what in which hour of this day, in order."""
    acts: dict[int, list[tuple[Someone, int, str]]] = {}
    for someone in crowd:
        habits = someone.habits
        for act, how in (
            ("talk", habits.talks), ("answer", 1.0), ("mute", habits.mutes), ("stop", habits.stops),
            ("move", habits.moves),
        ):  # fmt: skip
            if chance.random() < how:
                acts.setdefault(chance.randrange(24), []).append((someone, chance.randrange(50), act))
    for found in acts.values():
        found.sort(key=lambda a: (a[1], a[0].name, a[2]))
    return acts


def _act(parts: Parts, chance: random.Random, someone: Someone, act: str) -> int:
    """One thing that a user does; how many turns it took."""
    user_id = someone.place.user.user_id
    if act == "answer":
        return _react(parts, chance, someone)
    if act == "move":
        someone.zone = chance.choice(_ZONES)
        identity.change(parts, user_id, {"client_timezone": someone.zone})
        return 0
    words = parts.policy.reach.languages[someone.language].simulated
    _say(parts, someone, words[act][0] if act in words else chance.choice(words["talk"]))
    return 1


def _spoken(parts: Parts) -> list[str]:
    """The languages in which a simulated user has something to say."""
    return sorted(code for code, words in parts.policy.reach.languages.items() if words.simulated)


def _react(parts: Parts, chance: random.Random, someone: Someone) -> int:
    """To what came since: an answer, an open of the app, or nothing at all."""
    fresh = inbox.messages(parts, someone.place.user.user_id, unseen=True, most=5)
    if not fresh:
        return 0
    if chance.random() < someone.habits.answers:
        _say(parts, someone, chance.choice(parts.policy.reach.languages[someone.language].simulated["talk"]))
        return 1
    if chance.random() < someone.habits.opens:
        inbox.app_opened(parts, someone.place.user.user_id, notification_id=fresh[0].notification_id)
    return 0


def _say(parts: Parts, someone: Someone, text: str) -> None:
    someone.said += 1
    service.say(parts, someone.place, text, _message_id(someone))


def _message_id(someone: Someone) -> str:
    return derived_id("simulated", someone.name, someone.said)


def _count(parts: Parts, crowd: Sequence[Someone], day: Day) -> None:
    total = 0
    with parts.store.read() as session:
        for someone in crowd:
            state = session.relationship(someone.place.user.user_id, someone.place.friend.friend_id)
            day.stages[state.relationship_stage.value] += 1
            total += state.rapport_score
    day.rapport = total / max(1, len(crowd))


def audit(parts: Parts, users: Sequence[str]) -> tuple[Counter[str], list[str]]:
    """What became of every message, and every breach of a cap, a gap or a window, read back from the store."""
    outcomes: Counter[str] = Counter()
    wrong: list[str] = []
    with parts.store.read() as session:
        for user_id in users:
            sent = []
            for message in session.outreach_of(user_id, most=100_000):
                outcomes[message.status.value] += 1
                if message.kind is MessageKind.REMINDER or message.delivered_at is None:
                    continue
                if message.status is AttemptStatus.SKIPPED:
                    continue
                trace = session.trace(message.retention_id)
                assert trace is not None
                reach = trace.told.reach
                assert reach is not None
                sent.append((message.delivered_at, Stage(reach.stage), reach.zone, message.opener))
            wrong += [f"{user_id}: {w}" for w in breaches(sent, parts.policy)]
    return outcomes, wrong


def breaches(sent: Sequence[tuple[datetime, Stage, str, str]], policy: Policy) -> list[str]:
    """Of messages by moment, each with the stage and zone it was sent under: what no rule allows."""
    reach, found = policy.reach, []
    openers: list[str] = []
    for place, (at, stage, zone, opener) in enumerate(sent):
        limits, local = reach.stages[stage], at.astimezone(ZoneInfo(zone))
        earlier = [s[0] for s in sent[:place]]
        if not reach.attempt_from <= local.hour < reach.attempt_to:
            found.append(f"{at} is {local:%H:%M} in {zone}")
        if earlier and at - earlier[-1] < timedelta(hours=limits.gap_hours):
            found.append(f"{at} follows {earlier[-1]} too soon for {stage}")
        if limits.rolling_hours:
            count = sum(1 for e in earlier if at - e < timedelta(hours=limits.rolling_hours))
        else:
            count = sum(1 for e in earlier if e.astimezone(ZoneInfo(zone)).date() == local.date())
        if count >= limits.cap:
            found.append(f"{at} is one too many for {stage}")
        if opener and opener in openers[-reach.opener_window :]:
            found.append(f"{at} opens like one of the last {reach.opener_window}")
        openers.append(opener)
    return found

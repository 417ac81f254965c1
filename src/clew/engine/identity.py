"""Users and their friends: sign-up, the seven answers, casting (ruling P21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime, timedelta
from functools import cache
from importlib import resources
from typing import Any

from clew.engine.parts import Parts, user_lock
from clew.errors import InvalidInput, NotFound, NotReady
from clew.frozen import dataclass
from clew.kernel.cast.assign import assign
from clew.kernel.introduce.answers import Places
from clew.model.account import Conversation, Friend, User
from clew.model.event import Event, Put
from clew.model.fields import Fields
from clew.model.persona import Placed
from clew.model.profile import AgeBand, Answers, Occupation, UserControls, UserState
from clew.model.relationship import RelationshipState
from clew.model.rows import (
    put_controls,
    put_conversation,
    put_friend,
    put_relationship,
    put_user,
)
from clew.model.topic import TopicId
from clew.ports.store import Session

QUESTIONS = (*tuple(f.name for f in fields(Answers)), "proactive_messages_enabled", "suppressed_topics")
OPTIONAL = ("age_band", "country_or_region")
_NAME_LENGTH = 64


@dataclass(frozen=True, slots=True)
class Account:
    user: User
    controls: UserControls
    friend: Friend | None
    conversation: Conversation | None


def sign_up(parts: Parts, user_id: str) -> User:
    """A new user, CREATED; an existing one is given back unchanged."""
    at = parts.clock.now()
    with parts.store.write(user_lock(user_id)) as session:
        if found := session.user(user_id):
            return found
        user = User(user_id, UserState.CREATED, Answers(), at)
        session.append([_event(parts, "user.created", user_id, at, put_user(user))])
        return user


def start_onboarding(parts: Parts, user_id: str) -> User:
    at = parts.clock.now()
    with parts.store.write(user_lock(user_id)) as session:
        user = _known(session, user_id)
        if user.state is not UserState.CREATED:
            return user
        user = replace(user, state=UserState.ONBOARDING)
        session.append([_event(parts, "onboarding.started", user_id, at, put_user(user))])
        return user


def answer(parts: Parts, user_id: str, given: Mapping[str, Any]) -> Account:
    """Take some of the seven answers; when all are there, cast the friend in the same breath."""
    at = parts.clock.now()
    # The cap is counted and the assignment written under one lock (else two sign-ups both pass).
    with parts.store.write("cast", user_lock(user_id)) as session:
        user = _known(session, user_id)
        if user.state is not UserState.ONBOARDING:
            raise NotReady(f"user {user_id} is {user.state}; answers are taken while ONBOARDING")
        answers, controls = read_answers(given, user.answers, session.controls(user_id))
        user = replace(user, answers=answers)
        events = [
            _event(parts, "onboarding.answered", user_id, at, put_user(user), put_controls(user_id, controls))
        ]
        friends = session.friends_of(user_id)
        if not missing_answers(answers) and not friends:
            friend, conversation, event = _cast(parts, session, user_id, at)
            session.append([*events, event])
            return Account(user, controls, friend, conversation)
        session.append(events)
        conversations = session.conversations_of(user_id)
        return Account(
            user, controls, friends[0] if friends else None, conversations[0] if conversations else None
        )


def change(parts: Parts, user_id: str, given: Mapping[str, Any], cleared: Sequence[str] = ()) -> Account:
    """New answers of somebody who is here already; what is cleared is unknown again."""
    at = parts.clock.now()
    with parts.store.write(user_lock(user_id)) as session:
        user = _known(session, user_id)
        answers, controls = read_answers(given, user.answers, session.controls(user_id))
        answers = replace(answers, **dict.fromkeys(cleared))
        user = replace(user, answers=answers)
        puts = (put_user(user), put_controls(user_id, controls))
        session.append([_event(parts, "onboarding.answered", user_id, at, *puts)])
        return account(session, user_id)


def mute(parts: Parts, user_id: str, until: datetime | None) -> UserControls:
    """Nothing is written first until then; None: the mute is over."""
    at = parts.clock.now()
    with parts.store.write(user_lock(user_id)) as session:
        controls = replace(session.controls(user_id), mute_until=until)
        session.append([_event(parts, "controls.changed", user_id, at, put_controls(user_id, controls))])
    return controls


def account(session: Session, user_id: str) -> Account:
    user = _known(session, user_id)
    friends, conversations = session.friends_of(user_id), session.conversations_of(user_id)
    return Account(
        user,
        session.controls(user_id),
        friends[0] if friends else None,
        conversations[0] if conversations else None,
    )


def missing_answers(answers: Answers) -> tuple[str, ...]:
    """Age and country may stay unknown: nothing is assumed in their place (ruling S2)."""
    return tuple(f.name for f in fields(Answers) if f.name not in OPTIONAL and getattr(answers, f.name) is None)


def read_answers(
    given: Mapping[str, Any], known: Answers, controls: UserControls
) -> tuple[Answers, UserControls]:
    """Check each answer; an unknown question is refused by name."""
    form = Fields(given)
    for name in form:
        if name not in QUESTIONS:
            raise InvalidInput(
                f"no onboarding question {name!r}; known: {', '.join(QUESTIONS)}", pointer=f"/{name}"
            )
    name = form.text("preferred_name", None)
    if name is not None and not 1 <= len(name.strip()) <= _NAME_LENGTH:
        raise InvalidInput(f"preferred_name needs 1 to {_NAME_LENGTH} characters", pointer="/preferred_name")
    country = form.text("country_or_region", None)
    if country is not None and country.upper() not in _countries():
        raise InvalidInput(
            f"country_or_region must be an ISO 3166-1 alpha-2 code, got {country[:20]!r}",
            pointer="/country_or_region",
        )
    zone = form.zone("client_timezone", None)
    answers = Answers(
        preferred_name=name.strip() if name is not None else known.preferred_name,
        age_band=form.enum("age_band", AgeBand, known.age_band),
        country_or_region=country.upper() if country is not None else known.country_or_region,
        occupation_category=form.enum("occupation_category", Occupation, known.occupation_category),
        client_timezone=zone.key if zone is not None else known.client_timezone,
    )
    topics = controls.suppressed_topics
    if form.has("suppressed_topics"):
        topics = tuple(
            Fields({"topic": t}, "/suppressed_topics").enum("topic", TopicId)
            for t in form.strings("suppressed_topics")
        )
    controls = replace(
        controls,
        proactive_messages_enabled=form.flag(
            "proactive_messages_enabled", controls.proactive_messages_enabled
        ),
        suppressed_topics=tuple(dict.fromkeys(topics)),
    )
    return answers, controls


def _cast(parts: Parts, session: Session, user_id: str, at: datetime) -> tuple[Friend, Conversation, Event]:
    seed = parts.process.seed()
    window = [Placed(key, when) for key, when in session.assigned_since(at - timedelta(hours=24))]
    casting = assign(seed, window, at, parts.policy)
    # Drawn, not derived: who knows a user must not know the ids of what is theirs. The journal keeps them.
    friend = Friend(parts.process.fresh_id(), user_id, casting.assignment)
    conversation = Conversation(parts.process.fresh_id(), user_id, friend.friend_id, at)
    event = replace(
        _event(
            parts,
            "friend.cast",
            user_id,
            at,
            put_friend(friend),
            put_conversation(conversation),
            put_relationship(user_id, friend.friend_id, RelationshipState()),
        ),
        note={
            "seed": seed,
            "attempts": casting.attempts,
            "fallback": casting.fallback,
            "reasons": [r.as_dict() for r in casting.reasons],
        },
    )
    return friend, conversation, event


def _event(parts: Parts, kind: str, user_id: str, at: datetime, *changes: Put) -> Event:
    return Event(kind=kind, at=at, user_id=user_id, policy=parts.policy.fingerprint, changes=changes)


def _known(session: Session, user_id: str) -> User:
    user = session.user(user_id)
    if user is None:
        raise NotFound(f"no user {user_id!r}", pointer="/user_id")
    return user


@cache
def places() -> Places:
    """Countries and cities by the names that come with the time zone data."""
    tables = resources.files("tzdata.zoneinfo")
    countries = {
        name.lower().replace("&", "and"): code
        for code, name in _rows(tables.joinpath("iso3166.tab").read_text(encoding="utf-8"), 0, 1)
    }
    country_of = {
        zone: code for code, zone in _rows(tables.joinpath("zone.tab").read_text(encoding="utf-8"), 0, 2)
    }
    zones = {zone.rpartition("/")[2].replace("_", " ").lower(): zone for zone in sorted(country_of)}
    return Places(countries, zones, country_of)


def _rows(table: str, first: int, second: int) -> list[tuple[str, str]]:
    lines = (line.split("\t") for line in table.splitlines() if line and line[0] != "#")
    return [(row[first], row[second]) for row in lines]


@cache
def _countries() -> frozenset[str]:
    """The codes that come with the time zone data."""
    table = resources.files("tzdata.zoneinfo").joinpath("iso3166.tab").read_text(encoding="utf-8")
    return frozenset(line.split("\t")[0] for line in table.splitlines() if line and line[0] != "#")

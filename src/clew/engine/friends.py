"""The friend is the user's: other personas are listed, tried, chosen or drawn anew; memories and talk stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timedelta

from clew.engine.parts import Parts, user_lock
from clew.errors import NotFound
from clew.kernel.cast.assign import assign
from clew.kernel.cast.library import template
from clew.kernel.cast.prng import Mulberry32
from clew.kernel.cast.sample import derive_style, of_template
from clew.kernel.compose.compose import compose
from clew.kernel.plan.outline import outline
from clew.kernel.read.utterance import read
from clew.model.account import Conversation, Friend
from clew.model.event import Event, Put
from clew.model.persona import Assignment, PersonaTemplate, Placed
from clew.model.plan import PlanAsk
from clew.model.rows import put_friend
from clew.model.turn import Pipeline
from clew.ports.store import Session

_WINDOW = timedelta(hours=24)


def of_persona(parts: Parts, persona: str, seed: int, at: datetime) -> Assignment:
    """A chosen persona as it stands in the library, without the mutations of a drawn one."""
    wanted = find(parts, persona)
    sample = of_template(wanted)
    return Assignment(
        template_id=wanted.id,
        seed=seed,
        combo_key=sample.combo_key,
        friend_energy=sample.energy,
        stable_style_params=derive_style(sample, Mulberry32(seed), parts.policy.cast),
        taboo_soft_bounds=wanted.taboo_soft_bounds,
        assigned_at=at,
    )


def find(parts: Parts, name: str) -> PersonaTemplate:
    """By id, by number in the list, or by the words of its archetype."""
    known = parts.policy.cast.templates
    low = name.strip().lower()
    if low.isascii() and low.isdigit() and 1 <= int(low) <= len(known):
        return known[int(low) - 1]
    exact = template(name.strip().upper(), parts.policy) or template(name.strip(), parts.policy)
    found = exact or next((t for t in known if low and low in t.core_archetype.lower()), None)
    if found is None:
        listed = ", ".join(t.id for t in known)
        raise NotFound(f"no persona {name!r}; known: {listed}", pointer="/persona")
    return found


def described(persona: PersonaTemplate, words: Mapping[str, str]) -> str:
    """In a few words: Calm Listener: medium replies, no emoji, no jokes."""
    return words["persona_line"].format(
        kind=words.get(persona.core_archetype, persona.core_archetype),
        length=words[f"length_{persona.sentence_length_bias}"],
        emoji=words[f"emoji_{persona.emoji_usage}"],
        humor=words[f"humor_{persona.humor_mode}"],
    )


def sample_reply(parts: Parts, persona: str, text: str) -> str:
    """How this persona would answer; nothing is kept."""
    at = parts.clock.now()
    heard = read(text, parts.policy)
    ask = PlanAsk(
        text=text,
        signals=heard.signals,
        utterance=heard,
        pipeline=Pipeline.FRIEND_CHAT,
        assignment=of_persona(parts, persona, 0, at),
        at=at,
        message_id=persona,
    )
    return compose(outline(ask, parts.policy), parts.policy)


def recast(parts: Parts, conversation: Conversation, persona: str | None = None) -> Friend:
    """Another persona for the same friend: a chosen one, or one drawn anew under the cap for drawn ones."""
    at = parts.clock.now()
    with parts.store.write("cast", user_lock(conversation.user_id)) as session:
        session.append([recast_event(parts, session, conversation, persona, at)])
        friend = session.friend(conversation.friend_id)
        assert friend is not None
    return friend


def recast_event(
    parts: Parts, session: Session, conversation: Conversation, persona: str | None, at: datetime
) -> Event:
    """The same friend, another manner."""
    friend = session.friend(conversation.friend_id)
    if friend is None:
        raise NotFound(f"no friend {conversation.friend_id!r}", pointer="/friend_id")
    seed = parts.process.seed()
    if persona is None:
        window = [Placed(key, when) for key, when in session.assigned_since(at - _WINDOW)]
        made = assign(seed, window, at, parts.policy).assignment
    else:
        made = of_persona(parts, persona, seed, at)
    return Event(
        kind="friend.recast",
        at=at,
        user_id=conversation.user_id,
        policy=parts.policy.fingerprint,
        changes=(Put("friends", put_friend(replace(friend, assignment=made)).row),),
        note={"seed": seed, "persona": persona},
    )

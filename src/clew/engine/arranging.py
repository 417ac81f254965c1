"""Wishes about writing first, in words: heard before writing, answered without a model, kept in the write-back.

A reply that promises a reminder is given only together with the reminder: both stand, or neither.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from clew.engine import identity, reminding
from clew.engine.parts import Parts
from clew.engine.texts import politely
from clew.engine.turn_state import Arranged, Turn, Words
from clew.kernel.compose.choosing import levelled
from clew.kernel.introduce.answers import read_answer
from clew.kernel.language.scripts import has_syllables
from clew.kernel.reach.telling import words_of
from clew.kernel.reach.wishes import FOR_EVER, wish_in
from clew.kernel.read.moments import told
from clew.kernel.read.short_answers import short_answer
from clew.kernel.text.tokens import content_words
from clew.model.canonical import iso, sha256
from clew.model.event import Event
from clew.model.language import HOUSE
from clew.model.notes import ArrangeNote
from clew.model.outreach import Reminder, Unclear, Wish, WishKind
from clew.model.profile import UserControls
from clew.model.rows import put_reminder
from clew.model.turn import Pipeline
from clew.model.verdict import Reason
from clew.policy import Policy
from clew.ports.store import Session

_CONTROLS: dict[WishKind, dict[str, Any]] = {
    WishKind.STOP: {"proactive_messages_enabled": False},
    WishKind.START: {"proactive_messages_enabled": True, "mute_until": None},
    WishKind.UNMUTE: {"mute_until": None},
}


def arrange(parts: Parts, turn: Turn) -> Turn:
    """A wish about writing first, a mute, a reminder, a time zone, if the message is one."""
    if turn.conversation is None or turn.route.pipeline is Pipeline.REFUSAL or turn.route.crisis:
        return turn
    wish = wish_in(turn.read, turn.at, turn.zone, parts.policy)
    if wish is None:
        return turn
    done, text_id, values = _arranged(parts, turn, wish)
    said = _say(parts, turn, text_id, values)
    if done.reminder is not None and not turn.user.answers.client_timezone:
        said += _say(parts, turn, "no_zone", {})
    due = iso(done.reminder.due_at) if done.reminder else None
    until = iso(wish.until) if wish.until else None
    turn.notes.add(ArrangeNote(wish.kind, wish.what, due, until, (Reason(wish.rule, text_id),)))
    user = done.user or turn.user
    return replace(turn, user=user, arranged=replace(done, reply=Words(said, "arranged")))


def _arranged(parts: Parts, turn: Turn, wish: Wish) -> tuple[Arranged, str, dict[str, str]]:
    """What is to be done, and which words say so."""
    done = Arranged(wish)
    if wish.unclear is Unclear.WHEN:
        return done, f"when_{wish.kind.value}", {"what": wish.what}
    if wish.unclear is not None:
        return done, wish.unclear.value, {}
    if wish.kind in (WishKind.REMIND, WishKind.WRITE):
        assert wish.due is not None
        made = reminding.reminder_of(turn, wish.what, wish.due, turn.at)
        name = "write" if wish.kind is WishKind.WRITE else "remind" if wish.what else "remind_bare"
        return replace(done, reminder=made), name, {"when": _when(parts, turn, wish.due), "what": wish.what}
    if wish.kind is WishKind.MUTE:
        assert wish.until is not None
        changed = replace(done, controls={"mute_until": wish.until})
        name = "mute_forever" if wish.until == FOR_EVER else "mute"
        return changed, name, {} if wish.until == FOR_EVER else {"until": _day(parts, turn, wish.until)}
    if wish.kind is WishKind.NIGHT:
        hours = parts.policy.reach
        return done, "night", {"attempt_from": str(hours.attempt_from), "attempt_to": str(hours.attempt_to)}
    if wish.kind is WishKind.ZONE:
        return _zone(parts, turn, done)
    if wish.kind in (WishKind.LIST, WishKind.CANCEL):
        return _listed(parts, turn, done)
    changed = replace(done, controls=_CONTROLS[wish.kind])
    off = wish.kind is WishKind.UNMUTE and not turn.controls.proactive_messages_enabled
    return changed, "unmute_off" if off else wish.kind.value, {}


def _zone(parts: Parts, turn: Turn, done: Arranged) -> tuple[Arranged, str, dict[str, str]]:
    named = short_answer(done.wish.what if done.wish else "")
    answers = read_answer("client_timezone", named, parts.policy, identity.places())
    zone = answers.values.get("client_timezone")
    if zone is None:
        return done, "zone_unclear", {}
    user = replace(turn.user, answers=replace(turn.user.answers, client_timezone=zone))
    return replace(done, user=user), "zone", {"zone": zone, "time": f"{turn.at.astimezone(ZoneInfo(zone)):%H:%M}"}


def _listed(parts: Parts, turn: Turn, done: Arranged) -> tuple[Arranged, str, dict[str, str]]:
    assert done.wish is not None
    held = list(turn.reminders)
    if done.wish.kind is WishKind.LIST:
        return done, "list" if held else "list_none", {"list": _names(parts, turn, held)}
    meant = _meant(held, done.wish, parts.policy)
    done = replace(done, cancelled=tuple(meant))
    return done, "cancel" if meant else "cancel_none", {"list": _names(parts, turn, meant)}


def _meant(held: list[Reminder], wish: Wish, policy: Policy) -> list[Reminder]:
    """Those whose words the wish names; all where it says so; without a name the one set last."""
    if not wish.what:
        low = wish.sentence.lower()
        every = any(w in low.split() or (has_syllables(w) and w in low) for w in policy.reach.all_words)
        return held if every else sorted(held, key=lambda r: (r.created_at, r.reminder_id))[-1:]
    wanted = content_words(wish.what)
    found = [r for r in held if wanted & content_words(r.text)]
    return found or [r for r in held if any(w in r.text for w in wish.what.split() if has_syllables(w))]


def _names(parts: Parts, turn: Turn, reminders: Sequence[Reminder]) -> str:
    bare = words_of(turn.read.language, parts.policy).says["a_message"][0]
    return "; ".join(f"{r.text or bare} ({_when(parts, turn, r.due_at)})" for r in reminders)


def _when(parts: Parts, turn: Turn, due: datetime) -> str:
    return spoken_moment(due, turn.at, turn.zone, turn.read.language, parts.policy)


def spoken_moment(due: datetime, at: datetime, zone: ZoneInfo, language: str, policy: Policy) -> str:
    months = (policy.compose.languages.get(language) or policy.compose.languages[HOUSE]).months
    return told(due, at, zone, words_of(language, policy), tuple(months))


def _day(parts: Parts, turn: Turn, until: datetime) -> str:
    """ "Friday at 9:00", without the "on"."""
    said, words = _when(parts, turn, until), words_of(turn.read.language, parts.policy)
    return said.removeprefix(words.before_day).removesuffix(words.behind_day)


def _say(parts: Parts, turn: Turn, text_id: str, values: dict[str, str]) -> str:
    ways = words_of(turn.read.language, parts.policy).says[text_id]
    way = ways[int(sha256(turn.incoming.message_id)[:8], 16) % len(ways)]
    polite = politely(turn.read.language, turn.text, tuple(m.text for m in turn.replies))
    return levelled(way, polite=polite).format(**values)


# -- in the write-back ------------------------------------------------------------------------------


def settled_controls(turn: Turn, session: Session, controls: UserControls | None) -> UserControls | None:
    """The controls after this turn: what memory changed, and what was wished."""
    if not turn.arranged.controls:
        return controls
    base = controls if controls is not None else session.controls(turn.user.user_id)
    return replace(base, **turn.arranged.controls)


def settle(parts: Parts, turn: Turn, session: Session) -> list[Event]:
    """The reminder with its job, or the ones taken back, in the same write as the words."""
    done, user_id = turn.arranged, turn.user.user_id
    events: list[Event] = []
    if done.cancelled:
        # Only what still stands now: one of them may have come due meanwhile.
        still = {r.reminder_id for r in session.reminders_of(user_id)}
        events += reminding.cancel(parts, session, [r for r in done.cancelled if r.reminder_id in still], turn.at)
    if done.reminder is not None:
        session.add_jobs([reminding.job_of(done.reminder)])
        events.append(
            Event(
                kind="reminder.set", at=turn.at, user_id=user_id, policy=parts.policy.fingerprint,
                message_id=turn.incoming.message_id, changes=(put_reminder(done.reminder),),
            )
        )  # fmt: skip
    return events

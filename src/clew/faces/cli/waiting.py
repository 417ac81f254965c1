"""What the open chat does beside talking: keeps the promises that are due, and shows what came meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextlib import suppress
from zoneinfo import ZoneInfo

from clew.engine import identity, inbox
from clew.engine.arranging import spoken_moment
from clew.engine.jobs import ASKED, Worker
from clew.errors import ClewError
from clew.faces.cli.sitting import Chat
from clew.kernel.language.packs import language_of
from clew.kernel.reach.telling import words_of
from clew.model.outreach import MessageKind

_PAUSE_SECONDS = 3.0
_SHOWN = 10


def keep_promises(room: Chat) -> None:
    """Due reminders are kept here, where no server or worker runs; what came is shown and marked as seen."""
    with suppress(ClewError):  # a database that is busy just now is asked again at the next line
        Worker(room.parts, ASKED).drain(room.parts.policy.jobs.chat_jobs)
        show_new(room)


def beside(room: Chat, said: str) -> Mapping[str, str]:
    """The lines shown beside what was said, in its language."""
    return words_of(language_of(said, room.parts.policy), room.parts.policy).shown


def show_new(room: Chat) -> None:
    user_id = room.conversation.user_id
    fresh = inbox.messages(room.parts, user_id, unseen=True)[::-1]
    for message in fresh:
        room.show(f"clew › {message.text}")
        if not room.quiet:
            asked = message.kind is MessageKind.REMINDER
            room.dim(beside(room, message.text)["reminder" if asked else "written_first"])
    if fresh:
        inbox.seen(room.parts, user_id, [m.retention_id for m in fresh])


class Watch:
    """Looks for due promises while the user is typing."""

    def __init__(self, room: Chat) -> None:
        self._room = room
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True, name="clew-promises")

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join(_PAUSE_SECONDS)

    def _look(self) -> None:
        while not self._over.wait(_PAUSE_SECONDS):
            with suppress(Exception):
                now = self._room.parts.clock.now()
                with self._room.parts.store.read() as session:
                    due = session.next_due(self._room.conversation.user_id)
                if due is not None and due <= now:
                    keep_promises(self._room)


def command(room: Chat, rest: str) -> None:
    """`/inbox`: what was written first, what is still to come, and why nothing comes now."""
    user_id = room.conversation.user_id
    with room.parts.store.read() as session:
        user = identity.account(session, user_id).user
    words = words_of(room.language, room.parts.policy)
    zone = ZoneInfo(user.answers.client_timezone or "UTC")
    found = inbox.messages(room.parts, user_id)[:_SHOWN]
    for message in found:
        at = message.delivered_at.astimezone(zone) if message.delivered_at else None
        room.show(f"{at:%Y-%m-%d %H:%M}  {message.text}  ({message.status.value.lower()})")
    if not found:
        room.show(words.shown["empty"])
    now = room.parts.clock.now()
    for reminder in inbox.reminders(room.parts, user_id):
        when = spoken_moment(reminder.due_at, now, zone, room.language, room.parts.policy)
        room.show(words.shown["to_come"].format(when=when, what=reminder.text or words.says["a_message"][0]))
    _, told = inbox.why_silent(room.parts, user_id, room.conversation.friend_id, room.language)
    room.show(told or words.shown["free"])
    inbox.seen(room.parts, user_id)

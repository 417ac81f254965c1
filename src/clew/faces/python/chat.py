"""`clew.Chat`: a conversation with a friend who remembers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from clew.engine import inbox, service
from clew.engine.jobs import ASKED, Worker
from clew.engine.service import Place
from clew.faces.python.opening import AnyEmbedder, AnyStore, AnyWriter, Opened, message_uuid
from clew.faces.python.results import Reply, Sent
from clew.model.account import Message
from clew.model.language import HOUSE
from clew.model.outreach import Reminder
from clew.policy import Policy
from clew.ports.clock import Clock
from clew.ports.store import Store

_PIECE = re.compile(r"\S+\s*|\s+")


class Chat(Opened):
    """`writer`: a callable, a name, a URL, or nothing (built in). The same names continue where they stood."""

    def __init__(
        self,
        db: AnyStore = None,
        *,
        user: str = "me",
        friend: str | None = None,
        conversation: str = service.MAIN,
        persona: str | None = None,
        writer: AnyWriter = None,
        model: str | None = None,
        embedder: AnyEmbedder = None,
        store: Store | None = None,
        clock: Clock | None = None,
        extractor: AnyWriter = None,
        extract: str | None = None,
        policy: Policy | str | Path | None = None,
    ) -> None:
        super().__init__(
            db,
            writer=writer,
            model=model,
            embedder=embedder,
            store=store,
            clock=clock,
            extractor=extractor,
            extract=extract,
            policy=policy,
        )
        self.user = user
        self._names: dict[str, Any] = {"friend": friend, "conversation": conversation, "persona": persona}
        # Before the first call fails for a reason of the names, say so here.
        self._place = service.arrive(self.parts, user, **self._names)

    @property
    def place(self) -> Place:
        return self._place

    @property
    def id(self) -> str:
        return self._place.conversation.conversation_id

    @property
    def persona(self) -> str:
        return self._place.friend.assignment.template_id

    def say(self, text: str, *, message_id: str | None = None) -> Reply:
        """One turn. The same message_id gives the stored reply, unchanged."""
        outcome = service.say(self.parts, self._place, text, message_uuid(message_id, self.id))
        return Reply.of(self.parts, self._place, outcome)

    def stream(self, text: str, *, message_id: str | None = None) -> Iterator[str]:
        """The reply in pieces. Nothing comes before the whole draft has passed the gate."""
        yield from pieces(self.say(text, message_id=message_id).text)

    def again(self, message_id: str, generation: int = 1) -> Reply:
        """Another reply to a message that was answered; it takes the place of the old one."""
        outcome = service.regenerate(self.parts, message_uuid(message_id, self.id), generation)
        return Reply.of(self.parts, self._place, outcome)

    def why(self, message_id: str) -> list[str]:
        return service.why(self.parts, message_uuid(message_id, self.id), self._place.user.user_id)

    def messages(self) -> list[Message]:
        return service.messages(self.parts, self._place)

    def inbox(self, *, unseen: bool = False, mark: bool = True) -> list[Sent]:
        """What the friend wrote first and what was asked for, newest first; `mark` marks it as seen.

        Reminders that are due are kept now: nothing else has to run for that.
        """
        Worker(self.parts, ASKED).drain()
        found = inbox.messages(self.parts, self._place.user.user_id, unseen=unseen)
        if mark and found:
            inbox.seen(self.parts, self._place.user.user_id, [m.retention_id for m in found])
        return [Sent.of(m) for m in found]

    def opened(self, notification_id: str | None = None) -> str | None:
        """The app was opened; the id of the message this is put down to, if any."""
        return inbox.app_opened(self.parts, self._place.user.user_id, notification_id=notification_id).retention_id

    def reminders(self) -> list[Reminder]:
        """What was promised and is still to come."""
        return inbox.reminders(self.parts, self._place.user.user_id)

    def why_silent(self, language: str = HOUSE) -> str:
        """One sentence why the friend would not write now; empty when it would."""
        place = self._place
        return inbox.why_silent(self.parts, place.user.user_id, place.friend.friend_id, language)[1]


def pieces(text: str) -> list[str]:
    """Words with the space behind them; joined they are the text."""
    return _PIECE.findall(text)

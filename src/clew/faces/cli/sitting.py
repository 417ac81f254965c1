"""One sitting at the terminal: who talks with whom, on which screen, and what was listed last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.text import Text

from clew.engine import identity
from clew.engine.parts import Parts
from clew.engine.rights import Scope
from clew.engine.story import screen_words
from clew.model.account import Conversation
from clew.model.language import HOUSE
from clew.model.memory import MemoryRecord


class Leave(Exception):
    """The user wants out."""


@dataclass
class Chat:
    """One sitting at the terminal."""

    parts: Parts
    conversation: Conversation
    console: Console
    last_message_id: str | None = None
    failed: bool = False
    verbose: bool = False
    quiet: bool = False
    # What was listed last, so that "forget the second one" has something to point at.
    listed: tuple[MemoryRecord, ...] = ()

    @property
    def scope(self) -> Scope:
        return Scope.of(self.conversation)

    @property
    def language(self) -> str:
        """The language of the last message, in this sitting or before it."""
        with self.parts.store.read() as session:
            past = session.recent(self.conversation.conversation_id, 1, "user")
            name = self.last_message_id or (past[-1].message_id if past else None)
            trace = session.trace(name) if name else None
        return (trace.told.heard.language if trace else "") or HOUSE

    @property
    def heard(self) -> str:
        """What the user wrote last."""
        with self.parts.store.read() as session:
            past = session.recent(self.conversation.conversation_id, 1, "user")
        return past[-1].text if past else ""

    @property
    def words(self) -> Mapping[str, str]:
        """What the commands say, in the user's language."""
        return screen_words(self.parts.policy, self.language)

    @property
    def zone(self) -> ZoneInfo:
        with self.parts.store.read() as session:
            answers = identity.account(session, self.conversation.user_id).user.answers
        return ZoneInfo(answers.client_timezone or "UTC")

    def dim(self, line: str) -> None:
        self.console.print(Text(f"  {line}", style="dim"))

    def show(self, line: str) -> None:
        self.console.print(Text(line))

    @contextmanager
    def thinking(self) -> Iterator[None]:
        """A sign of life while a slow writer works, or the embedder loads; nothing for a quick one or a pipe."""
        quick = self.parts.writer.name == "composer" and self.last_message_id is not None
        if not self.console.is_terminal or quick:
            yield
            return
        with self.console.status("writing…"):
            yield

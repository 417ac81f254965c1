"""The asynchronous twins: the same names and results; the work runs on a thread, the loop never waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from clew.engine.archive import Receipt
from clew.engine.bootstrap import LOOP
from clew.engine.episodes import Talk
from clew.faces.python.chat import Chat, pieces
from clew.faces.python.memory import Memory, Messages
from clew.faces.python.results import Added, Change, Hit, Item, Reply, Sent
from clew.model.account import Message
from clew.model.language import HOUSE
from clew.model.outreach import Reminder

P = ParamSpec("P")
T = TypeVar("T")


async def _away(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """A coroutine function given as writer is run on the caller's own loop."""
    token = LOOP.set(asyncio.get_running_loop())
    try:
        return await asyncio.to_thread(call, *args, **kwargs)
    finally:
        LOOP.reset(token)


class AsyncMemory:
    """`clew.Memory`, awaited."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.sync = Memory(*args, **kwargs)

    async def __aenter__(self) -> AsyncMemory:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await _away(self.sync.close)

    async def add(self, what: Messages, **more: Any) -> Added:
        return await _away(self.sync.add, what, **more)

    async def search(self, query: str, **more: Any) -> list[Hit]:
        return await _away(self.sync.search, query, **more)

    async def context(self, query: str = "", **more: Any) -> str:
        return await _away(self.sync.context, query, **more)

    async def all(self, **more: Any) -> list[Item]:
        return await _away(self.sync.all, **more)

    async def get(self, memory_id: str, **more: Any) -> Item:
        return await _away(self.sync.get, memory_id, **more)

    async def episodes(self, **more: Any) -> list[Talk]:
        return await _away(self.sync.episodes, **more)

    async def decide(self, decision: str, outcome: str = "", **more: Any) -> tuple[Change, ...]:
        return await _away(self.sync.decide, decision, outcome, **more)

    async def decisions(self, query: str = "", **more: Any) -> list[Item]:
        return await _away(self.sync.decisions, query, **more)

    async def history(self, key: str, **more: Any) -> list[Item]:
        return await _away(self.sync.history, key, **more)

    async def put(self, key: str, value: str, **more: Any) -> tuple[Change, ...]:
        return await _away(self.sync.put, key, value, **more)

    async def edit(self, memory_id: str, value: str, **more: Any) -> tuple[Change, ...]:
        return await _away(self.sync.edit, memory_id, value, **more)

    async def forget(self, what: str, **more: Any) -> tuple[Change, ...]:
        return await _away(self.sync.forget, what, **more)

    async def correct(self, text: str, **more: Any) -> tuple[Change, ...]:
        return await _away(self.sync.correct, text, **more)

    async def undo(self, **more: Any) -> tuple[Change, ...]:
        return await _away(self.sync.undo, **more)

    async def restore(self, memory_id: str, **more: Any) -> tuple[Change, ...]:
        return await _away(self.sync.restore, memory_id, **more)

    async def pause(self, memory_id: str, paused: bool = True, **more: Any) -> Item:
        return await _away(self.sync.pause, memory_id, paused, **more)

    async def unsay(self, message_id: str, **more: Any) -> tuple[Change, ...]:
        return await _away(self.sync.unsay, message_id, **more)

    async def export(self, target: str | Path, **more: Any) -> Path:
        return await _away(self.sync.export, target, **more)

    async def import_(self, source: str | Path, **more: Any) -> dict[str, int]:
        return await _away(self.sync.import_, source, **more)

    async def lorebook(self, **more: Any) -> dict[str, Any]:
        return await _away(self.sync.lorebook, **more)

    async def inbox(self, **more: Any) -> list[Sent]:
        return await _away(self.sync.inbox, **more)

    async def erase(self, **more: Any) -> Receipt:
        return await _away(self.sync.erase, **more)


class AsyncChat:
    """`clew.Chat`, awaited; `writer` may be a coroutine function."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.sync = Chat(*args, **kwargs)

    async def __aenter__(self) -> AsyncChat:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        await _away(self.sync.close)

    @property
    def id(self) -> str:
        return self.sync.id

    @property
    def persona(self) -> str:
        return self.sync.persona

    async def say(self, text: str, *, message_id: str | None = None) -> Reply:
        return await _away(self.sync.say, text, message_id=message_id)

    async def stream(self, text: str, *, message_id: str | None = None) -> AsyncIterator[str]:
        reply = await self.say(text, message_id=message_id)
        for piece in pieces(reply.text):
            yield piece

    async def again(self, message_id: str, generation: int = 1) -> Reply:
        return await _away(self.sync.again, message_id, generation)

    async def why(self, message_id: str) -> list[str]:
        return await _away(self.sync.why, message_id)

    async def messages(self) -> list[Message]:
        return await _away(self.sync.messages)

    async def inbox(self, *, unseen: bool = False, mark: bool = True) -> list[Sent]:
        return await _away(self.sync.inbox, unseen=unseen, mark=mark)

    async def opened(self, notification_id: str | None = None) -> str | None:
        return await _away(self.sync.opened, notification_id)

    async def reminders(self) -> list[Reminder]:
        return await _away(self.sync.reminders)

    async def why_silent(self, language: str = HOUSE) -> str:
        return await _away(self.sync.why_silent, language)

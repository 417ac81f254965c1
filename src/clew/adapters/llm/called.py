"""A writer made of any callable: prompt messages in, text out."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

from clew.adapters.llm.answer import usable
from clew.errors import ModelFailure, ModelGarbage, ModelTimeout, ModelUnavailable
from clew.ports.llm import WriterAnswer, WriterRequest

# The loop an asynchronous caller waits on: a coroutine function runs there, not on the engine's thread.
LOOP: ContextVar[asyncio.AbstractEventLoop | None] = ContextVar("clew_loop", default=None)

Called = Callable[[list[dict[str, str]]], Any]


class CallableWriter:
    """Calls `function([{"role", "content"}, …])`; what it raises becomes a ModelFailure, so the message is kept."""

    def __init__(self, function: Called, name: str | None = None) -> None:
        self._function = function
        self._name = name or f"callable:{getattr(function, '__name__', type(function).__name__)}"

    @property
    def name(self) -> str:
        return self._name

    def write(self, request: WriterRequest) -> WriterAnswer:
        asked = [{"role": m.role, "content": m.content} for m in request.messages]
        try:
            answer = self._function(asked)
            if inspect.isawaitable(answer):
                answer = _awaited(answer, request.timeout_seconds)
        except ModelFailure:
            raise
        except TimeoutError as why:
            raise ModelTimeout(f"{self.name}: {why or 'no answer in time'}") from why
        except Exception as why:
            raise ModelUnavailable(f"{self.name}: {type(why).__name__}: {why}") from why
        if not isinstance(answer, str):
            raise ModelGarbage(f"{self.name} gave {type(answer).__name__}, not text")
        return WriterAnswer(text=usable(answer, request), model=self.name)


def _awaited(answer: Any, seconds: float) -> Any:
    loop = LOOP.get()
    if loop is not None and loop.is_running():
        return asyncio.run_coroutine_threadsafe(_wait(answer), loop).result(seconds)
    return asyncio.run(_wait(answer))


async def _wait(answer: Any) -> Any:
    return await answer

"""The promise of a writer: text for a prompt, or a typed ModelFailure. It never decides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Protocol

from clew.frozen import dataclass
from clew.model.plan import ResponsePlan

Role = Literal["system", "user", "assistant"]
Purpose = Literal["reply", "rewrite", "extract", "ground", "threads", "rank"]


@dataclass(frozen=True, slots=True)
class PromptMessage:
    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class WriterRequest:
    purpose: Purpose
    messages: tuple[PromptMessage, ...]
    plan: ResponsePlan | None = None
    max_tokens: int = 300
    temperature: float = 0.7
    seed: int = 0
    timeout_seconds: float = 60.0
    # A JSON Schema the answer must satisfy; None = free text.
    schema: Mapping[str, Any] | None = None
    # The one who asks checks each item: any JSON object will do, so that one bad item does not cost the others.
    item_by_item: bool = False


@dataclass(frozen=True, slots=True)
class WriterAnswer:
    text: str
    model: str
    prompt_tokens: int | None = None
    completion_tokens: int | None = None


class Writer(Protocol):
    """Raises only ModelFailure and its leaves (clew.errors)."""

    @property
    def name(self) -> str: ...

    def write(self, request: WriterRequest) -> WriterAnswer: ...

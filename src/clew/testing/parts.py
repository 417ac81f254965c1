"""A whole engine for tests: real store, real kernels, held clock, a writer of your choice."""

from __future__ import annotations

import uuid
from typing import Any

from clew import policy as policies
from clew.adapters.index.sql import SqlTurnIndex
from clew.adapters.store.sql import SqlStore
from clew.engine import identity
from clew.engine.bootstrap import MemoryTerms
from clew.engine.composing import BuiltIn
from clew.engine.parts import Parts
from clew.engine.turn import take_turn
from clew.model.account import Conversation
from clew.model.exchange import Incoming, Outcome
from clew.policy import Policy
from clew.ports.llm import Writer
from clew.testing.fakes import HeldClock, HeldProcess

ANSWERS: dict[str, Any] = {
    "preferred_name": "Mina",
    "age_band": "25-34",
    "country_or_region": "KR",
    "occupation_category": "working",
    "client_timezone": "Asia/Seoul",
}


def make_parts(url: str, writer: Writer | None = None, policy: Policy | None = None, **more: Any) -> Parts:
    policy = policy or policies.default()
    store = SqlStore(url, durable=False, terms=MemoryTerms(policy))
    return Parts(
        store=store,
        index=SqlTurnIndex(store),
        writer=writer or BuiltIn(policy),
        clock=more.pop("clock", None) or HeldClock(),
        process=more.pop("process", None) or HeldProcess(),
        policy=policy,
        **more,
    )


def onboard(parts: Parts, user_id: str = "u1", **answers: Any) -> Conversation:
    identity.sign_up(parts, user_id)
    identity.start_onboarding(parts, user_id)
    account = identity.answer(parts, user_id, {**ANSWERS, **answers})
    assert account.conversation is not None
    return account.conversation


def message_id(number: int) -> str:
    return str(uuid.UUID(int=number))


def say(parts: Parts, conversation: Conversation, text: str, number: int | str) -> Outcome:
    name = number if isinstance(number, str) else message_id(number)
    return take_turn(parts, Incoming(name, conversation.conversation_id, text))

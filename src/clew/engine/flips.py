"""Asking stored turns again: which verdicts would another policy flip?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zoneinfo import ZoneInfo

from clew.engine.parts import Parts
from clew.frozen import dataclass
from clew.kernel.read.signals import hear
from clew.kernel.route.decide import decide
from clew.kernel.statements.extract import extract
from clew.model.account import Message, User
from clew.model.turn import Source
from clew.policy import Policy

_ALL = 1_000_000


@dataclass(frozen=True, slots=True)
class Flip:
    """One verdict of a stored turn that another policy would have given differently."""

    message_id: str
    text: str
    what: str
    before: str
    after: str

    def as_dict(self) -> dict[str, str]:
        return {"message_id": self.message_id, "what": self.what, "before": self.before, "after": self.after}


def flips(parts: Parts, policy: Policy) -> Iterator[list[Flip]]:
    """One list a turn: every stored user message, heard, routed and searched for memories again under both policies.

    Both sides are computed now and without vectors, so that only the policy differs.
    """
    with parts.store.read() as session:
        for user in session.users():
            zone = ZoneInfo(user.answers.client_timezone or "UTC")
            for conversation in session.conversations_of(user.user_id):
                earlier: list[str] = []
                for message in session.recent(conversation.conversation_id, _ALL, "user"):
                    old = _verdicts(message, earlier, user, zone, parts.policy)
                    new = _verdicts(message, earlier, user, zone, policy)
                    yield [
                        Flip(message.message_id, message.text, what, old[what], new[what])
                        for what in old
                        if old[what] != new[what]
                    ]
                    earlier.append(message.text)


def _verdicts(
    message: Message, earlier: Sequence[str], user: User, zone: ZoneInfo, policy: Policy
) -> dict[str, str]:
    heard = hear(message.text, policy, earlier)
    route = decide(heard, user.state, user.answers.age_band, Source(message.source), policy)
    found = extract(message.text, message.at, zone, policy)
    return {
        "pipeline": route.pipeline,
        "safety": heard.safety.kind,
        "topics": ", ".join(m.topic for m in heard.topics) or "none",
        "memories": ", ".join(f"{c.key}={c.value}" for c in found) or "none",
    }

"""What Clew says in its own words, chosen by content so that the same turn says the same."""

from __future__ import annotations

import hashlib

from clew.policy import Policy


def say(text_id: str, language: str, message_id: str, policy: Policy, avoid: tuple[str, ...] = ()) -> str:
    """Rotates by the message, and past anything said lately."""
    table = policy.engine.texts[text_id]
    choices = table.get(language) or table["en"]
    start = int.from_bytes(hashlib.sha256(message_id.encode()).digest()[:4], "big")
    ordered = [choices[(start + i) % len(choices)] for i in range(len(choices))]
    return next((c for c in ordered if c not in avoid), ordered[0])

"""The promise of a sender: a message is at its address when `send` returns; otherwise it raises DeliveryFailed.

The same message may be sent again after a death in between; its id travels with it, so that whoever receives it twice
can tell.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from clew.frozen import dataclass
from clew.model.outreach import Channel


@dataclass(frozen=True, slots=True)
class Parcel:
    """What leaves the house: the words, whose they are, and ids to tell it by."""

    retention_id: str
    notification_id: str
    user: str
    conversation_id: str
    kind: str
    text: str
    at: datetime


class Sender(Protocol):
    def send(self, channel: Channel, parcel: Parcel, timeout_seconds: float) -> None:
        """Raises DeliveryFailed, or DeliveryRefused where trying again cannot help."""
        ...

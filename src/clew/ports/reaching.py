"""The promise of a store about proactive messages: kept like everything else, read by the page."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Protocol

from clew.model.account import Lease
from clew.model.outreach import Attempt, Channel, DueUser, Outreach, Reminder, ReminderStatus
from clew.model.relationship import RelationshipState


class ReachSession(Protocol):
    def outreach(self, retention_id: str) -> Outreach | None: ...
    def outreach_of(self, user_id: str, since: datetime | None = None, most: int = 400) -> list[Outreach]:
        """The newest, oldest first."""
        ...

    def reminder(self, reminder_id: str) -> Reminder | None: ...
    def reminders_of(self, user_id: str, status: ReminderStatus | None = ReminderStatus.SET) -> list[Reminder]: ...
    def channels_of(self, user_id: str) -> list[Channel]: ...

    def candidates(self, after: tuple[str, str], before: str | None, most: int) -> list[DueUser]:
        """One page of all friendships behind `after`, by user and friend."""
        ...

    def attempts_of(self, user_ids: Collection[str], since: datetime) -> dict[str, tuple[Attempt, ...]]:
        """What was sent to these users since then without being asked for, oldest first."""
        ...

    def silent(
        self, after: tuple[str, str], before: str | None, most: int, until: datetime
    ) -> list[tuple[str, str, RelationshipState]]:
        """One page of the friendships that were silent since then."""
        ...

    def all_leases(self, most: int = 500) -> list[Lease]: ...
    def conversation_ids(self, after: str, most: int) -> list[str]: ...

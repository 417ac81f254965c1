"""What "I switched to …" names, and whether that is a time."""

from __future__ import annotations

import re
from datetime import datetime
from zoneinfo import ZoneInfo

from clew.kernel.keep.times import resolve
from clew.policy import Policy

_ANY_ZONE = ZoneInfo("UTC")


def switched_to(sentence: str, policy: Policy) -> str | None:
    """What "I switched to …" names takes the place of what was held, whatever that is."""
    for words in policy.checks.languages.values():
        for shape in words.switched.values():
            match = re.search(shape.pattern, sentence, re.I)
            if match and (value := match.groupdict().get("new")):
                return value.strip()
    return None


def is_time(said: str, at: datetime, policy: Policy) -> bool:
    """Nothing but a day or an hour: 수요일, Friday, 3시."""
    when = resolve(said, at, _ANY_ZONE, policy)
    return when is not None and when.start is not None and 2 * len(when.text or "") >= len(said)

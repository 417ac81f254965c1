"""The seven questions, each with a sensible default."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from clew.errors import InvalidInput
from clew.faces.cli.out import echo
from clew.model.profile import AgeBand, Answers, Occupation, UserControls
from clew.model.topic import TopicId

_SKIP = "skip"
DEMO: dict[str, Any] = {
    "preferred_name": "Robin",
    "age_band": "25-34",
    "country_or_region": "GB",
    "occupation_category": "working",
    "client_timezone": "Europe/London",
    "proactive_messages_enabled": False,
    "suppressed_topics": ["POLITICS"],
}


def defaults() -> dict[str, Any]:
    return {
        "preferred_name": (os.environ.get("USER") or os.environ.get("USERNAME") or "friend").capitalize(),
        "occupation_category": "other",
        "client_timezone": local_zone(),
        "proactive_messages_enabled": True,
        "suppressed_topics": [],
    }


def local_zone() -> str:
    """The machine's IANA zone, or UTC when it does not say."""
    named = os.environ.get("TZ", "").lstrip(":")
    link = Path("/etc/localtime")
    if not named and link.is_symlink():
        named = str(link.resolve()).partition("zoneinfo/")[2]
    from zoneinfo import ZoneInfo

    try:
        return ZoneInfo(named).key if named else "UTC"
    except (KeyError, ValueError, OSError):
        return "UTC" if time.timezone == 0 else "Etc/UTC"


def ask(check: Callable[[dict[str, Any], Answers, UserControls], object]) -> dict[str, Any]:
    """Ask each question until its answer passes the same check that stores it."""
    given: dict[str, Any] = {}
    preset = defaults()
    topics = ", ".join(t.lower() for t in TopicId)
    questions = (
        ("preferred_name", "What should I call you?", str),
        ("age_band", f"Your age band ({', '.join(a.value for a in AgeBand)}), or skip", _or_skipped),
        ("country_or_region", "Your country, as a two-letter code like GB or KR, or skip", _or_skipped),
        ("occupation_category", f"What keeps you busy ({', '.join(o.value for o in Occupation)})", str),
        ("client_timezone", "Your time zone", str),
        ("proactive_messages_enabled", "May I write first now and then (yes/no)", _yes),
        (
            "suppressed_topics",
            f"Topics I should never bring up, comma-separated, or none\n  ({topics})\n ",
            _topics,
        ),
    )
    echo("Seven short questions first; Enter takes the suggestion.\n")
    for name, question, read in questions:
        shown = preset.get(name, _SKIP)
        if isinstance(shown, bool):
            shown = "yes" if shown else "no"
        elif isinstance(shown, list):
            shown = ", ".join(shown) or "none"
        while True:
            said = click.prompt(question, default=shown)
            try:
                answer = read(said)
                if answer is None:
                    break
                given[name] = answer
                check({name: given[name]}, Answers(), UserControls())
                break
            except InvalidInput as why:
                # The question is just above; its field's name says nothing to a person.
                said = why.message.removeprefix(f"{name} ").removeprefix("topic ")
                echo(f"  {said[:1].upper()}{said[1:].lower() if name == 'suppressed_topics' else said[1:]}")
    echo()
    return given


def _or_skipped(said: str) -> str | None:
    """What is not told stays unknown."""
    return None if said.strip().lower() in ("", _SKIP) else said


def _yes(said: str) -> bool:
    low = said.strip().lower()
    if low in ("y", "yes", "true", "1", "예", "네", "응"):
        return True
    if low in ("n", "no", "false", "0", "아니", "아니오"):
        return False
    raise InvalidInput("please answer yes or no")


def _topics(said: str) -> list[str]:
    names = [t.strip().upper().replace(" ", "_") for t in said.split(",")]
    return [n for n in names if n and n != "NONE"]

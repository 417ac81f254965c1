"""The one way to the terminal: what a model, an endpoint, a name or a file said is text, never a command.

Control characters show as signs, characters that turn the direction of writing as a mark.
JSON writes them as escapes, so that a program reads the same string.
"""

from __future__ import annotations

import json
import re
from typing import Any

import click

# C0 without tab and line feed, DEL, C1; marks, embeddings, overrides and isolates of direction;
# line and paragraph separators; halves of characters.
_LIVE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
_LIVE_IN_JSON = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_PICTURES, _DELETE = 0x2400, "\u2421"
_MARK = "\ufffd"


def safe(text: str) -> str:
    """The text as it may be shown."""
    return _LIVE.sub(_sign, text.replace("\r\n", "\n"))


def to_json(value: Any, *, indent: int | None = None) -> str:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return escaped(text)


def escaped(text: str) -> str:
    """Such characters stand only inside the strings of a JSON text."""
    return _LIVE_IN_JSON.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    click.echo(safe(text), err=err, nl=nl)


def _sign(found: re.Match[str]) -> str:
    character = found.group()
    if character < " ":
        return chr(_PICTURES + ord(character))
    return _DELETE if character == "\x7f" else _MARK

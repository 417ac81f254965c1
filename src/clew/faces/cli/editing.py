"""Line editing where the terminal has it: arrows, what was said before, completion of commands, long input."""

from __future__ import annotations

import locale
import os
from collections.abc import Sequence

_GOES_ON = "\\"
_BLOCK = '"""'


def ready(before: Sequence[str], commands: Sequence[str]) -> None:
    """What was said before is found with the arrows; Tab completes a command. Nothing is written to a file."""
    _any_letters()
    try:
        import readline
    except ImportError:  # no readline here: plain input works all the same
        return
    readline.clear_history()
    for line in before:
        if "\n" not in line:
            readline.add_history(line)
    readline.set_completer_delims("")
    readline.set_completer(lambda text, state: _completed(text, state, commands))
    readline.parse_and_bind("tab: complete")


def _any_letters() -> None:
    """A locale that this machine does not have leaves the editor with ASCII alone: 한글 would be taken for keys."""
    try:
        locale.setlocale(locale.LC_CTYPE, "")
        known = "utf" in (locale.nl_langinfo(locale.CODESET) or "").lower()
    except (locale.Error, AttributeError):
        known = False
    if not known:
        os.environ["LC_ALL"] = "C.UTF-8"


def _completed(text: str, state: int, commands: Sequence[str]) -> str | None:
    fitting = [c for c in commands if text.startswith("/") and c.startswith(text)]
    return fitting[state] if state < len(fitting) else None


def line_of(prompt: str) -> str:
    """One message: a line; lines that end with a backslash; or everything between two lines of three quotes."""
    line = input(prompt)
    if line.strip() == _BLOCK:
        lines: list[str] = []
        while (more := input("… ")).strip() != _BLOCK:
            lines.append(more)
        return "\n".join(lines)
    while line.endswith(_GOES_ON):
        line = line[:-1] + "\n" + input("… ")
    return line

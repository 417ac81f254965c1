"""`clew kernel NAME`: JSON Lines in, JSON Lines out, one answer per line, in order."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from clew.engine import prepared
from clew.errors import ClewError, InvalidInput
from clew.faces.cli.out import echo, escaped
from clew.kernel.door import DOORS, Mode, call
from clew.policy import Policy


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is not a number")


_DECODE = json.JSONDecoder(parse_constant=_no_number).decode
_ENCODE = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode
_CHUNK = 1 << 16
# Only such a line can hold half a character or a number beyond all floats.
_DOUBTFUL = re.compile(rb"\\u[dD][89a-fA-F]|[0-9][eE]\+?[0-9]{3}|[0-9]{300}")


@click.command(context_settings={"ignore_unknown_options": False})
@click.argument("name")
@click.option("--mode", type=click.Choice(["strict", "repair"]), default="repair", show_default=True)
@click.option(
    "--policy", "policy_file", type=click.Path(path_type=Path), help="A TOML file laid over the shipped policy."
)
@click.option("--no-embed", is_flag=True, help="Never fill vectors; lexical rules only.")
def kernel(name: str, mode: Mode, policy_file: Path | None, no_embed: bool) -> int:
    """Ask the kernel NAME one question per line of standard input."""
    if name not in DOORS:
        echo(f"clew: no kernel named {name!r}; known: {', '.join(sorted(DOORS))}", err=True)
        return 2
    policy = prepared.policy(policy_file)
    fill = None if no_embed else _filler(name)
    failed = False
    out = sys.stdout.buffer
    for lines in arriving(sys.stdin.buffer):
        for answer in answers(name, lines, mode, policy, fill):
            failed = failed or "error" in answer
            out.write(escaped(_ENCODE(answer)).encode("utf-8") + b"\n")
        # Whoever asks and waits gets each answer at once.
        out.flush()
    return 1 if failed else 0


def arriving(stream: Any) -> Iterator[list[bytes]]:
    """The whole lines that have come so far, again and again; the last may lack its end."""
    begun: list[bytes] = []
    while chunk := stream.read1(_CHUNK):
        *whole, rest = chunk.split(b"\n")
        if whole:
            whole[0] = b"".join((*begun, whole[0]))
            begun = []
            yield whole
        begun.append(rest)
    if any(begun):
        yield [b"".join(begun)]


def answers(
    name: str, lines: Iterable[bytes], mode: Mode, policy: Policy, fill: Any = None
) -> Iterator[dict[str, Any]]:
    for line in lines:
        if not line.strip():
            continue
        try:
            payload = _payload(line)
            if fill is not None:
                payload = fill(payload)
            yield call(name, payload, mode=mode, policy=policy)
        except ClewError as why:
            yield {"error": {"pointer": "", **why.as_dict()}}
        except RecursionError:
            yield {"error": {"code": "invalid_input", "message": "nested too deeply", "pointer": ""}}


def _payload(line: bytes) -> Any:
    """What JSON itself cannot write back is refused here: NaN, numbers without end, lone surrogates."""
    try:
        payload = _DECODE(line.decode("utf-8"))
        if _DOUBTFUL.search(line):
            _ENCODE(payload).encode("utf-8")
    except UnicodeDecodeError as why:
        raise InvalidInput(f"not UTF-8 at byte {why.start}", pointer="") from None
    except UnicodeEncodeError:
        where = _half_character(payload, "")
        raise InvalidInput("a string holds a lone surrogate, which is not text", pointer=where) from None
    except ValueError as why:
        raise InvalidInput(f"not JSON: {why}", pointer="") from None
    return payload


def _half_character(value: Any, pointer: str) -> str:
    """The place of the first string that no file can hold."""
    if isinstance(value, str):
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return pointer
        return ""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return next((found for key, item in items if (found := _half_character(item, f"{pointer}/{key}"))), "")


def _filler(name: str) -> Any:
    """Vectors come from the default embedder where it is installed."""
    from clew.faces.cli.embed import filler

    return filler(name)

"""`clew card`: character cards and lorebooks of other programs, looked into, matched, and written anew."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click

from clew.errors import InvalidInput
from clew.faces.cli.out import echo
from clew.formats.card import Card, read_card, write_charx, write_json, write_png
from clew.formats.lorebook import Lorebook, match, read_lorebook

_WRITERS: dict[str, Callable[[Card], bytes]] = {".png": write_png, ".json": write_json, ".charx": write_charx}
_SHOWN = 100
_FILE = click.argument("file", type=click.Path(path_type=Path))


@click.group()
def card() -> None:
    """Character cards (version 1, 2 and 3; PNG, JSON, CHARX) and lorebooks. Nothing of them is stored."""


@card.command("show")
@_FILE
def show(file: Path) -> int:
    """Tell what stands in the card FILE."""
    found = read_card(_bytes(file))
    echo(f"{found.name}  (version {found.version})")
    for warning in found.warnings:
        echo(f"  note: {warning}")
    for field, text in found.voice().items():
        if field == "name":
            continue
        short = " ".join(text.split())
        echo(f"  {field:<26} {short[:_SHOWN]}{'…' if len(short) > _SHOWN else ''}")
    if found.book is not None:
        echo(f"  {'lorebook':<26} {len(read_lorebook(found.book).entries)} entries")
    return 0


@card.command("convert")
@_FILE
@click.argument("target", type=click.Path(path_type=Path))
def convert(file: Path, target: Path) -> int:
    """Write the card FILE as version 3 to TARGET (.png, .json or .charx); fields nobody knows are kept."""
    write = _WRITERS.get(target.suffix.lower())
    if write is None:
        raise InvalidInput(f"write to {', '.join(_WRITERS)}, not to {target.suffix!r}", pointer="TARGET")
    if target.exists():
        raise InvalidInput(f"{target} is there already", pointer="TARGET")
    data = write(read_card(_bytes(file)))
    try:
        target.write_bytes(data)
    except OSError as why:
        raise InvalidInput(f"cannot write {target}: {why.strerror}", pointer="TARGET") from None
    echo(f"wrote {target} ({len(data):,} bytes)")
    return 0


@card.command("lore")
@_FILE
@click.argument("messages", nargs=-1, required=True)
def lore(file: Path, messages: tuple[str, ...]) -> int:
    """Which entries of the lorebook or card FILE these MESSAGES call up, the newest one last; JSON Lines."""
    for called in match(_book(_bytes(file)), messages):
        row = {"id": called.entry.id, "by": called.by, "content": called.entry.content}
        echo(json.dumps(row, ensure_ascii=False))
    return 0


def _book(data: bytes) -> Lorebook:
    """A stand-alone lorebook, or the one inside a card."""
    try:
        return read_lorebook(data)
    except InvalidInput as why:
        try:
            inside = read_card(data).book
        except InvalidInput:
            raise why from None
        if inside is None:
            raise InvalidInput("this card has no lorebook", pointer="FILE") from None
        return read_lorebook(inside)


def _bytes(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as why:
        raise InvalidInput(f"cannot read {file}: {why.strerror}", pointer="FILE") from None

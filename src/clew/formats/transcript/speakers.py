"""Who is who: a small TOML that names the game master, gives players their characters, leaves bots out."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path

from clew.errors import InvalidInput
from clew.model.transcript import Skipped, Transcript

_MASTER = re.compile(r"\b(?:dm|gm|dungeon ?master|game ?master|narrator|narration|keeper|storyteller)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SpeakerMap:
    """`names` gives a speaker another name; `players` is empty when nobody was called a player."""

    dm: tuple[str, ...] = ()
    players: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = ()

    def apply(self, transcript: Transcript) -> Transcript:
        names = dict(self.names)
        ignored = set(self.ignored)
        lines, skipped = [], list(transcript.skipped)
        for line in transcript.lines:
            if line.speaker in ignored:
                skipped.append(Skipped(line.index, "speaker ignored by the map", line.speaker))
            else:
                lines.append(replace(line, speaker=names[line.speaker]) if line.speaker in names else line)
        return Transcript(transcript.format, tuple(lines), tuple(skipped))


def read_map(path: Path) -> SpeakerMap:
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as why:
        raise InvalidInput(f"speaker map {path}: {why.strerror}", pointer="/") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as why:
        raise InvalidInput(f"speaker map {path}: {why}", pointer="/") from None
    rows = data.get("speakers")
    if not isinstance(rows, dict):
        raise InvalidInput(f"speaker map {path}: no [speakers] table", pointer="/speakers")
    return parse_map(rows)


def parse_map(rows: dict[str, object]) -> SpeakerMap:
    dm, players, ignored, names = [], [], [], []
    for name, role in rows.items():
        if role == "DM":
            dm.append(name)
        elif role == "ignore":
            ignored.append(name)
        elif role == "PC":
            players.append(name)
        elif isinstance(role, str) and role.startswith("PC:") and role[3:].strip():
            players.append(role[3:].strip())
            names.append((name, role[3:].strip()))
        else:
            message = f'{name}: the role must be "DM", "PC", "PC:character" or "ignore", not {role!r}'
            raise InvalidInput(message, pointer=f"/speakers/{name}")
    return SpeakerMap(tuple(dm), tuple(dict.fromkeys(players)), tuple(ignored), tuple(names))


def masters(transcript: Transcript) -> tuple[str, ...]:
    """Speakers whose name says that they lead the game; the first is enough."""
    return tuple(name for name in transcript.speakers if _MASTER.search(name))[:1]


def starter(transcript: Transcript) -> str:
    """A map to edit: everyone with the number of their lines."""
    leads = set(masters(transcript))
    rows = [
        "# Who is who. Roles: DM, PC, PC:character (another name for the speaker), ignore.",
        "[speakers]",
    ]
    width = max((len(json.dumps(name, ensure_ascii=False)) for name in transcript.speakers), default=0)
    for name, count in transcript.speakers.items():
        key = json.dumps(name, ensure_ascii=False)
        role = "DM" if name in leads else "PC"
        rows.append(f'{key.ljust(width)} = "{role}"  # {count} lines')
    return "\n".join(rows) + "\n"

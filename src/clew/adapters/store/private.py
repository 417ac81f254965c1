"""Files that only their owner can read, whatever the umask."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from urllib.parse import unquote

import sqlalchemy as sa

from clew.errors import StoreFailure

FOLDER, FILE = 0o700, 0o600
SIDES = ("", "-wal", "-shm", "-journal")


def make_folder(folder: Path) -> None:
    """The folder and whatever is missing above it; one that is there is left as its owner wants it."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    try:
        for path in reversed(missing):
            path.mkdir(mode=FOLDER, exist_ok=True)
            path.chmod(FOLDER)
    except OSError as why:
        raise StoreFailure(f"cannot make the folder {folder} of the database: {why.strerror}") from None


def make_file(path: Path) -> None:
    """An empty file of our own; one that is there, or cannot be made, is left to the database to judge."""
    with contextlib.suppress(OSError):
        made = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, FILE)
        os.fchmod(made, FILE)
        os.close(made)


def close_to_others(path: Path) -> None:
    """A database of a version that left this to the umask."""
    for end in SIDES:
        with contextlib.suppress(OSError):
            Path(f"{path}{end}").chmod(FILE)


def file_of(url: sa.URL) -> Path | None:
    """The file behind a SQLite URL, also one given as a `file:` URI; None where there is none."""
    name = url.database or ""
    if name.startswith("file:"):
        name = unquote(name.removeprefix("file:").partition("?")[0])
        if name.startswith("//"):  # file://localhost/path or file:///path
            name = "/" + name[2:].partition("/")[2]
        if url.query.get("mode") == "memory":
            return None
    return Path(name) if name and name != ":memory:" else None

"""A folder for what takes long to make and can always be made again: nothing of a user is ever kept here.

A file is named after what it was made from, so a stale one is never found. It is written beside and moved into
its place: a reader sees a whole file or none. Where the folder cannot be written nothing is kept, and that is all.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

# Versions of one thing that stay: two checkouts side by side do not throw out each other's.
_VERSIONS = 4
_Bytes = bytes | memoryview


def folder() -> Path | None:
    """CLEW_CACHE names another folder; set and empty it turns keeping off."""
    named = os.environ.get("CLEW_CACHE")
    if named is not None:
        return Path(named).expanduser() if named else None
    try:
        home = Path.home()
    except RuntimeError:  # a process without a home
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "clew"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "clew" / "Cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "clew"


def found(name: str, key: str) -> memoryview | None:
    """The bytes kept under this name for this key, mapped and not read; None where there are none."""
    place = folder()
    if place is None:
        return None
    try:
        with (place / f"{name}-{key}").open("rb") as file:
            if os.name == "posix" and os.fstat(file.fileno()).st_uid != os.getuid():
                return None  # somebody else's file is not ours to trust
            return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except (OSError, ValueError):  # an empty file cannot be mapped
        return None


def keep(name: str, key: str, parts: Iterable[_Bytes]) -> bool:
    """Keep these bytes, one after another; older versions of the same thing make room."""
    place = folder()
    if place is None:
        return False
    try:
        place.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, beside = tempfile.mkstemp(prefix=f".{name}-", dir=place)
    except OSError:
        return False
    try:
        with open(handle, "wb") as file:  # noqa: PTH123
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        Path(beside).replace(place / f"{name}-{key}")
    except OSError:
        with contextlib.suppress(OSError):
            Path(beside).unlink()
        return False
    with contextlib.suppress(OSError):
        versions = sorted(place.glob(f"{name}-*"), key=lambda p: p.stat().st_mtime, reverse=True)
        for old in versions[_VERSIONS:]:
            old.unlink()
    return True

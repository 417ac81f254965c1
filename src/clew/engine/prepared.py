"""The shipped policy, read and checked once per release, and its patterns: later starts take them from the cache.

What is kept is named after everything it was made from (the tables, the code that reads them, this Python), so a
changed word or class is never answered from before. A user's own file is always read and checked afresh.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import sys
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from clew import policy as policies
from clew import programs
from clew.adapters import cache
from clew.policy import Policy

NAME, PROGRAMS = "policy", "programs"
# Classes that a kept policy is made of; anything else in the file is refused.
_OURS = ("clew.policy", "clew.model")
# Where tables are made of a policy (`programs.table`); named, not imported: not every command needs them.
_TABLES = ("read/phrases.py", "recall/turns/vocabulary.py")
_SHARED = ("frozen.py", "programs.py", "pattern_table.py", "required.py")
_OTHERS = frozenset({("fractions", "Fraction"), (__name__, "table"), ("copyreg", "__newobj__")})


def policy(path: str | Path | None = None) -> Policy:
    """The shipped policy, or it with a user's file laid over."""
    if path is not None or policies.is_loaded():
        return policies.load(path)
    key = made_from()
    if (known_programs := cache.found(PROGRAMS, key)) is not None:
        programs.take(known_programs)
    kept = cache.found(NAME, key)
    if kept is not None and (known := unpacked(kept)) is not None:
        policies.adopt(known)
    else:
        cache.keep(NAME, key, [packed(policies.default())])
    return policies.default()


def keep_programs() -> None:
    """What this process had to compile itself, for the next one; of the shipped tables alone."""
    if policies.is_loaded() and (made := programs.given()) is not None:
        cache.keep(PROGRAMS, made_from(), [made])


@lru_cache(maxsize=1)
def made_from() -> str:
    """A digest of the tables, and of the code that gives them and what is made of them their shape."""
    package = Path(policies.__file__).parent
    files = [*package.rglob("*.toml"), *package.glob("*.py"), *(package.parent / "model").glob("*.py")]
    files += [*(package.parent / file for file in _SHARED), Path(__file__)]
    files += [package.parent / "kernel" / file for file in _TABLES]
    made = hashlib.sha256(sys.version.encode())
    for file in sorted(files):
        made.update(file.name.encode())
        made.update(hashlib.sha256(file.read_bytes()).digest())
    return made.hexdigest()[:32]


def table(rows: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(rows)


class _Packer(pickle.Pickler):
    def reducer_override(self, value: Any) -> Any:
        return (table, (dict(value),)) if type(value) is MappingProxyType else NotImplemented


class _Unpacker(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith(_OURS) or (module, name) in _OTHERS else None
        if (module, name) in _OTHERS or (isinstance(found, type) and found.__module__.startswith(_OURS)):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a policy")


def packed(policy: Policy) -> bytes:
    policy.fingerprint  # noqa: B018 - made before it is kept, so that nobody makes it again
    out = io.BytesIO()
    _Packer(out, protocol=5).dump(policy)
    return out.getvalue()


def unpacked(kept: bytes | memoryview) -> Policy | None:
    try:
        found = _Unpacker(io.BytesIO(kept)).load()
    except Exception:  # whatever is wrong with the file: the tables are read instead
        return None
    return found if isinstance(found, Policy) else None

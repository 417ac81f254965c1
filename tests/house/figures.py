"""Counts over a checkout's source: who parses a raw text, who knows a language, how large each room is.

They take the folder of the package, so that another checkout can be counted by the same rules.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path

# Rooms whose work is reading a text; everywhere else a reading should come in.
READING = ("read", "listen", "language", "statements", "text")
# How a message or a draft is called where it comes in as a raw text.
RAW = ("text", "message", "draft", "reply", "user_text")
# Called on a text, or with one, these take it apart.
_METHODS = frozenset(
    ("lower", "casefold", "split", "rsplit", "splitlines", "partition", "rpartition", "startswith", "endswith", "strip")
)
_CALLS = frozenset(
    ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "normalize", "normal", "tokens", "sentences",
     "spans", "clauses", "words", "topics", "is_question", "content_words", "extract", "extracted", "read", "hear",
     "matches", "opening", "names", "has")
)  # fmt: skip
_HANGUL = re.compile("[\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3]|\\\\uac00")
_ROOM = re.compile(r"\.language\.[a-z]{2}(?:\.|$)")
_NAMED = re.compile(r"(?:^|_)(?:ko|en|hangul|korean|english)(?:$|_)", re.I)


# In a pattern: classes, escapes, names of groups, flags and counts, whose letters do not stand for themselves.
_SIGNS = re.compile(
    r"\\[pP]\{\w+\}|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\[a-zA-Z]|\(\*[A-Z]+\)|\(\?P?[<(=]\w+[>)]"
    r"|\(\?[aiLmsux-]+[:)]|\[[^\]]*\]|\{[^}]*\}"
)
# Two letters in a row, but for addresses and code, which are of no language.
_WORDY = re.compile(r"(?!https?|www|def|class|import|from|print|Error|Exception)(?<![A-Za-z])[A-Za-z]{2,}")


def kernel_modules(package: Path) -> Iterator[tuple[str, Path]]:
    """Every module of the kernel with the name of its room."""
    root = package / "kernel"
    for path in sorted(root.rglob("*.py")):
        parts = path.relative_to(root).parts
        yield (parts[0] if len(parts) > 1 else "kernel"), path


def raw_parsers(package: Path) -> list[str]:
    """Kernel functions outside reading that take a message or draft apart themselves: room/module.py:function."""
    found = []
    for room, path in kernel_modules(package):
        if room in READING:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and any(_parses(node, name) for name in _raw(node)):
                found.append(f"{path.relative_to(package / 'kernel').as_posix()}:{node.name}")
    return sorted(found)


def _raw(function: ast.FunctionDef) -> list[str]:
    given = (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)
    return [a.arg for a in given if a.arg in RAW and isinstance(a.annotation, ast.Name) and a.annotation.id == "str"]


def _parses(function: ast.FunctionDef, name: str) -> bool:
    for node in ast.walk(function):
        if not isinstance(node, ast.Call):
            continue
        callee = node.func
        if isinstance(callee, ast.Attribute) and callee.attr in _METHODS and _is(callee.value, name):
            return True
        called = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", "")
        if called in _CALLS and any(_is(argument, name) for argument in node.args):
            return True
    return False


def _is(node: ast.expr, name: str) -> bool:
    """The text itself or a part of it: text, text[:9], text.strip()."""
    if isinstance(node, ast.Subscript):
        return _is(node.value, name)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _is(node.func.value, name)
    return isinstance(node, ast.Name) and node.id == name


def language_knowers(package: Path) -> list[str]:
    """Kernel modules outside the packs with letters, names or words of one language in their code."""
    return _outside_packs(package, _knows)


def outer_language_knowers(package: Path) -> list[str]:
    """Modules outside kernel and policy with letters, names or words of one language in their code.

    Left out: what is shipped for tests, and the module that names the language of the house.
    """
    found = []
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).parts
        if parts[0] in ("kernel", "policy", "testing") or parts == ("model", "language.py"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        notes = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
        if any(_knows(node) for node in ast.walk(tree) if id(node) not in notes):
            found.append("/".join(parts))
    return found


def pack_openers(package: Path) -> list[str]:
    """Kernel modules outside the packs that open the room of one language, or name one in a rule or a list."""
    return _outside_packs(package, _opens)


def _outside_packs(package: Path, holds: Callable[[ast.AST], bool]) -> list[str]:
    """Kernel modules outside the packs of which some line of code, docstrings aside, holds."""
    found = []
    for room, path in kernel_modules(package):
        if room == "language":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        notes = {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
        if any(holds(node) for node in ast.walk(tree) if id(node) not in notes):
            found.append(path.relative_to(package / "kernel").as_posix())
    return found


def _opens(node: ast.AST) -> bool:
    if isinstance(node, ast.ImportFrom):
        return bool(_ROOM.search(node.module or ""))
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_NAMED.search(node.value))


def _knows(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return bool(_HANGUL.search(node.value)) or node.value in ("ko", "en")
    if isinstance(node, ast.Attribute):
        return bool(_NAMED.search(node.attr))
    return isinstance(node, ast.Name) and bool(_NAMED.search(node.id))


def english_patterns(package: Path) -> list[str]:
    """Kernel modules outside the packs that hold words of letters in a pattern."""
    return _outside_packs(package, _holds_words)


def _holds_words(node: ast.AST) -> bool:
    """A pattern given to `re`, `regex` or `program` in which letters stand for themselves."""
    if not isinstance(node, ast.Call) or not node.args:
        return False
    callee = node.func
    library = isinstance(callee, ast.Attribute) and getattr(callee.value, "id", "") in ("re", "regex")
    if not library and getattr(callee, "id", "") != "program":
        return False
    parts = (n.value for n in ast.walk(_shown(node.args[0])) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return any(_WORDY.search(_SIGNS.sub(" ", part)) for part in parts)


def _shown(node: ast.expr) -> ast.expr:
    """What of an argument is a pattern: a text, or texts put together; what a call or a table gives is not ours."""
    plain = isinstance(node, (ast.Constant, ast.JoinedStr, ast.BinOp))
    return node if plain else ast.Constant(value="")


def script_askers(package: Path) -> dict[str, int]:
    """How often each kernel module, the packs and the room of texts aside, takes ASCII for a language."""
    found: dict[str, int] = {}
    for room, path in kernel_modules(package):
        if room in ("language", "text"):
            continue
        calls = (n for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Attribute))
        if times := sum(n.attr == "isascii" for n in calls):
            found[path.relative_to(package / "kernel").as_posix()] = times
    return found


def rooms(package: Path) -> dict[str, tuple[int, int]]:
    """Modules and lines of each room: those of the kernel one by one, the others whole."""
    sizes: dict[str, list[int]] = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).parts
        room = "/".join(parts[:2]) if parts[0] == "kernel" and len(parts) > 2 else parts[0]
        if len(parts) > 1:
            sizes.setdefault(room, []).append(len(path.read_text(encoding="utf-8").splitlines()))
    return {room: (len(lines), sum(lines)) for room, lines in sorted(sizes.items())}

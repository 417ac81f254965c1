"""Prints docs/rules/ and docs/commands.md from the code: `python -m tests.house.rules` (or `make docs`).

Rules are the stable ids "<room>.<rule>" found in kernels, engine and policy.
Rulings are held by tests that carry `@pytest.mark.rule("T3")`.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from clew.kernel.door import DOORS
from tests.house.tree import PACKAGE, ROOT, files, modules, name, parsed

SOURCES = ("kernel", "engine", "policy")
HEADER = "<!-- Printed by `make docs`; edit the code instead. -->\n\n"
# The first word of a rule id: a room of the kernel, a name at its door, or one of the shared verbs.
ROOMS = tuple(sorted(p.name for p in (PACKAGE / "kernel").iterdir() if (p / "__init__.py").exists()))
SHARED = ("guard", "similar")
# Rule ids outlive rooms: these first words belong to rooms that have other names today.
GIVERS = {
    "listen": ("read",),
    "remember": ("statements", "keep", "correct", "compare"),
    "extract": ("statements", "keep"),
    "correct": ("correct", "keep"),
    "learn": ("keep", "compare"),
}
PREFIXES = tuple(dict.fromkeys([*ROOMS, *DOORS, *SHARED, *GIVERS, "decide", "engine", "turn"]))
RULE = re.compile(rf"(?:{'|'.join(PREFIXES)})(?:\.(?:[a-z][a-z0-9_]*|<[a-z_]+>))+")


def _literal(node: ast.AST) -> str | None:
    """A string as written; the changing parts of an f-string become <name>."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        parts = [p.value if isinstance(p, ast.Constant) else f"<{_changing(p)}>" for p in node.values]
        return "".join(map(str, parts))
    return None


def _changing(node: ast.AST) -> str:
    names = [n.attr if isinstance(n, ast.Attribute) else n.id for n in ast.walk(node)
             if isinstance(n, (ast.Attribute, ast.Name))]  # fmt: skip
    known = [n for n in names if n not in ("lower", "value", "str")]
    return re.sub(r"[^a-z_]", "_", known[0].lower()) if known else "name"


def _walk(node: ast.AST, why: str) -> Iterator[tuple[ast.AST, str]]:
    """Every node with the first docstring line of the innermost function or class that has one."""
    for child in ast.iter_child_nodes(node):
        inner = why
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            inner = (ast.get_docstring(child) or why).splitlines()[0]
        yield child, inner
        if not isinstance(child, ast.JoinedStr):
            yield from _walk(child, inner)


def rules() -> dict[str, dict[str, str]]:
    """Rule id -> {module that gives it: the reason in a sentence}."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for path in modules(*SOURCES):
        tree = parsed(path)
        opening = (ast.get_docstring(tree) or "").splitlines()
        for node, why in _walk(tree, opening[0] if opening else ""):
            text = _literal(node)
            if text is not None and RULE.fullmatch(text):
                found[text].setdefault(name(path), why)
    for path in files(PACKAGE / "policy" / "data"):
        if path.suffix == ".toml":
            for text in _strings(tomllib.loads(path.read_text(encoding="utf-8"))):
                if RULE.fullmatch(text):
                    found[text].setdefault(name(path), "named by policy")
    return dict(found)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


def _marked(node: ast.AST) -> Iterator[str]:
    for call in ast.walk(node):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "rule":
            owner = call.func.value
            if isinstance(owner, ast.Attribute) and owner.attr == "mark":
                yield from (a.value for a in call.args if isinstance(a, ast.Constant))


def rulings() -> dict[str, list[tuple[str, str]]]:
    """Ruling -> the tests (file, name) that hold it."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for path in files(ROOT / "tests"):
        if path.suffix != ".py" or not path.name.startswith("test_"):
            continue
        tree = parsed(path)
        for node in tree.body:
            inner = node.body if isinstance(node, ast.ClassDef) else [node]
            shared = [m for d in getattr(node, "decorator_list", ()) for m in _marked(d)]
            for test in inner:
                if isinstance(test, ast.FunctionDef) and test.name.startswith("test_"):
                    own = [m for d in test.decorator_list for m in _marked(d)]
                    for ruling in dict.fromkeys([*own, *(shared if node is not test else [])]):
                        found[str(ruling)].append((name(path), test.name))
    return dict(found)


def _ruling_order(ruling: str) -> tuple[str, int, str]:
    match = re.fullmatch(r"([A-Za-z]+)(\d+)(.*)", ruling)
    return (match[1], int(match[2]), match[3]) if match else (ruling, 0, "")


def _sentence(test: str) -> str:
    return test.removeprefix("test_").replace("_", " ")


_RULES = "Every decision gives its reasons as stable rule ids: the same in policy, traces, tests and answers."
_RULINGS = "- [rulings](rulings.md): which test holds which ruling"
_TABLE = ("| rule | decided by | where |", "|---|---|---|")


def rule_pages() -> dict[str, str]:
    by_room: dict[str, list[str]] = defaultdict(list)
    found = rules()
    for rule in sorted(found):
        for place, why in sorted(found[rule].items()):
            where = place.removeprefix("src/clew/")
            line = f"| `{rule}` | {why.replace('|', '/')} | `{where}` |"
            by_room[rule.split(".")[0]].append(line)
    pages = {
        f"docs/rules/{room}.md": "\n".join([f"{HEADER}# Rules of {room}\n", *_TABLE, *lines, ""])
        for room, lines in by_room.items()
    }
    index = [f"- [{room}]({room}.md): {len(lines)} rules" for room, lines in sorted(by_room.items())]
    pages["docs/rules/README.md"] = "\n".join([f"{HEADER}# Rules\n", _RULES, "", *index, _RULINGS, ""])
    return pages


def ruling_words() -> dict[str, str]:
    """What each ruling decides, in one plain sentence."""
    table = tomllib.loads((ROOT / "tests" / "house" / "rulings.toml").read_text(encoding="utf-8"))
    return {ruling: said for group in table.values() for ruling, said in group.items()}


def ruling_page() -> str:
    lines = [f"{HEADER}# Rulings and the tests that hold them\n"]
    held, words = rulings(), ruling_words()
    for ruling in sorted({*held, *words}, key=_ruling_order):
        lines.append(f"\n## {ruling}\n")
        if ruling in words:
            lines.append(f"{words[ruling]}\n")
        lines += [f"- {_sentence(test)} (`{place}`)" for place, test in sorted(held.get(ruling, ()))]
    return "\n".join(lines) + "\n"


def command_page() -> str:
    """Our own rendering, so that a new version of the terminal library does not change the docs."""
    from clew.faces.cli.main import COMMANDS

    out = [f"{HEADER}# Commands\n\n`clew --help` lists them; `clew COMMAND --help` says the same as here.\n"]
    for title, (place, line) in COMMANDS.items():
        module, attribute = place.split(":")
        out += _command(f"clew {title}", getattr(import_module(module), attribute), line)
    return "\n".join(out).rstrip() + "\n"


def _command(title: str, command: click.Command, line: str = "") -> list[str]:
    arguments = [p for p in command.params if isinstance(p, click.Argument)]
    shown = " ".join(p.human_readable_name if p.required else f"[{p.human_readable_name}]" for p in arguments)
    out = [f"\n## `{f'{title} {shown}'.strip()}`\n", " ".join((command.help or line).split()), ""]
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            out.append(f"- `{', '.join(option.opts)}`: {' '.join((option.help or _values(option)).split())}")
    if isinstance(command, click.Group):
        for inner_name, inner in command.commands.items():
            out += _command(f"{title} {inner_name}", inner)
    return out


def _values(option: click.Option) -> str:
    if isinstance(option.type, click.Choice):
        return " or ".join(f"`{c}`" for c in option.type.choices)
    return option.type.name


def pages() -> dict[str, str]:
    return {**rule_pages(), "docs/rules/rulings.md": ruling_page(), "docs/commands.md": command_page()}


def stale() -> list[str]:
    """Pages whose text is not what the code would print now."""
    made = pages()
    standing = {name(p) for p in (ROOT / "docs" / "rules").glob("*.md")}
    wrong = [p for p, text in made.items() if not _same(ROOT / p, text)]
    return sorted({*wrong, *(standing - set(made))})


def _same(path: Path, text: str) -> bool:
    return path.exists() and path.read_text(encoding="utf-8") == text


def main() -> int:
    made = pages()
    for place in stale():
        target = ROOT / place
        if place in made:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(made[place], encoding="utf-8")
        else:
            target.unlink()
        print(place)
    return 0


if __name__ == "__main__":
    sys.exit(main())

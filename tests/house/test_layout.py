"""The house rules that a reader can see: sizes, charters, purity, clean words."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.house.tree import PACKAGE, PURE, ROOT, files, modules, name, parsed

KERNEL_LINES = 300
LINES = 500


@pytest.mark.parametrize("path", modules(), ids=name)
def test_a_module_is_one_concept(path: Path) -> None:
    most = KERNEL_LINES if PACKAGE / "kernel" in path.parents else LINES
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines <= most, f"{name(path)} has {lines} lines; {most} is two concepts"


def packages() -> list[Path]:
    """The root package is the public surface and has no charter."""
    return [p for p in modules() if p.name == "__init__.py" and p.parent != PACKAGE]


@pytest.mark.parametrize("path", packages(), ids=name)
def test_a_room_opens_with_its_charter(path: Path) -> None:
    charter = ast.get_docstring(parsed(path)) or ""
    first, second, third = [*charter.splitlines(), "", "", ""][:3]
    assert re.fullmatch(r"[A-Z ,'-]+\. Enters: .+", first), f"{name(path)}: first line says what enters"
    assert second.startswith("Leaves: "), f"{name(path)}: second line says what leaves"
    assert third.startswith("Does not know: "), f"{name(path)}: third line says what it does not know"


def test_every_folder_of_modules_is_a_package() -> None:
    """Migrations are loaded by their path, not imported."""
    folders = {p.parent for p in modules() if "migrations" not in p.parts}
    missing = [name(f) for f in folders if not (f / "__init__.py").exists()]
    assert missing == []


def test_there_is_no_room_for_leftovers() -> None:
    names = {p.stem for p in modules()} | {p.parent.name for p in modules()}
    assert names.isdisjoint({"utils", "util", "helpers", "helper", "common", "misc"})


# What a pure module must not even import: the outside world, chance, and the log.
_OUTSIDE = """
asyncio ctypes getpass glob http io locale logging multiprocessing os platform random secrets select shutil
signal socket sqlite3 ssl subprocess sys tempfile threading time urllib warnings
click fastapi httpx requests rich sqlalchemy
"""
BANNED_MODULES = frozenset(_OUTSIDE.split())
BANNED_IN_KERNEL = BANNED_MODULES | {"pathlib", "tomllib"}
BANNED_CALLS = frozenset({"open", "print", "input", "eval", "exec", "hash", "breakpoint"})
BANNED_METHODS = frozenset(
    {
        ("datetime", "now"),
        ("datetime", "utcnow"),
        ("datetime", "today"),
        ("date", "today"),
        ("uuid", "uuid1"),
        ("uuid", "uuid4"),
    }
)


def impurities(tree: ast.Module, banned: frozenset[str]) -> list[str]:
    found: list[str] = []
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                found += [f"import {n.name}" for n in names if n.name.split(".")[0] in banned]
            case ast.ImportFrom(module=str(module)) if module.split(".")[0] in banned:
                found.append(f"from {module}")
            case ast.ImportFrom(module="uuid", names=names):
                found += [f"from uuid import {n.name}" for n in names if n.name in ("uuid1", "uuid4")]
            case ast.Call(func=ast.Name(id=called)) if called in BANNED_CALLS:
                found.append(f"{called}()")
            case ast.Attribute(value=ast.Name(id=owner), attr=attr) if (owner, attr) in BANNED_METHODS:
                found.append(f"{owner}.{attr}")
    return found


@pytest.mark.parametrize("path", modules(*PURE), ids=name)
def test_nouns_numbers_and_verbs_know_no_outside_world(path: Path) -> None:
    banned = BANNED_IN_KERNEL if PACKAGE / "kernel" in path.parents else BANNED_MODULES
    assert impurities(parsed(path), banned) == []


@pytest.mark.parametrize(
    "code",
    [
        "import os",
        "import os.path",
        "from time import time",
        "from random import choice",
        "open('x')",
        "hash('x')",
        "datetime.now()",
        "date.today()",
        "uuid.uuid4()",
        "from uuid import uuid4",
        "import logging",
    ],
)
def test_each_impurity_would_be_seen(code: str) -> None:
    assert impurities(ast.parse(code), BANNED_IN_KERNEL)


_HOSTS = ["pypi" + ".org", "pythonhosted" + ".org", "conda" + ".anaconda", "hub" + ".docker", "ghcr" + ".io"]
_HANDS = (
    r"co-authored"
    + r"-by:|(?:written|generated|authored|made) (?:by|with) (?:an? )?(?:ai|llm|assistant|agent)\b"
)
_PATHS = r"(?<![\w.:~/-])/(?:work|root|tmp|home/\w+)/"
FORBIDDEN = re.compile("|".join((_PATHS, _HANDS, *map(re.escape, _HOSTS))), re.I)
_TEXTUAL = {
    ".py",
    ".md",
    ".toml",
    ".json",
    ".jsonl",
    ".txt",
    ".cfg",
    ".ini",
    ".sql",
    ".sh",
    ".html",
    ".js",
    ".css",
}


def test_the_tree_names_no_machine_no_registry_and_no_hand() -> None:
    found: list[str] = []
    for path in files():
        if path.suffix not in _TEXTUAL and path.name not in ("Makefile", "run", ".gitignore"):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if match := FORBIDDEN.search(line):
                found.append(f"{name(path)}:{number}: {match.group()}")
    assert found == []


@pytest.mark.parametrize(
    "text",
    ["see /" + "work/x", "in /" + "tmp/y", "https://" + "pypi" + ".org/simple", "written" + " by an AI"],
)
def test_each_forbidden_word_would_be_seen(text: str) -> None:
    assert FORBIDDEN.search(text)


def test_ordinary_slashes_are_not_machine_paths() -> None:
    assert not FORBIDDEN.search("home/work/school, https://a.example/tmp/x")


def test_the_licence_is_the_whole_one() -> None:
    text = (ROOT / "LICENSE").read_text(encoding="utf-8")
    assert "Apache License" in text and "END OF TERMS AND CONDITIONS" in text


def test_ci_calls_the_command_of_the_readme() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "make test" in script
    assert "make test" in (ROOT / "README.md").read_text(encoding="utf-8")


# Documents that are not in the repository: whoever reads the code cannot look them up.
_ELSEWHERE = re.compile(
    r"\b(?:turn-pip" + r"eline|context-qual" + r"ity|thread-contr" + r"act|grounding-contin" + r"uity|causal-l" + r"inks)\b"
    r"|§\d|\b(?:facts|contracts|interop)(?:\.md)? §"
)


def test_nothing_refers_to_a_document_that_is_not_here() -> None:
    found = [
        f"{name(path)}:{number}"
        for path in files()
        if path.suffix in (".py", ".md", ".toml")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if _ELSEWHERE.search(line)
    ]
    assert found == []

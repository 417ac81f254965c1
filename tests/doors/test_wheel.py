"""The wheel as a newcomer installs it: built here, put by pip into a fresh environment, used from there."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

from clew.faces.cli.main import _source_of
from tests.house.tree import ROOT

pytest.importorskip("hatchling")

# Packages that serve or fetch something: doors, never the core.
WEB = {
    "fastapi", "starlette", "uvicorn", "httpx", "requests", "aiohttp", "urllib3", "mcp", "langgraph",
    "langgraph-checkpoint", "openai", "prometheus-client", "limits", "pyjwt", "websockets", "opentelemetry-sdk",
}  # fmt: skip
# Importing asyncio takes some 45 ms of this project's machine; two thirds of that are the 30 ms we allow ourselves.
OF_ASYNCIO = 2 / 3


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel in it; what the wheel needs is lent by the one that runs the tests."""
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False, symlinks=True)
    install = [
        sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet", "--no-deps", "--no-index",
        "--disable-pip-version-check", str(wheel),
    ]  # fmt: skip
    done = subprocess.run(install, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    own = Path(sysconfig.get_path("purelib", "venv", {"base": str(folder), "platbase": str(folder)}))
    assert (own / "clew" / "__init__.py").is_file()
    # Behind its own packages, so that the installed clew is the one that is imported.
    (own / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def run(fresh: Path, *command: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    home = fresh / "home"
    home.mkdir(exist_ok=True)
    env = {"PATH": "", "HOME": str(home), "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [str(fresh / "bin" / command[0]), *command[1:]],
        cwd=home, env=env, input=stdin, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_installed_package_is_the_one_that_is_used(fresh: Path) -> None:
    done = run(fresh, "python", "-c", "import clew; print(clew.__file__)")
    assert done.stdout.strip().startswith(str(fresh)), done.stdout + done.stderr


def test_four_lines_of_python_work_from_the_wheel(fresh: Path) -> None:
    code = "import clew; m = clew.Memory('talk.db', embedder=False); m.add('I live in Oslo'); print(m.all()[0].value)"
    done = run(fresh, "python", "-c", code)
    assert done.stdout.strip() == "Oslo", done.stderr


def test_the_command_works_from_the_wheel(fresh: Path) -> None:
    """What `uvx clew` starts: the entry point of the installed wheel."""
    assert "serve" in run(fresh, "clew", "--help").stdout
    asked = '{"a": "i love my dog very much", "b": "i hate my dog very much", "as": "decision"}\n'
    assert '"guard": "antonym"' in run(fresh, "clew", "kernel", "similar", stdin=asked).stdout
    talk = run(fresh, "clew", "chat", stdin="I live in Oslo\nwhere do I live?\n")
    assert talk.returncode == 0 and "Oslo" in talk.stdout.splitlines()[-1], talk.stdout + talk.stderr


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("uvicorn", "'clew[server]'"), ("jwt", "'clew[server]'"), ("prometheus_client", "'clew[server]'"),
        ("mcp", "'clew[mcp]'"), ("psycopg", "'clew[postgres]'"), ("langgraph", "'clew[langgraph]'"),
        ("opentelemetry", "'clew[telemetry]'"), ("pywebpush", "'clew[push]'"), ("somebody_elses", "somebody_elses"),
    ],
)  # fmt: skip
def test_a_missing_module_is_named_with_what_brings_it(module: str, source: str) -> None:
    assert _source_of(module) == source


def test_nothing_of_the_package_is_left_out(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    source = ROOT / "src"
    tracked = subprocess.run(
        ["git", "ls-files", "src/clew"], cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.split()
    kept = {os.path.relpath(ROOT / name, source) for name in tracked if (ROOT / name).exists()}
    assert kept and kept <= names, sorted(kept - names)[:5]
    assert "clew/py.typed" in names


def test_the_core_asks_for_no_web_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        text = archive.read(next(n for n in archive.namelist() if n.endswith("METADATA"))).decode()
    needs = Parser().parsestr(text).get_all("Requires-Dist") or []
    core = {_name(line) for line in needs if "extra ==" not in line}
    doors = {_name(line) for line in needs if "extra ==" in line}
    assert core and not core & WEB
    assert doors & WEB  # the test would see one


def test_importing_costs_less_than_asyncio_and_loads_no_web_package(fresh: Path) -> None:
    """A limit in milliseconds says more of the machine than of us: the best of several, beside a known import."""
    timed = "import time; a = time.process_time(); import {}; print(time.process_time() - a)"

    def once(module: str) -> float:
        return float(run(fresh, "python", "-I", "-c", timed.format(module)).stdout)

    once("clew")  # compiled and in the disk cache
    ours, theirs = zip(*((once("clew"), once("asyncio")) for _ in range(7)), strict=True)
    assert min(ours) < OF_ASYNCIO * min(theirs), (ours, theirs)
    loaded = run(fresh, "python", "-c", "import sys, clew; print(*sorted(m.partition('.')[0] for m in sys.modules))")
    assert not WEB & set(loaded.stdout.split())
    assert not {"sqlalchemy", "numpy", "asyncio"} & set(loaded.stdout.split())


def _name(line: str) -> str:
    for stop in "[<>=!~; (":
        line = line.partition(stop)[0]
    return line.strip().lower().replace("_", "-")

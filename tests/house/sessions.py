"""Terminal sessions in the docs, as commands and the output they promise.

In a ```console block a line that starts with `$ ` is run by a shell; `> ` continues it.
Below it stands what it prints; `…` stands for any text, alone on a line for any lines.
A port of a server stands for one that is free, so that several runs on one machine do not meet.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from clew.adapters import cache

_PORT = re.compile(r"\b84\d\d\b")
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.S | re.M)


@dataclass(frozen=True)
class Step:
    command: str
    output: str


def sessions(text: str) -> list[list[Step]]:
    return [_steps(block) for block in _BLOCK.findall(text)]


def _steps(block: str) -> list[Step]:
    steps: list[Step] = []
    command: list[str] = []
    output: list[str] = []
    for line in block.splitlines():
        if line.startswith("$ "):
            if command:
                steps.append(Step("\n".join(command), "\n".join(output)))
            command, output = [line[2:]], []
        elif line.startswith("> ") and not output:
            command.append(line[2:])
        else:
            output.append(line)
    return [*steps, Step("\n".join(command), "\n".join(output))]


def on_free_ports(steps: list[Step]) -> list[Step]:
    found = sorted({port for step in steps for port in _PORT.findall(step.command)})
    free = {port: str(_free_port()) for port in found}

    def moved(text: str) -> str:
        return _PORT.sub(lambda port: free.get(port[0], port[0]), text)

    return [Step(moved(step.command), moved(step.output)) for step in steps]


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def end_servers(folder: Path) -> None:
    """A session that went wrong did not come to its end."""
    for noted in folder.glob("*.pid"):
        with contextlib.suppress(OSError, ValueError):
            os.kill(int(noted.read_text(encoding="utf-8")), signal.SIGTERM)


def fits(promised: str, printed: str) -> bool:
    lines = [line.rstrip() for line in promised.strip().splitlines()]
    pattern = "".join(
        r"(?:[\s\S]*\n)?" if line == "…" else re.escape(line).replace("…", "[^\n]*") + r"\n" for line in lines
    )
    told = "".join(f"{line.rstrip()}\n" for line in printed.strip().splitlines())
    return re.fullmatch(pattern, told) is not None


def run(command: str, folder: Path) -> str:
    """As a newcomer's shell would: an empty home, plain output, Clew on the path."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        # The encoder is unpacked once for all sessions.
        "CLEW_CACHE": str(cache.folder() or ""),
        "LANG": "C.UTF-8",
        "PYTHONUTF8": "1",
        "NO_COLOR": "1",
        "TERM": "dumb",
        "COLUMNS": "100",
        "OMP_NUM_THREADS": "1",
    }
    # One stream for both, so that lines stand in the order in which they were printed.
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=180,
        check=False,
    )
    return done.stdout

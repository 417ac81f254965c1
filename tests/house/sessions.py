"""Terminal sessions in the docs, as commands and the output they promise.

In a ```console block a line that starts with `$ ` is run by a shell; `> ` continues it.
Below it stands what it prints; `…` stands for any text, alone on a line for any lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

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


def fits(promised: str, printed: str) -> bool:
    lines = [line.rstrip() for line in promised.strip().splitlines()]
    pattern = r"\n".join(".*" if line == "…" else re.escape(line).replace("…", "[^\n]*") for line in lines)
    return (
        re.fullmatch(pattern, "\n".join(line.rstrip() for line in printed.strip().splitlines()), re.S)
        is not None
    )


def run(command: str, folder: Path) -> str:
    """As a newcomer's shell would: an empty home, plain output, Clew on the path."""
    environment = {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
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
        timeout=60,
        check=False,
    )
    return done.stdout

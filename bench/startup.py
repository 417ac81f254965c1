"""What it costs to begin: import time and dependencies beside peers, and the lexical reading speed.

    make bench                      everything, peers included (installs them once under .work/)
    make bench ARGS=--no-peers      only Clew
    make bench ARGS=--profile       and where the reading time goes

Each package stands in its own virtual environment, is imported in fresh interpreters with a warm disk cache,
and the fastest of the runs counts; packages take turns, so that a busy machine is busy for all of them.
"""

from __future__ import annotations

import argparse
import cProfile
import json
import os
import pstats
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / ".work" / "startup"
# name -> (what to install, what to import)
PEERS = {
    "clew": (str(ROOT), "clew"),
    "clew kernels": (str(ROOT), "clew.kernels"),
    "mem0ai": ("mem0ai", "mem0"),
    "langmem": ("langmem", "langmem"),
    "chromadb": ("chromadb", "chromadb"),
}
MESSAGES = """
hi
ok
what time is it
I can't sleep again, my boss wants me in at six
lol that movie was wild
my mom is visiting next week and i'm nervous
오늘 시험 망했어 ㅠㅠ
커피 마시러 갈래?
I love iced coffee
do you remember what i said about the interview
that's not true, i never said that
goodnight 😴
should i text her back or wait
i moved to Lisbon in may
우울해서 아무것도 하기 싫다
k-pop all day
""".strip().splitlines()


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def environment(folder: str, wanted: str) -> Path | None:
    """A virtual environment with one package in it, made once."""
    home = WORK / folder
    python = home / "bin" / "python"
    if not (home / ".ready").exists():
        say(f"installing {folder} …")
        uv = [sys.executable, "-m", "uv"]
        made = subprocess.run(
            [*uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(home)], check=False
        )
        if made.returncode == 0:
            install = [*uv, "pip", "install", "--quiet", "--python", str(python), wanted]
            made = subprocess.run(install, check=False)
        if made.returncode != 0:
            say(f"{folder}: could not be installed")
            return None
        (home / ".ready").touch()
    return python


def distributions(python: Path) -> int:
    code = "import importlib.metadata as m; print(len({d.metadata['Name'] for d in m.distributions()}))"
    return int(subprocess.run([str(python), "-c", code], capture_output=True, text=True, check=True).stdout)


def import_ms(python: Path, module: str) -> float:
    """The import alone, without the start of the interpreter."""
    code = f"import time; t = time.perf_counter(); import {module}; print((time.perf_counter() - t) * 1000)"
    # With compiled modules on disk, as after any first start.
    plain = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    command = [str(python), "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=WORK, env=plain)
    return float(done.stdout.splitlines()[-1])


def compare(runs: int) -> dict[str, dict[str, float]]:
    WORK.mkdir(parents=True, exist_ok=True)
    pythons = {}
    for name, (wanted, _) in PEERS.items():
        python = environment(wanted if wanted != str(ROOT) else "clew", wanted)
        if python is not None:
            pythons[name] = python
    times: dict[str, list[float]] = {name: [] for name in pythons}
    for turn in range(max(1, runs) + 1):
        say(f"import, round {turn} of {runs}")
        for name, python in pythons.items():
            taken = import_ms(python, PEERS[name][1])
            if turn:  # the first round warms the disk
                times[name].append(taken)
    return {
        name: {"import_ms": round(min(times[name]), 1), "dependencies": distributions(python) - 1}
        for name, python in pythons.items()
    }


def reading(count: int, profile: bool) -> dict[str, float]:
    """The lexical path of `clew kernel read --no-embed`, one process, one core."""
    from clew.faces.cli.kernel import answers
    from clew.policy import default

    policy = default()
    encode = json.JSONEncoder(ensure_ascii=False).encode
    lines = [json.dumps({"text": MESSAGES[i % len(MESSAGES)] + " " * (i % 3)}).encode() for i in range(count)]
    # Each line differs from its neighbours and repeats far apart, so that no cache of recent texts helps.
    lines = [line[:-2] + f" {i}".encode() + line[-2:] for i, line in enumerate(lines)]

    def read() -> None:
        for answer in answers("read", lines, "repair", policy):
            encode(answer)

    read()
    spans: list[float] = []
    for _ in range(3):
        # Processor time: what one core does, however busy the others keep it.
        begun = time.process_time()
        read()
        spans.append(time.process_time() - begun)
    if profile:
        profiler = cProfile.Profile()
        profiler.runcall(read)
        pstats.Stats(profiler, stream=sys.stderr).sort_stats("tottime").print_stats(18)
    return {"messages": count, "per_second_per_core": round(count / min(spans))}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--runs", type=int, default=5, help="rounds of imports, the fastest counts")
    options.add_argument("--messages", type=int, default=20_000)
    options.add_argument("--no-peers", action="store_true", help="measure Clew alone")
    options.add_argument("--profile", action="store_true", help="show where reading spends its time")
    given = options.parse_args()
    if given.no_peers:
        for name in ("mem0ai", "langmem", "chromadb"):
            PEERS.pop(name)
    report: dict[str, object] = {
        "startup": compare(given.runs),
        "read": reading(given.messages, given.profile),
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()

"""Every bench in turn, one table after another; a bench that lacks its data or packages says so and the rest go on.

    python bench/all.py [--data DIR] [--peers] [--only NAME …]

What each prints is also kept under .work/bench/NAME.txt.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
KEPT = HERE.parent / ".work" / "bench"

# name -> (arguments, arguments with --peers, takes --data)
BENCHES: dict[str, tuple[list[str], list[str], bool]] = {
    "startup": (["--no-peers"], [], False),
    "turn": ([], [], False),
    "recall": ([], ["--peers"], True),
    "memory_kernels": ([], [], True),
    "detectors": ([], [], True),
    "grounding": (["--speed"], ["--speed"], True),
    "links": ([], [], True),
    "threads_index": (["--n", "100000", "--peer-n", "100000"], [], False),
    "cast_simulation": ([], [], False),
}


def main() -> int:
    ask = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ask.add_argument("--data", default=str(HERE.parent.parent / "shared" / "data"))
    ask.add_argument("--peers", action="store_true", help="install and run the peers too (minutes, once)")
    ask.add_argument("--only", nargs="*", choices=sorted(BENCHES), default=list(BENCHES))
    given = ask.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    failed = []
    for name in given.only:
        alone, beside, takes_data = BENCHES[name]
        command = [sys.executable, str(HERE / f"{name}.py"), *(beside if given.peers else alone)]
        if takes_data:
            command += ["--data", given.data]
        print(f"\n== {name}: {' '.join(Path(c).name if c == command[1] else c for c in command[1:])}", flush=True)
        began = time.perf_counter()
        with (KEPT / f"{name}.txt").open("w", encoding="utf-8") as kept:
            run = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            assert run.stdout is not None
            for line in run.stdout:
                print(line, end="", flush=True)
                kept.write(line)
            if run.wait():
                failed.append(name)
        print(f"-- {name} took {time.perf_counter() - began:.0f} s", flush=True)
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

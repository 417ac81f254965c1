"""Korean particles, checked by a morphological analyser and not by the rule that made them.

    pip install kiwipiepy && python bench/particles.py nouns.txt     one noun per line
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from kiwipiepy import Kiwi

from clew.kernel.language.ko.particles import with_particle

# How the analyser names each particle.
TAGS = {"을": "JKO", "이": "JKS", "은": "JX", "과": "JC", "으로": "JKB", "이랑": "JC"}


def main() -> None:
    kiwi = Kiwi()
    nouns = [n for n in Path(sys.argv[1]).read_text(encoding="utf-8").splitlines() if n.strip()]
    wrong = []
    for noun in nouns:
        for particle, tag in TAGS.items():
            made, checked = with_particle(noun, particle), kiwi.join([(noun, "NNG"), (particle, tag)])
            if made.replace(" ", "") != checked.replace(" ", ""):
                wrong.append((made, checked))
    print(json.dumps({"phrases": len(nouns) * len(TAGS), "differ": len(wrong)}))
    for made, checked in wrong[:40]:
        print(f"{made}  (analyser: {checked})")


if __name__ == "__main__":
    main()

"""A file picker you talk to: it lists a folder and acts only on what you clearly mean.

    python examples/agent/files.py [FOLDER]
    printf 'open the second one\nthe other one\nquit\n' | python examples/agent/files.py FOLDER

Every decision is Clew's; this file only lists, acts and prints. No model is needed.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from clew.engine.grounding import Grounding, Step
from clew.model.continuity import Scope
from clew.model.evidence import Act, Candidate, GroundOutcome

PAGE = 9
PREVIEW = 200


def listed(folder: Path) -> list[Candidate]:
    found = sorted(p for p in folder.iterdir() if p.is_file() and not p.name.startswith("."))
    return [
        Candidate(
            str(p), p.stem, sublabel=p.name, path=f"{p.parent.name}/{p.name}", type=p.suffix.lstrip(".")
        )
        for p in found
    ]


class Picker:
    """The application around the ladder: one page of files at a time."""

    def __init__(self, folder: Path) -> None:
        self.files = listed(folder)
        self.page, self.known = 0, 0
        self.grounding = Grounding(
            clock=lambda: datetime.now(UTC), scope=Scope("chat", str(folder)), executor=self.act
        )

    def show(self) -> str:
        shown = self.files[self.page : self.page + PAGE]
        self.known = len(self.files)
        self.grounding.show(shown)
        if not shown:
            return "Nothing here."
        self.grounding.say("Which one should I open?")
        return "\n".join(f"  {i}. {c.sublabel}" for i, c in enumerate(shown, 1))

    def act(self, chosen: Candidate, verb: str | None) -> str:
        path = Path(chosen.id)
        if verb in ("delete", "remove", "forget", "erase", "drop"):
            # Grounding has asked "Really delete …?" before this line is reached.
            path.unlink()
            self.files = [f for f in self.files if f.id != chosen.id]
            return f"{path.name} is deleted."
        text = path.read_text(encoding="utf-8", errors="replace")
        return f"--- {path.name}, {path.stat().st_size} bytes ---\n{text[:PREVIEW].rstrip()}"

    def answer(self, text: str) -> str:
        step = self.grounding.hear(text)
        if step.error is not None:
            return f"That failed: {step.error}"
        if step.verdict.outcome is GroundOutcome.EXECUTE:
            done = [str(result) for result in step.results]
            # What is gone must not be pointed at: show the list that is left.
            return "\n".join([*done, self.show()] if len(self.files) < self.known else done)
        if step.text is not None:
            return step.text
        if step.verdict.outcome is GroundOutcome.ANSWER:
            return self.explain(step)
        if step.verdict.act is Act.ALTERNATIVES:
            self.page = self.page + PAGE if self.page + PAGE < len(self.files) else 0
            return self.show()
        return "All right."

    def explain(self, step: Step) -> str:
        found = step.verdict.answer or {}
        action = found.get("action")
        if action:
            return (
                f"I did “{action['type']}” with {Path(action['targetRef']).name}, because you asked for it."
            )
        actions = found.get("actions") or []
        if actions:
            return "So far: " + ", ".join(f"{a['type']} {Path(a['targetRef']).name}" for a in actions)
        about = found.get("referent") or found.get("about")
        if about is None:
            return "I only know these files."
        preview = Path(about).read_text(encoding="utf-8", errors="replace")[:PREVIEW].rstrip()
        return f"About {Path(about).name}:\n{preview}"


def main() -> int:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    if not folder.is_dir():
        print(f"{folder} is not a folder", file=sys.stderr)
        return 2
    picker = Picker(folder)
    print(picker.show())
    prompt = "> " if sys.stdin.isatty() else ""
    while True:
        try:
            text = input(prompt).strip()
        except EOFError:
            return 0
        if text in ("quit", "exit"):
            return 0
        if text:
            print(f"> {text}" if not prompt else "", end="" if prompt else "\n")
            print(picker.answer(text))


if __name__ == "__main__":
    raise SystemExit(main())

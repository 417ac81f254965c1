"""`clew.ground`, `clew.Threads`, `clew.links`, `clew.replay`: the parts that need no conversation."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from clew.engine import bootstrap
from clew.engine.meanings import at_hand
from clew.engine.replay import Comparison, rebuild
from clew.errors import InvalidInput, NotFound
from clew.faces.python.opening import url_of
from clew.kernel.door import MEANINGS, call
from clew.kernels import _ask
from clew.model.continuity import Scope, option_set_id
from clew.policy import Policy


def ground(
    text: str,
    candidates: Sequence[str | Mapping[str, Any]],
    *,
    said: str | None = None,
    after: Mapping[str, Any] | None = None,
    continuity: Mapping[str, Any] | None = None,
    scope: Mapping[str, str] | None = None,
    at: datetime | None = None,
    policy: Policy | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Which of the things shown does this message mean? The answer of the `ground` kernel, as a dict.

    Candidates are labels, or {id, label, sublabel?, path?, type?}. `said` is what the assistant said when it
    showed them: the one candidate that it names is the offer. `after` is the answer to the message before, with
    what it asked and what it did; or give only its `continuity` back.
    """
    before = dict(after or {})
    carried = {k: before[k] for k in ("open_question", "loop_guard", "attempt") if before.get(k) is not None}
    asked = (before.get("clarifier") or {}).get("text")
    if (words := said or asked) is not None:
        carried["last_assistant_text"] = words
    if asked is not None and not said:
        # The question that was asked back puts nothing forward, unless it asks for a yes.
        few: Sequence[Mapping[str, Any]] = before["clarifier"].get("candidates") or []
        carried["offer"] = few[0]["id"] if len(few) == 1 else None
    continuity = continuity if continuity is not None else before.get("continuity")
    shown = [{"id": c, "label": c} if isinstance(c, str) else dict(c) for c in candidates]
    where = dict(scope or {"kind": "chat", "instance_id": "main"})
    given = {
        "text": text,
        "candidates": shown,
        "continuity": dict(continuity or {}),
        "scope": where,
        "option_set_id": option_set_id(
            Scope(where["kind"], where["instance_id"]), tuple(str(c["id"]) for c in shown)
        ),
        "at": (at or datetime.now(UTC)).isoformat(),
        **carried,
        **more,
    }
    mode = given.pop("mode", "repair")
    # An offer of None says that nothing is on offer.
    fields = {k: v for k, v in given.items() if v is not None or k == "offer"}
    if MEANINGS not in fields and (lent := at_hand()) is not None:
        fields[MEANINGS] = lent
    return call("ground", fields, mode=mode, policy=policy)


def links(
    lines: Sequence[str | Mapping[str, Any] | tuple[str, str]],
    *,
    session_id: str = "session",
    dm: Sequence[str] = (),
    policy: Policy | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Who tried what, and what came of it. Lines are {speaker, text}, (speaker, text) or "speaker: text"."""
    return _ask(
        "links",
        {
            "session_id": session_id,
            "lines": [_line(n, line) for n, line in enumerate(lines)],
            "dm": list(dm),
            "policy": policy,
            **more,
        },
    )


def _line(number: int, line: str | Mapping[str, Any] | tuple[str, str]) -> dict[str, Any]:
    if isinstance(line, Mapping):
        return {"index": number, **line}
    if isinstance(line, str):
        speaker, colon, text = line.partition(": ")
        if not colon:
            raise InvalidInput(f"line {number} names no speaker", pointer=f"/lines/{number}")
        return {"index": number, "speaker": speaker, "text": text}
    speaker, text = line
    return {"index": number, "speaker": speaker, "text": text}


class Threads:
    """Open loops under the thread contract: propose, and see what was accepted and why not."""

    def __init__(
        self,
        threads: Sequence[Mapping[str, Any]] = (),
        *,
        mode: Literal["strict", "repair"] = "repair",
        policy: Policy | None = None,
    ) -> None:
        self._mode: Literal["strict", "repair"] = mode
        self._policy = policy
        self._next: int | None = None
        self.open: tuple[dict[str, Any], ...] = tuple(dict(t) for t in threads)

    def propose(
        self, add: Sequence[Mapping[str, Any]] = (), resolve: Sequence[str] = ()
    ) -> dict[str, Any]:
        """The verdict of the `threads` kernel; a rejected proposal changes nothing."""
        given: dict[str, Any] = {
            "threads": list(self.open),
            "add": [dict(a) for a in add],
            "resolve": list(resolve),
        }
        if self._next is not None:
            given["next_id"] = self._next
        verdict = call("threads", given, mode=self._mode, policy=self._policy)
        if verdict["accepted"]:
            self.open = tuple(verdict["threads"])
            self._next = verdict["next_id"]
        return verdict

    def add(self, type: str, text: str, urgency: str | None = None) -> dict[str, Any]:
        return self.propose([{"type": type, "text": text, **({"urgency": urgency} if urgency else {})}])

    def resolve(self, *ids: str) -> dict[str, Any]:
        return self.propose(resolve=ids)


def replay(db: str | Path | None = None) -> Comparison:
    """Rebuild the state from the journal in a fresh database and compare the two, table by table."""
    url = bootstrap.default_db() if db is None else url_of(db)
    path = url.removeprefix("sqlite:///")
    if path != url and not Path(path.partition("?")[0]).exists():
        raise NotFound(f"no database at {path}", pointer="/db")
    source = bootstrap.bare_store(url)
    try:
        with tempfile.TemporaryDirectory() as folder:
            target = bootstrap.bare_store(f"sqlite:///{Path(folder) / 'replay.db'}")
            try:
                return rebuild(source, target)
            finally:
                target.close()
    finally:
        source.close()

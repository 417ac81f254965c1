"""What is remembered is read once for all who look through it in one turn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from clew.adapters.store.session import SqlSession
from clew.engine.bootstrap import make_embedder
from clew.testing.parts import make_parts, onboard, say


def test_a_question_reads_all_memories_once_and_sees_what_the_turn_before_it_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole: list[int] = []
    real = SqlSession.memories

    def counted(self: SqlSession, user_id: str, friend_id: str, statuses: Any = None) -> Any:
        found = real(self, user_id, friend_id, statuses)
        if statuses is None:
            whole.append(len(found))
        return found

    parts = make_parts(f"sqlite:///{tmp_path}/clew.db", embedder=make_embedder())
    talk = onboard(parts)
    say(parts, talk, "I live in Leeds and my sister Ana is a nurse", 1)
    monkeypatch.setattr(SqlSession, "memories", counted)
    seen = []
    for number, text in enumerate(("how many sisters do I have?", "I'm allergic to nuts", "what am I allergic to?"), 2):
        whole.clear()
        say(parts, talk, text, number)
        assert len(whole) <= 1
        seen.append(list(whole))
    parts.store.close()
    assert seen[0] and seen[2] and seen[2][0] > seen[0][0]

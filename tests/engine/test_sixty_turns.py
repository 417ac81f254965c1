"""Thirty days with one person, in English and in Korean: readable, within limits, and rebuilt from the journal."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from clew.engine.replay import rebuild
from clew.engine.rights import Scope, memories
from clew.engine.story import one_line
from clew.kernel.language.packs import language_of
from clew.kernel.text.emoji import emoji_count
from clew.kernel.text.normalize import normalize
from clew.testing.parts import make_parts, onboard, say
from tests.engine.conversations import ENGLISH, KOREAN

SCRIPTS = {"en": ENGLISH, "ko": KOREAN}
EMOJI = {"none": (0, 0), "light": (0, 2), "frequent": (1, 6)}


@pytest.mark.parametrize("seed", [7, 91])
@pytest.mark.parametrize("tongue", sorted(SCRIPTS))
def test_a_month_reads_naturally(
    tongue: str, seed: int, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    from clew.testing.fakes import HeldProcess

    parts = make_parts(f"sqlite:///{tmp_path}/clew.db", process=HeldProcess(seed=seed))
    conversation = onboard(parts, preferred_name="Dana" if tongue == "en" else "지우")
    start = parts.clock.now()
    lines: list[str] = []
    replies: list[str] = []
    paths: Counter[str] = Counter()
    number = 0
    with parts.store.read() as session:
        friend = session.friend(conversation.friend_id)
    assert friend is not None
    style = friend.assignment.stable_style_params
    for day, said in SCRIPTS[tongue]:
        parts.clock.at = start
        parts.clock.pass_(days=day)  # type: ignore[attr-defined]
        lines.append(f"\n# day {day}")
        for text in said:
            number += 1
            parts.clock.pass_(minutes=3)  # type: ignore[attr-defined]
            outcome = say(parts, conversation, text, number)
            assert outcome.reply
            lines += [f"you  > {text}", f"clew > {outcome.reply}", f"       {one_line(outcome.told)}"]
            replies.append(outcome.reply)
            gate = outcome.trace.get("gate", {})
            paths[gate.get("path", "correction")] += 1
            assert language_of(outcome.reply, parts.policy) == tongue, outcome.reply
            if gate.get("path") == "draft":
                low, high = EMOJI[style.emoji_freq]
                assert low <= emoji_count(outcome.reply) <= high, outcome.reply
    folder = Path(request.config.rootpath) / ".work" / "transcripts"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{tongue}-{seed}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")

    assert number >= 55
    assert paths["fallback"] <= 1, paths
    # Twenty replies back, nothing is said twice.
    for place, reply in enumerate(replies):
        window = [normalize(r) for r in replies[max(0, place - 20) : place]]
        assert normalize(reply) not in window, reply
    known = {m.memory_key: m.memory_value for m in memories(parts, Scope.of(conversation))}
    assert known["fact:current_city"].lower() in ("york", "서울")
    with parts.store.read() as session:
        bond = session.relationship(conversation.user_id, conversation.friend_id)
    assert bond.sessions_count == 15
    assert bond.relationship_stage != "STRANGER"
    other = make_parts(f"sqlite:///{tmp_path}/rebuilt.db")
    assert rebuild(parts.store, other.store).identical
    other.store.close()
    parts.store.close()

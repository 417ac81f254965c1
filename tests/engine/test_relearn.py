"""Reading again adds what was not understood before, and touches nothing that stands."""

from __future__ import annotations

from collections.abc import Callable

from clew.engine import rights
from clew.engine.parts import Parts
from clew.engine.relearn import relearn
from clew.engine.replay import rebuild
from clew.engine.rights import Scope
from clew.model.account import Conversation
from clew.model.event import Drop, Event
from clew.testing.parts import onboard, say

Engine = Callable[..., Parts]


def forget_what_was_learned(parts: Parts, conversation: Conversation, key: str) -> None:
    """A state as a version that could not read the message would have left it."""
    found = [m for m in rights.memories(parts, Scope.of(conversation), status=None) if m.memory_key == key]
    with parts.store.write(f"user:{conversation.user_id}") as session:
        drops = tuple(Drop("memories", {"memory_id": m.memory_id}) for m in found)
        session.append([Event("test.dropped", parts.clock.now(), conversation.user_id, "p", changes=drops)])


def values(parts: Parts, conversation: Conversation) -> dict[str, str]:
    return {m.memory_key: m.memory_value for m in rights.memories(parts, Scope.of(conversation))}


def talk(parts: Parts, *lines: str) -> Conversation:
    conversation = onboard(parts)
    for number, line in enumerate(lines, 1):
        parts.clock.pass_(minutes=1)  # type: ignore[attr-defined]
        say(parts, conversation, line, number)
    return conversation


def test_what_was_missed_is_learned_and_the_newest_value_wins(engine: Engine) -> None:
    parts = engine()
    conversation = talk(parts, "I live in Oslo", "I love ramen", "I moved to Lima, I live in Lima now")
    forget_what_was_learned(parts, conversation, "fact:current_city")
    assert "fact:current_city" not in values(parts, conversation)
    steps = list(relearn(parts, conversation))
    assert [s.done for s in steps] == [1, 2, 3] and sum(s.learned for s in steps) >= 2
    assert values(parts, conversation)["fact:current_city"].startswith("Lima")


def test_a_second_reading_learns_nothing_more(engine: Engine) -> None:
    parts = engine()
    conversation = talk(parts, "I live in Oslo", "I love ramen")
    list(relearn(parts, conversation))
    before = values(parts, conversation)
    assert list(relearn(parts, conversation)) == []
    assert values(parts, conversation) == before


def test_what_was_forgotten_stays_forgotten(engine: Engine) -> None:
    parts = engine()
    conversation = talk(parts, "I live in Oslo", "I love ramen", "forget ramen")
    assert "pref:food:ramen" not in values(parts, conversation)
    list(relearn(parts, conversation))
    assert "pref:food:ramen" not in values(parts, conversation)


def test_a_run_that_was_cut_off_goes_on(engine: Engine, tmp_path) -> None:  # type: ignore[no-untyped-def]
    from clew.testing.parts import make_parts

    parts = engine()
    conversation = talk(parts, "I live in Oslo", "I love ramen", "I hate olives")
    next(iter(relearn(parts, conversation)))
    assert [s.total for s in relearn(parts, conversation)] == [2, 2]
    other = make_parts(f"sqlite:///{tmp_path}/again.db")
    assert rebuild(parts.store, other.store).identical

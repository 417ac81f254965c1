"""Re-sent histories as pure decisions, and the promise about edits as a property."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.adapters.store.doors import DoorTables, Node
from clew.engine import service
from clew.faces.http.access import Caller, Desk
from clew.faces.http.settings import Settings
from clew.faces.openai import conversing
from clew.faces.openai.conversing import Asked
from clew.faces.openai.history import Kind, ShownTurn, judge, path
from clew.faces.openai.tasks import is_task, title
from clew.model.memory import MemoryStatus
from tests.clients.serving import make


def keyed(*parts: str) -> str:
    return "/".join(parts)


def said(*texts: str) -> tuple[ShownTurn, ...]:
    return (*(ShownTurn(t, "r") for t in texts[:-1]), ShownTurn(texts[-1]))


def nodes(*texts: str, live: bool = True, branch: int = 0) -> list[Node]:
    names = path("b", said(*texts), keyed)
    return [
        Node("b", branch, name, names[n - 1] if n else "b", "u", f"m{n}", n + 1, live=live)
        for n, name in enumerate(names)
    ]


@pytest.mark.parametrize(
    ("known", "sent", "kind", "withdrawn", "import_from"),
    [
        ([], ("a",), Kind.APPEND, 0, None),
        ([], ("a", "b"), Kind.IMPORT, 0, 0),
        (nodes("a"), ("a", "b"), Kind.APPEND, 0, None),
        (nodes("a"), ("a", "b", "c"), Kind.IMPORT, 0, 1),
        (nodes("a", "b"), ("a", "b"), Kind.REGENERATE, 0, None),
        (nodes("a", "b"), ("a", "x"), Kind.EDIT, 1, None),
        (nodes("a", "b", "c"), ("a",), Kind.EDIT, 2, None),
        (nodes("a", "b"), ("x",), Kind.EDIT, 2, None),
        ([*nodes("a"), *nodes("a", "b", live=False)[1:]], ("a", "b", "c"), Kind.BRANCH, 0, 0),
    ],
)
def test_each_kind_of_history(
    known: list[Node], sent: tuple[str, ...], kind: Kind, withdrawn: int, import_from: int | None
) -> None:
    verdict = judge("b", said(*sent), known, keyed)
    assert (verdict.kind, len(verdict.withdrawn), verdict.import_from) == (kind, withdrawn, import_from)


def test_a_chat_that_only_begins_alike_gets_a_branch_of_its_own() -> None:
    verdict = judge("b", said("a"), nodes("a", "b"), keyed, derived=True)
    assert verdict.kind is Kind.BRANCH and verdict.branch == 1 and not verdict.withdrawn


def test_replies_and_spacing_take_no_part_in_names() -> None:
    one = path("b", (ShownTurn("a  b\n", "x"), ShownTurn("c")), keyed)
    assert one == path("b", (ShownTurn("a b", "y"), ShownTurn("c")), keyed)


@pytest.mark.parametrize(
    ("last", "system", "generation", "task", "expected"),
    [
        ("I love ramen", "", None, None, False),
        ("generate a concise poem? no, I just love ramen", "", None, None, True),
        ("I generate a concise report at work", "", None, None, False),
        ("hi", "", "normal", None, False),
        ("hi", "", "impersonate", None, True),
        ("### Task:\nSuggest 3-5 relevant follow-up questions", "", None, "false", False),
    ],
)
def test_tasks_are_told_apart(last: str, system: str, generation: str | None, task: str | None, expected: bool) -> None:
    assert is_task(last, system, generation, task) is expected


def test_a_title_without_a_model_is_made_of_the_first_words() -> None:
    task = "### Task:\nGenerate a title\nUSER: I love ramen so very much indeed\nASSISTANT: ok"
    assert title([{"content": task}]) == "I love ramen so very much"


_LINES = ("I live in Lisbon", "I love ramen", "I love sushi", "I moved to Porto", "how are you?", "I hate olives")


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    parts = make(f"sqlite:///{tmp_path_factory.mktemp('edits') / 'talk.db'}")
    return Desk(parts, DoorTables(parts.store), Settings(), None)


_names = iter(range(10**9))


_SCRIPT = st.lists(
    st.tuples(st.integers(0, 3), st.lists(st.sampled_from(_LINES), min_size=1, max_size=2)), max_size=4
)


def test_after_any_edits_nothing_stands_on_words_that_were_taken_back(desk: Desk) -> None:
    """Each step keeps some of the history and goes on with other words, as a client's user would."""

    @settings(max_examples=20, deadline=None, database=None)
    @given(_SCRIPT)
    def check(script: list[tuple[int, list[str]]]) -> None:
        user, shown = f"user {next(_names)}", []
        for keep, more in script:
            shown = shown[:keep] + more
            turns = (*(ShownTurn(t, "I see.") for t in shown[:-1]), ShownTurn(shown[-1]))
            ready = conversing.prepare(desk, Asked(Caller(), user, None, None, turns, "chat"))
            conversing.learn(desk, ready, "I see.")
            conversing.note(desk, ready)
            holds(desk, ready)

    check()


def holds(desk: Desk, ready: conversing.Ready) -> None:
    place = ready.place
    with desk.parts.store.read() as session:
        for memory in session.memories(place.user.user_id, place.friend.friend_id, [MemoryStatus.ACTIVE]):
            assert any(session.message(i) is not None for i in memory.source_message_ids), memory
        here = [n for n in desk.tables.nodes(ready.base) if n.branch == ready.verdict.branch and n.live]
        spoken = session.recent(place.conversation.conversation_id, 100)
        assert {m.message_id for m in spoken if m.role == "user"} == {n.message_id for n in here}


def test_a_lineage_holds_no_words(tmp_path: Path) -> None:
    parts = make(f"sqlite:///{tmp_path / 'a.db'}")
    tables = DoorTables(parts.store)
    desk = Desk(parts, tables, Settings(), None)
    asked = Asked(Caller(), "alex", None, None, (ShownTurn("my canary is a zeppelin"),), "chat")
    ready = conversing.prepare(desk, asked)
    conversing.learn(desk, ready, "")
    conversing.note(desk, ready)
    service.erase(parts, ready.place.user.user_id)
    parts.store.close()
    assert b"zeppelin" not in (tmp_path / "a.db").read_bytes()

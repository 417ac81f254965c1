from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from clew.adapters.store.links import LINKS, ensure, find, replace_session
from clew.model.link import CausalLink, ConsequenceType, IntentType, Strength


def link(n: int, *, session: str = "s", strong: bool = True, claimed: bool = True, actor: str = "Al") -> CausalLink:
    end = n + 2 if claimed else None
    return CausalLink(
        f"{session}-{n}", session, actor, f"intent {n}", IntentType.DECLARE if strong else IntentType.QUESTION,
        Strength.STRONG if strong else Strength.WEAK, n, "done" if claimed else None,
        ConsequenceType.OTHER if claimed else ConsequenceType.NONE, end, 2 if claimed else None,
        0.1 + 0.2 if claimed else None, claimed, 1_767_225_600_000,
    )  # fmt: skip


@pytest.fixture
def connection() -> Iterator[sa.Connection]:
    engine = sa.create_engine("sqlite://")
    with engine.connect() as opened:
        ensure(opened)
        opened.commit()
        yield opened
    engine.dispose()


def test_what_is_written_is_read_back_exactly(connection: sa.Connection) -> None:
    links = [link(0), link(5, claimed=False)]
    assert replace_session(connection, "s", links, param_hash="h") == 2
    assert find(connection, "s") == links


@pytest.mark.rule("C6")
def test_unclaimed_weak_links_are_left_out_unless_asked_for(connection: sa.Connection) -> None:
    links = [link(0, strong=False, claimed=False), link(1, strong=False)]
    assert replace_session(connection, "s", links, param_hash="h") == 1
    assert replace_session(connection, "s", links, param_hash="h", include_unclaimed_weak=True) == 2


def test_a_session_is_replaced_whole_and_others_stay(connection: sa.Connection) -> None:
    replace_session(connection, "other", [link(0, session="other")], param_hash="h")
    replace_session(connection, "s", [link(0), link(1)], param_hash="h")
    replace_session(connection, "s", [link(2)], param_hash="h")
    assert [x.intent_anchor_index for x in find(connection, "s")] == [2]
    assert len(find(connection)) == 2


def test_a_replacement_that_fails_leaves_the_old_links(connection: sa.Connection) -> None:
    replace_session(connection, "s", [link(0)], param_hash="h")
    connection.commit()
    with pytest.raises(sa.exc.IntegrityError):
        replace_session(connection, "s", [link(1), link(1)], param_hash="h")
    connection.rollback()
    assert [x.intent_anchor_index for x in find(connection, "s")] == [0]


def test_queries_by_actor_strength_span_event_and_claim(connection: sa.Connection) -> None:
    links = [link(0), link(10, actor="Bo"), link(20, strong=False), link(30, claimed=False)]
    replace_session(connection, "s", links, param_hash="h", events={"s-0": "s:0", "s-10": "s:1"})

    def places(**wanted: object) -> list[int]:
        return [x.intent_anchor_index for x in find(connection, "s", **wanted)]  # type: ignore[arg-type]

    assert places(actor="Bo") == [10]
    assert places(strength=Strength.WEAK) == [20]
    assert places(span=(12, 25)) == [10, 20]
    assert places(event_id="s:1") == [10]
    assert places(claimed=False) == [30]
    assert places(limit=2) == [0, 10]


def test_the_indexes_of_the_specification_exist() -> None:
    assert {"idx_causal_links_session", "idx_causal_links_session_actor", "idx_causal_links_strength"} <= {
        index.name for index in LINKS.indexes
    }

"""A model behind a real endpoint proposes what to remember; only what the message says is believed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import clew
from clew import policy as policies
from clew.adapters.llm.endpoint import EndpointWriter
from clew.engine import service
from clew.engine.bootstrap import bare_store
from clew.engine.parts import Parts
from clew.engine.replay import rebuild
from clew.errors import InvalidInput, InvalidPolicy
from clew.testing.endpoint import REPLY, Endpoint
from clew.testing.parts import make_parts, message_id, onboard, say

MINA = "so my sister Mina got herself a job as a paramedic over in Leeds"
SHED = "the shed out back is where the drum kit lives"


def proposal(attribute: str, value: str, subject: str = "user", name: str = "", status: str = "is") -> dict[str, str]:
    return {"subject": subject, "name": name, "attribute": attribute, "value": value, "status": status}


PROPOSED: dict[str, list[Any]] = {
    MINA: [
        proposal("job", "paramedic", "sister", "Mina"),
        proposal("job", "paramedic"),  # of another
        proposal("employer", "NHS", "sister"),  # nobody said so
    ],
    SHED: [proposal("lodging", "the drum kit"), proposal("city", "Boston"), "nonsense", {"value": 4}],
    "I really don't like opera": [proposal("like", "opera")],
    "do you live in Rome?": [proposal("city", "Rome")],
    "Olu lives in Nashville, I read": [proposal("city", "Nashville", "that singer"), proposal("city", "Nashville")],
    "우리 형은 요즘 제주에서 감귤 농장을 해": [proposal("job", "감귤 농장", "형"), proposal("city", "부산", "형")],
}


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    def proposes(said: str) -> str:
        return json.dumps({"candidates": PROPOSED.get(said, [])})

    with Endpoint(slow_seconds=4, proposes=proposes) as server:
        yield server


Opens = Callable[..., Parts]


@cache
def _asking(**extractor: Any) -> policies.Policy:
    return policies.from_tables({"remember": {"extractor": {"ask": "every", **extractor}}})


@pytest.fixture
def opens(endpoint: Endpoint, tmp_path: Path) -> Iterator[Opens]:
    made: list[Parts] = []

    def open_parts(mode: str = "proposes", **extractor: Any) -> Parts:
        policy = _asking(**extractor)
        model = EndpointWriter(endpoint.url(mode), "any")
        made.append(make_parts(f"sqlite:///{tmp_path}/{len(made)}.db", policy=policy, extractor=model))
        return made[-1]

    yield open_parts
    for parts in made:
        parts.store.close()


def told(parts: Parts, text: str, number: int = 1) -> Any:
    """(the typed trace, the memories that the model gave)."""
    talk = onboard(parts)
    outcome = say(parts, talk, text, number)
    place = service.place_of(parts, talk.conversation_id)
    return outcome.told, {m.memory_key: m.memory_value for m in service.memories(parts, place)}


def counts(trace: Any) -> tuple[int, int, int, int, int]:
    note = trace.extractor
    return note.proposed, note.kept, note.changed, note.refused, note.known


@pytest.mark.rule("M1")
def test_only_what_the_message_says_of_the_one_it_names_is_kept(opens: Opens) -> None:
    trace, held = told(opens(), MINA)
    assert held["person:sister:mina:job"] == "paramedic" and "fact:occupation" not in held
    assert "extract.model.anothers" in {r.rule for r in trace.extract.verdicts}
    assert "extract.model.ungrounded" in {r.rule for r in trace.extract.verdicts}
    assert trace.extractor.proposed == 3 and trace.extractor.refused == 2
    assert trace.extractor.kept + trace.extractor.known == 1


@pytest.mark.rule("M3")
def test_what_no_attribute_fits_becomes_a_note_in_the_users_own_words(opens: Opens) -> None:
    trace, held = told(opens(), SHED)
    assert SHED in held.values()
    assert counts(trace) == (4, 0, 1, 3, 0)
    rules = [r.rule for r in trace.extract.verdicts]
    assert rules == ["extract.model.changed", "extract.model.ungrounded", *["extract.model.unreadable_item"] * 2]


def test_a_claim_that_the_words_deny_is_refused(opens: Opens) -> None:
    trace, held = told(opens(), "I really don't like opera")
    assert [r.rule for r in trace.extract.verdicts] == ["extract.model.opposed"]
    assert not any(value.startswith("like|") for value in held.values())


@pytest.mark.rule("M2")
def test_strangers_are_not_kept_and_their_town_is_not_the_users(opens: Opens) -> None:
    trace, held = told(opens(), "Olu lives in Nashville, I read")
    assert [r.rule for r in trace.extract.verdicts] == ["extract.model.stranger", "extract.model.anothers"]
    assert "fact:current_city" not in held


def test_korean_words_hold_a_candidate_through_their_particles(opens: Opens) -> None:
    trace, held = told(opens(), "우리 형은 요즘 제주에서 감귤 농장을 해")
    assert any("감귤" in value for key, value in held.items() if key.startswith("person:"))
    assert "extract.model.ungrounded" in {r.rule for r in trace.extract.verdicts}


def test_a_message_that_only_asks_is_not_worth_a_call(opens: Opens, endpoint: Endpoint) -> None:
    before = endpoint.count("proposes")
    trace, held = told(opens(), "do you live in Rome?")
    assert trace.extractor is None and not held and endpoint.count("proposes") == before


def test_the_attribute_table_is_the_schema_and_the_users_rows_are_in_it(endpoint: Endpoint, tmp_path: Path) -> None:
    policy = policies.from_tables(
        {
            "remember": {"extractor": {"ask": "every", "means": {"boat": "a boat of theirs"}}},
            "attributes": {"rows": {"boat": {"many": True, "group": "things"}}},
        }
    )
    model = EndpointWriter(endpoint.url("proposes"), "any")
    parts = make_parts(f"sqlite:///{tmp_path}/rows.db", policy=policy, extractor=model)
    say(parts, onboard(parts), "we finally have the Swallow in the water", 1)
    body = endpoint.seen[-1][2]
    fields = body["response_format"]["json_schema"]["schema"]["properties"]["candidates"]["items"]["properties"]
    assert {"allergy", "city", "note", "boat"} <= set(fields["attribute"]["enum"])
    assert "- boat (several): a boat of theirs" in body["messages"][0]["content"]
    assert body["messages"][1]["content"] == "we finally have the Swallow in the water"
    parts.store.close()


@pytest.mark.parametrize(
    ("ask", "text", "why"),
    [
        ("never", MINA, None),
        ("every", "I live in Oslo", "extract.every"),
        ("chosen", "I live in Oslo", None),  # read plainly
        ("chosen", "lol same", None),  # tells nothing
        ("chosen", "the thing with my landlord went from weird to weirder yesterday", "extract.nothing_read"),
        ("chosen", "word " * 60 + "and I am at home", "extract.long"),
    ],
)
def test_the_policy_says_when_the_model_is_asked(opens: Opens, ask: str, text: str, why: str | None) -> None:
    trace, _ = told(opens(ask=ask), text)
    assert (trace.extract.why if trace.extractor else None) == why


@pytest.mark.parametrize(
    "mode", ["cut", "busy", "down", "broken", "no-key", "html", "deep", "huge", "empty", "null", "long", "prose", "list"]
)
def test_a_failing_or_rambling_model_costs_nothing_but_itself(opens: Opens, mode: str) -> None:
    trace, held = told(opens(mode), "I live in Oslo")
    assert held == {"fact:current_city": "Oslo"}
    assert trace.extractor.failed.startswith("model_")
    garbage = trace.extractor.failed == "model_garbage"
    assert counts(trace) == ((1, 0, 0, 1, 0) if garbage else (0, 0, 0, 0, 0))


def test_a_slow_model_is_waited_for_no_longer_than_the_policy_says(opens: Opens) -> None:
    trace, held = told(opens("slow-json", seconds=1), "I live in Oslo")
    assert held == {"fact:current_city": "Oslo"} and trace.extractor.failed == "model_timeout"


@pytest.mark.parametrize("answer", ["[]", "{}", '{"candidates": 7}', "null", "not json", "[" * 5000, '"x"'])
def test_an_answer_of_another_shape_is_recorded_as_refused(tmp_path: Path, answer: str) -> None:
    with clew.Chat(tmp_path / "talk.db", extractor=lambda messages: answer, extract="every", embedder=False) as chat:
        reply = chat.say("I live in Oslo")
        note = service.trace(chat.parts, reply.message_id).told.extractor
    assert reply.text and note is not None and (note.proposed, note.refused) == (1, 1)


def test_an_extractor_that_breaks_its_promise_loses_no_turn(tmp_path: Path) -> None:
    class Broken:
        name = "broken"

        def write(self, request: object) -> object:
            raise KeyError("ours")

    with clew.Chat(tmp_path / "talk.db", extractor=Broken(), extract="every", embedder=False) as chat:
        reply = chat.say("I live in Oslo")
        assert any("KeyError" in line for line in chat.why(reply.message_id))
        assert [c.kind for c in reply.memories] == ["created"]


def test_what_the_model_answered_is_stored_and_the_state_is_rebuilt_without_it(
    opens: Opens, endpoint: Endpoint, tmp_path: Path
) -> None:
    parts = opens()
    talk = onboard(parts)
    say(parts, talk, SHED, 1)
    asked = endpoint.count("proposes")
    again = say(parts, talk, SHED, 1)
    target = bare_store(f"sqlite:///{tmp_path}/again.db", durable=False)
    compared = rebuild(parts.store, target)
    target.close()
    assert again.replayed and compared.identical and endpoint.count("proposes") == asked
    body = service.trace(parts, message_id(1)).body
    assert json.loads(body["extract"]["model"]["answer"]) == {"candidates": PROPOSED[SHED]}


def test_the_same_answer_gives_the_same_memories(opens: Opens) -> None:
    (one, first), (two, second) = told(opens(), MINA), told(opens(), MINA)
    assert first == second and one.extractor == two.extractor


def test_what_is_off_the_record_is_not_shown_to_the_extractor(opens: Opens, endpoint: Endpoint) -> None:
    before = endpoint.count("proposes")
    trace, held = told(opens(), "off the record: I owe my brother four thousand")
    assert not held and trace.extractor is None and endpoint.count("proposes") == before


def test_a_switch_for_sensitive_kinds_holds_for_the_model_too(tmp_path: Path) -> None:
    def propose(messages: list[dict[str, str]]) -> str:
        return json.dumps({"candidates": [proposal("condition", "lupus")]})

    rules = policies.from_tables({"attributes": {"keep_sensitive": False}})
    with clew.Memory(tmp_path / "m.db", extractor=propose, extract="every", policy=rules, embedder=False) as memory:
        added = memory.add("well it turns out it was lupus all along, who knew", user="kim")
        assert not [c for c in added if c.kind == "created"] and not memory.all(user="kim")


def test_the_terminal_takes_the_option_and_tells_what_became_of_the_proposals(
    endpoint: Endpoint, tmp_path: Path
) -> None:
    args = ["chat", "--db", f"sqlite:///{tmp_path}/talk.db", "--no-embed", "--extract", "every"]
    args += ["--writer", endpoint.url("proposes"), "--model", "any"]
    done = subprocess.run(
        [sys.executable, "-m", "clew", *args],
        input=f"{SHED}\n/why\n/why all\n".encode(),
        capture_output=True,
        timeout=120,
    )
    out = done.stdout.decode()
    assert done.returncode == 0, done.stderr.decode()
    assert REPLY in out and "asked what to remember and proposed 4: 1 changed, 3 refused" in out
    assert "[extract.model.ungrounded]" in out


def test_a_word_that_is_no_choice_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="every, chosen, never"):
        clew.Chat(tmp_path / "x.db", extract="sometimes")
    with pytest.raises(InvalidPolicy):
        policies.from_tables({"remember": {"extractor": {"ask": "sometimes"}}})

"""The Responses API, driven by the real openai SDK: whole, streamed, going on from a reply, and around another model."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import openai
import pytest
from openai import OpenAI

from clew.engine import service
from clew.engine.bootstrap import open_doors
from clew.model.memory import MemoryStatus
from tests.clients.openai_door import client as client
from tests.clients.openai_door import keys, said_in
from tests.clients.openai_door import served as served
from tests.clients.openai_door import upstream as upstream
from tests.clients.serving import Served, serving


def say(client: OpenAI, who: str, given: Any, **more: Any) -> Any:
    model = more.pop("model", "clew/friend")
    return client.responses.create(model=model, input=given, extra_headers={"X-Clew-User": who}, **more)


def test_a_response_has_the_shape_that_clients_expect(client: OpenAI, served: Served) -> None:
    answer = say(client, "shape", "I live in Lisbon", instructions="Be kind.", metadata={"a": "b"})
    assert answer.status == "completed" and answer.object == "response" and answer.id.startswith("resp_")
    assert answer.output_text == answer.output[0].content[0].text != ""
    assert answer.usage.total_tokens == answer.usage.input_tokens + answer.usage.output_tokens > 0
    assert answer.instructions == "Be kind." and answer.metadata == {"a": "b"}
    assert answer.model_extra["clew"]["memory_events"]
    assert keys(served, "shape") == ["fact:current_city"]


def test_a_stream_is_the_train_of_events_that_the_sdk_reads(client: OpenAI, served: Served) -> None:
    events = list(say(client, "train", "I love ramen", stream=True))
    kinds = [e.type for e in events]
    deltas = [e.delta for e in events if e.type == "response.output_text.delta"]
    assert kinds[:4] == [
        "response.created", "response.in_progress", "response.output_item.added", "response.content_part.added",
    ]  # fmt: skip
    assert kinds[4 + len(deltas) :] == [
        "response.output_text.done", "response.content_part.done", "response.output_item.done", "response.completed",
    ]  # fmt: skip
    assert [e.sequence_number for e in events] == list(range(len(events)))
    assert len(deltas) > 1 and "".join(deltas) == events[-1].response.output_text == events[-4].text
    assert len({e.item_id for e in events if hasattr(e, "item_id")}) == 1
    assert keys(served, "train") == ["pref:food:ramen"]


def test_the_sdks_own_stream_helper_puts_the_response_together(client: OpenAI) -> None:
    with client.responses.stream(
        model="clew/friend", input="good morning", extra_headers={"X-Clew-User": "helper"}
    ) as stream:
        whole = "".join(e.delta for e in stream if e.type == "response.output_text.delta")
        assert stream.get_final_response().output_text == whole != ""


def test_the_server_keeps_what_the_client_leaves_to_it(client: OpenAI, served: Served) -> None:
    one = say(client, "kept", "I live in Lisbon")
    # The reply tells whose it is: no header is needed to go on.
    two = client.responses.create(model="clew/friend", input="I love ramen", previous_response_id=one.id)
    assert two.previous_response_id == one.id
    assert said_in(served, "kept")[::2] == ["I live in Lisbon", "I love ramen"]
    assert len(service.conversations(served.parts, service.user_id("kept"))) == 2  # the main one and this


def test_going_on_from_an_earlier_reply_is_a_branch_and_takes_nothing_away(client: OpenAI, served: Served) -> None:
    one = say(client, "fork", "hello, I live in Lisbon")
    say(client, "fork", "I love ramen", previous_response_id=one.id)
    say(client, "fork", "I love sushi", previous_response_id=one.id)
    assert keys(served, "fork") == ["fact:current_city", "pref:food:ramen", "pref:food:sushi"]
    place = service.arrive(served.parts, "fork")
    assert not service.memories(served.parts, place, status=MemoryStatus.INVALID)


def test_the_same_request_again_gives_another_reply_to_the_same_message(client: OpenAI, served: Served) -> None:
    one = say(client, "again", "I live in Lisbon")
    served.voice.says = "The first of my answers, tell me more."
    say(client, "again", "I love ramen", previous_response_id=one.id)
    served.voice.says = "Quite another one now, go on please."
    third = say(client, "again", "I love ramen", previous_response_id=one.id)
    assert "another one" in third.output_text
    assert said_in(served, "again").count("I love ramen") == 1


def test_a_conversation_by_name_goes_on_where_it_stood(client: OpenAI, served: Served) -> None:
    say(client, "talk", "I live in Lisbon", conversation="kitchen")
    served.voice.asked.clear()
    say(client, "talk", "I love ramen", conversation={"id": "kitchen"})
    assert "I live in Lisbon" in served.voice.asked[0]
    assert said_in(served, "talk")[::2] == ["I live in Lisbon", "I love ramen"]
    assert keys(served, "talk") == ["fact:current_city", "pref:food:ramen"]


def test_a_whole_history_in_the_input_is_learned_before_it_is_answered(client: OpenAI, served: Served) -> None:
    say(
        client,
        "items",
        [
            {"role": "user", "content": "I live in Lisbon"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Nice."}]},
            {"role": "user", "content": [{"type": "input_text", "text": "I love ramen"}]},
        ],
    )
    assert keys(served, "items") == ["fact:current_city", "pref:food:ramen"]


def test_the_same_key_replays(client: OpenAI, served: Served) -> None:
    headers = {"X-Clew-User": "idem", "Idempotency-Key": "r-1"}
    first = client.responses.create(model="clew/friend", input="I love ramen", extra_headers=headers)
    raw = client.responses.with_raw_response.create(model="clew/friend", input="I love ramen", extra_headers=headers)
    assert raw.headers["Idempotent-Replayed"] == "true"
    assert raw.parse().output_text == first.output_text and raw.parse().id == first.id
    with pytest.raises(openai.UnprocessableEntityError):
        client.responses.create(model="clew/friend", input="I love sushi", extra_headers=headers)


def test_a_background_task_writes_nothing(client: OpenAI, served: Served) -> None:
    answer = say(client, "task", "### Task:\nGenerate a concise title.\nUSER: I love ramen")
    assert answer.output_text and answer.model_extra["clew"]["task"] is True
    assert keys(served, "task", None) == []


@pytest.mark.parametrize(
    ("more", "error"),
    [
        ({"input": "hi", "previous_response_id": "resp_nothing"}, openai.NotFoundError),
        ({"input": "hi", "previous_response_id": "resp_" + "0" * 40}, openai.NotFoundError),
        ({"input": "hi", "model": "gpt-9"}, openai.NotFoundError),
        ({"input": []}, openai.UnprocessableEntityError),
        ({"input": 7}, openai.UnprocessableEntityError),
        ({"input": ["hi"]}, openai.UnprocessableEntityError),
        ({"input": [{"role": "wizard", "content": "hi"}]}, openai.UnprocessableEntityError),
        ({"input": "hi", "extra_body": {"stream": "yes"}}, openai.UnprocessableEntityError),
        ({"input": "hi", "conversation": {"id": ""}}, openai.UnprocessableEntityError),
        ({"input": "hi", "tools": [{"type": "web_search"}]}, openai.UnprocessableEntityError),
    ],
)
def test_bad_input_is_refused_in_openais_shape(client: OpenAI, more: dict[str, Any], error: Any) -> None:
    with pytest.raises(error) as why:
        client.responses.create(**{"model": "clew/friend", **more})
    assert why.value.body["message"] and "messages" not in str(why.value.param)


def test_nobody_goes_on_from_somebody_elses_reply(client: OpenAI) -> None:
    one = say(client, "mine", "I live in Lisbon")
    with pytest.raises(openai.NotFoundError):
        say(client, "yours", "where do I live?", previous_response_id=one.id)


def test_another_tenants_reply_is_not_there(tmp_path: Any) -> None:
    with serving(tmp_path / "talk.db") as served:
        tables = open_doors(served.parts.store)
        north, south = (tables.make_key(n, n, None, "2026-01-01T00:00:00Z")[1] for n in ("north", "south"))
        with OpenAI(base_url=served.openai, api_key=north, max_retries=0) as one:
            made = say(one, "ann", "I live in Lisbon")
        with OpenAI(base_url=served.openai, api_key=south, max_retries=0) as two, pytest.raises(openai.NotFoundError):
            say(two, "ann", "where do I live?", previous_response_id=made.id)


def test_a_failing_writer_is_an_error_and_the_message_may_come_again(client: OpenAI, served: Served) -> None:
    def broken() -> None:
        raise RuntimeError("no voice")

    served.voice.before = broken
    with pytest.raises(openai.APIStatusError):
        say(client, "down", "I love ramen")
    with pytest.raises(openai.APIStatusError):
        list(say(client, "down", "I love ramen", stream=True))
    served.voice.before = None
    assert say(client, "down", "I love ramen").output_text
    assert keys(served, "down", None) == ["pref:food:ramen"]


# -- memory for another model ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory, upstream: tuple[str, list[dict[str, Any]]]) -> Iterator[Served]:
    with serving(tmp_path_factory.mktemp("proxy") / "talk.db", upstream=upstream[0]) as found:
        yield found


def test_any_model_gets_a_memory_here_too(proxy: Served, upstream: tuple[str, list[dict[str, Any]]]) -> None:
    with OpenAI(base_url=proxy.openai, api_key="k", max_retries=0) as client:
        first = say(client, "u", "I love ramen", model="memory/big-one", max_output_tokens=50)
        assert first.output_text == "Understood." and keys(proxy, "u") == ["pref:food:ramen"]
        assert upstream[1][-1]["max_tokens"] == 50
        events = list(
            say(client, "u", "and now?", model="memory/big-one", previous_response_id=first.id, stream=True)
        )
        assert "".join(e.delta for e in events if e.type == "response.output_text.delta") == "Understood."
        assert events[-1].response.output_text == "Understood." and events[0].response.id == events[-1].response.id
        told = upstream[1][-1]["messages"]
        assert [m["content"] for m in told if m["role"] != "system"] == ["I love ramen", "Understood.", "and now?"]
        assert any("ramen" in m["content"] for m in told if m["role"] == "system")


def test_a_tools_result_is_sent_alone(proxy: Served, upstream: tuple[str, list[dict[str, Any]]]) -> None:
    tools = [{"type": "function", "name": "look", "parameters": {"type": "object"}}]
    with OpenAI(base_url=proxy.openai, api_key="k", max_retries=0) as client:
        first = say(client, "t", "I love ramen", model="memory/big-one", tools=tools)
        (call,) = first.output
        assert call.type == "function_call" and call.name == "look" and call.call_id == "t1"
        result = {"type": "function_call_output", "call_id": call.call_id, "output": "found"}
        done = say(client, "t", [result], model="memory/big-one", tools=tools, previous_response_id=first.id)
        assert done.output_text == "Understood."
        roles = [m["role"] for m in upstream[1][-1]["messages"] if m["role"] != "system"]
        assert roles == ["user", "assistant", "tool"]
    assert said_in(proxy, "t") == ["I love ramen", "Understood."]


def test_an_upstreams_own_error_comes_back_as_it_is(proxy: Served) -> None:
    with OpenAI(base_url=proxy.openai, api_key="k", max_retries=0) as client, pytest.raises(openai.RateLimitError):
        say(client, "x", "hi", model="memory/broken")


# -- read again and deleted --------------------------------------------------------------------------


def test_a_response_is_read_again_as_it_was_given(client: OpenAI, served: Served) -> None:
    one = say(client, "reader", "I live in Lisbon", instructions="Be kind.", metadata={"a": "b"}, temperature=0.5)
    events = list(say(client, "reader", "I love ramen", previous_response_id=one.id, stream=True))
    for given in (one, events[-1].response):
        again = client.responses.retrieve(given.id)
        assert again.to_dict() == {k: v for k, v in given.to_dict().items() if k != "clew"}
    assert client.responses.retrieve(one.id).output_text == one.output_text != ""


def test_the_reply_that_stands_is_the_one_that_is_read(client: OpenAI, served: Served) -> None:
    start = say(client, "twice", "I live in Lisbon")
    served.voice.says = "The first of my answers, tell me more."
    one = say(client, "twice", "I love ramen", previous_response_id=start.id)
    served.voice.says = "Quite another one now, go on please."
    two = say(client, "twice", "I love ramen", previous_response_id=start.id)
    assert one.output_text != two.output_text == client.responses.retrieve(one.id).output_text


def test_a_deleted_response_is_gone_and_the_memory_stays(client: OpenAI, served: Served) -> None:
    one = say(client, "deleter", "I live in Lisbon")
    gone = client.responses.with_raw_response.delete(one.id)
    assert gone.http_response.json() == {"id": one.id, "object": "response", "deleted": True}
    for use in (
        lambda: client.responses.retrieve(one.id), lambda: client.responses.delete(one.id),
        lambda: say(client, "deleter", "and now?", previous_response_id=one.id),
    ):  # fmt: skip
        with pytest.raises(openai.NotFoundError):
            use()
    assert keys(served, "deleter") == ["fact:current_city"]


def test_what_was_not_to_be_kept_is_not_read_again(client: OpenAI) -> None:
    one = say(client, "unkept", "I live in Lisbon", store=False)
    for use in (client.responses.retrieve, client.responses.delete):
        with pytest.raises(openai.NotFoundError):
            use(one.id)
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve("resp_" + "0" * 40)


def test_a_message_that_was_edited_away_takes_its_response_with_it(client: OpenAI, served: Served) -> None:
    one = say(client, "edited", "I live in Lisbon", conversation="kitchen")
    assert client.responses.retrieve(one.id).id == one.id
    chat = {"X-Clew-User": "edited", "X-Clew-Conversation": "kitchen"}
    client.chat.completions.create(
        model="clew/friend", messages=[{"role": "user", "content": "I live in Porto"}], extra_headers=chat
    )
    with pytest.raises(openai.NotFoundError):
        client.responses.retrieve(one.id)


def test_nobody_reads_or_deletes_another_tenants_response(tmp_path: Any) -> None:
    with serving(tmp_path / "talk.db") as served:
        tables = open_doors(served.parts.store)
        north, south = (tables.make_key(n, n, None, "2026-01-01T00:00:00Z")[1] for n in ("north", "south"))
        with OpenAI(base_url=served.openai, api_key=north, max_retries=0) as one:
            made = say(one, "ann", "I live in Lisbon")
            with OpenAI(base_url=served.openai, api_key=south, max_retries=0) as two:
                for use in (two.responses.retrieve, two.responses.delete):
                    with pytest.raises(openai.NotFoundError):
                        use(made.id)
            assert one.responses.retrieve(made.id).output_text == made.output_text


def test_around_another_model_a_response_and_its_calls_are_read_again(proxy: Served) -> None:
    tools = [{"type": "function", "name": "look", "parameters": {"type": "object"}}]
    with OpenAI(base_url=proxy.openai, api_key="k", max_retries=0) as client:
        plain = say(client, "r", "I love ramen", model="memory/big-one")
        assert client.responses.retrieve(plain.id).output_text == "Understood."
        called = say(client, "r2", "I love ramen", model="memory/big-one", tools=tools)
        again = client.responses.retrieve(called.id)
        assert again.output[0].to_dict() == called.output[0].to_dict()

"""Is what the model said usable? One check for every writer, and how JSON is asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from clew.errors import ModelGarbage
from clew.ports.llm import WriterRequest

_THOUGHT = re.compile(r"\A\s*<think(?:ing)?>.*?</think(?:ing)?>", re.S)
_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*?)\n?```\Z", re.S)
# C0 and C1 controls, and what turns the direction of the text around it.
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
# No tokenizer we know packs more characters into a token than this, on average over an answer.
CHARACTERS_PER_TOKEN = 16


def json_format(name: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    """How an answer in JSON is asked for, in the words of the chat-completions protocol."""
    return {"type": "json_schema", "json_schema": {"name": name, "schema": dict(schema), "strict": True}}


def usable(text: object, request: WriterRequest) -> str:
    """The answer without wrapping, or ModelGarbage saying what is wrong with it."""
    if not isinstance(text, str):
        raise ModelGarbage("the answer holds no text")
    text = _THOUGHT.sub("", text)
    text = _CONTROL.sub("", text).encode("utf-8", "ignore").decode("utf-8").strip()
    if not text:
        raise ModelGarbage("the answer is empty")
    most = request.max_tokens * CHARACTERS_PER_TOKEN
    if len(text) > most:
        raise ModelGarbage(f"the answer has {len(text)} characters where {most} were asked for at most")
    if request.schema is None:
        return text
    return _object(text, {"type": "object"} if request.item_by_item else request.schema)


def _object(text: str, schema: Mapping[str, Any]) -> str:
    fenced = _FENCE.match(text)
    bare = fenced.group(1).strip() if fenced else text
    try:
        value = json.loads(bare)
    except (ValueError, RecursionError) as why:
        raise ModelGarbage(f"the answer is not JSON: {why}") from None
    if complaint := mismatch(value, schema):
        raise ModelGarbage(f"the answer does not fit its schema: {complaint}")
    return bare


_KINDS: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}


def mismatch(value: Any, schema: Mapping[str, Any], at: str = "") -> str | None:
    """What a value breaks of the JSON Schema words that our requests use, or None."""
    where = at or "/"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where} is not one of {schema['enum']}"
    if "const" in schema and value != schema["const"]:
        return f"{where} is not {schema['const']!r}"
    if "anyOf" in schema and all(mismatch(value, s, at) for s in schema["anyOf"]):
        return f"{where} fits none of anyOf"
    kinds = schema.get("type")
    if kinds is not None and not any(_is(value, k) for k in ([kinds] if isinstance(kinds, str) else kinds)):
        return f"{where} is not of type {kinds}"
    if isinstance(value, dict):
        return _members(value, schema, at)
    if isinstance(value, list):
        return _items(value, schema, at)
    if isinstance(value, str) and not _between(len(value), schema, "minLength", "maxLength"):
        return f"{where} has a length out of bounds"
    if _is(value, "number") and not _between(value, schema, "minimum", "maximum"):
        return f"{where} is out of bounds"
    return None


def _is(value: Any, kind: str) -> bool:
    return isinstance(value, _KINDS[kind]) and (kind == "boolean" or not isinstance(value, bool))


def _members(value: dict[str, Any], schema: Mapping[str, Any], at: str) -> str | None:
    known = schema.get("properties", {})
    for name in schema.get("required", ()):
        if name not in value:
            return f"{at}/{name} is missing"
    for name, item in value.items():
        if name in known:
            complaint = mismatch(item, known[name], f"{at}/{name}")
        elif schema.get("additionalProperties") is False:
            complaint = f"{at}/{name} is not a known field"
        else:
            complaint = None
        if complaint:
            return complaint
    return None


def _items(value: list[Any], schema: Mapping[str, Any], at: str) -> str | None:
    if not _between(len(value), schema, "minItems", "maxItems"):
        return f"{at or '/'} has a wrong number of items"
    if "items" in schema:
        for i, item in enumerate(value):
            if complaint := mismatch(item, schema["items"], f"{at}/{i}"):
                return complaint
    return None


def _between(size: float, schema: Mapping[str, Any], low: str, high: str) -> bool:
    return bool(schema.get(low, size) <= size <= schema.get(high, size))

"""Character cards and lorebooks: nothing is lost, and nothing a stranger wrote can hang or flood the reader."""

from __future__ import annotations

import base64
import io
import json
import re
import struct
import time
import zipfile
import zlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clew.errors import InvalidInput
from clew.formats.card import png, read_card, write_charx, write_json, write_png
from clew.formats.lorebook import match, read_lorebook, write_lorebook
from clew.formats.lorebook.expression import Steps, found

V1 = {"name": "Mira", "description": "a baker", "personality": "", "scenario": "", "first_mes": "hi", "mes_example": "",
      "odd": {"kept": 1}}  # fmt: skip
BOOK = {
    "entries": [
        {"keys": ["oven"], "content": "@@depth 4\nThe oven is old.", "extensions": {"x": 1}, "enabled": True,
         "insertion_order": 2, "use_regex": False, "unknown": [1]},
    ],
    "extensions": {},
}  # fmt: skip
V2 = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {**V1, "extensions": {"depth": 3}, "character_book": BOOK},
}
V3 = {
    "spec": "chara_card_v3", "spec_version": "3.0", "more": "kept",
    "data": {**V1, "nickname": "Mi", "extensions": {"a": {"b": 1}}, "group_only_greetings": [], "source": ["s"],
             "creator_notes": "n", "character_book": BOOK},
}  # fmt: skip


def as_bytes(card: dict[str, Any]) -> bytes:
    return json.dumps(card).encode()


@pytest.mark.parametrize(("card", "version"), [(V1, 1), (V2, 2), (V3, 3)])
def test_every_version_comes_back_as_version_three_with_all_its_fields(card: dict[str, Any], version: int) -> None:
    read = read_card(as_bytes(card))
    assert read.version == version
    for write in (write_json, write_png, write_charx):
        again = read_card(write(read, {"seed": 7}))
        assert again.version == 3 and again.data["odd"] == {"kept": 1}
        assert again.data["extensions"]["clew"] == {"seed": 7}
        before = read.data.get("extensions", {})
        assert {k: v for k, v in again.data["extensions"].items() if k != "clew"} == before
        assert again.data.get("character_book") == read.data.get("character_book")
    if version == 3:
        assert read.name == "Mi" and read_card(write_json(read)).raw["more"] == "kept"


def test_a_picture_carries_both_versions_and_keeps_its_pixels() -> None:
    made = write_png(read_card(as_bytes(V3)))
    assert png.text_of(made, "ccv3") and png.text_of(made, "chara")
    older = json.loads(base64.b64decode(png.text_of(made, "chara") or b""))
    assert older["spec"] == "chara_card_v2" and "V3" in older["data"]["creator_notes"]
    assert older["data"]["character_book"]["entries"][0]["content"] == "The oven is old."
    again = write_png(read_card(made))
    assert [c for c in png.chunks(again) if c[0] == b"IDAT"] == [c for c in png.chunks(made) if c[0] == b"IDAT"]
    assert write_png(read_card(again)) == again


def test_what_is_for_readers_never_reaches_a_prompt() -> None:
    assert "creator_notes" not in read_card(as_bytes(V3)).voice()


def bomb() -> bytes:
    """A picture of 60,000 by 60,000 grey points in a few kilobytes."""
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 0, 0, 0, 0)
    text = b"chara\x00" + base64.b64encode(as_bytes(V1))
    body = [(b"IHDR", header), (b"tEXt", text), (b"IDAT", zlib.compress(b"\x00" * 10_000_000)), (b"IEND", b"")]
    return png.SIGNATURE + b"".join(
        struct.pack(">I", len(b)) + k + b + struct.pack(">I", zlib.crc32(k + b)) for k, b in body
    )


def test_a_picture_bomb_is_read_without_unpacking_it() -> None:
    started = time.perf_counter()
    assert read_card(bomb()).name == "Mira"
    assert time.perf_counter() - started < 1


def zip_bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("card.json", b" " * 20_000_000)
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"[]", b"{}", b"PK\x03\x04junk", png.SIGNATURE, png.SIGNATURE + b"\x00\x00\xff\xfftEXt", png.blank(),
     zip_bomb(), b'{"spec": "chara_card_v2", "data": {"name": 3}}', b"[" * 100_000],
)  # fmt: skip
def test_broken_cards_are_refused(data: bytes) -> None:
    with pytest.raises(InvalidInput):
        read_card(data)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_card_or_refused(data: bytes) -> None:
    for given_ in (data, png.SIGNATURE + data, b"PK" + data):
        try:
            read_card(given_)
        except InvalidInput:
            continue


# -- lorebooks ------------------------------------------------------------------------------------


def book(*entries: dict[str, Any], **more: Any) -> Any:
    rows = [{"content": f"c{n}", "enabled": True, "insertion_order": n, "id": n, **e} for n, e in enumerate(entries)]
    return read_lorebook({"entries": rows, **more})


def called(found: Any, *messages: str) -> list[str]:
    return [c.entry.content for c in match(found, messages)]


def test_all_three_shapes_are_read_and_go_out_as_they_came() -> None:
    entry = {"uid": 7, "key": ["oven"], "keysecondary": [], "content": "c", "order": 1, "odd": 2}
    world = {"entries": {"7": entry}, "n": 1}
    for document in (BOOK, {"spec": "lorebook_v3", "data": BOOK, "z": 1}, world):
        read = read_lorebook(json.dumps(document))
        assert write_lorebook(read) == document
        assert called(read, "the OVEN is hot")


def test_entries_are_called_by_the_rules() -> None:
    assert called(book({"keys": ["tea"]}, {"keys": ["x"], "constant": True}), "no Tea") == ["c0", "c1"]
    assert called(book({"keys": ["tea"], "case_sensitive": True}), "Tea") == []
    assert called(book({"keys": ["tea"], "enabled": False}), "tea") == []
    pair = book({"keys": ["tea"], "selective": True, "secondary_keys": ["milk"]})
    assert called(pair, "tea") == [] and called(pair, "tea with milk") == ["c0"]
    assert called(book({"keys": ["tea"]}, scan_depth=1), "tea", "then nothing") == []
    assert called(book({"keys": ["tea"], "content": "cup"}, {"keys": ["cup"]}), "tea") == ["cup"]
    assert called(book({"keys": ["tea"], "content": "cup"}, {"keys": ["cup"]}, recursive_scanning=True), "tea") == [
        "cup", "c1",
    ]  # fmt: skip
    assert called(book({"keys": ["a"], "content": "same"}, {"keys": ["a"], "content": "same"}), "a") == ["same"]
    late = book({"keys": ["a"], "content": "@@activate_only_after 3\nlate"})
    assert called(late, "a") == [] and called(late, "a", "a", "a") == ["late"]
    assert called(book({"keys": ["a"], "content": "@@exclude_keys b\nx"}), "a b") == []


def test_over_the_budget_the_least_important_go() -> None:
    rows = [{"keys": ["a"], "content": c * 40, "priority": p} for c, p in (("x", 1), ("y", 9), ("z", 5))]
    assert [t[0] for t in called(book(*rows, token_budget=20), "a")] == ["y", "z"]


RUNAWAY = [
    "(a+)+b", "(a|aa)*b", "(a|a)*b", "(.*)*x", "(?:a?){30}a{30}b", "a{0,60}a{0,60}a{0,60}a{0,60}b", "a.*b.*c", "(?=a+)b",
    r"(a+)\1b", "a*a*a*a*b", "((a{1,50}){1,50}){1,50}b", "(?:){1000000000}b", "(", "a" * 400 + "b", "(a|b)*a(a|b){200}c",
]  # fmt: skip


@pytest.mark.parametrize("pattern", RUNAWAY)
@pytest.mark.parametrize("text", ["a" * 4000, "ab" * 2000, "a" * 30 + "!"])
def test_an_expression_that_could_run_away_comes_to_its_end(pattern: str, text: str) -> None:
    started = time.process_time()
    called(book({"keys": [pattern], "use_regex": True}), text)
    assert time.process_time() - started < 2


def test_a_thousand_of_them_share_one_count_of_steps() -> None:
    started = time.process_time()
    found = called(book(*({"keys": [f"(a|aa)*[b-{c}]"], "use_regex": True} for c in "cdefghijkl" * 100)), "a" * 4000)
    assert found == [] and time.process_time() - started < 10
    # The same card and the same talk: the same answer, however far the count went.
    many = [{"keys": [f"({c}|{c}{c})*[x-z]"], "use_regex": True} for c in "abcdefghij" * 20]
    talk = "abcdefghij" * 300 + "x"
    assert called(book(*many), talk) == called(book(*many), talk) != []


def test_many_entries_over_a_tiny_budget_are_dropped_at_once() -> None:
    started = time.process_time()
    assert called(book(*({"constant": True, "content": f"entry {n}"} for n in range(10_000)), token_budget=1), "a") == []
    assert time.process_time() - started < 5


@pytest.mark.parametrize("odd", ["\u00b2", "-1", "9" * 5000, "x", ""])
def test_an_odd_number_in_a_decorator_is_no_accident(odd: str) -> None:
    called(book({"keys": ["a"], "content": f"@@activate_only_after {odd}\nlate"}), "a")


LETTERS = st.sampled_from(["a", "b", "A", ".", r"\b", r"\w", r"\W", "^", "$", "[ab]", "[^a]", r"\d", r"\s", "\n", "é", "[0-9_]"])
PATTERNS = st.recursive(
    LETTERS,
    lambda part: st.one_of(
        st.tuples(part, part).map("".join),
        st.tuples(part, part).map("(?:{0[0]}|{0[1]})".format),
        st.tuples(part, st.sampled_from(["*", "+", "?", "{1,2}", "{2}", "*?"])).map("(?:{0[0]}){0[1]}".format),
    ),
    max_leaves=8,
)


@given(PATTERNS, st.text("abAB \n0_é!", max_size=12), st.booleans())
def test_an_expression_means_what_it_means_in_python(pattern: str, text: str, exact: bool) -> None:
    theirs = re.search(pattern, text, 0 if exact else re.IGNORECASE) is not None
    assert found(pattern, text, case_sensitive=exact, steps=Steps()) is theirs


@pytest.mark.parametrize(
    ("pattern", "text", "is_found"),
    [("(?i)TEA", "tea", True), ("(?s)a.b", "a\nb", True), ("a.b", "a\nb", False), ("(?m)^b$", "a\nb\nc", True),
     ("b$", "b\n", True), (r"b\Z", "b\n", False), (r"\Ab", "ab", False), ("", "", True), ("(?P<n>a)", "a", True),
     ("(?i:a)", "a", False), ("(?>a)", "a", False), ("[^\\W\\d]+", "12", False)],
)  # fmt: skip
def test_flags_and_places(pattern: str, text: str, is_found: bool) -> None:
    assert found(pattern, text, case_sensitive=True, steps=Steps()) is is_found


def test_ordinary_expressions_work() -> None:
    assert called(book({"keys": [r"\bte(a|e)s?\b"], "use_regex": True}), "two Teas") == ["c0"]
    assert called(book({"keys": [r"old .* oven"], "use_regex": True}), "an old iron oven") == ["c0"]

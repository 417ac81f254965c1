"""Every dialect: found by its structure, read line by line, what is left out is said. Hand-made samples."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clew.errors import ClewError, InvalidInput, UnknownName
from clew.formats.transcript import FORMATS, parse, read_map, read_transcript, starter
from clew.formats.transcript.read import sniff
from clew.model.transcript import LineKind, Transcript

CANONICAL = (
    '{"index": 3, "speaker": "Al", "text": "hi", "at": "2026-01-01T10:00:00+01:00", "id": "m1"}\n'
    '{"index": 7, "speaker": "Bo", "text": "yo"}\n'
)
PLAIN = "Al: hello\nand more\n\nBo: see https://example.org: fine\n**Cy:** bold\n"
IRC = "[09:19] <al> hello: you\n=== bo has joined #chan\n[09:20]  * bo waves\n[09:21] <@cy> hi\n"
WHISPER_TXT = "[SPEAKER_00]: Hello there.\n[SPEAKER_01]: Hi.\n"
DISCORD = json.dumps(
    {
        "guild": {"id": "1"}, "channel": {"id": "2", "name": "game"}, "exportedAt": "2026-01-01T00:00:00+00:00",
        "messages": [
            {"id": "12", "type": "Reply", "timestamp": "2026-01-01T00:00:05+00:00", "content": "yes",
             "author": {"name": "bo", "nickname": "Bo"}, "reference": {"messageId": "11"}},
            {"id": "11", "type": "Default", "timestamp": "2026-01-01T00:00:01+00:00", "content": "there?",
             "author": {"name": "al", "nickname": ""}},
            {"id": "13", "type": "GuildMemberJoin", "timestamp": "2026-01-01T00:00:06+00:00", "content": "joined",
             "author": {"name": "cy"}},
            {"id": "14", "type": "Default", "timestamp": "2026-01-01T00:00:07+00:00", "content": "",
             "author": {"name": "dice", "isBot": True}, "embeds": [{"title": "1d20", "description": "17"}]},
            {"id": "15", "type": "Default", "timestamp": "2026-01-01T00:00:08+00:00", "content": "",
             "author": {"name": "al"}},
        ],
    }
)  # fmt: skip
WHISPERX = json.dumps(
    {
        "segments": [
            {"start": 0.0, "end": 1.0, "text": " Hello", "speaker": "S0"},
            {"start": 1.2, "end": 2.0, "text": "there.", "words": [{"word": "there.", "speaker": "S0"}]},
            {"start": 2.1, "end": 3.0, "text": "Hi.", "speaker": "S1"},
            {"start": 9.0, "end": 9.5, "text": "Well.", "speaker": "S1"},
            {"start": 9.9, "end": 10.0, "text": "noise"},
        ],
        "word_segments": [], "language": "en",
    }
)  # fmt: skip
SRT = "1\n00:00:01,000 --> 00:00:02,000\n[S0]: Hello\n\n2\n00:00:05,500 --> 00:00:06,000\nMatt: Welcome\n\n"
VTT = (
    "WEBVTT\n\nNOTE nothing\n\n00:01.000 --> 00:02.000\n<v Al>Hello <b>you</b>\n\n"
    "01:00:05.500 --> 01:00:06.000 align:left\n[S1]: Hi\n"
)
TSV = "start\tend\ttext\n0\t900\t[S0]: Hello\n2500\t3000\tHi\nx\ty\tbad\n"
SILLY = (
    '{"user_name":"Al","character_name":"Robot","create_date":"2026-01-01","chat_metadata":{}}\n'
    '{"name":"Al","is_user":true,"is_system":false,"send_date":"2026-01-01T00:00:00Z","mes":"hello\\nyou"}\n'
    '{"name":"System","is_user":false,"is_system":true,"mes":"hidden"}\n'
    '{"name":"Robot","is_user":false,"is_system":false,"mes":"hi"}\n'
)
FOUNDRY = (
    '{"_id":"b","user":"u2","speaker":{"alias":"Grog"},"content":"<p>I open &amp; enter</p>",'
    '"timestamp":2000,"style":2}\n'
    '{"_id":"a","user":"u1","speaker":{"alias":"GM"},"content":"Welcome","timestamp":1000,"type":2}\n'
    '{"_id":"c","speaker":{"alias":"Grog"},"content":"23","flavor":"Stealth","timestamp":3000,'
    '"rolls":["{\\"total\\":23}"]}\n'
    '{"_id":"d","speaker":{"alias":"Grog"},"content":"psst","whisper":["u1"],"timestamp":4000}\n'
    "not json\n"
)
FOUNDRY_LOG = (
    "[1/30/2024, 10:43:07 PM] Game Master\nThe door opens.\nSlowly.\n---------------------------\n"
    "[1/30/2024, 10:43:30 PM] Grog\nI walk in.\n"
)
ROLL20 = (
    '<html><body><div class="content">'
    '<div class="message general" data-messageid="1"><div class="avatar"><img src="x"></div>'
    '<span class="tstamp">June 1</span><span class="by">Matt (GM):</span>The door <b>opens</b>.</div>'
    '<div class="message general">And closes.</div>'
    '<div class="message emote">Grog waves</div>'
    '<div class="message rollresult"><span class="by">Grog:</span><div>rolling 1d20</div>'
    '<div class="rolled">17</div></div>'
    '<div class="message private whisper"><span class="by">Matt:</span>psst</div>'
    "</div></body></html>"
)
CLEW = (
    '{"message_id":"b","conversation_id":"c","role":"assistant","text":"hello","at":"2026-01-01T00:00:01Z",'
    '"position":2,"reply_to":"a"}\n'
    '{"message_id":"a","conversation_id":"c","role":"user","text":"hi","at":"2026-01-01T00:00:00Z",'
    '"position":1,"reply_to":null}\n'
)
SAMPLES = {
    "canonical": CANONICAL, "discord": DISCORD, "whisperx": WHISPERX, "sillytavern": SILLY, "foundry": FOUNDRY,
    "clew": CLEW, "vtt": VTT, "srt": SRT, "tsv": TSV, "roll20": ROLL20, "foundry_log": FOUNDRY_LOG, "plain": PLAIN,
}  # fmt: skip


def rows(found: Transcript) -> list[tuple[int, str, str]]:
    return [(line.index, line.speaker, line.text) for line in found.lines]


def test_there_is_a_sample_of_every_format() -> None:
    assert set(SAMPLES) == set(FORMATS)


@pytest.mark.parametrize("name", FORMATS)
def test_the_format_is_found_by_its_structure(name: str) -> None:
    assert sniff(SAMPLES[name]) == name
    assert parse(SAMPLES[name]).format == name


@pytest.mark.parametrize("text", [IRC, WHISPER_TXT, "\ufeff".join(["", PLAIN]).lstrip("\ufeff")])
def test_relatives_of_the_plain_form(text: str) -> None:
    assert sniff(text) == "plain"


def test_canonical_keeps_its_own_index_and_id() -> None:
    found = parse(CANONICAL)
    assert rows(found) == [(3, "Al", "hi"), (7, "Bo", "yo")]
    assert found.lines[0].id == "m1" and found.lines[0].at is not None


@pytest.mark.parametrize("second", [3, 2])
def test_canonical_indices_must_rise(second: int) -> None:
    bad = CANONICAL.replace('"index": 7', f'"index": {second}')
    with pytest.raises(InvalidInput) as why:
        parse(bad)
    assert why.value.pointer == "/2/index"


def test_plain_rows_without_a_name_go_on() -> None:
    assert rows(parse(PLAIN)) == [
        (0, "Al", "hello and more"),
        (1, "Bo", "see https://example.org: fine"),
        (2, "Cy", "bold"),
    ]


def test_chat_logs_with_nicks_keep_actions_and_skip_joins() -> None:
    found = parse(IRC)
    assert rows(found) == [(0, "al", "hello: you"), (1, "bo", "waves"), (2, "cy", "hi")]
    assert found.lines[1].kind is LineKind.EMOTE
    assert [s.as_dict()["reason"] for s in found.skipped] == ["system line"]


def test_discord_is_ordered_by_time_and_knows_replies_and_dice() -> None:
    found = parse(DISCORD)
    assert rows(found) == [(0, "al", "there?"), (1, "Bo", "yes"), (2, "dice", "1d20 17")]
    assert found.lines[1].reply_to == 0 and found.lines[2].kind is LineKind.ROLL
    assert [s.reason for s in found.skipped] == [
        "system message GuildMemberJoin",
        "no text (attachment, sticker or empty)",
    ]


def test_recordings_merge_what_one_speaker_says_without_a_pause() -> None:
    assert rows(parse(WHISPERX)) == [
        (0, "S0", "Hello there."),
        (1, "S1", "Hi."),
        (2, "S1", "Well."),
        (3, "UNKNOWN", "noise"),
    ]


def test_subtitles() -> None:
    assert rows(parse(SRT)) == [(0, "S0", "Hello"), (1, "Matt", "Welcome")]
    found = parse(VTT)
    assert rows(found) == [(0, "Al", "Hello you"), (1, "S1", "Hi")]
    assert found.lines[1].at is not None and found.lines[1].at.timestamp() == 3605.5
    table = parse(TSV)
    assert rows(table) == [(0, "S0", "Hello"), (1, "UNKNOWN", "Hi")]
    assert table.skipped[0].where == 4


def test_tavern_chats_hide_system_messages() -> None:
    found = parse(SILLY)
    assert rows(found) == [(0, "Al", "hello you"), (1, "Robot", "hi")]
    assert [s.reason for s in found.skipped] == ["hidden or system message"]


def test_foundry_messages_and_log() -> None:
    found = parse(FOUNDRY)
    assert rows(found) == [(0, "GM", "Welcome"), (1, "Grog", "I open & enter"), (2, "Grog", "Stealth rolls 23")]
    assert found.lines[2].kind is LineKind.ROLL
    assert sorted(s.reason.split(":")[0] for s in found.skipped) == ["not JSON", "whisper"]
    assert rows(parse("[" + ",".join(FOUNDRY.split("\n")[:2]) + "]")) == rows(found)[:2]
    log = parse(FOUNDRY_LOG)
    assert rows(log) == [(0, "Game Master", "The door opens. Slowly."), (1, "Grog", "I walk in.")]
    assert log.lines[0].at is not None and log.lines[0].at.hour == 22


def test_roll20_carries_the_speaker() -> None:
    found = parse(ROLL20)
    assert rows(found) == [
        (0, "Matt (GM)", "The door opens."),
        (1, "Matt (GM)", "And closes."),
        (2, "Matt (GM)", "Grog waves"),
        (3, "Grog", "rolls 17"),
    ]
    assert [s.reason for s in found.skipped] == ["whisper"]


def test_own_conversations_follow_their_positions() -> None:
    found = parse(CLEW)
    assert rows(found) == [(0, "user", "hi"), (1, "assistant", "hello")]
    assert found.lines[1].reply_to == 0


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "empty"),
        (b"\x00\x01\x02", "binary"),
        (b"\xc3\x28 abc", "not UTF-8 at byte 0"),
        (b"\x1f\x8b\x08broken", "damaged gzip"),
        (b"just some prose without any speaker at all\nand more", "unknown format"),
        (b'{"a": 1}', "unknown format"),
        (b'{"segments": 3}', "segments must be a list"),
        (b'{"segments": []}', "no line with a speaker"),
    ],
)
def test_bad_files_get_a_clear_word(tmp_path: Path, data: bytes, word: str) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(data)
    with pytest.raises(InvalidInput, match=word):
        read_transcript(path)


def test_a_file_beyond_memory_is_refused_before_it_is_read(tmp_path: Path) -> None:
    path = tmp_path / "big.txt"
    with path.open("wb") as file:
        file.truncate(1 << 31)
    with pytest.raises(InvalidInput, match="2,147,483,648 bytes"):
        read_transcript(path)


def test_a_packed_file_may_not_unpack_beyond_memory(tmp_path: Path) -> None:
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b"Al: hello\n" * 10_000))
    assert len(read_transcript(path).lines) == 10_000
    with pytest.raises(InvalidInput, match="split it"):
        read_transcript(path, most_bytes=50_000)


def test_an_unknown_format_lists_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="canonical, discord"):
        parse(PLAIN, "word")


def test_a_speaker_map_starts_filled_and_is_applied(tmp_path: Path) -> None:
    found = parse("DM: hi\nal: yo\nal: hey\nbot: 17\n")
    text = starter(found)
    assert text.splitlines()[2:] == ['"al"  = "PC"  # 2 lines', '"DM"  = "DM"  # 1 lines', '"bot" = "PC"  # 1 lines']
    path = tmp_path / "map.toml"
    path.write_text(text.replace('"PC"  # 2', '"PC:Grog"  # 2').replace('"bot" = "PC"', '"bot" = "ignore"'))
    speakers = read_map(path)
    assert (speakers.dm, speakers.players, speakers.ignored) == (("DM",), ("Grog",), ("bot",))
    applied = speakers.apply(found)
    assert [line.speaker for line in applied.lines] == ["DM", "Grog", "Grog"]
    assert applied.skipped[-1].reason == "speaker ignored by the map"


@pytest.mark.parametrize(
    ("text", "word"), [("x = 1", "no \\[speakers\\]"), ("[speakers]\nal = 'king'", "the role must be"), ("[", "map")]
)
def test_a_bad_speaker_map_is_explained(tmp_path: Path, text: str, word: str) -> None:
    path = tmp_path / "map.toml"
    path.write_text(text)
    with pytest.raises(InvalidInput, match=word):
        read_map(path)


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(sorted(SAMPLES)), st.data())
def test_a_damaged_file_is_read_or_refused_but_never_crashes(name: str, data: st.DataObject) -> None:
    text = SAMPLES[name]
    cut = data.draw(st.integers(0, len(text)))
    junk = data.draw(st.text(max_size=8))
    try:
        found = parse(text[:cut] + junk + text[cut + 1 :])
    except ClewError:
        return
    indices = [line.index for line in found.lines]
    assert indices == sorted(set(indices))

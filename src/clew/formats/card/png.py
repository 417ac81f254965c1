"""The chunks of a PNG file. Pixels are never unpacked, so a picture that would fill the memory cannot."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator

from clew.errors import InvalidInput

SIGNATURE = b"\x89PNG\r\n\x1a\n"
Chunk = tuple[bytes, bytes]


def chunks(data: bytes) -> Iterator[Chunk]:
    at = len(SIGNATURE)
    while at + 8 <= len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind = data[at + 4 : at + 8]
        end = at + 8 + length
        if end + 4 > len(data):
            raise InvalidInput(f"the PNG ends inside its chunk {kind!r}", pointer="/")
        yield kind, data[at + 8 : end]
        if kind == b"IEND":
            return
        at = end + 4
    raise InvalidInput("the PNG has no end", pointer="/")


def text_of(data: bytes, keyword: str) -> bytes | None:
    """The value of the first tEXt chunk of this keyword, letter case aside."""
    for kind, body in chunks(data):
        if kind == b"tEXt":
            name, _, value = body.partition(b"\x00")
            if name.decode("latin-1").lower() == keyword:
                return value
    return None


def with_text(data: bytes, texts: Iterable[tuple[str, bytes]]) -> bytes:
    """The same picture with these texts in place of others of the same keywords."""
    new = dict(texts)
    out = [SIGNATURE]
    for kind, body in chunks(data):
        name = body.partition(b"\x00")[0].decode("latin-1").lower()
        if kind == b"tEXt" and name in new:
            continue
        if kind == b"IEND":
            out += [_chunk(b"tEXt", word.encode("latin-1") + b"\x00" + value) for word, value in new.items()]
        out.append(_chunk(kind, body))
    return b"".join(out)


def blank() -> bytes:
    """One grey pixel, for a card without a picture."""
    header = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(b"\x00\x80")
    return SIGNATURE + _chunk(b"IHDR", header) + _chunk(b"IDAT", pixels) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

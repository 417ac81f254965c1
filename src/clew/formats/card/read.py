"""Reading a card. V1 has six flat fields; V2 and V3 keep theirs under `data`. Unknown fields stay."""

from __future__ import annotations

import base64
import binascii
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from clew.errors import InvalidInput
from clew.formats.card import png

MOST_BYTES = 64_000_000
MOST_JSON = 8_000_000
V1_FIELDS = ("name", "description", "personality", "scenario", "first_mes", "mes_example")


@dataclass(frozen=True, slots=True)
class Card:
    """`raw` is the whole document as it came; `version` is 1, 2 or 3."""

    version: int
    raw: Mapping[str, Any]
    picture: bytes | None = None
    assets: Mapping[str, bytes] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def data(self) -> Mapping[str, Any]:
        return self.raw if self.version == 1 else self.raw["data"]

    @property
    def name(self) -> str:
        return str(self.data.get("nickname") or self.data.get("name") or "")

    @property
    def book(self) -> Mapping[str, Any] | None:
        found = self.data.get("character_book")
        return found if isinstance(found, Mapping) else None

    def voice(self) -> dict[str, str]:
        """The texts that may enter a prompt, as quoted data."""
        names = (*V1_FIELDS, "system_prompt", "post_history_instructions")
        return {n: str(self.data[n]) for n in names if isinstance(self.data.get(n), str) and self.data[n]}


def read_card(data: bytes) -> Card:
    if len(data) > MOST_BYTES:
        raise InvalidInput(f"a card of {len(data):,} bytes; at most {MOST_BYTES:,} are read", pointer="/")
    if data.startswith(png.SIGNATURE):
        return _of_png(data)
    if data.startswith(b"PK"):
        return _of_charx(data)
    return _of_json(data)


def _of_png(data: bytes) -> Card:
    value = png.text_of(data, "ccv3") or png.text_of(data, "chara")
    if value is None:
        raise InvalidInput("the picture holds no card", pointer="/")
    try:
        found = base64.b64decode(value, validate=False)
    except (ValueError, binascii.Error) as why:
        raise InvalidInput(f"the card in the picture is not base64: {why}", pointer="/") from None
    return _of_json(found, picture=data)


def _of_charx(data: bytes) -> Card:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            found = _member(archive, "card.json", MOST_JSON)
            left, assets = MOST_BYTES, {}
            for info in archive.infolist():
                if info.is_dir() or info.filename == "card.json":
                    continue
                # The size in the directory may lie; what is read is counted.
                assets[info.filename] = _member(archive, info.filename, left)
                left -= len(assets[info.filename])
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError) as why:
        raise InvalidInput(f"not a CHARX file: {why}", pointer="/") from None
    return _of_json(found, assets=assets)


def _member(archive: zipfile.ZipFile, name: str, most: int) -> bytes:
    with archive.open(name) as member:
        body = member.read(most + 1)
    if len(body) > most:
        raise InvalidInput(f"{name} unpacks to more than {most:,} bytes", pointer=f"/{name}")
    return body


def _of_json(data: bytes, **more: Any) -> Card:
    if len(data) > MOST_JSON:
        raise InvalidInput(f"a card of {len(data):,} bytes of JSON; at most {MOST_JSON:,} are read", pointer="/")
    try:
        raw = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as why:
        raise InvalidInput(f"the card is not JSON: {why}", pointer="/") from None
    if not isinstance(raw, dict):
        raise InvalidInput("a card is a JSON object", pointer="/")
    spec, warnings = raw.get("spec"), []
    if spec in ("chara_card_v2", "chara_card_v3") and isinstance(raw.get("data"), dict):
        version = int(str(spec)[-1])
        told = str(raw.get("spec_version", ""))
        if version == 3 and told not in ("", "3.0"):
            warnings.append(f"made for version {told} of the format; read as 3.0")
    elif isinstance(raw.get("name"), str):
        version = 1
    else:
        raise InvalidInput("neither a version 1, 2 nor 3 card", pointer="/spec")
    if not isinstance((raw if version == 1 else raw["data"]).get("name"), str):
        raise InvalidInput("a card has a name", pointer="/data/name")
    return Card(version, raw, warnings=tuple(warnings), **more)

"""Writing a card as version 3, with everything it came with; pictures also carry version 2 for older programs."""

from __future__ import annotations

import base64
import copy
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

from clew.formats.card import png
from clew.formats.card.read import Card

# What version 3 requires, and what stands there when a card did not say.
REQUIRED: dict[str, Any] = {
    "name": "", "description": "", "tags": [], "creator": "", "character_version": "", "mes_example": "",
    "extensions": {}, "system_prompt": "", "post_history_instructions": "", "first_mes": "",
    "alternate_greetings": [], "personality": "", "scenario": "", "creator_notes": "", "group_only_greetings": [],
}  # fmt: skip
_NOTE = "This character card is Character Card V3, but it is loaded as a Character Card V2."
_TIME = (1980, 1, 1, 0, 0, 0)


def as_v3(card: Card, ours: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """`ours` goes to one place of our own, `data.extensions.clew`."""
    raw = copy.deepcopy(dict(card.raw))
    data = raw if card.version == 1 else dict(raw["data"])
    data = {**copy.deepcopy(REQUIRED), **data}
    data.pop("spec", None)
    if ours is not None:
        data["extensions"] = {**data["extensions"], "clew": dict(ours)}
    top = {k: v for k, v in raw.items() if k not in ("spec", "spec_version", "data")} if card.version > 1 else {}
    return {"spec": "chara_card_v3", "spec_version": "3.0", **top, "data": data}


def as_v2(v3: Mapping[str, Any]) -> dict[str, Any]:
    """For programs that read version 2: decorators of the lorebook mean nothing there."""
    data = copy.deepcopy(dict(v3["data"]))
    for entry in (data.get("character_book") or {}).get("entries", ()):
        lines = str(entry.get("content", "")).split("\n")
        while lines and lines[0].startswith("@@"):
            lines.pop(0)
        entry["content"] = "\n".join(lines)
    data["creator_notes"] = f"{_NOTE}\n{data['creator_notes']}".strip()
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}


def write_json(card: Card, ours: Mapping[str, Any] | None = None) -> bytes:
    return json.dumps(as_v3(card, ours), ensure_ascii=False, indent=1).encode()


def write_png(card: Card, ours: Mapping[str, Any] | None = None, picture: bytes | None = None) -> bytes:
    v3 = as_v3(card, ours)
    texts = [("chara", _packed(as_v2(v3))), ("ccv3", _packed(v3))]
    return png.with_text(picture or card.picture or png.blank(), texts)


def write_charx(card: Card, ours: Mapping[str, Any] | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo("card.json", _TIME), write_json(card, ours))
        for name, body in sorted(card.assets.items()):
            archive.writestr(zipfile.ZipInfo(name, _TIME), body)
    return out.getvalue()


def _packed(document: Mapping[str, Any]) -> bytes:
    return base64.b64encode(json.dumps(document, ensure_ascii=False).encode())

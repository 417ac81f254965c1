"""BUNDLES. Enters: a user's whole history as rows.
Leaves: a deterministic zip of JSON Lines, and the rows of such a zip, checked.
Does not know: databases.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

from clew.errors import InvalidInput
from clew.model.canonical import canonical_json

FORMAT = "clew-bundle"
VERSION = 1
_EPOCH = (1980, 1, 1, 0, 0, 0)
_MOST_BYTES = 2_000_000_000

Rows = Mapping[str, list[dict[str, Any]]]


def write_bundle(rows: Rows, policy: str) -> bytes:
    """Same rows, same bytes: sorted lines, fixed times, hashes in the manifest."""
    files = {
        f"{table}.jsonl": "".join(line + "\n" for line in sorted(map(canonical_json, found)))
        for table, found in rows.items()
    }
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "policy": policy,
        "files": {
            name: {"rows": text.count("\n"), "sha256": hashlib.sha256(text.encode()).hexdigest()}
            for name, text in files.items()
        },
    }
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, text in sorted({"manifest.json": canonical_json(manifest), **files}.items()):
            info = zipfile.ZipInfo(name, _EPOCH)
            info.compress_type = zipfile.ZIP_DEFLATED
            info.external_attr = 0o600 << 16
            archive.writestr(info, text)
    return out.getvalue()


def read_bundle(data: bytes) -> dict[str, list[dict[str, Any]]]:
    """The rows of a bundle, after every check; anything wrong names the file."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except zipfile.BadZipFile:
        raise InvalidInput("not a zip file", pointer="/") from None
    with archive:
        manifest = _manifest(archive)
        rows: dict[str, list[dict[str, Any]]] = {}
        for name, promised in sorted(manifest["files"].items()):
            text = _member(archive, name)
            wanted = promised.get("sha256") if isinstance(promised, dict) else None
            if hashlib.sha256(text).hexdigest() != wanted:
                raise InvalidInput(
                    f"{name} is damaged: its hash differs from the manifest", pointer=f"/{name}"
                )
            rows[name.removesuffix(".jsonl")] = _lines(name, text)
        return rows


def _manifest(archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        manifest = json.loads(_member(archive, "manifest.json"))
        files = manifest["files"]
        version = manifest["version"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise InvalidInput("manifest.json is not a bundle manifest", pointer="/manifest.json") from None
    if manifest.get("format") != FORMAT or not isinstance(files, dict):
        raise InvalidInput("not a Clew bundle", pointer="/manifest.json")
    if version != VERSION:
        raise InvalidInput(f"bundle version {version} is not {VERSION}", pointer="/manifest.json")
    return dict(manifest)


def _member(archive: zipfile.ZipFile, name: str) -> bytes:
    try:
        if archive.getinfo(name).file_size > _MOST_BYTES:
            raise InvalidInput(f"{name} is too large", pointer=f"/{name}")
        return archive.read(name)
    except KeyError:
        raise InvalidInput(f"{name} is missing", pointer=f"/{name}") from None
    except (zipfile.BadZipFile, EOFError, OSError) as why:
        raise InvalidInput(f"{name} is damaged: {why}", pointer=f"/{name}") from None


def _lines(name: str, text: bytes) -> list[dict[str, Any]]:
    """One object per line. Only a line feed ends a line: what people write may hold other separators."""
    out = []
    for number, line in enumerate(text.removesuffix(b"\n").split(b"\n") if text else (), 1):
        pointer = f"/{name}/{number}"
        try:
            row = json.loads(line.decode("utf-8"))
            json.dumps(row, ensure_ascii=False).encode("utf-8")
        except UnicodeDecodeError:
            raise InvalidInput(f"{name} line {number} is not UTF-8", pointer=pointer) from None
        except UnicodeEncodeError:
            raise InvalidInput(
                f"{name} line {number} holds a lone surrogate, which is not text", pointer=pointer
            ) from None
        except (ValueError, RecursionError):
            raise InvalidInput(f"{name} line {number} is not JSON", pointer=pointer) from None
        if not isinstance(row, dict):
            raise InvalidInput(f"{name} line {number} is not an object", pointer=pointer)
        out.append(row)
    return out

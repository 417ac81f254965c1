"""The item part of a memory key (ruling P77)."""

from __future__ import annotations

import hashlib
import unicodedata

import regex

from clew.kernel.text.normalize import normalize
from clew.policy.text import TextPolicy

_DROPPED = regex.compile(r"[^\p{L}\p{N}\p{M}_]")
_RUNS = regex.compile(r"_+")
# Losing these changes which thing is meant (C++ and C# are not C); losing others is spelling.
_MEANINGFUL = regex.compile(r"[+#*/&%@]")


def slug(text: str, policy: TextPolicy) -> str:
    """Lower-case ASCII, underscores for spaces, no punctuation, other scripts kept."""
    folded = normalize(text)
    spaced = regex.sub(r"[\s\-]+", "_", folded)
    # What is dropped may have kept two letters apart that compose.
    bare = unicodedata.normalize("NFKC", _RUNS.sub("_", _DROPPED.sub("", spaced))).strip("_")
    if bare and not _MEANINGFUL.search(spaced):
        return bare[: policy.slug_max].rstrip("_")
    if not folded:
        return ""
    mark = hashlib.sha256(folded.encode()).hexdigest()[:6]
    return f"{bare[: policy.slug_max - 7].rstrip('_')}_{mark}" if bare else mark

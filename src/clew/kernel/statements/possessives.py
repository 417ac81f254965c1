"""The mark that hasty writers leave out: "davys wife" is Davy's wife, where Davy is known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from clew.kernel.statements.features import lexicon
from clew.policy import Policy
from clew.programs import program


def marked(text: str, language: str, names: Mapping[str, str], policy: Policy) -> str:
    """The text with the mark between somebody and what is theirs; names: of the user's people, in small letters."""
    words = policy.checks.languages.get(language)
    if words is None or not words.further.belongings or not words.further.of:
        return text
    mark = words.further.of[:-1]
    known = "|".join(re.escape(n) for n in sorted(names, key=lambda n: (-len(n), n)) if len(n) > 1)
    for owners in filter(None, (known, _relations(policy))):
        mine = "" if owners == known else rf"(?:{'|'.join(words.further.mine)}) (?:\w+ )?"
        shape = rf"(?<![\w'’])({mine}(?:{owners}))s(?=\s(?:{'|'.join(words.further.belongings)}|{_kin(policy)})\b)"
        text = re.sub(shape, rf"\1{mark}s", text, flags=re.I)
    return text


@lru_cache(maxsize=4)
def _relations(policy: Policy) -> str:
    """Words for one of the user's people, none of which ends like its plural."""
    people = lexicon(policy.reader)[0]
    return "|".join(re.escape(w) for w in sorted(people, key=lambda w: (-len(w), w)) if not w.endswith("s"))


@lru_cache(maxsize=4)
def _kin(policy: Policy) -> str:
    people, pets, _ = lexicon(policy.reader)
    listed = [w for w in {**people, **pets} if program(r"[a-z-]+").fullmatch(w)]
    return "|".join(re.escape(w) for w in sorted(listed, key=lambda w: (-len(w), w)))

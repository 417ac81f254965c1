"""A short question that leans on the one before it, with what it leaves out put back.

"How old is Marnie?" – "and Theo?" asks how old Theo is; "what did I break?" – "when?" asks when it was broken.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from clew.kernel.statements.features import mentions
from clew.kernel.statements.patterns import compiled, one
from clew.policy import Policy
from clew.policy.checks import CheckWords, Further
from clew.policy.language import Shape

# So many questions may lean on each other.
_CHAIN = 4


def spelled_out(
    text: str, language: str, previous: Sequence[str], names: Mapping[str, str], policy: Policy
) -> str | None:
    """The whole question; None where the text leans on nothing. previous: the user's messages, the newest last."""
    words = policy.checks.languages.get(language)
    if words is None or not previous or not words.further.who:
        return None
    asked = _question_before(previous, language, names, policy)
    if asked is None:
        return None
    if (bare := _search(words.further.how, text)) is not None:
        return _with_how(bare["how"], asked, words.further)
    leans = _search(words.further.who, text)
    if leans is None:
        return None
    return _with_whom(leans["who"].strip(), asked, words, names, policy)


def _question_before(
    previous: Sequence[str], language: str, names: Mapping[str, str], policy: Policy
) -> str | None:
    """The newest message, if it asks; a short question with what it left out itself."""
    words = policy.checks.languages[language]
    last = previous[-1].strip()
    whole = spelled_out(last, language, previous[-_CHAIN:-1], names, policy) if len(previous) > 1 else None
    if whole is not None:
        return whole
    asks = last.endswith("?") or one(words.further.asks).search(last) is not None
    return last if asks else None


def _with_how(how: str, asked: str, words: Further) -> str | None:
    """ "for how long?": the question before, with this in place of how it asked."""
    found = one(words.asks).search(asked)
    if found is None or not found.groupdict().get("how"):
        return None
    start, end = found.span("how")
    return f"{asked[:start]}{how}{asked[end:]}"


def _with_whom(who: str, asked: str, words: CheckWords, names: Mapping[str, str], policy: Policy) -> str | None:
    """The question before, of the one that is named now."""
    table = words.further
    low = who.lower()
    known = low in names or bool(mentions(who, policy.reader))
    if not known and low not in table.theirs and low not in table.them:
        # "when's the dentist?" – "and the haircut?"
        thing = one(table.thing)
        return thing.sub(who, asked, count=1) if thing.match(who) and thing.search(asked) else None
    slot = _slot(asked, table, names, policy)
    if slot is None:
        return None
    start, end, whose = slot
    short, who = table.theirs.get(low, ""), who.removesuffix(table.of)
    new = short or (f"{who}{table.of}" if whose else who)
    return f"{asked[:start]}{new}{asked[end:]}"


def _slot(
    asked: str, table: Further, names: Mapping[str, str], policy: Policy
) -> tuple[int, int, bool] | None:
    """Where the question before names whom it is about, and whether it says whose."""
    for name in names:
        found = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", asked, re.I)
        if found is not None:
            return found.start(), found.end(), False
    for mention in mentions(asked, policy.reader):
        owner = one(table.owner).search(asked[: mention.start])
        if owner is not None:
            return owner.start(), mention.end, False
    for listed, whose in ((table.their, True), (table.them, False), (table.mine, True), (table.me, False)):
        found = re.search(rf"(?<![\w'’])(?:{'|'.join(map(re.escape, listed)) or '(?!)'})(?![\w'’])", asked, re.I)
        if found is not None:
            return found.start(), found.end(), whose
    return None


def _search(shapes: Mapping[str, Shape], text: str) -> re.Match[str] | None:
    return next((m for s in compiled(tuple(shapes.values())) if (m := s.search(text))), None)

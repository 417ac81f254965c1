"""A short question that leans on the one before it: of whom it asks, or what it asks for, is left out.

"How old is Marnie?" – "and Theo?" asks how old Theo is; "what did I break?" – "when?" asks when it was broken.
"동생은 어디서 일해?" – "이름은?" asks for the brother's name, "나는?" for where the speaker works.

Where the question before can be said again with the new word in it, `spelled_out` does so and the whole is read.
Where it cannot, `carried` completes what the short question was read to ask for.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from clew.kernel.read.questions import is_question
from clew.kernel.statements.asked import asked_by_shape
from clew.kernel.statements.features import mentions
from clew.kernel.statements.patterns import compiled, one
from clew.kernel.statements.people import Called, Known
from clew.kernel.text.normalize import normal
from clew.model.memory import SELF
from clew.model.utterance import Ask
from clew.policy import Policy
from clew.policy.check_rows import Further
from clew.policy.checks import CheckWords
from clew.policy.language import Shape

_WORD = re.compile(r"[\w'’]+")
# These ask for what no question before has to lead to.
_ALSO = ("condition", "death", "relationship", "sport")
_WHOLE = ("any", "who", "episode", "history")
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
    return next((found for _, found in compiled(tuple(shapes.values())).matches(text)), None)


def all_the_rest(text: str, language: str, previous: Sequence[str], policy: Policy) -> tuple[Ask, ...]:
    """또? goes on with what is known, where that was asked for just before it."""
    words = policy.checks.languages.get(language)
    if words is None or not one(words.further.more).search(text):
        return ()
    asked = next((said for said in reversed(previous) if not one(words.further.more).search(said)), "")
    return (Ask(SELF, _WHOLE[0]),) if compiled(tuple(words.whole_asked.values())).any(asked) else ()


def carried(
    text: str,
    language: str,
    asks: Sequence[Ask],
    previous: Sequence[str],
    called: Sequence[Called],
    known: Known,
    policy: Policy,
) -> tuple[Ask, ...]:
    """The asks, completed from the question just before; as they are where there was none."""
    words = policy.checks.languages.get(language)
    before = previous[-1] if previous else ""
    if words is None or not words.further.who or not before or not _asked(before, language, policy):
        return tuple(asks)
    mine = _says_own(text, language, policy)
    here = [c for c in called if c.start >= 0]
    if _search(words.further.who, text) is not None and (mine or here):
        return _of_another(before, language, asks, here, words, policy) or tuple(asks)
    others = known.last is not None and not _says_own(before, language, policy)
    short = len(_WORD.findall(text)) <= words.further.short
    if mine or here or not short or not others or mentions(text, policy.reader) or known.last is None:
        return tuple(asks)
    if any(row.alone and re.search(row.pattern, text, re.I) for row in words.needs.values()):
        return tuple(asks)  # what to eat is asked for oneself
    subject, name = known.last
    return tuple(
        replace(a, subject=subject, name=name)
        if a.subject == SELF and not a.name and a.attribute in (*policy.checks.asked_of_others, *_ALSO)
        else a
        for a in asks
    )


def _of_another(
    before: str, language: str, asks: Sequence[Ask], here: Sequence[Called], words: CheckWords, policy: Policy
) -> tuple[Ask, ...]:
    """나는?: what was asked of somebody, of whoever is named now."""
    asked = asked_by_shape(before, language, (), words, policy)
    subject, name = (here[-1].subject, here[-1].name) if here else (SELF, None)
    return tuple(Ask(subject, a.attribute, name) for a in asked if a.attribute not in _WHOLE)


def _asked(text: str, language: str, policy: Policy) -> bool:
    words = policy.checks.languages[language]
    return is_question(normal(text), policy) or bool(asked_by_shape(text, language, (), words, policy))


def _says_own(text: str, language: str, policy: Policy) -> bool:
    own = policy.reader.own.get(language, ())
    return any(word.lower() in own for word in _WORD.findall(text))

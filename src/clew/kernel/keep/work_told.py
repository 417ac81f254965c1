"""How somebody's work is told: by what they do, by where they work, or as who they are."""

from __future__ import annotations

import re

from clew.kernel.statements.features import mentions
from clew.kernel.text.slug import slug
from clew.model.key import Key
from clew.model.memory import SELF, MemoryRecord
from clew.policy import Policy
from clew.policy.attributes import AttributeWords

_ARTICLES = ("A", "An", "The", "My", "Our")
# "I'm a …", "as a …": "I run a ramen place" does not say that somebody is one.
_SHOWN = (
    r"(?<![\w'’])(?:as|i['’]?m|am|is|was|were|be|being|became|become|[\w]+['’]s|['’]m)"
    r"(?: (?:an?|the|now|still|also)){0,2} {value}(?!\w)"
)


def work_frame(
    record: MemoryRecord, value: str, template: str, words: AttributeWords, policy: Policy
) -> tuple[str, bool]:
    """The sentence that a job makes, and whether the value keeps the article of the user's own words.

    A label where no sentence fits: "You work as a payroll" is no way to say it.
    """
    mine = record.subject == SELF
    if is_deed(value, words) and (mine or value.split()[0].endswith("s")):
        return (words.deed_you if mine else words.deed_they), False
    said = record.statement or ""
    agent = value.lower().split()[-1] in policy.remember.say.jobs or re.search(words.agents, value, re.I) is not None
    if not mine and _verb_of_theirs(record, value, said, words, policy):
        return words.deed_they, False
    if not words.worked_you or not said or value == said:
        return template, False
    where = re.search(words.worked_in.replace("{value}", re.escape(value)), said, re.I)
    if where is not None and not agent:
        frame = words.worked_you if mine else words.worked_they
        return frame.replace("{place}", where["place"].lower()), True
    shown = re.search(_SHOWN.replace("{value}", re.escape(value)), said, re.I) is not None
    if agent or shown or value.lower() not in said.lower():
        return template, False
    return (words.work_label_you if mine else words.work_label_they), True


def _verb_of_theirs(record: MemoryRecord, value: str, said: str, words: AttributeWords, policy: Policy) -> bool:
    """ "My wife, Ingrid, teaches Norwegian": what stands right behind somebody and is a verb is what they do."""
    parts, at = value.lower().split(), said.find(value)
    verb = len(parts) > 1 and parts[0].endswith("s") and not parts[0].endswith("ss")
    agent = len(parts) == 2 and re.search(words.agents, parts[-1]) is not None and not parts[-1].endswith("s")
    if not words.deed_they or at < 1 or not verb or agent:
        return False
    before = said[:at].rstrip(" ,")
    last, key = re.split(r"[^\w'’-]+", before)[-1].lower(), Key.parse(record.memory_key)
    named = key is not None and bool(key.name) and slug(last, policy.text) == key.name
    return named or last in policy.reader.pronouns or any(m.end == len(before) for m in mentions(before, policy.reader))


def is_deed(value: str, words: AttributeWords) -> bool:
    """ "drive a school bus" says what somebody does: the verb stands before an article."""
    said = value.lower().split()
    return bool(words.deed_you) and len(said) > 2 and said[1].capitalize() in _ARTICLES

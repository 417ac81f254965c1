"""Plain shapes in which a person tells of themself or of theirs, in English: each opens a sentence, or follows "and", "but"."""

# A row of the table is one line, however long its pattern.
# ruff: noqa: E501
from __future__ import annotations

import re
from dataclasses import replace

from clew.kernel.language.telling import Telling

_OPEN = r"(?:^|[,;]\s*|\b(?:and|but|so|well|also|btw|hi|hey|actually|by the way|fyi|remember that|note that)[,:]?\s+)"
_ME = r"(?:i am|i'm|im|i’m)"
_NP = r"(?P<value>[^.,;!?\n]{1,60}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|so|because|since|which|who|where|with|for|when|while|if|though|although)\b))"
_PROPER = r"(?P<value>[^\W\d_][\w'’-]*(?: (?-i:[A-Z])[\w'’-]*){0,2})(?=\s*(?:$|[.,;!?\n]|\band\b|\bbut\b))"
_WHO = r"my (?P<who>[a-z-]+(?: (?:in law|friend|mate))?)"

_ROWS = (
    Telling("name", "name", rf"my (?:full |real |first )?name(?:'s|’s| is) {_PROPER}"),
    Telling("called", "called", rf"(?:please )?(?:call me|i go by) (?-i:(?=[A-Z])){_PROPER}"),
    Telling("age", "age", rf"{_ME} (?P<value>\d{{1,2}})(?: years old| yrs old| y/?o)?(?=\s*(?:$|[.,!\n]|and\b|but\b))"),
    Telling("birthday", "birthday", rf"my birthday(?:'s|’s| is) (?:on )?{_NP}"),
    Telling("city", "city", r"(?:i (?:still |now |currently )?live|i'm living|i am living|i'm based|i am based|we live) in (?P<value>(?-i:[A-Z])[^.,;!?\n]{1,40}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|with|now|since|for)\b))"),
    Telling("origin", "origin", rf"(?:{_ME} (?:originally )?from|i come from|i grew up in) (?P<value>(?-i:[A-Z])[^.,;!?\n]{{1,40}}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but)\b))"),
    Telling("allergy", "allergy", rf"{_ME} (?:really |very |severely |deathly )?allergic to {_NP}"),
    Telling("diet", "diet", rf"{_ME} (?:a |an )?(?:strict )?(?P<value>vegan|vegetarian|pescatarian|coeliac|celiac|gluten[- ]free|lactose intolerant|halal)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|so)\b))"),
    Telling("language", "language", r"i (?:also |still )?speak (?:fluent |some |a little |a bit of |decent )?(?P<value>(?-i:[A-Z])[^.;!?\n]{1,40}?)(?=\s*(?:$|[.;!?\n]))"),
    Telling("job", "job", rf"i work as (?:an? )?{_NP}"),
    Telling("employer", "employer", r"i work (?:for|at) (?P<value>(?-i:[A-Z])[^.,;!?\n]{1,40}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|as|in)\b))"),
    Telling("fear", "fear", rf"{_ME} (?:really |very |so )?(?:afraid of|scared of|terrified of) {_NP}"),
    Telling("like", "like", rf"i (?:really |absolutely |just )?(?:love|like|adore|enjoy) (?!(?:that|this|it|you|how|when|what|the way|these|those|him|her|them|to|my|our|your?)\b|\w+ing \w){_NP}", "like"),
    Telling("dislike", "dislike", rf"i (?:really |absolutely )?(?:hate|can't stand|cannot stand|dislike|don't like|do not like) (?!(?:that|this|it|you|how|when|what|the way|these|those|him|her|them|to|my|our|your?)\b|\w+ing \w){_NP}", "dislike"),
    Telling("their name", "name", rf"{_WHO}(?:'s|’s) name(?:'s|’s| is) {_PROPER}"),
    Telling("they are called", "name", rf"{_WHO} is (?:called|named) {_PROPER}"),
    Telling("their age", "age", rf"{_WHO} (?:is|just turned|turned) (?P<value>\d{{1,2}})(?: years old)?(?=\s*(?:$|[.,!\n]))"),
    Telling("their city", "city", rf"{_WHO} lives in (?P<value>(?-i:[A-Z])[^.,;!?\n]{{1,40}}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|with|now)\b))"),
    Telling("their job", "job", rf"{_WHO} (?:works as|is) an? (?P<value>[a-z][^.,;!?\n]{{2,30}}?)(?=\s*(?:$|[.,;!?\n]|\b(?:and|but|at|in)\b))"),
    Telling("their allergy", "allergy", rf"{_WHO} is allergic to {_NP}"),
    Telling("pet's name", "name", r"(?:i|we) (?:have|'ve got|got) an? (?:[\w-]+ ){0,2}(?P<who>[a-z]+) (?:called|named) (?P<value>(?-i:[A-Z])[\w'’-]*)"),
)  # fmt: skip
TELLINGS = tuple(replace(row, pattern=_OPEN + row.pattern, flags=re.IGNORECASE) for row in _ROWS)

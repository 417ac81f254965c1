"""When an answer of Clew counts as right, for the bench over unread sentences."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).parent
# `seen` and `second` were unread once: their misses have been looked at to find causes, so their figures flatter.
SETS = ("unread", "seen", "second")
LANGUAGES = ("en", "ko")
chosen = {"set": SETS[0]}


class Row(NamedTuple):
    """One line of the table: how many of how many."""

    what: str
    count: int
    of: int


class Result(NamedTuple):
    rows: list[Row]
    misses: list[str]


def rows_of(name: str, language: str) -> list[dict[str, Any]]:
    with (HERE / chosen["set"] / f"{name}_{language}.jsonl").open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


# Attributes that tell the same thing for the purpose of counting: where a fact sits in the table is the
# engine's affair as long as a neighbouring attribute holds the right words.
FAMILIES: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split())
    for group in (
        "name called nickname preferred_name surname",
        "age birthday",
        "nationality origin hometown home_city home_country birthplace",
        "city current_city home home_city location residence country address housing",
        "body condition limit allergy health disability",
        "diet allergy limit dislike food",
        "medication condition health",
        "relationship marital_status partner exists event",
        "exists name count sibling siblings child children",
        "job employer occupation occupation_category workplace work work_hours company profession skill",
        "work_hours routine limit schedule",
        "language language_primary",
        "school major grade education study studies",
        "possession device vehicle car phone home",
        "routine habit sleep hobby sport limit",
        "skill language hobby sport instrument",
        "hobby sport game like routine team interest project",
        "like hobby sport game team food music pref",
        "dislike fear opinion pref",
        "belief religion faith opinion",
        "goal plan project hobby",
        "plan event appointment",
        "event death condition plan relationship",
        "rule limit",
        "tech project device",
        "code note possession address",
        "feeling_pattern condition trait routine habit fear",
        "money goal",
        "pronouns gender note",
    )
)
RELATIONS = {
    "mum": "mother", "mom": "mother", "mam": "mother", "dad": "father", "nan": "grandmother", "gran": "grandmother",
    "grandma": "grandmother", "grandad": "grandfather", "granddad": "grandfather", "grandpa": "grandfather",
    "son": "child", "daughter": "child", "kid": "child", "baby": "child", "brother": "sibling", "sister": "sibling",
    "twin": "sibling", "wife": "partner", "husband": "partner", "girlfriend": "partner", "boyfriend": "partner",
    "fiance": "partner", "fiancee": "partner", "spouse": "partner", "ex": "partner", "flatmate": "roommate",
    "housemate": "roommate", "coworker": "colleague", "neighbor": "neighbour", "auntie": "aunt", "bird": "parrot",
    "budgie": "parrot", "nephew": "niece", "professor": "teacher", "supervisor": "boss",
    "엄마": "mother", "어머니": "mother", "아빠": "father", "아버지": "father", "할머니": "grandmother",
    "할아버지": "grandfather", "아들": "child", "딸": "child", "누나": "sibling", "언니": "sibling", "형": "sibling",
    "오빠": "sibling", "동생": "sibling", "아내": "partner", "남편": "partner", "친구": "friend",
}  # fmt: skip
_SELF = {"", "self", "user", "me", "i", "_"}
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


def plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def words(text: str) -> list[str]:
    return _WORD.findall(plain(text))


def _same_word(a: str, b: str) -> bool:
    """Equal, or one begins the other: Korean particles and English endings hang on the end."""
    short, long = sorted((a, b), key=len)
    hangul = any("가" <= c <= "힣" for c in short)
    return a == b or (len(short) >= (2 if hangul else 4) and long.startswith(short))


def overlap(gold: str, value: str) -> bool:
    """At least half of the words of one are in the other."""
    ours, theirs = words(gold), words(value)
    if not ours or not theirs:
        return False
    if "".join(ours) in "".join(theirs):
        return True
    held = sum(any(_same_word(w, v) for v in theirs) for w in ours)
    back = sum(any(_same_word(w, v) for v in ours) for w in theirs)
    return 2 * held >= len(ours) or 2 * back >= len(theirs)


class Told(NamedTuple):
    """What a candidate says, whether the door names subject and attribute or only a key."""

    kind: str
    relation: str
    attribute: str
    value: str
    stance: str | None


def told(candidate: Mapping[str, Any]) -> Told:
    key = str(candidate.get("key") or "")
    head, *rest = key.split(":")
    subject = candidate.get("subject")
    attribute = str(candidate.get("attribute") or "")
    value = str(candidate.get("value") or candidate.get("statement") or "")
    stance = None
    if (mark := re.match(r"(like|dislike|love|hate|neutral)\|", value)) is not None:
        stance = {"love": "like", "hate": "dislike"}.get(mark[1], mark[1])
        value = value[mark.end() :]
    kind, relation = _subject(subject if subject else key if head in ("person", "pet") else "self")
    if head in ("person", "pet"):
        # The name stands in the key, so it counts among the words held.
        value = f"{value} {rest[1].replace('_', ' ') if len(rest) > 1 else ''}"
        attribute = attribute or (rest[2] if len(rest) > 2 else "exists")
    if head == "pref":
        attribute = stance or attribute or "pref"
    if not attribute:
        by_head = {"habit": "routine", "goal": "goal", "rule": "rule", "note": "note", "event": "event"}
        attribute = by_head.get(head) or (rest[0] if rest else head)
    return Told(kind, relation, attribute, value, stance)


def _subject(subject: Any) -> tuple[str, str]:
    if isinstance(subject, Mapping):
        subject = ":".join(str(subject.get(k) or "") for k in ("kind", "relation"))
    kind, _, rest = plain(str(subject)).partition(":")
    if kind in _SELF:
        return "self", ""
    relation = rest.split(":")[0]
    if kind not in ("person", "pet", "thing"):
        kind, relation = "person", kind
    return kind, RELATIONS.get(relation, relation)


def near(gold: str, found: str) -> bool:
    return gold == found or any(gold in family and found in family for family in FAMILIES)


def of_subject(gold: Mapping[str, Any], found: Told) -> bool:
    kind, relation = _subject(gold["subject"])
    return kind == found.kind and (relation == found.relation or found.relation in ("", "_", kind))


def holds(gold: Mapping[str, Any], found: Told) -> bool:
    """Right subject, right or neighbouring attribute, right words, and no reversed taste."""
    turned = gold.get("stance") and found.stance and gold["stance"] != found.stance
    return (
        not turned
        and of_subject(gold, found)
        and near(gold["attribute"], found.attribute)
        and overlap(gold["value"], found.value)
    )


def notes(gold: Mapping[str, Any], found: Told) -> bool:
    return found.attribute == "note" and overlap(gold["value"], found.value)


_UNKNOWING = re.compile(
    r"(?:don'?t|do not|didn'?t|haven'?t|hasn'?t|can'?t|cannot|never)\s+(?:\w+\s+)?"
    r"(?:know|recall|remember|have|told|tell|mention|said|say|seen?|come)"
    r"|not sure|no memory|nothing (?:about|on|like)|no idea|remind me|tell me (?:again|more)"
    r"|모르|몰라|들은 적|말한 적|기억이? ?(?:없|안|나지)|기억나지|못 들|안 (?:말|알려)|알려 ?(?:줘|주)|말해 ?(?:줘|주)"
)


def unknowing(reply: str) -> bool:
    return _UNKNOWING.search(plain(reply).replace("’", "'")) is not None


def found_in(wanted: str, reply: str) -> bool:
    """Case-insensitive; short words and numbers must stand alone, a lone syllable must begin a word."""
    want, text = plain(wanted), plain(reply)
    if want.isascii() and want.isalnum() and (len(want) <= 3 or want.isdigit()):
        after = r"(?![0-9])" if want[-1].isdigit() else r"(?![a-z])"
        return re.search(rf"(?<![0-9a-z]){re.escape(want)}{after}", text) is not None
    if len(want) <= 2 and any("가" <= c <= "힣" for c in want):
        return re.search(rf"(?<!\w){re.escape(want)}", text) is not None
    return want in text


# Words that also stand in "I do not know" and "no worries": alone they answer nothing.
_BARE = {"no", "not", "off", "over", "don't", "안 ", "없", "yes"}


def judged(ask: Mapping[str, Any], reply: str, heard: Iterable[str], *, ended: bool = False) -> str:
    """`right`, `wrong` (a barred string, or another told thing in its place) or `silent`.

    Where something `ended`, telling it as before is wrong even with the question's own words.
    """
    if any(found_in(bad, reply) for bad in ask["not"]):
        return "wrong"
    asked = set(_content(str(ask.get("text") or ask.get("question"))))
    said = set(_content(reply))
    hits = [good for good in ask["answer"] if found_in(good, reply)]
    on_topic = bool(said & asked) and not unknowing(reply)
    if any(hit not in _BARE for hit in hits) or (hits and on_topic):
        return "right"
    if unknowing(reply):
        return "silent"
    if ended:
        return "wrong" if _affirms(reply, {w for line in heard for w in _content(line)}) else "silent"
    return "wrong" if any(len((said - asked) & set(_content(line))) >= 2 for line in heard) else "silent"


_YOU = re.compile(r"\b(?:you|you're|you've)\b(.*)|^(?:yes|yeah)\b(.*)")
_SAID = re.compile(r"다고 했|라고 했|했잖|했었잖|하고 있|맞아|^(?:응|네)\b")


def _affirms(reply: str, told: set[str]) -> bool:
    """Some sentence says of the user what was told."""
    for one in re.split(r"[.!?\n–—]", plain(reply).replace("’", "'").strip()):
        after = _YOU.search(one)
        said = (after[1] or after[2] or "") if after else one if _SAID.search(one) else ""
        if told & set(_content(said)):
            return True
    return False


_COMMON = set(
    "about after again also always because been before being could does doing done down even ever every from good"
    " have haven here into just know like long make more most much need never nice only other over really right"
    " same some something still such sure tell than that thats their them then there these they thing this those"
    " time today told very want well were what when where which while will with would your yours yourself".split()
)


def _content(text: str) -> Iterator[str]:
    for word in words(text):
        if any("가" <= c <= "힣" for c in word):
            if len(word) >= 2:
                yield word[:2]
        elif word.isdigit() or (len(word) >= 4 and word not in _COMMON):
            yield word

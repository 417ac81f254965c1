"""Names and values as they can stand inside a sentence of ours; what cannot be put right is not quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.compose.choosing import Choice
from clew.kernel.keep.telling import words_of
from clew.model.key import KeyKind, relation_of
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_MARKS = " .!?,;:\"'"
_MINE = re.compile(r"\b(?:my|our)\b", re.I)
_SPEAKER = re.compile(r"\b(?:i|i'm|i've|i'll|i'd|me|we|us|mine|myself|im)\b", re.I)
_CLAUSE = re.compile(r"\b(?:is|are|was|were|who|that|which|when|because|owns|if|and|but|or)\b", re.I)
_ARTICLE = re.compile(r"^(?:a|an|the|some)\s+", re.I)
_MINE_KO = re.compile(r"^(?:(?:참고로|근데|그런데|드디어|사실|솔직히|진짜|우리|내|제|저희|나의|저의)\s+)+")
_SPEAKER_KO = re.compile(r"(?:^|\s)(?:나|난|나는|내가|저|저는|제가|우리가?|내|제)(?=\s|$)")
_VERB_KO = re.compile(
    r"(?:습니다|합니다|했어|돼라|래유|싶[다어]|있[다어]|없[다어]|나옴|맞음|한 듯|하는|배우|같은|정말|진짜)$"
    r"|(?:거|것|이유|사람)\s|[가-힣](?:은|는)\s|[을를]\s"
)
_JOINING = ("of", "de", "la", "the", "van", "upon", "on", "al", "del")
_ENDING_KO = re.compile(r"(?:[어아해야다지네요돼워와려]|니다|거든|는데|이야)$")


def quotable(value: str, language: str, policy: Policy) -> str:
    """The value turned towards the user; "" for one that is long, a whole clause, or speaks as "I"."""
    said = _without_tails(value.replace("_", " ").strip(_MARKS), policy)
    broken: object
    if language == "ko":
        said = _MINE_KO.sub("", said)
        spoken = _SPEAKER_KO.search(said) or _VERB_KO.search(said)
        broken = bool(spoken) or (" " in said and bool(_ENDING_KO.search(said)))
    else:
        said = _MINE.sub("your", _ARTICLE.sub("", said))
        first = said.partition(" ")[0].lower()
        broken = bool(_SPEAKER.search(said) or _CLAUSE.search(said)) or first in policy.compose.no_values
    long = len(said) > policy.compose.told_characters or len(said.split()) > policy.compose.told_words
    return "" if long or broken or not re.search(r"\w", said) else said


def _without_tails(said: str, policy: Policy) -> str:
    """shellfish by the way → shellfish."""
    low = said.lower()
    for tail in policy.compose.tails:
        if low.endswith(f" {tail}"):
            return _without_tails(said[: -len(tail)].strip(_MARKS), policy)
    return said


def proper(value: str, text: str, policy: Policy) -> bool:
    """A name of somebody or somewhere: capital letters, unless the user writes none; no word that is no name."""
    tokens = value.split()
    if not value.isascii():
        return len(tokens) <= policy.compose.name_words and not any(c.isdigit() for c in value)
    plain = not any(c.isupper() for c in text.replace("I", ""))
    capital = all(t[:1].isupper() or t.lower() in _JOINING for t in tokens)
    odd = "'" in value or any(c.isdigit() for c in value)
    return len(tokens) <= policy.compose.name_words and not odd and (capital or (plain and len(tokens) == 1))


def who_is(subject: str, choice: Choice, policy: Policy) -> str:
    """your sister, 언니; nobody when it is the user."""
    other = relation_of(subject)
    if other is None:
        return ""
    kind, relation = other
    words = words_of(choice.language, policy)
    table = words.pets if kind is KeyKind.PET else words.relations
    spoken = table.get(relation)
    if spoken is None:
        return ""
    said = choice.values.get("said", "")
    # 누나 stays 누나: the user's own word, where the message holds one.
    own = max((way for way in spoken if choice.language == "ko" and way in said), key=len, default=spoken[0])
    return own if choice.language == "ko" else words.your.format(relation=own)


def joined(items: Sequence[str], words: ComposeWords) -> str:
    """a, b and c."""
    named = list(dict.fromkeys(items))
    if len(named) < 2:
        return "".join(named)
    return f"{', '.join(named[:-1])}{words.joiner}{named[-1]}"

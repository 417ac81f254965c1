"""Which of several replies fits a message: a small learned judge weighs each beside it as off, flat or apt.

It sees how the message stands, who proposes the reply and how surely, and how often people found those words off or apt
(a shipped table of all that can be said). The readers that it judges have read the vector of the message. Whole numbers
add up in any order, so the same message is judged the same on every machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import log
from typing import Any
from zlib import crc32

from clew.frozen import dataclass
from clew.kernel.compose.amid import answers_us, hurt_lately, occasion_chances
from clew.kernel.compose.caring import faint_care
from clew.kernel.compose.choosing import levelled
from clew.kernel.compose.everyday import ASK, GLAD, HARD, IRK, situation_chances
from clew.kernel.compose.moments import tidied
from clew.kernel.compose.occasions import BESIDE, TELL
from clew.kernel.compose.plain import laughs
from clew.kernel.compose.proposing import READERS, Offer
from clew.kernel.compose.stories import glad_story, story_mood
from clew.kernel.read.exact import linear, ready, whole
from clew.model.memory import SELF
from clew.model.plan import ResponsePlan
from clew.model.utterance import Need
from clew.policy import Policy
from clew.policy.compose import ComposeWords
from clew.policy.reader import weights

MOODS = (HARD, IRK, GLAD, TELL, BESIDE, ASK)
_ASKED = re.compile("[?？]")
_EXCLAIMS = re.compile("[!！]")
_DECIMALS = 5
_LEAST = 0.001
_RANKS = 3


def way_key(reader: str, row: str, way: str) -> int:
    """By which the shipped table knows it."""
    return crc32(f"{reader}:{row}:{way}".encode())


@lru_cache(maxsize=4)
def _loaded(name: str, sha256: str) -> Mapping[str, Any] | None:
    import numpy as np

    arrays = weights(name, sha256)
    if arrays is None:
        return None
    return ready({key: value if key == "keys" else value.astype(np.float64) for key, value in arrays.items()})


def worths(
    given: Sequence[Offer], rule: tuple[int, int] | None, plan: ResponsePlan, words: ComposeWords, policy: Policy
) -> list[float]:
    """What each way of each offer is worth, one after another: its chance to be apt, with that of being off against it.

    rule: which offer, and which of its ways, the rules would say. Empty without weights or a vector.
    """
    import numpy as np

    table, heard = policy.compose.judge, plan.utterance
    w = _loaded(table.file, table.sha256)
    if w is None or heard is None or heard.vector is None or not given:
        return []
    keys = np.concatenate([_looks(one.reader, one.row, one.ways).keys for one in given])
    chances = weigh(w, keys, signs(given, rule, plan, words, policy))
    made: list[float] = np.round(chances[:, 2] + table.off_worth * chances[:, 0], _DECIMALS).tolist()
    return made


def newer(one: Offer, at: int, policy: Policy) -> bool:
    """These words are newer than the judge, who has no right to an opinion of them."""
    w = _loaded(policy.compose.judge.file, policy.compose.judge.sha256)
    if w is None:
        return False
    return not _held(w, _looks(one.reader, one.row, one.ways).keys[at : at + 1])[1].all()


def _held(w: Mapping[str, Any], keys: Any) -> tuple[Any, Any]:
    """Where each key stands in the shipped table, which is in order, and whether it does."""
    import numpy as np

    at = np.minimum(np.searchsorted(w["keys"], keys), len(w["keys"]) - 1)
    return at, w["keys"][at] == keys


def weigh(w: Mapping[str, Any], keys: Any, own: Any) -> Any:
    """A row for each way: the chances that it is off, flat, apt."""
    import numpy as np

    at, held = _held(w, keys)
    # Nothing is known of words that the table did not hold when it was made.
    known = held.astype(np.float64)[:, None]
    x = np.hstack([w["ways"][at] * w["ways_s"] * known, known, (own - w["own_mean"]) / w["own_spread"]])
    z = linear(w, "two", whole(np.maximum(linear(w, "one", whole(x)), 0)))
    e = np.exp(z - z.max(axis=1, keepdims=True))
    return e / (e[:, :1] + e[:, 1:2] + e[:, 2:3])


@dataclass(frozen=True, slots=True, eq=False)
class Looks:
    """Of each way of a row: its number in the shipped table, and what can be seen of it."""

    keys: Any
    signs: Any


@lru_cache(maxsize=4096)
def _looks(reader: str, row: str, ways: tuple[str, ...]) -> Looks:
    import numpy as np

    seen = [
        [float("?" in way), float("!" in way), log(1 + len(levelled(way, polite=False).split())), float("{" in way)]
        for way in ways
    ]
    return Looks(np.array([way_key(reader, row, way) for way in ways], dtype=np.uint32), np.array(seen))


def signs(
    given: Sequence[Offer], rule: tuple[int, int] | None, plan: ResponsePlan, words: ComposeWords, policy: Policy
) -> Any:
    """A row for each way of each offer: how the message stands, and what the offer is to it."""
    import numpy as np

    everyday, occasions = _by_mood(plan, policy)
    of_message = _of_message(plan, words, policy, everyday, occasions)
    asked_before = bool(plan.recent_replies) and bool(_ASKED.search(plan.recent_replies[-1]))
    chosen = given[rule[0]] if rule is not None else None
    looks = [_looks(one.reader, one.row, one.ways).signs for one in given]
    of_offers = [
        [
            *(float(one.reader == reader) for reader in READERS),
            *(float(one.mood == mood) for mood in MOODS),
            one.chance,
            log(max(one.chance, _LEAST)),
            everyday.get(one.mood, 0.0),
            occasions.get(one.mood, 0.0),
            float(one.rank == 0),
            float(min(one.rank, _RANKS)),
            float(chosen is not None and (one.reader, one.row) == (chosen.reader, chosen.row)),
            float(chosen is not None and one.mood == chosen.mood),
        ]
        for one in given
    ]
    sizes = [len(seen) for seen in looks]
    ways = np.concatenate(looks)
    by_rule = np.zeros((len(ways), 1))
    if rule is not None:
        by_rule[sum(sizes[: rule[0]]) + rule[1]] = 1.0
    told = np.tile(of_message, (len(ways), 1))
    return np.hstack([told, np.repeat(of_offers, sizes, axis=0), ways, ways[:, :1] * asked_before, by_rule])


def _by_mood(plan: ResponsePlan, policy: Policy) -> tuple[dict[str, float], dict[str, float]]:
    """How likely each mood is, by either reader of everyday messages."""
    everyday: dict[str, float] = {}
    spoken = policy.everyday.languages.get(plan.language)
    for name, chance in situation_chances(plan, policy).items():
        mood = spoken.situations[name].mood if spoken is not None and name in spoken.situations else ""
        everyday[mood] = everyday.get(mood, 0.0) + chance
    occasions: dict[str, float] = {}
    for name, chance in occasion_chances(plan, policy).items():
        mood = "" if name in policy.occasions.unmarked else policy.occasions.moods[name]
        occasions[mood] = occasions.get(mood, 0.0) + chance
    return everyday, occasions


def _of_message(
    plan: ResponsePlan,
    words: ComposeWords,
    policy: Policy,
    everyday: Mapping[str, float],
    occasions: Mapping[str, float],
) -> list[float]:
    text, heard = tidied(plan.user_text, words), plan.utterance
    story = story_mood(plan, policy)
    chances = situation_chances(plan, policy)
    return [
        float(plan.focus.negative),
        float(plan.focus.positive),
        float(heard is not None and heard.need is not Need.NONE),
        float(faint_care(plan, policy)),
        *(everyday.get(mood, 0.0) for mood in (HARD, IRK, GLAD, TELL, "")),
        *(occasions.get(mood, 0.0) for mood in (HARD, IRK, GLAD, TELL, ASK, "")),
        max((chance for name, chance in chances.items() if name), default=0.0),
        max(occasion_chances(plan, policy).values(), default=0.0),
        log(1 + len(text.split())),
        float(len(heard.sentences) if heard is not None else 1),
        float(bool(_ASKED.search(text))),
        float(bool(_EXCLAIMS.search(text))),
        float(laughs(plan, words)),
        float(bool(words.past) and bool(re.search(words.past, text, re.I))),
        float(bool(words.ahead) and bool(re.search(words.ahead, text, re.I))),
        float(bool(plan.recent_replies)),
        float(answers_us(plan, policy)),
        float(hurt_lately(plan)),
        float(story == HARD),
        float(glad_story(plan, policy)),
        float(min(3, len(plan.told))),
        float(any(c.subject == SELF for c in plan.told)),
        float(any(c.subject not in (SELF, None) for c in plan.told)),
    ]

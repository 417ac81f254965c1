"""What could be said to a message that tells something: proposals of every reader, each with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from heapq import nsmallest

from clew.frozen import dataclass
from clew.kernel.compose.acknowledging import told_met
from clew.kernel.compose.amid import amid_met, goes_on_with_it, occasion_chances
from clew.kernel.compose.caring import trouble_in
from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.deeds import deeds_met
from clew.kernel.compose.everyday import GLAD, HARD, IRK, bears, mood_of, situation_chances, turned
from clew.kernel.compose.occasions import BESIDE, MORE, TELL
from clew.kernel.compose.scenes import scenes_met
from clew.kernel.compose.stories import ON, glad_story
from clew.model.plan import ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords
from clew.policy.occasions import Met

EVERYDAY, OCCASION, DEED, TOLD, SCENE, TOPIC, AMID, WIDE, PLAIN = READERS = (
    "everyday", "occasion", "deed", "told", "scene", "topic", "amid", "wide", "plain",
)  # fmt: skip
# Rows of words that fit anything, and the mood each goes with.
_PLAIN = {"neutral": TELL, "past": TELL, "ahead": TELL, "good": GLAD, "bad": HARD, "short": TELL, "laugh": GLAD}
_WIDE = {HARD: HARD, GLAD: GLAD, TELL: TELL, MORE: TELL, BESIDE: BESIDE, ON[HARD]: HARD, ON[GLAD]: GLAD}
_TONES = {"good": GLAD, "bad": HARD, "any": TELL}
_NONE: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Offer:
    """What one reader has to say. row: of its table; mood: to which mood it is said; chance: how likely that is
    told; ways: the words of the row; own: the user's words that fill their gaps; rank: so many rows of this reader
    stand before it.
    """

    reader: str
    row: str
    ways: tuple[str, ...]
    mood: str = TELL
    chance: float = 1.0
    own: Mapping[str, str] = field(default_factory=dict)
    rank: int = 0


def offers(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> list[Offer]:
    """All replies that the readers propose, the surest reader first, without those that contradict the mood heard."""
    wrong = _wrong_moods(plan, policy)
    before: dict[str, dict[str, int]] = {reader: {} for reader in READERS}
    out = []
    for one in _all(plan, words, choice, policy):
        rows = before[one.reader]
        rank = rows.setdefault(one.row, len(rows))
        if one.ways and one.mood not in wrong:
            out.append(replace(one, rank=rank) if rank else one)
    return out


def _wrong_moods(plan: ResponsePlan, policy: Policy) -> frozenset[str]:
    """Bad news is met as bad news, and nobody is pitied for good ones, whatever a reader finds likely."""
    low = plan.focus.negative or turned(GLAD, plan, policy)
    # Trouble that is plainly told ends a glad story.
    still = glad_story(plan, policy) and trouble_in(plan, policy) < policy.everyday.trouble_likely
    glad = plan.focus.positive or turned(HARD, plan, policy) or still
    if low:
        return frozenset() if glad else frozenset((GLAD,))
    return frozenset((HARD, IRK)) if glad else frozenset()


def _all(plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy) -> Iterator[Offer]:
    for name, ways, own in amid_met(plan, words):
        yield Offer(AMID, name, ways, own=own)
    for name, tone, ways, own in deeds_met(plan, words, policy):
        yield Offer(DEED, name, ways, tone, own=own)
    for name, ways, own in told_met(plan, words, choice, policy):
        yield Offer(TOLD, name, ways, _TONES.get(name.rpartition(".")[2], TELL), own=own)
    for name, tone, ways in scenes_met(plan, words):
        yield Offer(SCENE, name, ways, _TONES[tone])
    yield from _of_everyday(plan, policy)
    yield from _of_occasions(plan, policy)
    for row, mood in _PLAIN.items():
        yield Offer(PLAIN, row, words.plain[row], mood)


def _of_everyday(plan: ResponsePlan, policy: Policy) -> Iterator[Offer]:
    table, spoken, judge = policy.everyday, policy.everyday.languages.get(plan.language), policy.compose.judge
    chances = situation_chances(plan, policy)
    if spoken is None or not chances:
        return
    # The rest of another message is hardly read right alone.
    going_on = goes_on_with_it(plan, policy)
    least = table.sure_going_on.get(plan.language, 1) if going_on else judge.situation_least
    for name in _best(chances, judge.situations + 1):
        if name and chances[name] >= least and bears(name, plan, policy):
            yield Offer(EVERYDAY, name, spoken.situations[name].says, mood_of(name, plan, policy), chances[name])
    about = {topic: sum(chances.get(name, 0.0) for name in names) for topic, names in table.topics.items()}
    for topic in () if going_on else _best(about, 1):
        yield Offer(TOPIC, topic, spoken.topics[topic], chance=about[topic])


def _of_occasions(plan: ResponsePlan, policy: Policy) -> Iterator[Offer]:
    table, spoken, judge = policy.occasions, policy.occasions.languages.get(plan.language), policy.compose.judge
    if spoken is None:
        return
    chances = occasion_chances(plan, policy)
    for name in _best(chances, judge.occasions):
        if name in spoken.met and chances[name] >= judge.occasion_least:
            yield _of_both(spoken.met[name], OCCASION, name, table.moods.get(name, TELL), chances[name])
    for name, mood in _WIDE.items():
        if name in spoken.met:
            yield _of_both(spoken.met[name], WIDE, name, mood)


def _of_both(row: Met, reader: str, name: str, mood: str, chance: float = 1.0) -> Offer:
    return Offer(reader, name, (*row.heard, *row.asks), mood, chance)


def _best(chances: Mapping[str, float], most: int) -> list[str]:
    return nsmallest(most, chances, key=lambda name: (-chances[name], name))

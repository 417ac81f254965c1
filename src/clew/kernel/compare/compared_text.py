"""What comparing two statements needs of each: what it is about, its words, its stance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache

from clew.frozen import dataclass
from clew.kernel.language.packs import native
from clew.kernel.read.comparable import memory_words
from clew.kernel.statements.experiences import experienced, lean
from clew.kernel.statements.long_messages import about as account_of
from clew.kernel.statements.long_messages import features, is_account, leaning, taken_up
from clew.kernel.statements.own_words import fold, statements
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.sentences import sentences
from clew.model.update import DatedStatement
from clew.policy import Policy

ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class ComparedText:
    """`about` holds the words of the opening and of what is liked, `thing` those of what was done alone."""

    opening: str
    about: frozenset[str]
    thing: frozenset[str]
    words: frozenset[str]
    stance: Fraction
    outright: bool
    change: bool
    account: bool
    leans: tuple[float, ...] = ()


@lru_cache(maxsize=4096)
def read(text: str, policy: Policy) -> ComparedText:
    table = policy.remember.updates
    said = tuple(statements(text, policy) or sentences(fold(text), policy.text))
    opening = said[0] if said else text
    stating = [
        list(native(s, policy).rules.likings(s, policy, None))
        for s in said
    ]
    likings = [liking for found in stating for liking in found]
    outright, account = bool(likings), is_account(said, policy)
    told = account_of(said, policy) if account else None
    likings = likings or list(experienced(said, policy)) or list(taken_up(said, policy))
    if told is not None:
        full = [s for s in said if len(s.split()) >= policy.remember.account.sentence_words]
        subject = " ".join((*full[: policy.remember.account.opening], told.text))
    else:
        subject = " ".join((opening, *(liking.item.text for liking in likings)))
    about = memory_words(subject, policy)
    about = about.difference(table.stance_words) or about
    thing = memory_words(told.text, policy).difference(table.stance_words) if told else about
    if likings:
        stance = Fraction(sum(1 if x.stance == "like" else -1 for x in likings), len(likings))
    else:
        good, bad = lean(said, policy)
        stance = Fraction(good - bad, max(1, good + bad))
    change = pattern("updates_change", policy).search(" ".join(said[: table.cue_sentences])) is not None
    words = memory_words(text, policy) | about
    leans = features(said, stating, policy) if account else ()
    return ComparedText(opening, about, thing, words, stance, outright, change, account, leans)


def stance_of(statement: DatedStatement, reading: ComparedText, policy: Policy) -> Fraction:
    """Between -1 and 1; of an account by its scorer, to thousandths."""
    if not reading.account:
        return reading.stance
    total = leaning(reading.leans, policy, statement.vector)
    return max(-ONE, min(ONE, Fraction(round(total * 1000), 1000)))


def rarity(readings: Sequence[ComparedText]) -> Callable[[Iterable[str]], int]:
    """A word in every statement weighs little; doublings of rarity are counted, so the sum is exact."""
    count = Counter(word for reading in readings for word in reading.words)
    most = 2 * len(readings)

    def weigh(found: Iterable[str]) -> int:
        return sum((most // count[word]).bit_length() for word in found)

    return weigh


def shared(left: frozenset[str], right: frozenset[str], weigh: Callable[[Iterable[str]], int]) -> Fraction:
    return Fraction(2 * weigh(left & right), max(1, weigh(left) + weigh(right)))


def inside(fresh: ComparedText, held: ComparedText, weigh: Callable[[Iterable[str]], int]) -> Fraction:
    """How much of what one is about stands anywhere in the other."""
    return max(
        Fraction(weigh(fresh.about & held.words), max(1, weigh(fresh.about))),
        Fraction(weigh(held.about & fresh.words), max(1, weigh(held.about))),
    )

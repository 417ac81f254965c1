"""Kinds of everyday messages, and how each is met: data/occasions.toml, data/<language>/occasions.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction

from clew.frozen import dataclass
from clew.policy.rows import NEVER, Pattern


@dataclass(frozen=True, slots=True, eq=False)
class Met:
    """heard: shows that it was understood. asks: a question that fits behind it, or alone."""

    heard: tuple[str, ...]
    asks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class OccasionWords:
    """cues: words that tell an occasion surely, tried in order before the learned reader. met: replies by occasion."""

    met: Mapping[str, Met] = field(default_factory=dict)
    cues: Mapping[str, Pattern] = field(default_factory=dict)
    # Its first group is what a listener would say back as a question, in the shape of echo_as. turned: my → your.
    echo: Pattern = NEVER
    # Beginnings of a question that need no mark.
    begins_asking: Pattern = NEVER
    # A word for us, without which nothing is asked of us; any text where a language leaves it out.
    to_us: Pattern = Pattern("")
    echo_as: tuple[str, ...] = ()
    turned: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class OccasionsPolicy:
    """`weights` names a file of the package for each language, written by bench/train/occasions.py, with its SHA-256.

    moods: the mood of each occasion (hard, irk, glad, tell, ask, us). sure: from which chance on an occasion is taken,
    by language; mood_sure: from which chance on at least its mood is. against: the chance it takes to speak against the
    valence that was heard. moments: occasions that a kind of message known by its words is met as. facts: attributes
    that are acknowledged as what they are, whatever the occasion. heard_alone, asks_alone: of so many replies one is
    without a question, or only the question.
    """

    languages: Mapping[str, OccasionWords] = field(default_factory=dict)
    weights: Mapping[str, str] = field(default_factory=dict)
    weights_sha256: Mapping[str, str] = field(default_factory=dict)
    moods: Mapping[str, str] = field(default_factory=dict)
    sure: Mapping[str, Fraction] = field(default_factory=dict)
    # The same for what is neither trouble nor good news nor a question.
    sure_tell: Mapping[str, Fraction] = field(default_factory=dict)
    mood_sure: Mapping[str, Fraction] = field(default_factory=dict)
    against: Fraction = Fraction(6, 10)
    # The chance it takes to call a plain statement some kind of question.
    asks_unmarked: Fraction = Fraction(95, 100)
    # A mood is also taken where both readers, of occasions and of situations, find it so, and together so much.
    both_least: Fraction = Fraction(5, 10)
    both_together: Fraction = Fraction(135, 100)
    # From which chance on a message leans to a mood, where nothing is sure.
    leans: Fraction = Fraction(85, 100)
    leans_exclaiming: Fraction = Fraction(8, 10)
    # Several marks of exclamation are joy where the readers find less trouble than this.
    exults_below: Fraction = Fraction(35, 100)
    exults_words: int = 6
    moments: Mapping[str, str] = field(default_factory=dict)
    facts: frozenset[str] = frozenset()
    facts_of_others: frozenset[str] = frozenset()
    # Occasions to which nothing that was told before is the answer.
    heart: frozenset[str] = frozenset()
    # Of these, what is put as a question may be one: "what do I do at weekends?" is no wish for counsel.
    counsel: frozenset[str] = frozenset()
    # Good news of somebody else: no comfort in the middle of one's own trouble.
    of_others: frozenset[str] = frozenset()
    # Trouble of one's own body and mind, and what it is where only somebody else's is told.
    of_oneself: frozenset[str] = frozenset()
    # What the user says of themself in so many words.
    by_cue: frozenset[str] = frozenset()
    of_another: str = ""
    # Occasions that are answered elsewhere, where nothing is known or can be done.
    answered: frozenset[str] = frozenset()
    # Occasions that are as well met by naming the thing, where it was read.
    named: frozenset[str] = frozenset()
    # Occasions that ask us something: a question of ours alone would only dodge it.
    answered_first: frozenset[str] = frozenset()
    # Moments that ask about us.
    about_us: frozenset[str] = frozenset()
    # Occasions without a mood of their own.
    unmarked: frozenset[str] = frozenset()
    # From this chance on of those together a message is the rest of another one.
    going_on: Fraction = Fraction(5, 10)
    # Occasions of a wish, and from which chance on it is one.
    requests: frozenset[str] = frozenset()
    request_sure: Fraction = Fraction(2, 10)
    # A story keeps its mood for so many replies that only go along with it.
    story_turns: int = 3
    # It goes on in its mood from this chance of it on.
    still: Mapping[str, Fraction] = field(default_factory=dict)
    # A message of more words than this may be met with a question in the middle of a story.
    asked_from: int = 4
    # In the middle of a story, one reply of so many takes up the user's last word.
    echo_every: int = 3
    # Attributes whose value may be named in an acknowledgement.
    shown: frozenset[str] = frozenset()
    heard_alone: int = 4
    asks_alone: int = 6

"""What a newcomer is asked, and how plain answers are read: data/<language>/introduce.toml."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from clew.frozen import dataclass
from clew.policy.rows import Pattern


@dataclass(frozen=True, slots=True, eq=False)
class IntroduceWords:
    """questions: by the name of the answer. around: shapes of what stands around an answer and is no part of it."""

    questions: Mapping[str, str] = field(default_factory=dict)
    lines: Mapping[str, str] = field(default_factory=dict)
    # What the commands of a terminal say, and the kinds of friends where the language has names for them.
    screen: Mapping[str, str] = field(default_factory=dict)
    skip: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    # Said to a setting that is to be off.
    off: tuple[str, ...] = ()
    around: tuple[Pattern, ...] = ()
    tens: Mapping[str, int] = field(default_factory=dict)
    ones: Mapping[str, int] = field(default_factory=dict)
    occupations: Mapping[str, Pattern] = field(default_factory=dict)
    topics: Mapping[str, Pattern] = field(default_factory=dict)
    # Words before the name of a place, and between a place and what it lies in.
    before_place: tuple[str, ...] = ()
    within: tuple[str, ...] = ()
    countries: Mapping[str, str] = field(default_factory=dict)
    cities: Mapping[str, str] = field(default_factory=dict)
    topic_names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class IntroducePolicy:
    """`order`: the questions, one at a time; each may be passed over."""

    languages: Mapping[str, IntroduceWords] = field(default_factory=dict)
    order: tuple[str, ...] = (
        "preferred_name",
        "age_band",
        "country_or_region",
        "client_timezone",
        "occupation_category",
        "proactive_messages_enabled",
        "suppressed_topics",
    )
    name_words: int = 4

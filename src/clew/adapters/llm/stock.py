"""The composer's memory: which phrase fits this plan and was not said a moment ago."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from clew.adapters.llm.phrases import Pools, Scene, fill, fits, gaps, is_past, is_question
from clew.adapters.llm.voice import Dice
from clew.model.persona import Length
from clew.model.plan import ResponsePlan
from clew.model.turn import Pipeline

_NAMED = ("greeting", "onboarding", "friendship", "compliment", "wish", "bye_soon", "bye_night", "success",
          "birthday", "low", "thanks", "farewell", "luck")  # fmt: skip


_CHOICE = 3
# A frame of this many letters is noticed again within this many replies.
_FIXED = 6
_WORN = 8
_BETWEEN = re.compile(r"\{\w+\}")


class Stock:
    """Phrases for one draft: each at most once, and none that the last replies used while another is left."""

    def __init__(self, plan: ResponsePlan, words: Pools, dice: Dice, kind: str, said: Sequence[str]) -> None:
        self.words, self.dice = words, dice
        self.said = tuple(r.lower() for r in said)
        self.taken: list[str] = []
        about = plan.focus
        named = plan.pipeline is Pipeline.ONBOARDING_CHAT or (kind in _NAMED and dice.roll(2, "name"))
        self.values: Mapping[str, str] = {
            # Beside a question the thing belongs to what was told, not to what is asked.
            "thing": "" if kind == "question" and about.echo and not is_question(about.echo) else about.thing,
            "feeling": about.feeling or "",
            "value": about.value,
            "when": about.when,
            "echo": about.echo if kind != "info" or is_question(about.echo) else "",
            "name": (plan.preferred_name or "") if named else "",
        }
        self.scene: Scene | None = None
        if kind in words.of("moods", "scenic"):
            self.scene = words.scene(plan.user_text)
        self.text = plan.user_text
        self.past = is_past(about.echo)
        self.ample = plan.constraints.length is Length.LONG

    def age(self, phrase: str) -> int | None:
        """How many replies ago it was said; None if not lately."""
        bare = phrase.rstrip(".!?").lower()
        return next((i for i, reply in enumerate(reversed(self.said)) if bare in reply), None)

    def worn(self, template: str) -> bool:
        """Its fixed words were heard a moment ago, around something else."""
        if not gaps(template):
            return False
        fixed = max(_BETWEEN.split(template), key=len).strip(" ,.!?").lower()
        return len(fixed) >= _FIXED and any(fixed in reply for reply in self.said[-_WORN:])

    def pick(self, pool: Sequence[str], salt: str, *, must: bool = False, start: bool = True) -> str:
        """A filled phrase, or nothing if all were said lately; `must`: then the one said longest ago."""
        fitting = [t for t in pool if fits(t, self.values)]
        usable = [fill(t, self.values, start=start) for t in fitting if must or not self.worn(t)]
        usable = [t for t in usable if t not in self.taken]
        ages = {t: self.age(t) for t in usable}
        fresh = [t for t in usable if ages[t] is None]
        if self.ample:
            # The longest voice takes its length from longer phrases rather than from more of them.
            fresh = sorted(fresh, key=lambda t: (-len(t), t))[: max(_CHOICE, len(fresh) // 2)]
        chosen = self.dice.pick(fresh, salt)
        if not chosen and must and usable:
            oldest = sorted(usable, key=lambda t: (-(ages[t] or 0), t))
            chosen = self.dice.pick(oldest[:_CHOICE], salt)
        if chosen:
            self.taken.append(chosen)
        return chosen

    def scenic(self, mood: str, salt: str) -> str:
        """Something true of what the message touches, in its mood."""
        if self.scene is None:
            return ""
        pool = self.scene.true_of(mood, self.text)
        if mood == "good" and self.dice.roll(2, f"plain:{salt}"):
            pool = (*pool, *self.scene.true_of("plain", self.text))
        return self.pick(pool, f"scene:{salt}")

    def at_length(self, kind: str, mood: str, salt: str) -> str:
        """One thought in a long sentence: of this moment, or two halves that go with each other."""
        near = self.words.of("long_kin", kind)
        if line := self.pick(self.words.of("long_lines", kind, *near), f"line:{salt}", must=bool(near)):
            return line
        opens, closes = self.words.of("long_opens", mood), self.words.of("long_closes", mood)
        if mood == "plain" and self.past:
            opens = (*opens, *self.words.of("long_opens", "happened"))
            closes = (*closes, *self.words.of("long_closes", "happened"))
        first = self.pick(opens, f"opens:{salt}", must=True)
        return f"{first}, {self.pick(closes, f'closes:{salt}', must=True, start=False)}"

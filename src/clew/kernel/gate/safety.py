"""What no reply may be, whoever wrote it (item 1)."""

from __future__ import annotations

import re
from functools import lru_cache

from clew.kernel.text.emoji import emoji_count
from clew.kernel.text.match import Lexicon
from clew.kernel.text.normalize import Normal, normal
from clew.kernel.text.passage import Passage
from clew.model.plan import Frame, Violation
from clew.model.turn import Pipeline
from clew.policy import Policy
from clew.policy.gate import GatePolicy
from clew.programs import program

_CODE = re.compile(r"`[^`]*`|```[\s\S]*?```")


@lru_cache(maxsize=8)
def _lexicons(policy: Policy) -> dict[str, Lexicon]:
    gate = policy.gate
    lists = {
        "explicit": gate.explicit,
        "mild": gate.explicit_mild,
        "named": gate.explicit_named,
        "orders": gate.harm_orders,
        "crisis": gate.harm_in_crisis,
        "harm": gate.harm,
        "hate": gate.hate + gate.slurs,
        "leaks": gate.leaks,
    }
    return {name: Lexicon({name: words}, policy.text) for name, words in lists.items()}


@lru_cache(maxsize=8)
def role_line(policy: GatePolicy) -> re.Pattern[str]:
    """A line that claims to be spoken by someone of the prompt: "System:", "[system message]"."""
    roles = "|".join(re.escape(r) for r in policy.leak_roles)
    bracketed = r"(?<=[\[【<])(?P<bracketed>" + roles + r")(?: [^\s\]】>]{1,12})?[\]】>]"
    return re.compile(rf"(?im)^\W{{0,4}}(?:(?P<role>{roles})\W{{0,3}}\s*[:：]|{bracketed})\s*")


def role_of(found: re.Match[str]) -> str:
    return (found["role"] or found["bracketed"]).lower()


def is_empty(reply: str) -> bool:
    return not any(c.isalnum() for c in reply) and emoji_count(reply) == 0


def safety(draft: Passage, frame: Frame, policy: Policy) -> list[Violation]:
    gate, reply = policy.gate, draft.text
    if is_empty(reply):
        return [Violation("SAFETY_EMPTY", "nothing is said")]
    out: list[Violation] = []
    if len(reply) > gate.max_characters:
        out.append(Violation("SAFETY_TOO_LONG", f"{len(reply)} characters, at most {gate.max_characters}"))
    read = draft.read
    if found := leak(draft, policy, code=other_language(frame, policy)):
        out.append(Violation("SAFETY_SYSTEM_LEAK", f"speaks as the system or shows its scaffolding: {found}"))
    parts = [normal(s) for s in draft.sentences] or [read]
    if found := _explicit(parts, frame, policy):
        out.append(Violation("SAFETY_EXPLICIT", f"explicit content: {found}"))
    if found := _harm(parts, frame, policy):
        out.append(Violation("SAFETY_SELF_HARM", f"encourages self-harm: {found}"))
    if hits := _lexicons(policy)["hate"].hits(read):
        out.append(Violation("SAFETY_HATE", f"hate: {hits[0].phrase}"))
    return out


def other_language(frame: Frame, policy: Policy) -> bool:
    """The message talks of a language of people or machines."""
    return any(word in frame.user_text.lower() for word in policy.gate.language_names)


def leak(draft: Passage, policy: Policy, *, code: bool = False) -> str:
    """`code`: who talks of code, or of another language, is answered in it."""
    read = draft.read
    if match := role_line(policy.gate).search(draft.text):
        return role_of(match)
    if mark := next((m for m in policy.gate.leak_marks if m in read.norm), ""):
        return mark
    if not code:
        bare = _CODE.sub(" ", draft.text)
        found = (program(row.pattern).search(bare) for row in policy.gate.leak_shapes.values())
        if match := next(filter(None, found), None):
            return match.group()[:40]
    hits = _lexicons(policy)["leaks"].hits(read)
    return hits[0].phrase if hits else ""


def _explicit(parts: list[Normal], frame: Frame, policy: Policy) -> str:
    """A named genre is excused in a sentence that refuses it; mild words count in company."""
    lexicons = _lexicons(policy)
    mild: dict[str, None] = {}
    for part in parts:
        if hits := lexicons["explicit"].hits(part):
            return hits[0].phrase
        tokens = part.no_punct.split()
        refuses = frame.pipeline is Pipeline.REFUSAL or any(t in policy.gate.refusing for t in tokens)
        if not refuses and (hits := lexicons["named"].hits(part)):
            return hits[0].phrase
        mild.update((h.phrase, None) for h in lexicons["mild"].hits(part))
    return ", ".join(mild) if len(mild) >= policy.gate.explicit_mild_from else ""


def _harm(parts: list[Normal], frame: Frame, policy: Policy) -> str:
    """"Please don't hurt yourself" is care, "just kill yourself" is not."""
    lexicons, gate = _lexicons(policy), policy.gate
    for part in parts:
        for name in ("orders", "crisis", "harm"):
            if name == "crisis" and not frame.crisis:
                continue
            for hit in lexicons[name].hits(part):
                before = part.variants[hit.variant][: hit.start].split()
                reach = gate.harm_reach if name == "harm" else 1
                if not any(t in gate.harm_excused_by for t in before[-reach:]):
                    return hit.phrase
    return ""

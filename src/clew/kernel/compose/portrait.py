"""A life as it is told whole: the user's own side by side, then each of their people, nothing twice.

What is told of whom is decided here; the sentences are the language's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.told import told_of
from clew.kernel.keep.keys import bare_value
from clew.kernel.language.gathering import Bearer
from clew.kernel.language.packs import pack
from clew.kernel.language.scripts import has_syllables
from clew.model.key import Key
from clew.model.memory import SELF
from clew.model.plan import Finding, ResponsePlan
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_NAME, _THERE, _SOMEBODY = "name", "exists", "person:person"


def paragraphs(
    findings: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> list[str]:
    """One of the user, and one of everybody who stands to them in the same relation."""
    own = [f for f in findings if f.subject == SELF]
    out = [" ".join(of_oneself(own, plan, words, choice, policy))] if own else []
    for subject in dict.fromkeys(f.subject for f in findings if f.subject != SELF):
        theirs = [f for f in findings if f.subject == subject]
        out.append(" ".join(of_theirs(theirs, plan, words, choice, policy)))
    return out


def of_oneself(
    findings: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> list[str]:
    spoken = pack(choice.language)
    sides: dict[int, list[Finding]] = {}
    for number, f in enumerate(findings):
        side = next((n for n, side in enumerate(words.gathering.sides) if f.attribute in side), None)
        # What stands on no listed side is told by itself.
        sides.setdefault(-1 - number if side is None or f.past else side, []).append(f)
    out: list[str] = []
    for together in sides.values():
        told = told_of(together, plan, words, choice, policy)
        out += spoken.run_on(told, policy) if spoken is not None and len(told) > 1 else told
    return list(dict.fromkeys(out))


def of_theirs(
    findings: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> list[str]:
    """Those who stand to the user in one relation."""
    spoken = pack(choice.language)
    if spoken is None or findings[0].subject == SELF:
        return told_of(findings, plan, words, choice, policy)
    bearers = [b for _, b in bearers_of(findings, plan, words, choice, policy)]
    return list(dict.fromkeys(spoken.gathered(bearers, policy)))


def bearers_of(
    findings: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> list[tuple[list[Finding], Bearer]]:
    """Who each of them is, with all that is told of them."""
    names = list(dict.fromkeys(n for f in findings if (n := _key_name(f))))
    held: dict[str, list[Finding]] = {}
    for f in findings:
        # Of whom only one is known by name, what was told without it is told of the same one.
        alone = names[0] if len(names) == 1 and f.attribute != _THERE else ""
        held.setdefault(_key_name(f) or _named_in(f, names) or alone, []).append(f)
    return [(mine, _bearer(mine, plan, words, choice, policy)) for mine in held.values()]


def alone(finding: Finding) -> Bearer | None:
    """Whose a finding is, by itself."""
    return None if finding.subject == SELF else Bearer(finding.subject, _spelt_in([finding]), finding.whose)


def _bearer(
    findings: Sequence[Finding], plan: ResponsePlan, words: ComposeWords, choice: Choice, policy: Policy
) -> Bearer:
    def said(some: Iterable[Finding]) -> tuple[str, ...]:
        return tuple(told_of(tuple(some), plan, words, choice, policy))

    named = next((f for f in findings if f.attribute == _NAME and not f.past), None)
    name = spelt(bare_value(named.value)) if named is not None else _spelt_in(findings)
    others = [f for f in findings if f.attribute not in (_NAME, _THERE) or f.past]
    full = [f.whose for f in others if f.whose and (not name or f.whose.endswith(name))]
    bare = next((f.whose for f in (named, *findings) if f is not None and f.whose), "")
    somebody = findings[0].subject == _SOMEBODY
    whose = full[0] if full else name if name and somebody else f"{bare} {name}" if name and bare else bare
    return Bearer(
        subject=findings[0].subject,
        name=name,
        whose=whose,
        told=said(others),
        called=" ".join(said([named])) if named is not None else "",
        there=said(f for f in findings if f.attribute == _THERE and not f.past),
    )


def spelt(name: str) -> str:
    """rory is Rory."""
    small = name.islower() and not has_syllables(name)
    return " ".join(part[:1].upper() + part[1:] for part in name.split(" ")) if small else name


def _spelt_in(findings: Sequence[Finding]) -> str:
    """The name as their sentences spell it, where no sentence tells only that."""
    key = next((n for f in findings if (n := _key_name(f))), "")
    last = key.replace("_", " ")
    whole = (f.whose[-len(last) :] for f in findings if last and f.whose.lower().endswith(last))
    return next(whole, spelt(last))


def _key_name(finding: Finding) -> str:
    key = Key.parse(finding.key) if finding.key else None
    return (key.name if key else None) or ""


def _named_in(finding: Finding, names: Sequence[str]) -> str:
    """ "Coming up for your child Zosia": by the name in its own sentence."""
    low = finding.whose.lower()
    return next((n for n in names if low.endswith(f" {n.replace('_', ' ')}")), "")

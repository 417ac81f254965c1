"""One grounded clarifier: what is asked, about which candidates, in which words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from clew.kernel.ground.differ import differing
from clew.kernel.ground.options import OptionSet, Positions
from clew.kernel.ground.resolution import Resolution, turned_down
from clew.kernel.ground.turn import Turn
from clew.kernel.language.packs import writer
from clew.model.continuity import PendingClarifier
from clew.model.evidence import Candidate
from clew.policy.ground import GroundPolicy, GroundWords

_NONE = GroundWords()
_SCOPE_BLOCKS = frozenset({"low_typo", "scope_uncertain", "scope_not_available"})
_CONFIRMS = frozenset(
    {
        "soft_match_only",
        "no_deterministic_match",
        "unheard_consent",
        "qualified",
        "stray_words",
        "tells_besides",
        "option_set_mismatch",
        "scope_mismatch",
        "null_option_set_id",
        "typo_ambiguous",
        "loop_guard_same_cycle",
    }
)
_REPAIRS = frozenset(
    {
        "ground.repair",
        "ground.other_one",
        "ground.refused_label",
        "ground.act.refuses",
        "ground.list_rejection",
    }
)


@dataclass(frozen=True, slots=True)
class Clarifier:
    type: PendingClarifier
    candidates: tuple[Candidate, ...]
    text: str
    exits: bool = False

    def as_dict(self) -> dict[str, Any]:
        return {
            "type": self.type.value,
            "candidates": [c.as_dict() for c in self.candidates],
            "text": self.text,
        }


def clarify(turn: Turn, found: Resolution, policy: GroundPolicy, order: tuple[str, ...] = ()) -> Clarifier:
    """`order` puts a model's suggestion, or the previous order of a repeat, first."""
    kind = _kind(found, order)
    shown = _shown(turn, found, kind, order, policy)
    exits = turn.attempt >= policy.exits_from_attempt and found.blocked != "destructive"
    text = _text(turn, found, kind, shown, policy)
    if exits:
        text = f"{text} {_texts(turn, policy)['exits']}"
    return Clarifier(kind, shown, text, exits)


def _kind(found: Resolution, order: tuple[str, ...]) -> PendingClarifier:
    if found.blocked in _SCOPE_BLOCKS:
        return PendingClarifier.SCOPE
    if found.rule in _REPAIRS:
        return PendingClarifier.REPAIR
    if found.blocked == "destructive":
        return PendingClarifier.CONFIRMATION
    if not order and len(found.matches) == 1 and found.blocked in _CONFIRMS:
        return PendingClarifier.CONFIRMATION
    return PendingClarifier.SELECTION


def _shown(
    turn: Turn, found: Resolution, kind: PendingClarifier, order: tuple[str, ...], policy: GroundPolicy
) -> tuple[Candidate, ...]:
    options = turn.options
    first = tuple(options.position[i] for i in order if i in options.position)
    most = policy.clarifier_candidates
    if kind is PendingClarifier.CONFIRMATION:
        return _take(options, found.matches, most)
    gone = {options.position[i] for i in found.rejected if i in options.position}
    if kind is PendingClarifier.REPAIR:
        gone |= turned_down(turn)
        pool: Positions = tuple(range(min(len(options.candidates), most + len(gone))))
    else:
        # One alone is no choice: "the blue one" beside two that are blue alike asks about the list.
        first_few = range(min(len(options.candidates), most + 1))
        others = tuple(p for p in first_few if p not in found.matches)[: most - len(found.matches)]
        pool = found.matches if len(found.matches) > 1 else tuple(sorted((*found.matches, *others)))
        gone = set()
    return _take(options, tuple(dict.fromkeys((*first, *(p for p in pool if p not in gone)))), most)


def _take(options: OptionSet, positions: Positions, most: int) -> tuple[Candidate, ...]:
    return tuple(options.candidates[p] for p in positions[:most])


def _text(
    turn: Turn, found: Resolution, kind: PendingClarifier, shown: tuple[Candidate, ...], policy: GroundPolicy
) -> str:
    texts = _texts(turn, policy)
    if kind is PendingClarifier.SCOPE:
        return texts["scope_disambiguation"].format(scope=turn.scope.kind)
    if turn.options.count > policy.max_candidates:
        return texts["too_many"].format(count=turn.options.count)
    if not shown:
        return texts["repair_empty"] if kind is PendingClarifier.REPAIR else texts["nothing"]
    names = _names(shown, texts)
    if found.blocked == "destructive":
        confirms = _words(turn, policy).confirms
        deed = confirms.get(found.verb or "", confirms.get("other", "")).format(verb=found.verb)
        every = _list(names, texts, "last_of_all")
        return texts["destructive"].format(verb=found.verb, deed=deed, options=every)
    if kind is PendingClarifier.SELECTION and (found_apart := differing(shown)):
        options = _list([texts["one"].format(what=what) for what in found_apart.each], texts, "last_of_differing")
        return texts["differing"].format(label=found_apart.common, options=options)
    return texts[kind.value].format(options=_list(names, texts))


def _texts(turn: Turn, policy: GroundPolicy) -> dict[str, str]:
    return {**policy.clarifier_texts, **_words(turn, policy).clarifier_texts}


def _words(turn: Turn, policy: GroundPolicy) -> GroundWords:
    """Of the language in whose letters the message is written; none of its own for that of the house."""
    return policy.languages.get(writer(turn.text).code, _NONE)


def _list(names: list[str], texts: dict[str, str], last: str = "last_joiner") -> str:
    if len(names) == 1:
        return names[0]
    return texts["joiner"].join(names[:-1]) + texts[last] + names[-1]


def _names(shown: tuple[Candidate, ...], texts: dict[str, str]) -> list[str]:
    """Equal labels are told apart by what else is known of them, and equal things by their place in the question."""
    names = [_name(c, shown) for c in shown]
    return [
        texts["numbered"].format(name=name, number=i) if names.count(name) > 1 else name
        for i, name in enumerate(names, 1)
    ]


def _name(candidate: Candidate, shown: tuple[Candidate, ...]) -> str:
    """Equal labels are told apart by what else is known of them."""
    twins = sum(c.label == candidate.label for c in shown) > 1
    extra = candidate.sublabel or candidate.path or candidate.type or candidate.owner
    return f"{candidate.label} ({extra})" if twins and extra else candidate.label

"""What is known, told by person: the user first, then each of theirs in a sentence or two, nothing twice."""

from __future__ import annotations

import re
from collections.abc import Sequence

from clew.kernel.compose.choosing import Choice
from clew.kernel.compose.told import sentence
from clew.kernel.keep.keys import bare_value, row_of
from clew.kernel.language.packs import pack
from clew.kernel.language.told import Told
from clew.model.key import Key
from clew.model.memory import SELF
from clew.model.plan import Finding
from clew.policy import Policy
from clew.policy.compose import ComposeWords

_QUOTED = re.compile("“[^”]*”")
_NO_MORE = ("name", "exists")
Bearer = tuple[str, str]
# A quotation of which so large a part is told beside it says nothing more.
_MOSTLY = 0.7
# So many letters of two words are alike.
_BEGINS = 2
# The letters in which a sentence may end in another way when it goes on, its full stop with them.
_ENDING = 3


def by_bearer(findings: Sequence[Finding], policy: Policy) -> dict[Bearer, list[Finding]]:
    """Of whom each is told, the user first and the others in the order in which they were first told of."""
    names: dict[str, set[str]] = {}
    for f in findings:
        if name := _name(f):
            names.setdefault(f.subject, set()).add(name)
    named = [f for f in findings if f.subject != SELF and f.attribute == "name"]
    spelt = {bare_value(f.value): (f.subject, _name(f)) for f in named}
    rows = list(policy.attributes.rows)

    def bearer(f: Finding) -> Bearer:
        known = names.get(f.subject, set())
        if f.subject == SELF:
            # 서아 유치원 재롱잔치: what opens with the name of somebody known is theirs.
            return next((who for name, who in spelt.items() if f.value.startswith(f"{name} ")), (SELF, ""))
        return f.subject, _name(f) or (next(iter(known)) if len(known) == 1 else "")

    out: dict[Bearer, list[Finding]] = {}
    for f in findings:
        out.setdefault(bearer(f), []).append(f)
    for subject in {who[0] for who in out if who[0] != SELF}:
        # 고양이 이름은 모카, 라떼야: of whom no more than a name is held, all in one.
        bare = [who for who in out if who[0] == subject and all(f.attribute in _NO_MORE for f in out[who])]
        for who in bare[1:]:
            out[bare[0]].extend(out.pop(who))
    first = {who: min((f.at.isoformat() for f in fs if f.at), default="") for who, fs in out.items()}
    ordered = sorted(out, key=lambda who: (who[0] != SELF, first[who], who))
    return {who: sorted(out[who], key=lambda f: _place(f, rows)) for who in ordered}


def page_of(
    findings: Sequence[Finding], already: str, words: ComposeWords, choice: Choice, policy: Policy
) -> tuple[str, int] | None:
    """One line for each person, and how many memories are left for the next page; None where the language gathers
    nothing. already: what was told on the pages before."""
    left = [f for f in findings if not already or not _was_told(f, already, line_of([f], choice, policy))]
    held = [f for f in left if f.source == "memory"]
    most, count = policy.compose.page, 0
    lines: list[str] = []
    for told in by_bearer(held, policy).values():
        kept = [f for f in told if not _repeated(f, held)]
        room = kept[: most - count] if not lines or len(kept) > most else kept
        if count >= most:
            break
        if not kept:
            count += len(told)
            continue
        if not (line := line_of(room, choice, policy)):
            return None
        lines.append(line)
        count += len(room) + (len(told) - len(kept) if len(room) == len(kept) else 0)
    said = [sentence(f, words, choice, policy) for f in left if f.source != "memory"] if count == len(held) else []
    return "\n".join([*lines, *said]), len(left) - count - len(said)


def line_of(findings: Sequence[Finding], choice: Choice, policy: Policy) -> str:
    """What is told of one, in whole sentences."""
    spoken, rows = pack(choice.language), list(policy.attributes.rows)
    told = sorted(findings, key=lambda f: _place(f, rows))
    facts = [Told(f.told.strip().rstrip("."), f.attribute, row_of(f.attribute, policy).group, f.past) for f in told]
    return " ".join(f"{one}." for one in spoken.by_person(facts, choice.polite)) if spoken else ""


def without_repeated(findings: Sequence[Finding]) -> list[Finding]:
    """Without the user's own words where most of them are told beside them."""
    return [f for f in findings if not _repeated(f, findings)]


def _was_told(finding: Finding, already: str, line: str) -> bool:
    """By its value, or by its words as far as an ending may change them."""
    value = bare_value(finding.value).replace("_", " ").lower()
    if quoted := _QUOTED.search(finding.told.lower()):
        return quoted[0].strip("“”") in already
    unquoted = _QUOTED.sub("", already)
    return (bool(value) and value in unquoted) or (len(line) > 2 * _ENDING and line.lower()[:-_ENDING] in already)


def _name(finding: Finding) -> str:
    key = Key.parse(finding.key)
    return key.name or "" if key is not None and finding.subject != SELF else ""


def _place(finding: Finding, rows: Sequence[str]) -> tuple[int, str]:
    """In the order of the attribute table: a name before an age."""
    return (rows.index(finding.attribute) if finding.attribute in rows else len(rows), finding.told)


def _repeated(finding: Finding, beside: Sequence[Finding]) -> bool:
    return repeats(finding.told, [f.told for f in beside if f is not finding])


def repeats(told: str, beside: Sequence[str]) -> bool:
    """The user's own words, most of which are told in the sentences beside them, or in a shorter quotation of them."""
    if "“" not in told:
        return False
    quoted = told.partition("“")[2].partition("”")[0]
    heard = quoted.split()
    rest = [one.partition("“")[2].partition("”")[0] if "“" in one else one for one in beside]
    words = [w for one, said in zip(rest, beside, strict=True) if "“" not in said or one in quoted for w in one.split()]
    if any(one == quoted for one in rest):
        return False  # the same words twice are told once
    known = [h for h in heard if any(_alike(h, w) for w in words)]
    return len(known) > len(heard) * _MOSTLY


def _alike(a: str, b: str) -> bool:
    """수원에 and 수원, 결혼해서 and 결혼했어: they begin alike, whatever hangs on."""
    return a == b or (len(a) >= _BEGINS and a[:_BEGINS] == b[:_BEGINS])

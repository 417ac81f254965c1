"""A "Yes." to the game master's yes/no question is a request for what was offered."""

from __future__ import annotations

from clew.kernel.link.consequences import agrees, is_yes_no_prompt
from clew.kernel.link.mask import Mask
from clew.kernel.link.sheet import Sheet
from clew.kernel.read.remark import Remark
from clew.model.link import Intent, IntentType, Strength
from clew.policy.link import LinkPolicy


def bundled(sheet: Sheet, mask: Mask, intents: list[Intent], policy: LinkPolicy) -> list[Intent]:
    """The intents, and one more for each short answer that no other rule read."""
    known = {intent.position for intent in intents}
    out = list(intents)
    for position, text in enumerate(sheet.low):
        if position in known or mask.bits[position] or not sheet.may_intend(position):
            continue
        if not agrees(Remark(text), policy):
            continue
        asked = _prompt_before(sheet, mask, position, policy)
        if asked is None:
            continue
        line = sheet.lines[position]
        actor = sheet.actors[sheet.voices[position]] or line.speaker
        said = f"{sheet.lines[asked].text} {line.text}"
        out.append(
            Intent(
                position, line.index, actor, said, IntentType.REQUEST, Strength.STRONG, "link.intent.bundled"
            )
        )
    return sorted(out, key=lambda intent: intent.position)


def _prompt_before(sheet: Sheet, mask: Mask, position: int, policy: LinkPolicy) -> int | None:
    reach = policy.intents.bundle_reach
    for before in range(position - 1, max(-1, position - 1 - reach), -1):
        if sheet.index[position] - sheet.index[before] > reach or mask.bits[before]:
            return None
        if sheet.master[sheet.voices[before]] and is_yes_no_prompt(Remark(sheet.low[before]), policy):
            return before
    return None

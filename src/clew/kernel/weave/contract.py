"""The thread contract for one text: every rule it breaks (rulings T1, T2, T10)."""

from __future__ import annotations

from clew.kernel.weave.cues import read
from clew.kernel.weave.forms import Fault, bundle_fault, form_fault
from clew.kernel.weave.hazard import hazard
from clew.kernel.weave.loops import fact_fault
from clew.model.thread import Form, ThreadAdd
from clew.policy import Policy


def faults(add: ThreadAdd, policy: Policy) -> tuple[Fault, ...]:
    """The gravest first: threat instead of danger, fact instead of loop, then form."""
    weave = policy.weave
    reading = read(add, policy)
    out: list[Fault] = []
    looming = weave.forms[add.type] is Form.PREVENTION
    if looming:
        danger = hazard(reading, weave)
        if danger.immediate:
            seen = ", ".join(repr(c.found) for c in danger.cues if c.weight > 0)
            out.append(Fault("hazard", f"an immediate hazard ({seen}), with no prevention in its body"))
    fact = fact_fault(reading, weave)
    # What goes on now is judged for a DANGER thread by the hazard score alone.
    if fact and not (looming and fact.rule == "current_event"):
        out.append(fact)
    out.extend(f for f in (form_fault(reading, weave), bundle_fault(reading, policy)) if f)
    return tuple(out)

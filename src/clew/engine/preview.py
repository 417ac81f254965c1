"""What the model would see for a message, without claiming, calling or storing anything."""

from __future__ import annotations

from collections.abc import Iterator

from clew.engine.correction import heed
from clew.engine.listening import listen, steer
from clew.engine.notes import Notes
from clew.engine.parts import Parts
from clew.engine.recollection import bring_to_mind
from clew.engine.scene import admit, look
from clew.engine.writing import make_plan, spoken, still_closed
from clew.kernel.plan.prompt import render
from clew.model.exchange import Incoming
from clew.model.turn import Pipeline


def preview(parts: Parts, incoming: Incoming) -> Iterator[str]:
    notes = Notes(parts.clock)
    scene = look(parts, admit(incoming, parts.policy), parts.clock.now())
    heard = listen(parts, scene, notes)
    route = steer(parts, scene, heard, notes)
    if not scene.open or route.pipeline is Pipeline.REFUSAL:
        yield f"No model is asked: {route.pipeline} ({', '.join(r.rule for r in route.reasons)})"
        return
    if asked := heed(parts, scene, route, notes).reply:
        yield f"No model is asked: a correction, answered with {asked.text!r}"
        return
    recalled = bring_to_mind(parts, scene, heard, route, notes)
    plan = make_plan(parts, scene, heard, route, recalled)
    loops = scene.loops.shown(parts.policy, still_closed(scene, plan))
    prompt = render(plan, spoken(scene), parts.policy, loops=loops.text.splitlines())
    for message in prompt.messages:
        yield f"--- {message.role}"
        yield message.content
    yield f"--- {prompt.tokens} tokens: " + ", ".join(f"{s.name} {s.tokens}" for s in prompt.sections)
    yield f"--- left out: {len(prompt.left_out)}"
    for left in prompt.left_out:
        yield f"{left.what}: {left.reason}"

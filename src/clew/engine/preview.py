"""What the model would see for a message, without claiming, calling or storing anything."""

from __future__ import annotations

from collections.abc import Iterator

from clew.engine.correcting import heed
from clew.engine.keeping import gather
from clew.engine.looking import admit, look, stand
from clew.engine.parts import Parts
from clew.engine.reading import hear, steer
from clew.engine.recalling import bring_to_mind
from clew.engine.writing import make_plan, spoken, still_closed
from clew.kernel.plan.prompt import render
from clew.model.exchange import Incoming
from clew.model.turn import Pipeline


def preview(parts: Parts, incoming: Incoming) -> Iterator[str]:
    turn = look(parts, admit(incoming, parts.policy), parts.clock.now())
    turn = steer(parts, hear(parts, stand(parts, turn)))
    route = turn.route
    if not turn.open or route.pipeline is Pipeline.REFUSAL:
        yield f"No model is asked: {route.pipeline} ({', '.join(r.rule for r in route.reasons)})"
        return
    turn = heed(parts, turn)
    if turn.asked.reply:
        yield f"No model is asked: a correction, answered with {turn.asked.reply.text!r}"
        return
    turn = gather(parts, bring_to_mind(parts, turn))
    plan = make_plan(parts, turn)
    loops = turn.loops.shown(parts.policy, still_closed(turn, plan))
    prompt = render(plan, spoken(parts, turn), parts.policy, loops=loops.text.splitlines())
    for message in prompt.messages:
        yield f"--- {message.role}"
        yield message.content
    yield f"--- {prompt.tokens} tokens: " + ", ".join(f"{s.name} {s.tokens}" for s in prompt.sections)
    yield f"--- left out: {len(prompt.left_out)}"
    for left in prompt.left_out:
        yield f"{left.what}: {left.reason}"

"""COMPOSE. Enters: a plan.
Leaves: the built-in writer's reply: answers first, then one sentence that shows it was understood.
Does not know: models, the store, the clock.
"""

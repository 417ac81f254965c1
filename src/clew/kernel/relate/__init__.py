"""RELATE. Enters: relationship state and a message.
Leaves: delta, evidence, new state.
Does not know: what the assistant will say.
"""

"""GATE. Enters: a drafted reply and its constraints.
Leaves: violations and deterministic repairs.
Does not know: how the draft was made.
"""

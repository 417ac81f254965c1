"""GROUND. Enters: a follow-up, its bounded candidates, continuity.
Leaves: execute, clarify, answer or escape.
Does not know: what executing does.
"""

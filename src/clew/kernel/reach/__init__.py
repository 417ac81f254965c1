"""REACH. Enters: controls, clock reading, attempts.
Leaves: SEND or SKIP, and what kind.
Does not know: delivery.
"""

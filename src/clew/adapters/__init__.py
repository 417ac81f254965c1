"""PLUGS. Enters: calls through a port.
Leaves: answers from a concrete part.
Does not know: kernels, policy and the turn.
"""

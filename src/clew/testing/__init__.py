"""TESTING. Enters: an implementation of a port.
Leaves: a proof that it keeps its promise.
Does not know: which implementation it is.
"""

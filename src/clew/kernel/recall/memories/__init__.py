"""RECALL MEMORIES. Enters: a message and the memories of one user.
Leaves: which of them come to mind, best first, and which stay out of it.
Does not know: turns, or how a memory was learned.
"""

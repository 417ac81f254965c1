"""THE WALK. Enters: a message through a door.
Leaves: a stored turn with its trace.
Does not know: rules: those live in kernel and policy.
"""

"""PROMISES. Enters: nothing.
Leaves: protocols that plugs keep and the engine relies on.
Does not know: any concrete part.
"""

"""INTRODUCE. Enters: what a newcomer says to a question about themself, in plain words.
Leaves: the answer's value, or that it was passed over, or that it was not understood.
Does not know: who asks, where answers are kept, the map of the world (it is handed in).
"""

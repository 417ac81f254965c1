"""READ. Enters: a message and the ones before it.
Leaves: signals: language, topics, flags, emotion, safety.
Does not know: who is speaking to whom, and what will be done about it.
"""

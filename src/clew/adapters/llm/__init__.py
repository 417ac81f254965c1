"""WRITERS. Enters: a prompt.
Leaves: text or a typed failure.
Does not know: why the prompt says what it says.
"""

"""CORRECT. Enters: a message and what is remembered.
Leaves: the memories and controls after the correction it asks for.
Does not know: tables and vectors.
"""

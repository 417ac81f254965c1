"""KEEP. Enters: candidates and records.
Leaves: new records with events.
Does not know: tables and vectors.
"""

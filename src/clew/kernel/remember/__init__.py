"""REMEMBER. Enters: statements, candidates, records.
Leaves: new records with events.
Does not know: tables and vectors.
"""

"""BUNDLES. Enters: a user's whole history.
Leaves: a deterministic export, and its import.
Does not know: databases.
"""

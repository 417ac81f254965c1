"""STORES. Enters: records and events.
Leaves: the same, durably, in one transaction.
Does not know: what they mean.
"""

"""VERBS. Enters: frozen values and a frozen policy.
Leaves: frozen verdicts with reasons.
Does not know: clock, randomness, files, network, logging.
"""

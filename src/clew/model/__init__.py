"""NOUNS. Enters: nothing.
Leaves: frozen values that every room speaks.
Does not know: any rule, number, clock or store.
"""

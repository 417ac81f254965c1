"""PYTHON. Enters: names, texts and plugs of a program that uses Clew as a library.
Leaves: typed results; failures as the errors of `clew.errors`.
Does not know: rules, tables, or how a turn is walked.
"""

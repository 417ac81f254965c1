"""Clew: the model proposes, Clew disposes."""

__version__ = "0.1.0"

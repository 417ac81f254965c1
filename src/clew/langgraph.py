"""`from clew.langgraph import ClewStore`: Clew behind a LangGraph agent, by one constructor."""

from __future__ import annotations

from clew.faces.langgraph.store import ClewStore

__all__ = ["ClewStore"]

"""CHAT. Enters: what other programs export: ChatGPT, Claude, SillyTavern, mem0, Chroma.
Leaves: conversations of messages with role, text and time; what could not be read, by its place.
Does not know: what becomes of them.
"""

from __future__ import annotations

from clew.formats.chat.read import ChatLine, Exported, read_chats

__all__ = ["ChatLine", "Exported", "read_chats"]

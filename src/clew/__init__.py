"""Clew: the model proposes, Clew disposes.

    import clew

    memory = clew.Memory("talk.db")
    memory.add("I moved to Porto, and I love ramen", user="alex")
    memory.search("where does Alex live?", user="alex")

    chat = clew.Chat("talk.db", user="alex")
    print(chat.say("what do you know about me?").text)

Names are loaded when first used, so that `import clew` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_SURFACE = {
    # The door.
    "Memory": "clew.faces.python.memory",
    "Chat": "clew.faces.python.chat",
    "AsyncMemory": "clew.faces.python.asynchronous",
    "AsyncChat": "clew.faces.python.asynchronous",
    "Threads": "clew.faces.python.tools",
    "ground": "clew.faces.python.tools",
    "links": "clew.faces.python.tools",
    "replay": "clew.faces.python.tools",
    # What it gives back.
    "Added": "clew.faces.python.results",
    "Change": "clew.faces.python.results",
    "Hit": "clew.faces.python.results",
    "Item": "clew.faces.python.results",
    "Reply": "clew.faces.python.results",
    "Sent": "clew.faces.python.results",
    "ClewError": "clew.errors",
    "Policy": "clew.policy",
    # The engine, one step below.
    "Incoming": "clew.model.exchange",
    "Outcome": "clew.model.exchange",
    "Parts": "clew.engine.parts",
    "Scope": "clew.engine.rights",
    "build": "clew.engine.bootstrap",
    "take_turn": "clew.engine.turn",
    "sign_up": "clew.engine.identity",
    "start_onboarding": "clew.engine.identity",
    "answer": "clew.engine.identity",
    "export_user": "clew.engine.archive",
    "import_bundle": "clew.engine.archive",
    "erase_user": "clew.engine.archive",
    "rebuild": "clew.engine.replay",
    "call": "clew.kernels",
}
_MODULES = ("errors", "kernels", "policy", "ports")

__all__ = ["__version__", *_MODULES, *_SURFACE]

if TYPE_CHECKING:
    from clew import errors as errors
    from clew import kernels as kernels
    from clew import policy as policy
    from clew import ports as ports
    from clew.engine.archive import erase_user as erase_user
    from clew.engine.archive import export_user as export_user
    from clew.engine.archive import import_bundle as import_bundle
    from clew.engine.bootstrap import build as build
    from clew.engine.identity import answer as answer
    from clew.engine.identity import sign_up as sign_up
    from clew.engine.identity import start_onboarding as start_onboarding
    from clew.engine.parts import Parts as Parts
    from clew.engine.replay import rebuild as rebuild
    from clew.engine.rights import Scope as Scope
    from clew.engine.turn import take_turn as take_turn
    from clew.errors import ClewError as ClewError
    from clew.faces.python.asynchronous import AsyncChat as AsyncChat
    from clew.faces.python.asynchronous import AsyncMemory as AsyncMemory
    from clew.faces.python.chat import Chat as Chat
    from clew.faces.python.memory import Memory as Memory
    from clew.faces.python.results import Added as Added
    from clew.faces.python.results import Change as Change
    from clew.faces.python.results import Hit as Hit
    from clew.faces.python.results import Item as Item
    from clew.faces.python.results import Reply as Reply
    from clew.faces.python.results import Sent as Sent
    from clew.faces.python.tools import Threads as Threads
    from clew.faces.python.tools import ground as ground
    from clew.faces.python.tools import links as links
    from clew.faces.python.tools import replay as replay
    from clew.kernels import call as call
    from clew.model.exchange import Incoming as Incoming
    from clew.model.exchange import Outcome as Outcome
    from clew.policy import Policy as Policy


def __getattr__(name: str) -> Any:
    if name in _SURFACE:
        return getattr(import_module(_SURFACE[name]), name)
    if name in _MODULES:
        return import_module(f"clew.{name}")
    raise AttributeError(f"module 'clew' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

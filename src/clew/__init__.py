"""Clew: the model proposes, Clew disposes.

    import clew
    parts = clew.build("sqlite:///talk.db")
    outcome = clew.take_turn(parts, clew.Incoming(message_id, conversation_id, "hello"))

Names are loaded when first used, so that `import clew` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_SURFACE = {
    "ClewError": "clew.errors",
    "Incoming": "clew.model.exchange",
    "Outcome": "clew.model.exchange",
    "Parts": "clew.engine.parts",
    "Policy": "clew.policy",
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
_MODULES = ("kernels", "policy", "errors")

__all__ = ["__version__", *_MODULES, *_SURFACE]

if TYPE_CHECKING:
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

"""What the process holds of a user goes when the user is erased."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Any

from clew.engine.archive import erase_user
from clew.engine.bootstrap import make_embedder
from clew.engine.held_texts import let_go
from clew.engine.recall import find
from clew.engine.rights import Scope
from clew.kernel.statements.patterns import pattern
from clew.kernel.text.normalize import normal
from clew.policy import default
from clew.testing.parts import make_parts, onboard, say

# Words that stand nowhere in the package.
RARE = ("quorvinia", "blentharp", "슈르팡글")
SAID = (
    "I moved to Quorvinia last May and I love blentharp with garlic",
    "that's not true, I never said I live in Quorvinia",
    "do you remember what I told you about the blentharp?",
    "my sister Quorvinia is allergic to blentharp",
    "나 어제 슈르팡글 먹었어, 진짜 맛있더라",
    "remind me on Friday to buy blentharp",
    "forget the blentharp",
)


def held_by_the_package() -> set[str]:
    """Rare words in any text that can be reached from the modules of the package."""
    found: set[str] = set()
    modules = {name: vars(module) for name, module in tuple(sys.modules.items())}
    ours = {name for name in modules if name.partition(".")[0] == "clew"}
    todo: list[Any] = [modules[name] for name in ours]
    seen = {id(modules[name]) for name in modules if name not in ours}
    while todo:
        one = todo.pop()
        if id(one) in seen or isinstance(one, type(sys)):
            continue
        seen.add(id(one))
        if isinstance(one, (str, bytes)):
            text = one.lower() if isinstance(one, str) else one.decode("utf-8", "ignore").lower()
            found.update(word for word in RARE if word in text)
        else:
            todo.extend(gc.get_referents(one))
    return found


def test_after_an_erasure_nothing_in_the_process_holds_the_users_words(tmp_path: Path) -> None:
    parts = make_parts(f"sqlite:///{tmp_path / 'c.db'}", embedder=make_embedder())
    talk = onboard(parts)
    for number, text in enumerate(SAID, 1):
        say(parts, talk, text, number)
    find(parts, Scope(talk.user_id, talk.friend_id), "blentharp", k=3, at=parts.clock.now())
    assert held_by_the_package() == set(RARE), "the test would see what is held"
    erase_user(parts, talk.user_id)
    assert held_by_the_package() == set()
    parts.store.close()


def test_what_is_made_of_the_policy_alone_stays() -> None:
    compiled = pattern("ended_still", default())
    normal("a text of somebody")
    assert let_go() > 0
    assert normal.cache_info().currsize == 0
    assert pattern("ended_still", default()) is not None and compiled is not None
    assert let_go() == 1

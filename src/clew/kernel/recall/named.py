"""Whether a question names the very thing or person that something held is about."""

from __future__ import annotations

from clew.kernel.keep.keys import bare_value
from clew.kernel.statements.features import mentions
from clew.kernel.text.terms import terms
from clew.model.memory import SELF
from clew.policy import Policy


def names_it(question: str, subject: str, value: str, policy: Policy) -> bool:
    """By the word for who it is, or by a word of the value: "do I have a girlfriend?", "do I smoke?"."""
    if subject != SELF and any(m.subject == subject for m in mentions(question, policy.reader)):
        return True
    asked = {term for term, _ in terms(question, policy)}
    return bool(asked & {term for term, _ in terms(bare_value(value), policy)})

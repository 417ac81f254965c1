"""Drafts that are no reply at all: data, hidden letters, another language, a made-up helpline (rulings S3, S9)."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable

from clew.kernel.gate.plainly import unquoted
from clew.kernel.text.passage import Passage, passage
from clew.model.plan import Frame, Violation
from clew.policy import Policy
from clew.policy.gate import GateWords

_ALLOWED_CONTROLS = "\n\t\r"
# Joiners and variation marks inside emoji and in scripts that need them.
_ALLOWED_FORMATS = "\u200d\ufe0f"
_RUN = re.compile(r"\d+")
_DIGITS = re.compile(r"(?<![\w.,:/-])\+?\d[\d ()-]{1,16}\d(?![\w:/%])")
_LETTER = re.compile(r"[^\W\d_]")
_LETTERS_LEAST = 12
# So many letters around a quotation tell which language is spoken.
_LETTERS_AROUND = 4
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_WORDS_LEAST = 8


def forms(draft: Passage, frame: Frame, policy: Policy) -> list[Violation]:
    out: list[Violation] = []
    if found := _hidden(draft.text):
        out.append(Violation("SAFETY_HIDDEN", f"hidden character U+{ord(found):04X}"))
    if _is_data(draft):
        out.append(Violation("SAFETY_SYSTEM_LEAK", "data instead of words"))
    if frame.kind == "reply" and (found := _foreign(draft, frame, policy)):
        out.append(Violation("SAFETY_LANGUAGE", f"{found}, the conversation is in {frame.language}"))
    if number := _unknown_line(draft, frame, policy):
        out.append(Violation("SAFETY_HELPLINE", f"{number} stands in no table of helplines"))
    return out


def _hidden(reply: str) -> str:
    for char in reply:
        kind = unicodedata.category(char)
        if kind == "Cf" and char not in _ALLOWED_FORMATS:
            return char
        if kind in ("Cc", "Co", "Cs", "Cn") and char not in _ALLOWED_CONTROLS:
            return char
    return ""


def _is_data(draft: Passage) -> bool:
    bare = draft.text.strip().removeprefix("```json").removeprefix("```").removesuffix("```").strip()
    if bare[:1] not in "{[":
        return False
    try:
        return isinstance(json.loads(bare), (dict, list))
    except (ValueError, RecursionError):
        return bare[:1] == "{" and '":' in bare


def _foreign(draft: Passage, frame: Frame, policy: Policy) -> str:
    """Most letters are of another script than the conversation's, or hardly a word is of its grammar.

    Asked for, it is an answer; what is quoted may be in any language where the words around it are in this one.
    """
    if frame.reviewed:
        return ""
    around = unquoted(draft)
    said = passage(around, policy) if len(_LETTER.findall(around)) >= _LETTERS_AROUND else draft
    own = policy.gate.languages.get(frame.language)
    # A name or a title that the user wrote in another script may be most of a short answer.
    if len(_LETTER.findall(draft.text)) < _LETTERS_LEAST or own is None or not own.letters:
        return ""
    if any(word in frame.user_text.lower() for word in policy.gate.language_names):
        return ""
    if _mostly(own, said):
        return "" if _has_grammar(own, said) else "the draft is in another language of the same script"
    other = next((code for code, words in policy.gate.languages.items() if _mostly(words, said)), "")
    return f"the draft is written as {other} is" if other else "the draft is in another script"


def _mostly(words: GateWords, draft: Passage) -> bool:
    """Half of its letters or more are of the language's script."""
    return bool(words.letters) and 2 * len(re.findall(words.letters, draft.text)) >= len(_LETTER.findall(draft.text))


def _has_grammar(words: GateWords, draft: Passage) -> bool:
    """Some words of every sentence that is long enough only bind the others together."""
    said = [word.lower().replace("’", "'") for word in _WORD.findall(draft.text)]
    return len(said) < _WORDS_LEAST or sum(w in words.grammar for w in said) >= words.grammar_least * len(said)


def _unknown_line(draft: Passage, frame: Frame, policy: Policy) -> str:
    """A number to call, beside words of help, that is neither in the table nor the user's own."""
    low = draft.text.lower()
    if not any(word in low for word in policy.gate.line_words) and not (
        frame.caring and any(word in low for word in policy.gate.call_words)
    ):
        return ""
    table = (f"{r.contact} {r.name}" for r in policy.engine.crisis_resources.values())
    given = (frame.user_text, *(frame.known or ()), *frame.previous)
    # What the user wrote as "600km" may be said as "600 kilometres".
    told = {found for text in given for found in _RUN.findall(text)}
    allowed = set(policy.gate.emergency_numbers) | _numbers((*table, *given)) | told
    return next((n for n in sorted(_numbers((draft.text,))) if len(n) > 2 and n not in allowed), "")


def _numbers(texts: Iterable[str]) -> set[str]:
    return {re.sub(r"\D", "", found) for text in texts for found in _DIGITS.findall(text)}

"""Drafts that are no reply at all: data, hidden letters, another language, a made-up helpline (rulings S3, S9)."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable

from clew.kernel.gate.plainly import unquoted
from clew.kernel.gate.safety import other_language
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
# Of a script that is neither the conversation's nor Latin, so few letters tell it.
_STRANGE_LEAST = 2
_LATIN = "\u024f"
# So many letters around a quotation tell which language is spoken.
_LETTERS_AROUND = 4
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_WORDS_LEAST = 8
# A shorter text is of another language where a word is spelled as no word of this one, and hardly any binds the others.
_WORDS_SPELLED, _SPELLED_LEAST = 4, 0.2
_SPELLED = re.compile(r"[^\W\dA-Za-z_]|[¿¡]")
# As many digits as a telephone's number has; two years with a dash between them are none.
_TELEPHONE = 7
_YEARS = re.compile(r"(?:1\d|20)\d\d ?- ?(?:1[0-9]|20)\d\d")


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
    if own is None or not own.letters:
        return ""
    if len(_LETTER.findall(draft.text)) < _LETTERS_LEAST and not _strange(said, frame, policy):
        return ""
    if other_language(frame, policy):
        return ""
    if _mostly(own, said):
        return "" if _has_grammar(own, said) else "the draft is in another language of the same script"
    other = next((code for code, words in policy.gate.languages.items() if _mostly(words, said)), "")
    return f"the draft is written as {other} is" if other else "the draft is in another script"


def _strange(draft: Passage, frame: Frame, policy: Policy) -> bool:
    """Written in a script of which the user wrote nothing, and that no language spoken here is written in."""
    ours = [words.letters for words in policy.gate.languages.values() if words.letters]
    letters = [c for c in _LETTER.findall(draft.text) if c > _LATIN and not any(re.match(own, c) for own in ours)]
    return len(letters) >= _STRANGE_LEAST and not any(c in frame.user_text for c in letters)


def _mostly(words: GateWords, draft: Passage) -> bool:
    """Half of its letters or more are of the language's script."""
    return bool(words.letters) and 2 * len(re.findall(words.letters, draft.text)) >= len(_LETTER.findall(draft.text))


def _has_grammar(words: GateWords, draft: Passage) -> bool:
    """Some words of every sentence that is long enough only bind the others together."""
    said = [word.lower().replace("’", "'") for word in _WORD.findall(draft.text)]
    binding = sum(w in words.grammar for w in said)
    if len(said) < _WORDS_LEAST:
        spelled = words.grammar_least and any(_SPELLED.search(w) for w in said if w[:1].islower())
        return len(said) < _WORDS_SPELLED or not spelled or binding >= _SPELLED_LEAST * len(said)
    return binding >= words.grammar_least * len(said)


def _unknown_line(draft: Passage, frame: Frame, policy: Policy) -> str:
    """A number to call, beside words of help, that is neither in the table nor the user's own."""
    low = draft.text.lower()
    helps, calls = (any(word in low for word in words) for words in (policy.gate.line_words, policy.gate.call_words))
    if not helps and not calls:
        return ""
    table = (f"{r.contact} {r.name}" for r in policy.engine.crisis_resources.values())
    given = (frame.user_text, *(frame.known or ()), *frame.previous)
    # What the user wrote as "600km" may be said as "600 kilometres".
    told = {found for text in given for found in _RUN.findall(text)}
    allowed = set(policy.gate.emergency_numbers) | _numbers((*table, *given)) | told
    least = 3 if helps or frame.caring else _TELEPHONE
    named = _numbers((_YEARS.sub(" ", draft.text),))
    return next((n for n in sorted(named) if len(n) >= least and n not in allowed), "")


def _numbers(texts: Iterable[str]) -> set[str]:
    return {re.sub(r"\D", "", found) for text in texts for found in _DIGITS.findall(text)}

"""The letters with which what a pattern matches can begin, so that most texts need not be held against it at all."""

from __future__ import annotations

import re
from collections.abc import Iterator

SIZE = 3
"""How many letters are compared, at most."""
_AROUND = ("(?=", "(?!", "(?<=", "(?<!")
_ANYTHING = frozenset("\\.")
_MAY_LACK = frozenset("?*")
_REPEATS = frozenset("+{")
_PLAIN = re.compile(rf"[^\\.?*+{{()\[^|]{{{SIZE + 1}}}")
"""As many letters as are compared, and one behind them that says nothing of the last: what most words begin with."""
_BRACKETS = re.compile(r"\\.|\[[^\]]*+\]|[()]", re.DOTALL)
_BRANCHES = re.compile(r"\\.|\[[^\]]*+\]|[(|]", re.DOTALL)


def word_starts(pattern: str) -> frozenset[str]:
    """Return beginnings of 1 to 3 letters: every match begins with one of them.

    It reads what lists of words are written with: letters, `(?:a|b)`, `[ab]`, `?`, `*`, `^`, lookarounds, and `\\b`. At
    anything else a beginning ends early, which makes it fit more. Raises ValueError where it may begin with anything.
    """
    found = frozenset(start for one in _alternatives(pattern) for start, _ in _starts(one))
    if "" in found:
        raise ValueError(f"{pattern!r} may begin with anything")
    return found


def _starts(words: str) -> set[tuple[str, bool]]:
    """Return each beginning of one alternative, and whether more letters may follow it here."""
    if _PLAIN.match(words):
        return {(words[:SIZE], False)}
    done: set[tuple[str, bool]] = set()
    going = {""}
    at = 0
    while at < len(words) and going:
        if words.startswith(_AROUND, at):
            at = _closing(words, at) + 1
            continue
        if words.startswith(("\\b", "^"), at):
            at += 2 if words[at] == "\\" else 1
            continue
        if words[at] in _ANYTHING:
            return done | {(start, False) for start in going}
        step, at = _step(words, at)
        behind = words[at : at + 1]
        if behind in _REPEATS:
            return done | {(start, False) for start in going}
        if behind in _MAY_LACK and behind:
            at += 1
            # once more the same, or what comes behind: the rest is not known
            step = {(start, goes_on and behind == "?") for start, goes_on in step} | {("", True)}
        reached = {(start + more, goes_on) for start in going for more, goes_on in step}
        done |= {(start[:SIZE], False) for start, goes_on in reached if not goes_on or len(start) >= SIZE}
        going = {start for start, goes_on in reached if goes_on and len(start) < SIZE}
    return done | {(start, True) for start in going}


def _step(words: str, at: int) -> tuple[set[tuple[str, bool]], int]:
    """Read one thing; return how it may begin, and where it ends."""
    if words.startswith("(?:", at):
        end = _closing(words, at)
        return {start for one in _alternatives(words[at + 3 : end]) for start in _starts(one)}, end + 1
    if words[at] == "[":
        end = words.index("]", at)
        return {(letter, True) for letter in words[at + 1 : end]}, end + 1
    return {(words[at], True)}, at + 1


def _alternatives(pattern: str) -> Iterator[str]:
    begun = at = 0
    while sign := _BRANCHES.search(pattern, at):
        at = sign.end()
        if sign[0] == "(":
            at = _closing(pattern, sign.start()) + 1
        elif sign[0] == "|":
            yield pattern[begun : sign.start()]
            begun = at
    yield pattern[begun:]


def _closing(pattern: str, at: int) -> int:
    """Return where the group that begins here ends."""
    depth = 0
    for sign in _BRACKETS.finditer(pattern, at):
        depth += (sign[0] == "(") - (sign[0] == ")")
        if not depth and sign[0] == ")":
            return sign.start()
    raise IndexError(f"{pattern!r} has a group without an end")

"""Shorten memories, one a line: the beginning of what they say, then only their ids, types and importance."""

from __future__ import annotations

from collections.abc import Iterator

from bot.task_prompt.truncate.rung import LadderRung, count_of

_SEPARATOR = " | "
_KEPT_FIELDS = 3
"""The id, the type and the importance stand first."""
_MAX_WORDS_CHARS = (80, 30, 0)
"""Characters of what a memory says."""


def rungs(content: str, room: int) -> Iterator[LadderRung]:
    """Yield less and less of what each memory says; lines that are no memories go."""
    found = [line.split(_SEPARATOR) for line in content.split("\n") if line.count(_SEPARATOR) >= _KEPT_FIELDS - 1]
    if not found:
        return
    for longest in _MAX_WORDS_CHARS:
        lines = [_SEPARATOR.join((*fields[:_KEPT_FIELDS], *_said(fields, longest))) for fields in found]
        stays = f" and the first {longest} characters" if longest else ""
        note = f"cut: of {count_of(len(found), 'memory', 'memories')} all but id, type, importance{stays}"
        yield LadderRung("beginnings" if longest else "ids", "\n".join(lines), note)


def _said(fields: list[str], longest: int) -> tuple[str, ...]:
    said = fields[-1] if len(fields) > _KEPT_FIELDS else ""
    if not longest or not said:
        return ()
    return (said if len(said) <= longest else f"{said[:longest].rstrip()}...",)

"""Shorten memories, one a line: the beginning of what they say, then only their ids, types and importance."""

from __future__ import annotations

from collections.abc import Iterator

from bot.task_prompt.truncate.rung import LadderRung, some

_BETWEEN = " | "
_KEPT = 3
"""The id, the type and the importance stand first."""
_LONGEST = (80, 30, 0)
"""Characters of what a memory says."""


def rungs(content: str, room: int) -> Iterator[LadderRung]:
    """Yield less and less of what each memory says; lines that are no memories go."""
    found = [line.split(_BETWEEN) for line in content.split("\n") if line.count(_BETWEEN) >= _KEPT - 1]
    if not found:
        return
    for longest in _LONGEST:
        lines = [_BETWEEN.join((*fields[:_KEPT], *_said(fields, longest))) for fields in found]
        stays = f" and the first {longest} characters" if longest else ""
        note = f"cut: of {some(len(found), 'memory', 'memories')} all but id, type, importance{stays}"
        yield LadderRung("beginnings" if longest else "ids", "\n".join(lines), note)


def _said(fields: list[str], longest: int) -> tuple[str, ...]:
    said = fields[-1] if len(fields) > _KEPT else ""
    if not longest or not said:
        return ()
    return (said if len(said) <= longest else f"{said[:longest].rstrip()}...",)

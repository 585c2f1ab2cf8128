"""Shorten a tree of lines by its indentation: the innermost level goes first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.task_prompt.truncate.rung import LadderRung, count_of


def rungs(content: str, room: int) -> Iterator[LadderRung]:
    """Yield the tree with one level less each time, down to the outermost; what is inside is counted."""
    lines = [line for line in content.split("\n") if line.strip()]
    depths = [len(line) - len(line.lstrip()) for line in lines]
    levels = sorted(set(depths))
    for level in reversed(levels[1:]):
        text = _above(lines, depths, level)
        gone = sum(depth >= level for depth in depths)
        yield LadderRung(
            f"{count_of(levels.index(level), 'level')}",
            text,
            f"cut: {count_of(gone, 'line')} of {len(lines):,}, the innermost",
        )


def _above(lines: Sequence[str], depths: Sequence[int], level: int) -> str:
    shown: list[str] = []
    inside = 0
    for line, depth in zip(lines, depths, strict=True):
        if depth >= level:
            inside += 1
            continue
        if inside and shown:
            shown[-1] += f" ({inside:,} inside)"
        inside = 0
        shown.append(line)
    if inside and shown:
        shown[-1] += f" ({inside:,} inside)"
    return "\n".join(shown)

"""Read the paths that a model writes: relative, plain, and never a step up."""

from __future__ import annotations

from bot.errors import ToolError
from bot.ports.workspaces import WORKSPACE_PATH
from bot.text.text import excerpt, visible

DEEPEST = 32
"""How many folders may stand in one another; what a program puts deeper is not shown, and counts as too much."""
_LONGEST_PATH = 1000
_LONGEST_NAME = 255


def parts(path: str) -> tuple[str, ...]:
    """Return the names on the way to a file, none for the workspace itself; raise ToolError for every other kind."""
    if len(path) > _LONGEST_PATH:
        raise ToolError(f"The path has {len(path):,} characters; {_LONGEST_PATH:,} are the most.")
    inside = (
        path.removeprefix(WORKSPACE_PATH) if path == WORKSPACE_PATH or path.startswith(f"{WORKSPACE_PATH}/") else None
    )
    if inside is None and path.startswith(("/", "~")):
        raise ToolError(f'"{quoted(path)}" is outside of the workspace. Write a path like notes/today.md.')
    names = tuple(name for name in (path if inside is None else inside).split("/") if name not in ("", "."))
    for name in names:
        _check(name, path)
    if len(names) > DEEPEST:
        raise ToolError(f"The path has {len(names)} folders; {DEEPEST} are the most.")
    return names


def quoted(path: str) -> str:
    """Return a path as it may stand in a message."""
    return excerpt(path, 120)


def _check(name: str, path: str) -> None:
    if name == "..":
        raise ToolError(f'"{quoted(path)}" leads upwards. Write the path from the workspace on, without `..`.')
    if not _is_text(name) or "\n" in name or "\t" in name or visible(name) != name:
        raise ToolError(f'"{quoted(path)}" has characters that no file name here may have.')
    if len(name.encode()) > _LONGEST_NAME:
        raise ToolError(f"A name in the path has more than {_LONGEST_NAME} bytes.")


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True

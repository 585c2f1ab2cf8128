"""Read the paths that a model writes: relative, plain, and never a step up."""

from __future__ import annotations

from bot.errors import ToolError
from bot.ports.workspaces import WORKSPACE_PATH
from bot.text.text import excerpt, visible

MAX_DEPTH = 32
"""How many folders may stand in one another; what a program puts deeper is not shown, and counts as too much."""
_MAX_PATH_CHARS = 1000
_MAX_NAME_BYTES = 255


def path_parts(path: str) -> tuple[str, ...]:
    """Return the names on the way to a file, none for the workspace itself; raise ToolError for every other kind."""
    if len(path) > _MAX_PATH_CHARS:
        raise ToolError(f"The path has {len(path):,} characters; {_MAX_PATH_CHARS:,} are the most.")
    inside = (
        path.removeprefix(WORKSPACE_PATH) if path == WORKSPACE_PATH or path.startswith(f"{WORKSPACE_PATH}/") else None
    )
    if inside is None and path.startswith(("/", "~")):
        raise ToolError(f'"{quoted_path(path)}" is outside of the workspace. Write a path like notes/today.md.')
    names = tuple(name for name in (path if inside is None else inside).split("/") if name not in ("", "."))
    for name in names:
        _check(name, path)
    if len(names) > MAX_DEPTH:
        raise ToolError(f"The path has {len(names)} folders; {MAX_DEPTH} are the most.")
    return names


def quoted_path(path: str) -> str:
    """Return a path as it may stand in a message."""
    return excerpt(path, 120)


def _check(name: str, path: str) -> None:
    if name == "..":
        raise ToolError(f'"{quoted_path(path)}" leads upwards. Write the path from the workspace on, without `..`.')
    if not _is_text(name) or "\n" in name or "\t" in name or visible(name) != name:
        raise ToolError(f'"{quoted_path(path)}" has characters that no file name here may have.')
    if len(name.encode()) > _MAX_NAME_BYTES:
        raise ToolError(f"A name in the path has more than {_MAX_NAME_BYTES} bytes.")


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True

"""Draw the rooms from the code's own imports, and write what the pages about them must not get wrong.

Usage: python -m tests.architecture.drawing
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from tests.architecture.tree import ROOT, modules, parsed, short

DOCS = ROOT / "docs"
COLUMNS = {
    "adapters": 0,
    "diagnostics": 1,
    "config": 1,
    "runtime": 1,
    "prompts": 1,
    "tools": 3,
    "skills": 3,
    "errors": 3,
    "memory": 4,
    "mind": 4,
}
"""Where a room stands in its floor; those that are not named stand in the middle."""
MIDDLE = 2
BANDS = {"launcher": "start", "cortex": "talk", "agent": "think", "task_prompt": "know", "ports": "stand on"}
"""What the floors have in common, from the one with this room on."""
COLUMN, FLOOR, BOX, HIGH, LEFT, TOP = 150, 62, 132, 36, 84, 14

Arrows = dict[str, set[str]]


# what the code says


def imports_of(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from ([f"bot.{one.name}" for one in node.names] if node.module == "bot" else [node.module])


def room_of(module: str) -> str:
    """The package below `bot`, or `adapters`; nothing for what is no room."""
    first, _, rest = module.partition(".")
    below = rest.partition(".")[0]
    room = first if first == "adapters" else below if first == "bot" else ""
    return room if room in COLUMNS or room in rooms_of_bot() else ""


@cache
def rooms_of_bot() -> tuple[str, ...]:
    return tuple(room for floor in floors() for room in floor)


def floors() -> list[list[str]]:
    return layers_of("bot")


@cache
def layers_of(container: str) -> list[list[str]]:
    """What the contract about a package says, from top to bottom; nothing where it has none."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    for contract in settings["tool"]["importlinter"]["contracts"]:
        if contract["type"] == "layers" and contract["containers"] == [container]:
            return [layer.split(" | ") for layer in contract["layers"]]
    return []


@cache
def arrows() -> Arrows:
    found: Arrows = defaultdict(set)
    for path in modules("bot", "adapters"):
        here = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        there = {room_of(module) for module in imports_of(path)}
        if here:
            found[here] |= there - {here, ""}
    return found


def drawn(every: Arrows) -> list[tuple[str, str]]:
    """Those that no way over another room says already."""

    def beyond(room: str) -> set[str]:
        return {far for near in every.get(room, set()) for far in {near, *beyond(near)}}

    return sorted(
        (here, there)
        for here, near in every.items()
        for there in near
        if not any(there in beyond(other) for other in near - {there})
    )


def purpose(folder: str) -> str:
    """The first paragraph of its docstring."""
    path = ROOT / folder
    text = ast.get_docstring(parsed(path / "__init__.py" if path.is_dir() else path.with_suffix(".py"))) or ""
    return " ".join(text.split("\n\n")[0].split())


# the picture


def picture() -> str:
    heights = {room: TOP + number * FLOOR for number, floor in enumerate(floors()) for room in floor}
    heights["adapters"] = heights["runtime"]
    width, height = LEFT + 5 * COLUMN, TOP + len(floors()) * FLOOR
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif">',
        "<title>The rooms and what they import, top to bottom</title>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto">'
        '<path d="M0 0 8 4 0 8z" fill="#57606a"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
        *_bands(width, height),
        '<g stroke="#57606a" stroke-width="1.4" fill="none" marker-end="url(#tip)">',
        *_lines(heights),
        "</g>",
        *(_box(room, heights[room]) for room in heights),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _bands(width: int, height: int) -> Iterator[str]:
    starts = [number for number, floor in enumerate(floors()) if set(floor) & set(BANDS)]
    words = [word for floor in floors() for room in floor if (word := BANDS.get(room))]
    for shade, (start, word) in enumerate(zip(starts, words, strict=True)):
        top = start * FLOOR + TOP // 2
        bottom = starts[shade + 1] * FLOOR + TOP // 2 if shade + 1 < len(starts) else height
        colour = "#f6f8fa" if shade % 2 else "#eaeef2"
        yield f'<rect y="{top}" width="{width}" height="{bottom - top}" fill="{colour}"/>'
        yield f'<text x="8" y="{top + 24}" font-size="17" font-style="italic" fill="#57606a">{word}</text>'


def _box(room: str, top: int) -> str:
    left = LEFT + _column(room) * COLUMN
    high = HIGH + 3 * FLOOR if room == "adapters" else HIGH
    edge = "#8250df" if room == "adapters" else "#0969da"
    return (
        f'<rect x="{left}" y="{top}" width="{BOX}" height="{high}" rx="6" fill="#ffffff" stroke="{edge}" '
        f'stroke-width="1.6"/><text x="{left + BOX // 2}" y="{top + high // 2 + 6}" font-size="18" '
        f'text-anchor="middle" fill="#1f2328">{room}</text>'
    )


def _column(room: str) -> int:
    return COLUMNS.get(room, MIDDLE)


def _lines(heights: dict[str, int]) -> Iterator[str]:
    every = drawn(arrows())
    for here, there in every:
        starts = sorted((room for near, room in every if near == here), key=_column)
        ends = sorted((room for room, near in every if near == there), key=_column)
        x, y = _spread(here, starts, there), heights[here] + HIGH
        to_x, to_y = _spread(there, ends, here), heights[there]
        if here == "adapters":
            yield f'<path d="M{LEFT + BOX} {to_y + HIGH // 2}H{LEFT + COLUMN}"/>'
        elif _hidden(here, there, heights):
            left = LEFT + _column(here) * COLUMN
            yield f'<path d="M{left} {y - HIGH // 2}H{left - 9}V{to_y + HIGH // 2}H{left}"/>'
        else:
            yield f'<path d="M{x} {y}L{to_x} {to_y}"/>'


def _spread(room: str, others: Sequence[str], other: str) -> int:
    """Let arrows begin and end beside each other."""
    left = LEFT + _column(room) * COLUMN
    return left + BOX * (others.index(other) + 1) // (len(others) + 1)


def _hidden(here: str, there: str, heights: dict[str, int]) -> bool:
    """Whether another box stands in a straight way down."""
    return _column(here) == _column(there) and any(
        heights[here] < top < heights[there] and _column(room) == _column(here) for room, top in heights.items()
    )


# the words


def floors_in_words() -> str:
    """The picture for those who see none: a floor a line, with the arrows of each room."""
    every = drawn(arrows())
    rows = []
    for number, floor in enumerate([*floors(), ["adapters"]]):
        for room in floor:
            below = ", ".join(there for here, there in every if here == room)
            where = "beside" if room == "adapters" else str(number + 1)
            rows.append(f"{where:>6}  {room:<12}{' → ' + below if below else ''}".rstrip())
    return "```text\n" + "\n".join(rows) + "\n```"


def rooms_in_words() -> str:
    named = [*rooms_of_bot(), "adapters"]
    return "\n".join(f"- [`{room}`]({page_of(room)}): {purpose(folder_of(room))}" for room in named)


def folder_of(room: str) -> str:
    return room if room == "adapters" else f"bot/{room}"


def page_of(room: str) -> str:
    """Rooms that are folders have a page; single files share one."""
    return f"rooms/{room}.md" if (ROOT / folder_of(room)).is_dir() else "rooms/single_files.md"


def head_of(room: str) -> str:
    """What a room's page says of it that the tree says, too."""
    folder = folder_of(room)
    rows = [purpose(folder), "", f"- May import: {_allowed(room)}."]
    tests = f"tests/{folder}"
    rows.append(f"- Tests: `{tests}`." if (ROOT / tests).is_dir() else "- Tests: through the rooms that use it.")
    inside = list(_inside(folder))
    if inside:
        points = "from top to bottom" if layers_of(folder.replace("/", ".")) else "in order of the alphabet"
        rows += ["", f"Inside, {points}:", "", *inside]
    return "\n".join(rows)


def _allowed(room: str) -> str:
    if room == "adapters":
        return "`ports`, `runtime`, `domain`, `text`, `errors`; an adapter knows of no other adapter's platform"
    below = False
    named = []
    for floor in floors():
        named += [f"`{one}`" for one in floor if below]
        below = below or room in floor
    return ", ".join(named) or "nothing of the project"


def _inside(folder: str) -> Iterator[str]:
    present = {path.parent.name for path in (ROOT / folder).glob("*/__init__.py")}
    flat = {path.stem for path in (ROOT / folder).glob("*.py")}
    ordered = [name for layer in layers_of(folder.replace("/", ".")) for name in layer]
    for name in ordered or sorted(present):
        if name in present or name in flat:
            below = f"{folder}/{name}" + ("" if name in present else ".py")
            yield f"- `{below}`: {purpose(f'{folder}/{name}')}"


def filled(text: str) -> str:
    """Put what the tree says between the marks of a page."""

    def made(found: re.Match[str]) -> str:
        what, room = found[1], found[2]
        words = {"floors": floors_in_words, "rooms": rooms_in_words}.get(what)
        return f"<!-- made {what}{room} -->\n{words() if words else head_of(room.strip())}\n<!-- /made -->"

    return re.sub(r"<!-- made (\w+)((?: \w+)?) -->\n.*?<!-- /made -->", made, text, flags=re.DOTALL)


def pages() -> list[Path]:
    return sorted(DOCS.rglob("*.md"))


def main() -> None:
    (DOCS / "rooms.svg").write_text(picture(), encoding="utf-8")
    for page in pages():
        page.write_text(filled(page.read_text(encoding="utf-8")), encoding="utf-8")
        print(short(page))


if __name__ == "__main__":
    main()

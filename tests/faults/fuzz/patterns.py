"""Every regular expression of the product against inputs that make a careless one search for hours.

The patterns are found, not listed: those that stand anywhere in a loaded module, and those that are written as literals
in calls of `re`. Each is used here in the ways in which its module uses it; where that cannot be seen, in all of them.
"""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeGuard

from tests.bot.text.test_redaction import TRAPS
from tests.faults.records import ROOT

SIZES = (1_000, 10_000, 100_000)
"""Characters. The smaller ones first: with what is slow there already, the largest would keep everybody waiting."""
MOST_MS = 50.0
_UNHURRIED = 0.015
"""Seconds that a sum of 300,000 squares takes."""
WAYS = ("search", "match", "fullmatch")
_SEARCHING = {"search": "search", "finditer": "search", "findall": "search", "sub": "search", "subn": "search"}
_SEARCHING |= {"split": "search", "match": "match", "fullmatch": "fullmatch"}
_DEEPEST = 6


class Used(NamedTuple):
    """A pattern, where it stands, how it is used there, and how long (characters) a text is that it is asked about.

    A module whose callers cut their texts says so with a `LONGEST_TEXT` of its own.
    """

    place: str
    pattern: re.Pattern[Any]
    ways: frozenset[str]
    longest: int


class Slow(NamedTuple):
    """How long the slowest use of a pattern took (ms of CPU), and with what: a text of `size` made of `trap`."""

    ms: float
    size: int
    place: str
    way: str
    trap: str


def modules() -> tuple[str, ...]:
    """Name the modules that may have patterns; costs a look at their text."""
    found = []
    for folder in ("bot", "adapters"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if re.search(r"\bre\.[a-z]+\(|re\.Pattern", path.read_text(encoding="utf-8")):
                found.append(".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"))
    return tuple(found)


def patterns(name: str) -> tuple[Used, ...]:
    """Find the patterns of a module."""
    module = import_module(name)
    tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
    longest = getattr(module, "LONGEST_TEXT", SIZES[-1])
    found: dict[tuple[Any, int], Used] = {}
    for place, pattern in (*_standing(module), *_written(tree, module)):
        found.setdefault(
            (pattern.pattern, pattern.flags), Used(f"{name}:{place}", pattern, _ways(tree, place), longest)
        )
    return tuple(found.values())


def _standing(module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    seen: set[int] = set()
    for place, value in vars(module).items():
        is_of_another = isinstance(value, type) and value.__module__ != module.__name__
        if not place.startswith("__") and not is_of_another:
            yield from _inside(place, value, seen, _DEEPEST)


def _inside(name: str, value: Any, seen: set[int], depth: int) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Yield what is inside a value, with the name by which it is called there: its own, or that of a field."""
    if isinstance(value, re.Pattern):
        yield name, value
        return
    if depth == 0 or id(value) in seen or isinstance(value, str | bytes | int | float | ModuleType):
        return
    seen.add(id(value))
    for field_name, below in _parts(value):
        yield from _inside(field_name or name, below, seen, depth - 1)


def _parts(value: Any) -> Iterable[tuple[str, Any]]:
    if isinstance(value, Mapping):
        return [("", below) for below in (*value.keys(), *value.values())]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return list(zip(value._fields, value, strict=True))
    if isinstance(value, list | tuple | set | frozenset):
        return [("", below) for below in value]
    if isinstance(value, type):
        return [(name, below) for name, below in vars(value).items() if not name.startswith("__")]
    if is_dataclass(value):
        return [(field.name, getattr(value, field.name, None)) for field in fields(value)]
    cells = getattr(value, "__closure__", None) or ()
    return [
        ("", one) for one in (*(cell.cell_contents for cell in cells), *(getattr(value, "__defaults__", None) or ()))
    ]


def _written(tree: ast.Module, module: ModuleType) -> Iterator[tuple[str, re.Pattern[Any]]]:
    """Find what is compiled on the spot; what is put together from parts is taken where all parts are known."""
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args):
            continue
        if isinstance(node.func.value, ast.Name) and node.func.value.id == "re" and node.func.attr != "escape":
            text = _text_of(node.args[0], module)
            if text is not None:
                yield f"line {node.lineno} {node.func.attr}", re.compile(text, _flags(node))


def _text_of(node: ast.expr, module: ModuleType) -> Any:
    try:
        return eval(compile(ast.Expression(node), "<pattern>", "eval"), dict(vars(module)))  # noqa: S307 - our own code
    except Exception:  # noqa: BLE001 - it hangs on what is known later
        return None


def _flags(node: ast.Call) -> int:
    given = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    names = {one.attr for part in given for one in ast.walk(part) if isinstance(one, ast.Attribute)}
    flags = re.NOFLAG
    for name in names & re.RegexFlag.__members__.keys():
        flags |= re.RegexFlag[name]
    return int(flags)


def _ways(tree: ast.Module, place: str) -> frozenset[str]:
    if place.startswith("line "):
        return frozenset({_SEARCHING.get(place.rpartition(" ")[2], "")} & set(WAYS)) or frozenset(WAYS)
    used = _used(tree, lambda node: _is_name(node, place))
    # what stands in a list is called by another name: by any that is none of the module's own
    own = {target.id for node in tree.body for target in ast.walk(node) if _is_constant(target)}
    return (
        used or _used(tree, lambda node: isinstance(node, ast.Name) and node.id not in own | {"re"}) or frozenset(WAYS)
    )


def _used(tree: ast.Module, is_meant: Callable[[ast.expr], bool]) -> frozenset[str]:
    return frozenset(
        _SEARCHING[node.attr]
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in _SEARCHING and is_meant(node.value)
    )


def _is_constant(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id.isupper()


def _is_name(node: ast.expr, place: str) -> bool:
    node = node.value if isinstance(node, ast.Subscript) else node
    return (isinstance(node, ast.Name) and node.id == place) or (isinstance(node, ast.Attribute) and node.attr == place)


def traps(pattern: re.Pattern[Any]) -> tuple[tuple[str, str], ...]:
    """Return what inputs are made of, a piece and its end: the usual traps, and what the pattern itself is made of."""
    own = list(dict.fromkeys(re.findall(r"[A-Za-z0-9 ]{2,12}|[^\w\s]", _source(pattern))))
    pieces = [*TRAPS, *own[:24], "a b", "x=", "<a ", "aA0", "#", ">", "{", "`" * 3 + "\n", "\t", "é", "你", "0."]
    ends = [(piece, "\x01!") for piece in own[:8]]
    return (*((piece, "") for piece in pieces), *ends, (" ", "x"), ("\n", "x"), ("a", " " * 400))


def _source(pattern: re.Pattern[Any]) -> str:
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    return re.sub(r"\\[a-zA-Z]", " ", text)


def slowest(used: Used) -> tuple[int, Slow]:
    """Time every way with every input until one takes too long; return how many there were, and the slowest."""
    worst, count = Slow(0.0, 0, used.place, "", ""), 0
    for trap in traps(used.pattern):
        for way in sorted(used.ways):
            count += 1
            worst = max(worst, _timed(used, way, trap))
            if worst.ms > MOST_MS:
                return count, worst
    return count, worst


def _timed(used: Used, way: str, trap: tuple[str, str]) -> Slow:
    piece, end = trap
    slow = Slow(0.0, 0, used.place, way, "")
    for size in (*(size for size in SIZES if size < used.longest), used.longest):
        text: Any = (piece * (size // len(piece) + 1))[: size - len(end)] + end
        text = text.encode() if isinstance(used.pattern.pattern, bytes) else text
        ms = _spent(used.pattern, way, text)
        if ms > MOST_MS:
            ms = min(ms, *(_spent(used.pattern, way, text) for _ in range(3))) / _slowness()
        slow = Slow(ms, size, used.place, way, repr(trap)[:60])
        if ms > MOST_MS:
            break
    return slow


def _slowness() -> float:
    """Say how much longer a piece of work takes than on an unhurried machine: what others do on it is not our doing."""
    took = []
    for _ in range(3):
        began = time.thread_time()
        sum(n * n for n in range(300_000))
        took.append(time.thread_time() - began)
    return max(1.0, min(took) / _UNHURRIED)


def _spent(pattern: re.Pattern[Any], way: str, text: Any) -> float:
    began = time.thread_time()
    if way == "search":
        for _ in pattern.finditer(text):
            pass
    else:
        getattr(pattern, way)(text)
    return (time.thread_time() - began) * 1000

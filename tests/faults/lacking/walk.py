"""Walk through everything that a bot loads or reads late, and let each of it fail in a process of its own.

Usage: python -m tests.faults.lacking.walk list | play CASE DIRECTORY

What is loaded at a start is loaded here before; each run is a fork of that, and loads late what a real bot loads late.
"""

from __future__ import annotations

import asyncio
import logging
import os
import select
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from importlib import import_module
from itertools import accumulate, takewhile
from pathlib import Path
from typing import Any, NamedTuple

import orjson
import structlog

from adapters.tiktoken import create as create_counter
from bot.sentences import say
from bot.text.links import defang
from tests.dialogs.bot import Bot, a_bot

ROOT = Path(__file__).parents[3]
SECONDS = 60
CHAT = ("[#general] ann> @glassmind hello", "[#general] ann> @glassmind tell me more")
MANY = 12
USES = (
    "context",
    "last",
    "export",
    "diff",
    "cache",
    "gap",
    "usage",
    "ledger",
    "memory",
    "tools",
    "work",
    "skills",
    "compactions",
    "audit",
    "help",
    "is anything wrong in there?",
)
FOLDERS = ("skills", "context", "outgoing")
"""Folders of the data directory that are read or made late; in the place of those that are made stands a file."""
LOOKS = ("why", "doctor")
_NOT_WALKED = ("tests", "_pytest", "pytest", "encodings.")
"""What is not the bot's. A codec that cannot be loaded is told by Python as one that it does not know."""
_DOES_THE_SAME = frozenset({"markupsafe._speedups", "tzdata"})
"""Modules without which nothing is missing: their library does the same in Python, or reads the system's own files."""
_OWN = frozenset({"bot", "adapters"})
NO_MEMORY = say("failure_words.no-memory")
_PYTHONS_OWN = frozenset({"concurrent.futures.thread"})
"""What asyncio itself needs to hand anything to a thread: without it there is no bot."""
FAULTS: dict[str, Callable[[str], BaseException]] = {
    "import": lambda name: ImportError(f"{name} is broken", name=name),
    "os": lambda name: OSError(5, "Input/output error", str(ROOT / _file_of(name))),
    "syntax": lambda name: SyntaxError("invalid syntax", (str(ROOT / _file_of(name)), 1, 1, "")),
    "memory": lambda name: MemoryError(),
}


def _file_of(module: str) -> str:
    return f"{module.replace('.', '/')}.py"


class Played(NamedTuple):
    """What came of a run: whether the missing thing was wanted, what people read, and the answers by question."""

    wanted: bool
    public: list[str]
    answers: dict[str, str]
    error: str = ""


class _Finder:
    """Finds a module broken."""

    def __init__(self, name: str, fault: str) -> None:
        self.name = name
        self.fault = fault
        self.wanted = False

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == self.name or name.startswith(f"{self.name}."):
            self.wanted = True
            raise FAULTS[self.fault](name)


class _Watcher:
    """Sees what is loaded, in order, and while which others are being loaded."""

    def __init__(self) -> None:
        self.under: dict[str, list[str]] = {}

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        frame, under = sys._getframe(1), []
        while frame is not None:
            if frame.f_code.co_name == "<module>":
                under.append(frame.f_globals["__name__"])
            frame = frame.f_back  # type: ignore[assignment]
        # whoever only asks whether it is there has loaded nothing: the last one to look for it does
        self.under.pop(name, None)
        self.under[name] = under


class _Lock:
    """Keeps files from being read. An audit hook sees every one that Python opens or lists, whoever does it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.wanted = False
        sys.addaudithook(self.heard)

    def heard(self, event: str, args: tuple[Any, ...]) -> None:
        if event not in {"open", "os.listdir", "os.scandir", "os.mkdir"} or not args or not isinstance(args[0], str):
            return
        name = os.path.abspath(args[0])
        if name == self.path or name.startswith(f"{self.path}/"):
            self.wanted = True
            raise PermissionError(13, "Permission denied", args[0])


async def play(case: str, directory: Path) -> Played:
    """Talk, look at everything, and ask what is wrong, while one thing is missing."""
    lack: _Finder | _Lock | None = None
    kind, _, rest = case.partition(":")
    if kind == "module":
        name, _, fault = rest.partition(":")
        assert name not in sys.modules, f"{name} is there already"
        lack = _Finder(name, fault)
        sys.meta_path.insert(0, lack)  # type: ignore[arg-type]
    if rest == "skills":
        inside = directory / "data" / rest / "tea"
        inside.mkdir(parents=True)
        (inside / "SKILL.md").write_text("---\nname: tea\ndescription: How to make tea.\n---\nBoil water.\n")
    async with a_bot(directory / "data", counter=create_counter({})) as bot:
        if kind == "folder" and rest != "skills":
            (directory / "data" / rest).touch(mode=0o600)
        elif kind in {"file", "folder"}:
            lack = _Lock(str((ROOT if kind == "file" else directory / "data") / rest))
        answers = await _asked(bot, lambda: lack is not None and lack.wanted)
        public = [line for line in bot.public() if "glassmind<" in line]
        return Played(lack is None or lack.wanted, public, answers)


async def _asked(bot: Bot, is_enough: Callable[[], bool] = lambda: False) -> dict[str, str]:
    """Talk and ask; what is rarely asked for is asked until the missing thing was wanted."""
    # as every bot does beside its first messages
    await bot.counter.warm(("ready",))
    await bot.types(*CHAT)
    answers = await _answers(bot, LOOKS)
    for words in USES:
        if is_enough():
            return answers
        answers |= await _answers(bot, (words,))
    return answers | await _answers(bot, LOOKS)


async def _answers(bot: Bot, questions: Sequence[str]) -> dict[str, str]:
    found = {}
    for words in questions:
        before = len(bot.lines)
        await bot.says("root", f"!cortex {words}")
        found[words] = "\n".join(line for line in bot.lines[before:] if not line.startswith("[#"))
        bot.clock.advance(30)
    return found


def forked(work: Callable[[], Awaitable[Any]]) -> Any:
    """Do something in a copy of this process, and return what came of it."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        os.close(reads)
        try:
            said = orjson.dumps(asyncio.run(work()), default=list)  # type: ignore[arg-type]
        except BaseException as error:  # noqa: BLE001 - whatever ends it is what the parent wants to know
            said = orjson.dumps([True, [], {}, f"{type(error).__name__}: {error}"])
        with os.fdopen(writes, "wb") as out:
            out.write(said)
        os._exit(0)
    os.close(writes)
    found = b""
    with os.fdopen(reads, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], SECONDS)[0] and (piece := pipe.read(65_536)):
            found += piece
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return orjson.loads(found or b'[true, [], {}, "it hung"]')


def _home(work: Callable[[Path], Awaitable[Any]]) -> Any:
    with tempfile.TemporaryDirectory() as home:
        return forked(lambda: work(Path(home)))


async def _loaded(_: Path) -> list[str]:
    return sorted(sys.modules)


async def _started(home: Path) -> list[str]:
    async with a_bot(home / "data"):
        return sorted(sys.modules)


async def _used(home: Path) -> list[list[str]]:
    opened: set[str] = set()

    def heard(event: str, args: tuple[Any, ...]) -> None:
        if event == "open" and args and isinstance(args[0], str) and args[0].startswith(str(ROOT)):
            opened.add(args[0].removeprefix(f"{ROOT}/"))

    sys.addaudithook(heard)
    async with a_bot(home / "data", counter=create_counter({})) as bot:
        await _asked(bot)
        await asyncio.to_thread(bot.app.load_the_rest)
    # in the order in which they were loaded
    return [list(sys.modules), sorted(opened)]


async def _watched(home: Path) -> dict[str, list[str]]:
    watcher = _Watcher()
    sys.meta_path.insert(0, watcher)
    async with a_bot(home / "data", counter=create_counter({})) as bot:
        await _asked(bot)
    return watcher.under


def _load_before(case: str, under: dict[str, list[str]]) -> None:
    """Load what has been loaded before the missing thing is wanted: its run is a fork of this process, and has it."""
    kind, _, rest = case.partition(":")
    name = rest.partition(":")[0]
    if kind != "module" or name not in under:
        return
    waiting = set(under[name])
    for other in takewhile(lambda other: other != name, under):
        packages = set(accumulate(other.split("."), "{}.{}".format))
        if other not in sys.modules and not waiting & packages:
            # what fails here fails in the run
            with suppress(Exception):
                import_module(other)


def cases(faults: Sequence[str] = ("import",)) -> list[str]:
    """List what is loaded or read only after a start: modules, and files of the packages."""
    started = set(_home(_started))
    modules, opened = _home(_used)
    late = [name for name in modules if name not in started | _PYTHONS_OWN and not name.startswith(_NOT_WALKED)]
    # what this walk does not read would be missed by nobody
    files = {name for name in opened if name.split("/")[0] in {"bot", "adapters", "prompts"} and is_read(name)}
    found = [f"module:{name}:{fault}" for fault in faults for name in late]
    return [*found, *(f"file:{name}" for name in sorted(files)), *(f"folder:{name}" for name in FOLDERS)]


def is_read(name: str) -> bool:
    """Whether it is a file that a bot reads; code is loaded, and Python writes its byte code where there is none."""
    return not name.endswith((".py", ".sql")) and "/__pycache__/" not in name and "/." not in name


def trouble(case: str, played: Played) -> str:
    """Say what is wrong with how a bot bore a lack."""
    if played.error:
        return played.error
    silent = [words for words in LOOKS if not played.answers.get(words)]
    if silent:
        return f"no answer to {', '.join(silent)}"
    if not played.public:
        return "people were not answered, and not told why"
    said = "\n".join((*played.answers.values(), *played.public))
    is_named = any(words in said for words in _names(case))
    return "" if is_named or not played.wanted else "nothing names what is missing"


def _names(case: str) -> set[str]:
    """Return the words of which one names what is missing; none of them stands in what a whole bot says."""
    kind, _, rest = case.partition(":")
    name, _, fault = rest.partition(":")
    if name in _DOES_THE_SAME:
        return {""}
    if kind == "folder":
        return {f"{name}: this folder of skills cannot be read", say("pages.not-a-folder", path=f"data/{name}")}
    if kind == "file":
        return {name.rpartition("/")[2]}
    top = name.partition(".")[0]
    names = {name, defang(name), _file_of(name).rpartition("/")[2], *((NO_MEMORY,) if fault == "memory" else ())}
    # who lacks a part of a library names the library; a part of the bot, or of Python, has a name of its own
    return names if top in _OWN | sys.stdlib_module_names else {*names, top}


def main() -> None:
    # what would be logged is what is played here, with every stack drawn
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    if sys.argv[1] == "list":
        print(orjson.dumps(cases(sys.argv[2:] or ("import",))).decode())
        return
    # to watch costs as much as to load it all twice
    under = _home(_watched) if len(sys.argv) > MANY else {}
    # what is there stays there: whatever is wanted late comes late
    when = {name: number for number, name in enumerate(under)}
    for case in sorted(sys.argv[2:], key=lambda case: when.get(case.split(":")[1], -1)):
        _load_before(case, under)
        played = Played(*_home(lambda home, case=case: play(case, home)))
        print(orjson.dumps([case, trouble(case, played), played._asdict()]).decode(), flush=True)


if __name__ == "__main__":
    main()

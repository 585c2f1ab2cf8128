"""A real bot in a process of its own, and everything around it here: people, platform, model, and what they saw."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import orjson

from adapters.sqlite import open_readonly
from bot.domain.ledger import Outcome
from bot.prompts import render
from tests.faults.processes.lives import Life, Start, Trap, the_nursery
from tests.faults.story import ANSWER, Question, Story
from tests.servers.model import Calls, ModelServer, Reply, Says

TOKEN = "GLASSMIND_TOKEN"
REPORT = "rules only, no model used"
NO_REPORT = render("cut_off")
UNSURE = "My last answer may not have arrived"
"""What an owner reads who gets no report, and who may get none."""
CONFIG = """
[bot]
data_dir = "{data}"
log_level = "info"
{platform}
[providers.openai]
kind = "openai"
base_url = "{model}"
[model]
name = "openai/test-model"
context_window = 128000
retries = 0
[conversation]
debounce = 0
streaming = {streaming}
[limits]
user_per_minute = 0
channel_per_minute = 0
loop_guard_messages = 0
send_wait = 0.05
[cortex]
per_minute = 1000
{more}
"""
NAMED = re.compile(r"\bq\d+\b")
REMEMBERED = "what {} was about is to be kept"
SOON = 0.004
"""Seconds of real time between two looks at a store that somebody else writes."""
PATIENCE = 20.0
"""Seconds of real time in which a bot must come to rest."""


class Ended(Exception):
    """The bot's process has ended while somebody waited for it."""


class Restless(AssertionError):
    """The bot did not come to rest."""


@dataclass
class House:
    """One data directory, the processes that live in it one after the other, and the world around them.

    `more` is further configuration. `remembers` are the questions at which the model saves a memory first. `log` holds
    what all processes have logged, one event each.
    """

    name: ClassVar[str]
    directory: Path
    model: ModelServer
    more: str = ""
    streaming: bool = False
    remembers: set[str] = field(default_factory=set)
    life: Life | None = None
    lives: int = 0
    log: list[dict[str, Any]] = field(default_factory=list)
    rooms: Sequence[Any] = ()
    talked: list[tuple[Any, str]] = field(default_factory=list)
    looks: list[Any] = field(default_factory=list)
    story: Story = None  # type: ignore[assignment]
    _readers: list[Callable[[], None]] = field(default_factory=list)
    _open_files: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.model.answer = self._answer
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)

    # what each platform says

    @property
    def platform(self) -> str:
        """The platform's table in the configuration."""
        raise NotImplementedError

    @property
    def token(self) -> str:
        return ""

    async def speak(self, who: str, text: str, room: int) -> Any:
        """Let somebody (`ann`, `james`, `root`) write in a room; return what was written."""
        raise NotImplementedError

    def addressed(self, text: str) -> str:
        """Write it so that the bot knows that it is meant."""
        raise NotImplementedError

    def is_taken(self) -> bool:
        """Whether the platform holds nothing back for the bot any more."""
        return True

    def has_begun(self) -> bool:
        """Whether the bot has noted that it is there; what was said before that is none of its business."""
        return True

    def private(self) -> list[str]:
        """What the owner was told in private."""
        raise NotImplementedError

    def public(self) -> list[str]:
        """What the bot has written where others read it."""
        raise NotImplementedError

    # what is done to the process

    @property
    def data(self) -> Path:
        return self.directory / "data"

    @property
    def database(self) -> Path:
        return self.data / "glassmind.db"

    @property
    def is_alive(self) -> bool:
        return self.life is not None and self.life.status is None

    async def bear(self, trap: Trap | None = None) -> Life:
        """Start one more process here, and return at once; `start` waits until it is at work."""
        config = self.directory / "config.toml"
        if not config.exists():
            config.write_text(self.config_text(), "utf-8")
        files = self.files()
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(self.directory), TOKEN: self.token}
        order = Start(("run", "--config", str(config)), self.directory, environment, files, trap)
        try:
            return await the_nursery().bear(order)
        finally:
            for file in files:
                os.close(file)

    async def start(self, *trap: Trap | None) -> None:
        """Start a bot and wait until it listens; raise Ended where it ends before."""
        begun = self.begun
        self.life = await self.bear(*trap)
        self.lives += 1
        await self.until(lambda: self.begun > begun, "it did not start")

    async def kill(self) -> None:
        """End it as a power switch does, and wait until it is gone."""
        assert self.life is not None
        self.life.signal(signal.SIGKILL)
        await self.ended()

    async def stop(self) -> int:
        """Ask it to end as a service manager does; return its exit status."""
        assert self.life is not None
        self.life.signal(signal.SIGTERM)
        return await self.ended()

    async def ended(self) -> int:
        """Wait until it has ended; return its exit status, negative for a signal."""
        assert self.life is not None
        try:
            async with asyncio.timeout(PATIENCE):
                await self.life.ended.wait()
        except TimeoutError:
            raise Restless(f"it does not end\n{self.told()}") from None
        self.read()
        if self.life.problem is not None:
            raise self.life.problem
        assert self.life.status is not None
        return self.life.status

    async def open(self) -> None:
        """Be ready for a first process."""

    async def close(self) -> None:
        """End whoever still lives here."""
        if self.is_alive:
            await self.kill()
        the_nursery().leave()
        for file in self._open_files:
            asyncio.get_running_loop().remove_reader(file)
            os.close(file)
        self._open_files.clear()

    # what people do

    async def ask(self, name: str, room: int = 0, who: str = "ann", *, remembers: bool = False) -> Question:
        """Let somebody ask something that the model answers by its name; go on at once."""
        if remembers:
            self.remembers.add(name)
        words = await self.speak(who, self.addressed(name), room)
        self.note(f"{who} asks {name} in room {room}")
        question = Question(name, words)
        self.story.asked.append(question)
        return question

    async def talk(self, text: str, room: int = 0, who: str = "james") -> Any:
        """Let somebody say something to the others."""
        self.note(f"{who} says {text!r} in room {room}")
        words = await self.speak(who, text, room)
        self.talked.append((words, text))
        return words

    async def look(self, room: int = 0, command: str = "!cortex why") -> Any:
        """Let the owner ask the cortex."""
        self.note(f"root says {command!r} in room {room}")
        words = await self.speak("root", command, room)
        self.looks.append(words)
        return words

    # when it is at rest, and how it stands then

    async def settled(self) -> None:
        """Wait until everything that was said is in the store, has come to its end, and nothing waits to be sent.

        Raise Ended where the process ends before.
        """
        try:
            async with asyncio.timeout(PATIENCE):
                # SQLite waits where it meets a lock, and a trapped process needs this loop to let go of it
                while not (self.is_taken() and await asyncio.to_thread(self._is_at_rest)):
                    await asyncio.sleep(SOON)
                    if not self.is_alive:
                        raise Ended
        except TimeoutError:
            raise Restless(f"it never came to rest\n{self.told()}") from None

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Ask the store's file, as anybody could who looks from outside; raise OperationalError where it is locked."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True, timeout=0)) as connection:
            return connection.execute(sql, values).fetchall()

    def _is_at_rest(self) -> bool:
        try:
            known = {name for (name,) in self.rows("SELECT message_id FROM inbound")}
            if not self.is_heard(known) or not self.has_begun():
                return False
            ((open_, unsent, running),) = self.rows(
                "SELECT (SELECT count(*) FROM inbound WHERE outcome IS NULL),"
                " (SELECT count(*) FROM outbox WHERE state IN ('new', 'sending')),"
                " (SELECT count(*) FROM turn WHERE status = 'running')"
            )
        except sqlite3.OperationalError:
            return False  # there is no store yet
        return not (open_ or unsent or running)

    def everything_said(self) -> list[Any]:
        """List what people said and did not take back."""
        asked = [question.said for question in self.story.asked if not question.is_gone]
        return [*asked, *(one for one, _ in self.talked), *self.looks]

    def is_heard(self, known: set[str]) -> bool:
        """Say whether everything that was said is in the store, which knows these messages."""
        return all(str(one.id) in known for one in self.everything_said())

    def ids(self, said: Any) -> set[str]:
        """Return by which ids the store may know what was said."""
        return {str(said.id)}

    async def adds_up(self) -> Counter[str]:
        """Check everything once no process is left; return what is counted; raise AssertionError with the story.

        Every question was answered once or somebody was told that it was not; the store is whole, and every row is
        what was written; each memory was saved once; what the owner asked of the cortex stands in private alone.
        """
        assert not self.is_alive, "it can only be added up once it has ended"
        store = await self.opened()
        self.story.bot.store = store
        try:
            await self.story.check()
            assert not await store.verify(), "rows are not what was written"
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.told()}") from error
        finally:
            await store.close()
        try:
            return self._counted()
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.told()}") from error

    def _counted(self) -> Counter[str]:
        whole = self.is_whole()
        assert whole == "ok", f"the database is damaged: {whole}"
        kept = Counter(content for (content,) in self.rows("SELECT content FROM memory"))
        for name in self.remembers:
            ends = self._ends_of(name)
            saved = kept[REMEMBERED.format(name)]
            done = bool(ends & {Outcome.REPLIED, Outcome.UNCERTAIN})
            assert saved == 1 or (saved == 0 and not done), f"what {name} was about was kept {saved} times: {ends}"
        self._reports_add_up()
        ends = Counter(outcome for (outcome,) in self.rows("SELECT outcome FROM inbound"))
        unsure = sum(UNSURE in text for text in self.private())
        return Counter(lost=0, twice=0, silent=0, corrupt=0, uncertain=ends[Outcome.UNCERTAIN] + unsure)

    async def opened(self) -> Any:
        """Open the store to look at it."""
        return await open_readonly(self.data)

    def is_whole(self) -> str:
        """Return `ok`, or what is wrong with the database itself."""
        ((whole,),) = self.rows("PRAGMA integrity_check")
        return str(whole)

    def _ends_of(self, name: str) -> set[str]:
        asked = [question.said for question in self.story.asked if question.name == name]
        said = {(self.around.key(self.story.place_of(one)).channel, each) for one in asked for each in self.ids(one)}
        rows = self.rows("SELECT channel, message_id, outcome FROM inbound")  # each chat counts its own messages
        return {end for channel, message, end in rows if (channel, message) in said}

    def _reports_add_up(self) -> None:
        """Each look has one report in private, or the owner was told there that it has none, or may have none."""
        assert not any(REPORT in text for text in self.public()), "a report stands where others read it"
        reports = sum(REPORT in text for text in self.private())
        assert reports <= len(self.looks), f"{reports} reports for {len(self.looks)} questions of the owner"
        told = reports + sum(NO_REPORT in text or UNSURE in text for text in self.private())
        assert told >= len(self.looks), "the owner asked the cortex, and was told nothing"

    def note(self, what: str) -> None:
        """Tell the story."""
        self.story.note(f"{what}")

    def told(self) -> str:
        """Tell what happened, and the last that was logged."""
        lines = [orjson.dumps(one).decode()[:400] for one in self.log[-25:]]
        return "\n".join((str(self.story), "--- log", *lines))

    # inside

    def _answer(self, request: dict[str, Any]) -> Reply:
        messages = request["messages"]
        at, asked = next((n, m) for n, m in reversed(list(enumerate(messages))) if m["role"] == "user")
        words = NAMED.findall(str(asked["content"]))
        if not words:
            return Says("nothing that I know of")
        name = words[-1]
        has_called = any(message["role"] == "tool" for message in messages[at:])
        if name in self.remembers and not has_called:
            wish = {"content": REMEMBERED.format(name), "type": "fact"}
            return Calls([("memory_save", orjson.dumps(wish).decode())])
        return Says(ANSWER.format(name))

    def config_text(self) -> str:
        streaming = str(self.streaming).lower()
        return CONFIG.format(
            data=self.data, platform=self.platform, model=self.model.base_url, streaming=streaming, more=self.more
        )

    def files(self) -> tuple[int, int, int]:
        nothing = os.open(os.devnull, os.O_RDWR)
        return nothing, os.dup(nothing), self.pipe(self._hear_log)

    def pipe(self, heard: Callable[[bytes], None]) -> int:
        """Make a pipe; return the end to write to. Whole lines are handed on as they come."""
        ours, theirs = os.pipe()
        os.set_blocking(ours, False)
        self._open_files.append(ours)
        rest = bytearray()

        def read() -> None:
            with suppress(BlockingIOError):
                piece = os.read(ours, 1 << 16)
                if not piece:
                    asyncio.get_running_loop().remove_reader(ours)
                rest.extend(piece)
                *lines, left = bytes(rest).split(b"\n")
                rest[:] = left
                for line in lines:
                    heard(line)

        self._readers.append(read)
        asyncio.get_running_loop().add_reader(ours, read)
        return theirs

    def read(self) -> None:
        """Read what is still in the pipes."""
        for read in self._readers:
            with suppress(OSError):
                read()

    def _hear_log(self, line: bytes) -> None:
        try:
            event = orjson.loads(line)
        except orjson.JSONDecodeError:
            event = {"event": "", "words": line.decode("utf-8", "replace")}
        self.log.append(event)

    @property
    def begun(self) -> int:
        return sum(event.get("event") == "started" for event in self.log)

    async def until(self, question: Callable[[], bool], what: str) -> None:
        until = time.monotonic() + PATIENCE
        while not question():
            await asyncio.sleep(SOON)
            if not self.is_alive:
                raise Ended
            if time.monotonic() > until:
                raise Restless(f"{what}\n{self.told()}")


def errors(log: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Choose what was logged as an error."""
    return [event for event in log if event.get("level") in {"error", "critical"}]

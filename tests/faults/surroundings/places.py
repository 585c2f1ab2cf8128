"""Time zones and languages of a machine: the whole bot, freshly started, says and keeps the same in all of them."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process, create_subprocess_exec
from pathlib import Path
from typing import Any

from tests.faults.family import Verdict
from tests.faults.processes import PLATFORMS, a_house

PREFIX = "place/"
ZONES = {
    "utc": "UTC",
    "kathmandu": "Asia/Kathmandu",
    "st-johns": "America/St_Johns",
    "apia": "Pacific/Apia",
    "istanbul": "Europe/Istanbul",
    "posix": "CET-1CEST,M3.5.0,M10.5.0/3",
    "nowhere": "Nonsense/Nowhere",
    "empty": "",
}
LANGUAGES = {
    "c": {"LC_ALL": "C"},
    "ascii": {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "posix-ascii": {"LC_ALL": "POSIX", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    "utf8": {"LC_ALL": "C.UTF-8"},
    "turkish": {"LANG": "tr_TR.UTF-8", "LC_ALL": "tr_TR.UTF-8"},
    "japanese": {"LANG": "ja_JP.SJIS", "LC_ALL": "ja_JP.SJIS"},
    "latin": {"LANG": "en_US.ISO-8859-1", "LC_ALL": "en_US.ISO-8859-1"},
    "none": {},
}
WORDS = "\u0130stanbul'da \u0131\u015f\u0131k, \u65e5\u672c\u8a9e, na\u00efve \U0001fad6"
ROOT = Path(__file__).parents[3]
LOOKS = (("doctor",), ("context", "ROOM"))
PATIENCE = 60.0


def cases() -> list[str]:
    """Give every zone with every language; platforms take turns."""
    both = [(zone, language) for zone in ZONES for language in LANGUAGES]
    online = PLATFORMS[:2]  # a terminal has an encoding of its own, which these processes have none of
    return [f"{PREFIX}{zone}/{language}/{online[n % len(online)]}" for n, (zone, language) in enumerate(both)]


class Fresh:
    """A process of a freshly started interpreter, seen as a life in a house."""

    def __init__(self, process: Process) -> None:
        self.process = process.pid
        self.status: int | None = None
        self.problem: BaseException | None = None
        self.ended = asyncio.Event()
        self._process = process
        self._waiting = asyncio.get_running_loop().create_task(self._wait())

    def signal(self, number: int) -> None:
        """Send a signal, if there is anybody left to get it."""
        if self.status is None:
            self._process.send_signal(number)

    async def _wait(self) -> None:
        self.status = await self._process.wait()
        self.ended.set()


async def play(key: str, directory: Path) -> Verdict:
    """Play one case."""
    zone, language, platform = key.removeprefix(PREFIX).split("/")
    surroundings = {"TZ": ZONES[zone], **LANGUAGES[language]}
    async with a_house(platform, directory) as house:
        environment = {"PATH": os.environ.get("PATH", ""), "HOME": str(directory), "GLASSMIND_TOKEN": house.token}
        environment |= surroundings

        async def bear(*_: object) -> Fresh:
            return Fresh(await _begun(house, environment))

        house.bear = bear  # type: ignore[method-assign,assignment]
        _write_config(house)
        await house.start()
        await house.settled()
        await house.ask("q0", remembers=True)
        await house.talk(WORDS)
        await house.settled()
        await house.look()
        await house.settled()
        await house.kill()
        await house.start()
        await house.ask("q1", 1, "james")
        await house.settled()
        await _is_looked_at(house, environment)
        assert await house.stop() == 0, house.told()
        assert not any("Traceback" in str(event) for event in house.log), house.told()
        ((kept,),) = house.rows("SELECT count(*) FROM inbound WHERE text = ?", WORDS)
        assert kept == 1, "words were kept otherwise than they were said"
        return Verdict(counts=await house.adds_up())


def _write_config(house: Any) -> None:
    (house.directory / "config.toml").write_text(house.config_text(), "utf-8")


async def _begun(house: Any, environment: dict[str, str]) -> Process:
    files = house.files()
    try:
        return await create_subprocess_exec(
            *(sys.executable, "-m", "bot", "run", "--config", str(house.directory / "config.toml")),
            stdin=files[0],
            stdout=files[1],
            stderr=files[2],
            cwd=ROOT,
            env=environment,
            start_new_session=True,
        )
    finally:
        for file in files:
            os.close(file)


async def _is_looked_at(house: Any, environment: dict[str, str]) -> None:
    """Look from the machine, as an admin at a terminal there does."""
    ((channel,),) = house.rows("SELECT channel FROM inbound WHERE text = ?", WORDS)
    for words in LOOKS:
        command = [channel if word == "ROOM" else word for word in words]
        more = ("--config", str(house.directory / "config.toml"))
        looking = await create_subprocess_exec(
            *(sys.executable, "-m", "bot", *command, *more),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=PIPE,
            cwd=ROOT,
            env=environment,
        )
        try:
            async with asyncio.timeout(PATIENCE):
                out, errors = await looking.communicate()
        finally:
            if looking.returncode is None:
                looking.send_signal(signal.SIGKILL)
        told = f"{words}: status {looking.returncode}\n{out[-1500:]!r}\n{errors[-1500:]!r}"
        assert b"Traceback" not in errors and looking.returncode in {0, 1} and out, told

"""Run the bot until somebody stops it."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

from bot.app.adapters import (
    ClockAndEntropy,
    Tenure,
    adapter_defaults,
    adapter_problems,
    looking_edges,
    machine,
    open_edges,
    open_leases,
    with_shows,
)
from bot.app.bot import Bot
from bot.app.lease_keeper import ProcessRole, kept
from bot.app.roles import process_of
from bot.config import LoadedConfig, load_config, parse_config
from bot.errors import ConfigError, LeaseLost, StoreAway, StoreError
from bot.ports.clock import Clock
from bot.ports.first_run import FirstRun, ShownSilence
from bot.ports.platform import PlatformDuty
from bot.runtime.gc_tuning import GarbageTuner
from bot.runtime.logs import configure_logs
from bot.runtime.switch_interval import SwitchIntervalTuner
from bot.runtime.tasks import TaskSupervisor
from bot.runtime.terminal import complain
from bot.sentences import ENGLISH, say, speaking
from bot.text.redaction import Redactor

EXIT_OK, EXIT_FAILED = 0, 1
DATA_VARIABLE = "GLASSMIND_DATA"
_TAKE_OVER = "take_over"
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""Signals that end a bot."""
_M_ARENA_MAX, _M_MMAP_THRESHOLD = -8, -3
"""As in malloc.h of the GNU C library, see mallopt(3)."""
_MMAP_THRESHOLD_BYTES = 128 * 1024
"""Bytes from which on a piece of memory is the system's own and goes back to it at once, such as a long request.

That is where the library begins, too; but it takes the size of whatever it gets back for what is usual, and then large
pieces come and go in the heap, and leave holes there.
"""


Placing = Callable[[LoadedConfig], LoadedConfig]
"""Lets the command line and the environment overrule what was read of the files, at the start and at each reload."""


class StartOptions(NamedTuple):
    """What somebody says at one start: webhooks may be removed, the clock is right, an empty database is wanted.

    `restored`: the database on a server was put back to an earlier time on purpose. `role`: what this process does.
    """

    take_over: bool = False
    clock_is_right: bool = False
    fresh: bool = False
    restored: bool = False
    role: ProcessRole = ProcessRole.ALL


def run_bot(path: Path, data: str, start: StartOptions) -> int:
    """Start with a configuration file; return the exit status."""
    take_over = start.take_over
    placing = partial(_placed, data=data, take_over=take_over)
    loaded = placing(load_checked_config(path) if take_over else load_config(path, os.environ, adapter_problems))
    configure_logs(loaded.config.bot.log_level, Redactor.of(loaded.secrets), _log_file(loaded))
    before = {number: signal.getsignal(number) or signal.SIG_DFL for number in _STOP_SIGNALS}
    try:
        # the terminal's language is that of whoever started it, and of nobody who talks with the bot
        with speaking(ENGLISH):
            return asyncio.run(_run(loaded, placing, start))
    except (LeaseLost, StoreAway) as lost:
        # it was overtaken before it had begun, or its server is away: the same start is worth trying again
        complain(str(lost))
        return EXIT_FAILED
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def load_checked_config(path: Path) -> LoadedConfig:
    """Load a configuration with everything that adapters find in it; raise ConfigError naming all that is wrong."""
    loaded = load_config(path, os.environ, adapter_problems)
    if problems := adapter_problems(loaded.config.model_dump()):
        raise ConfigError(problems)
    return loaded


def load_for_reading(path: Path, named: str) -> LoadedConfig:
    """Load what is needed to look at a data directory: with the secrets, so that none of them is ever shown.

    `named` is the file that somebody asked for, which has to be there.
    """
    if not path.exists() and not named:
        return parse_config("", None)
    try:
        return load_config(path, os.environ)
    except ConfigError:
        # the bot's secrets may be out of reach here; what is recorded can be read all the same
        return load_config(path, None)


def with_data(loaded: LoadedConfig, data: str) -> LoadedConfig:
    """Return the configuration with its data directory found: by the command line, the environment, or the file."""
    bot, origins = loaded.config.bot, dict(loaded.origins)
    base = loaded.path.parent if loaded.path else Path()
    wanted = data or os.environ.get(DATA_VARIABLE, "")
    if wanted:
        origins["bot.data_dir"] = "--data" if data else say("cli.from-environment", variable=DATA_VARIABLE)
    bot = bot.model_copy(update={"data_dir": str(Path(wanted) if wanted else base / bot.data_dir)})
    return replace(loaded, config=loaded.config.model_copy(update={"bot": bot}), origins=origins)


def _placed(loaded: LoadedConfig, data: str, *, take_over: bool) -> LoadedConfig:
    found = with_data(loaded, data)
    return with_take_over(found) if take_over else found


def with_take_over(loaded: LoadedConfig) -> LoadedConfig:
    """Return the configuration with webhooks of other programs to be removed; raise ConfigError where there are none.

    The adapters' keys are to be `checked` before.
    """
    config, known = loaded.config, {**loaded.origins, **adapter_defaults(loaded.config)}
    keys = {name: f"platforms.{name}.{_TAKE_OVER}" for name, table in config.platforms.items() if table.enabled}
    taking = {name: key for name, key in keys.items() if key in known}
    if not taking:
        raise ConfigError([say("cli.no-webhooks")])
    changed = {name: config.platforms[name].model_copy(update={_TAKE_OVER: True}) for name in taking}
    origins = {**loaded.origins, **dict.fromkeys(taking.values(), "--take-over")}
    return replace(
        loaded, config=config.model_copy(update={"platforms": {**config.platforms, **changed}}), origins=origins
    )


def _log_file(loaded: LoadedConfig) -> str:
    bot = loaded.config.bot
    if bot.log_file or not loaded.config.enabled_of_kind("console") or not sys.stderr.isatty():
        return bot.log_file
    # people chat in this terminal: log lines between their words would help nobody
    directory = Path(bot.data_dir)
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    return str(directory / "glassmind.log")


async def _run(loaded: LoadedConfig, placing: Placing, start: StartOptions) -> int:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()

    def on_signal() -> None:
        if stop.is_set():
            # asked twice: leave at once; what is stored is safe whenever the process ends
            os._exit(1)
        stop.set()

    began_at_terminal = os.isatty(0)

    def on_hangup(reload: Callable[[], object]) -> None:
        # the same signal says that the terminal was closed: then nobody sees this bot any more
        if not began_at_terminal or os.isatty(0):
            reload()
            return
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for number in (1, 2):
            os.dup2(nowhere, number)
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, on_signal)
    loop.add_signal_handler(signal.SIGHUP, on_hangup, lambda: None)
    keep_one_heap()
    status, on = EXIT_OK, machine()
    role = _possible(start.role, loaded)
    if role is ProcessRole.LOOKER:
        return _leaves_with(await _look(loaded, on, stop))
    leases = await open_leases(loaded, on, *(() if role is ProcessRole.ALL else (role,)))
    async with kept(leases, on.clock) as keeper:
        if loaded.config.store.url and (problems := adapter_problems(loaded.config.model_dump())):
            # told now, and not when it is to go on where another one has ended; and what it will need is loaded
            raise ConfigError(problems)
        lease = await keeper.take(stop, alone=role is ProcessRole.ALL)
        if lease is None:
            return _leaves_with(status)
        tenure = Tenure(lease, keeper.is_at_work)
        duty = PlatformDuty(listens=role is not ProcessRole.WORKER, speaks=role is not ProcessRole.GATEWAY)
        opening = open_edges(loaded, on, fresh=start.fresh, restored=start.restored, tenure=tenure, duty=duty)
        async with opening as edges:
            process = process_of(role, edges, loaded, leases, lease)
            if (bot := process.bot) is not None:
                bot.trusted_clock.is_vouched_for = start.clock_is_right
                again = partial(_reload, bot, loaded, placing)
                bot.first_run = FirstRun(again, _play)
                loop.add_signal_handler(
                    signal.SIGHUP, on_hangup, lambda: bot.task_groups.background.spawn("reload", again())
                )
            try:
                async with loop_first(edges.clock), keeper.telling(process.fatal.hear):
                    await process.run(stop)
            except StoreError as error:
                # not the status of what cannot start: whoever supervises the bot may start it again
                complain(str(error))
                status = EXIT_FAILED
    return _leaves_with(status)


def _possible(role: ProcessRole, loaded: LoadedConfig) -> ProcessRole:
    """Return a role; raise ConfigError where there can be none."""
    if role is not ProcessRole.ALL and not loaded.config.store.url:
        raise ConfigError([say("cli.role-needs-server", role=role)])
    return role


async def _look(loaded: LoadedConfig, on: ClockAndEntropy, stop: asyncio.Event) -> int:
    """Show until `stop` is set; return the exit status."""
    # imported here: no process that does something needs it
    from bot.app.looker_process import LookerProcess

    async with looking_edges(loaded, on, signs=True) as edges:
        process = LookerProcess(with_shows(edges, loaded), loaded, partial(open_leases, loaded, on, ProcessRole.LOOKER))
        try:
            async with loop_first(edges.clock):
                await process.run(stop)
        except StoreError as error:
            complain(str(error))
            return EXIT_FAILED
    return EXIT_OK


def _leaves_with(status: int) -> int:
    """Let who asks once more have this status at once: the loop, which would listen, is over, and all is stored."""
    loop = asyncio.get_running_loop()
    for number in _STOP_SIGNALS:
        loop.remove_signal_handler(number)
        signal.signal(number, lambda *_: os._exit(status))
    return status


async def _play() -> ShownSilence:
    # hardly any bot is ever asked for it
    from bot.cli.demo import play_in_private

    return await play_in_private()


async def _reload(bot: Bot, loaded: LoadedConfig, placing: Placing) -> None:
    """Read the files again, and take over what can be changed without a restart."""
    path = loaded.path
    assert path is not None

    def read() -> LoadedConfig:
        return placing(load_checked_config(path))

    taken = await bot.running.reload(read)
    # the redactor of the start: new secrets need a restart
    configure_logs(bot.config.bot.log_level, Redactor.of(loaded.secrets), _log_file(loaded))
    if any(key.startswith("platforms.") for key in taken):
        # who steers the bot may be others now
        await asyncio.gather(*map(bot.publish, bot.edges.platforms))


def keep_one_heap() -> None:
    """Let all threads share one heap; each would have one of its own, and hold what a burst has left free in it.

    Threads of Python hardly ever allocate at the same time, so none waits for another. To be called before there are
    any; where the C library has no such choice nothing happens.
    """
    if sys.platform == "linux":
        import ctypes  # costs milliseconds that only a running bot should spend

        with suppress(AttributeError):
            library = ctypes.CDLL(None)
            library.mallopt(_M_ARENA_MAX, 1)
            library.mallopt(_M_MMAP_THRESHOLD, _MMAP_THRESHOLD_BYTES)


@asynccontextmanager
async def loop_first(clock: Clock) -> AsyncIterator[None]:
    """Tune the interpreter for a loop that nobody should wait for: short waits for other threads, short collections."""
    # what the start has made stays, and walking it stalls everybody; there is no garbage in it worth a look
    gc.freeze()
    house = TaskSupervisor()
    house.spawn("garbage", GarbageTuner().run(clock))
    house.spawn("switching", SwitchIntervalTuner().run(clock))
    try:
        yield
    finally:
        await house.close()
        gc.unfreeze()

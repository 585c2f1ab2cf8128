"""Start a Chromium of our own with a directory of its own, and end it with all its children, whatever happens."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from bot.errors import ToolError
from bot.sentences import say
from bot.text.text import excerpt

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
_START_SECONDS = 15.0
_POLL_SECONDS = 0.02
_PORT_FILE = "DevToolsActivePort"
_WATCHER = (
    '{ "$0" "$@" </dev/null; kill -KILL 0; } & '
    'read -r _; trap "" TERM; kill -TERM 0; sleep 0.5; '
    'case "$PROFILE" in */glassmind-browser-*) rm -rf -- "$PROFILE";; esac; kill -KILL 0'
)
"""Ends all when the browser ends, and when our end of its input closes: then we were killed, and it cleans up."""
_FLAGS = (
    "--headless=new",
    "--remote-debugging-port=0",
    "--remote-debugging-address=127.0.0.1",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-extensions-with-background-pages",
    "--disable-component-update",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-features=OptimizationHints,MediaRouter,Translate,DialMediaRouteProvider,AsyncDns,"
    "PreconnectToSearch,NetworkTimeServiceQuerying,InterestFeedContentSuggestions",
    "--disable-notifications",
    "--disable-print-preview",
    "--disable-quic",
    "--disable-sync",
    "--deny-permission-prompts",
    "--dns-prefetch-disable",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--hide-scrollbars",
    "--incognito",
    "--metrics-recording-only",
    "--mute-audio",
    "--password-store=basic",
    "--renderer-process-limit=2",
    "--use-mock-keychain",
    "--window-size=1280,800",
    # names are looked up by the gate alone; what the browser wants for itself goes to a proxy that does not exist
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--proxy-server=http://nowhere.invalid:1",
    "--proxy-bypass-list=<-loopback>",
)


def find_browser(program: str) -> str:
    """Return the path of the browser; empty when there is none. `program` is a path or name; empty: the usual names."""
    return next((found for name in ([program] if program else NAMES) if (found := shutil.which(name))), "")


def why_missing(program: str, *, sandbox: bool) -> str:
    """Say why no browser can be started here, and what to do; empty when one can."""
    if not find_browser(program):
        if program:
            return say("machine.no-such-browser", program=program)
        return say("machine.no-browser")
    if sandbox and os.geteuid() == 0:
        return say("machine.browser-as-root")
    return ""


@asynccontextmanager
async def running_browser(program: str, *, sandbox: bool) -> AsyncIterator[str]:
    """Run a browser that reaches nobody by itself; yield the address of its DevTools socket."""
    directory = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="glassmind-browser-"))
    try:
        flags = [*_FLAGS, f"--user-data-dir={directory}", *([] if sandbox else ["--no-sandbox"])]
        process = await _start([program, *flags, "about:blank"], directory)
        try:
            yield await _socket(process, directory)
        finally:
            await _end(process)
    finally:
        await asyncio.shield(asyncio.to_thread(shutil.rmtree, directory, ignore_errors=True))


async def _start(command: Sequence[str], directory: Path) -> asyncio.subprocess.Process:
    # no variables of ours: a page that breaks out shall find no secret there
    environ = {
        "HOME": str(directory),
        "PROFILE": str(directory),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "TMPDIR": str(directory),
    }
    try:
        return await asyncio.create_subprocess_exec(
            "/bin/sh",
            "-c",
            _WATCHER,
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env=environ,
            cwd=directory,
            start_new_session=True,
        )
    except OSError as error:
        raise ToolError(f"The browser cannot be started ({error.strerror}).") from None


async def _socket(process: asyncio.subprocess.Process, directory: Path) -> str:
    """Wait until the browser has written down where it listens; raise ToolError when it never does."""
    try:
        async with asyncio.timeout(_START_SECONDS):
            while process.returncode is None:
                with suppress(OSError, ValueError):
                    port, path = (directory / _PORT_FILE).read_text(encoding="ascii").split("\n", 1)
                    return f"ws://127.0.0.1:{int(port)}{path.strip()}"
                # the file is all the sign there is
                await asyncio.sleep(_POLL_SECONDS)
    except TimeoutError:
        raise ToolError(f"The browser did not start within {_START_SECONDS:g} s.") from None
    raise ToolError(f"The browser ended at once: {await _last_words(process)}.")


async def _last_words(process: asyncio.subprocess.Process) -> str:
    words = b""
    if process.stderr is not None:
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                words = await process.stderr.read(4096)
    lines = [line for line in words.decode("utf-8", "replace").splitlines() if line.strip()]
    return excerpt(lines[-1], 200) if lines else "it left no word"


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kill the browser and its children; they are one group, and nothing of ours is in it."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await asyncio.shield(process.wait())

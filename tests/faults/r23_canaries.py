"""R23: forty secrets in twelve places and six spellings: in no log, no message, no report, no export, no store.

And the tests themselves at DEBUG: no token of a platform and no key of a model in anything that they print or leave.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE, STDOUT, create_subprocess_exec
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.faults.family import Family, Size, Verdict
from tests.faults.records import ROOT

PLACES = (
    *("log", "library", "traceback", "provider", "refusal", "message", "answer", "memory", "question", "configuration"),
    *("host", "editor"),
)
SPELLINGS = ("plain", "url", "base64", "base64url", "hex", "json")
SUITES = {
    "telegram": ("tests/dialogs/test_telegram*.py", "tests/adapters/telegram"),
    "discord": ("tests/dialogs/test_discord*.py", "tests/adapters/discord"),
    "models": ("tests/adapters/openai", "tests/adapters/anthropic", "tests/dialogs/test_anthropic.py"),
    "work": ("tests/dialogs/test_work*.py", "tests/dialogs/test_agents.py", "tests/dialogs/test_moves.py"),
    "rest": ("tests/dialogs/test_[ehlors]*.py", "tests/contracts"),
    "scenarios": ("tests/scenarios",),
}
"""Parts of the tests, as they are played at DEBUG."""
_NOT_HERE = (
    "tests/dialogs/test_anthropic.py::test_the_doctor_says_how_the_service_is",
    "tests/dialogs/test_secrets.py::test_the_key_stays_where_it_is[says the key-anthropic]",
)
"""Of what is said where a key is missing: here none is. Of a model that says the key: its words are kept byte for byte
and redacted wherever they are shown, so they stand in the store; `replies/` plays that, and looks everywhere else."""
_NOT_A_TOKEN = 12
_OF_THE_TEST = frozenset({"config.toml", ".env", "tokens"})
"""Files in which a test itself writes a token down."""


def cases(size: Size) -> Iterator[str]:
    if size is Size.SLICE:
        yield from ("log/plain", "traceback/json", "memory/plain")
        return
    # the longest first: nobody should wait for one of them in the end
    yield from (f"suite/{name}" for name in (SUITES if size is Size.RELEASE else ("models",)))
    yield from (f"replies/{language}" for language in ("openai", "anthropic"))
    yield from (f"{place}/{spelling}" for place in PLACES for spelling in SPELLINGS)


async def play(key: str, directory: Path) -> Verdict:
    place, _, spelling = key.partition("/")
    if place == "suite":
        return await _suite(spelling, directory)
    return await _replies(spelling, directory) if place == "replies" else await _placed(place, spelling, directory)


async def _placed(place: str, spelling: str, directory: Path) -> Verdict:
    from tests.faults.canaries import PLACES as PUT
    from tests.faults.canaries import VALUES

    seen = await PUT[place](spelling, directory)
    assert any(text.strip() for texts in seen.places.values() for text in texts), "nothing was looked at"
    leaks = seen.leaks(spelling)
    return Verdict(n=len(VALUES), counts={"leaked": len(leaks)}, trouble="\n".join(leaks[:40]))


async def _replies(language: Any, directory: Path) -> Verdict:
    """Let a service answer and fail in all ways, with the key in what it says."""
    from tests.dialogs.test_secrets import REPLIES, leaks

    found = []
    for number, how in enumerate(REPLIES):
        found += [f"{how}, {leak}" for leak in await leaks(directory / str(number), how, language)]
    return Verdict(n=len(REPLIES), counts={"leaked": len(found)}, trouble="\n".join(found[:40]))


async def _suite(name: str, directory: Path) -> Verdict:
    """Play a part of the tests in a process of its own, uncaptured and with everything kept."""
    kept = directory / "kept"
    paths = [str(path.relative_to(ROOT)) for glob in SUITES[name] for path in sorted(ROOT.glob(glob))]
    options = ["-q", "-s", "-p", "no:cacheprovider", "-p", "tests.faults.watched_suite", "--watch", str(directory)]
    left_out = [f"--deselect={test}" for test in _NOT_HERE]
    keep = [*left_out, f"--basetemp={kept}", "-o", "tmp_path_retention_policy=all"]
    command = (sys.executable, "-m", "pytest", *options, *keep, *paths)
    process = await create_subprocess_exec(*command, stdout=PIPE, stderr=STDOUT, cwd=ROOT)
    try:
        out, _ = await process.communicate()
    except asyncio.CancelledError:
        process.kill()
        raise
    said = out.decode("utf-8", "replace")
    tokens, leaks = await asyncio.to_thread(_leaks, directory, said)
    # whether a test holds at all is not asked here: some wait for fractions of a second, and others are at work
    assert process.returncode in (0, 1), said[-3000:]
    assert tokens, "no adapter was made"
    return Verdict(
        n=1,
        counts={"leaked": len(leaks), "tokens": tokens, "tests_failed": said.count("\nFAILED ")},
        trouble="\n".join(leaks[:40]),
    )


def _leaks(directory: Path, said: str) -> tuple[int, list[str]]:
    """Look for every token that was in use; of Telegram's also for its secret half alone."""
    from tests.faults.watched_suite import TOKENS

    noted = directory / TOKENS
    tokens = set(noted.read_text(encoding="utf-8").splitlines()) if noted.exists() else set()
    secrets = tokens | {token.partition(":")[2] for token in tokens}
    wanted = [secret.encode() for secret in secrets if len(secret) >= _NOT_A_TOKEN]
    places = {"what was printed": said.encode()}
    leaks = [f"{where}: {secret!r}" for where, text in places.items() for secret in wanted if secret in text]
    for path in sorted(directory.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.name not in _OF_THE_TEST:
            text = path.read_bytes()
            leaks += [f"{path.relative_to(directory)}: {secret!r}" for secret in wanted if secret in text]
    return len(tokens), leaks


FAMILY = Family("R23", "canaries of secrets", cases, play, seconds=900)

"""Whether everybody who hears of a failure hears its own reason: people, admins, and whoever opens the records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.cli.host_queries import HostQueries
from bot.domain.process import ProcessState
from bot.domain.turn import TurnStatus
from tests.dialogs.bot import Bot
from tests.dialogs.chat_bot import ChatBot
from tests.faults.provider.positions import FAILED, FALLBACK, NOTICE, POSITIONS
from tests.faults.provider.reasons import Reason

HELPERS = frozenset({"branch", "branch_after_a_tool", "worker"})
"""What fails there is told by the channel's model, whose own turn fails only while its model is left alone after it."""

_FAILED = frozenset({ProcessState.FAILED, ProcessState.TIMEOUT})


@dataclass(frozen=True)
class Known:
    """What is known right after a failure: what the rules say of the channels, and why whatever failed has failed."""

    page: str
    failed: Sequence[str]


async def what_is_known(bot: Bot | ChatBot) -> Known:
    """Ask the rules, which need no model, and read the reasons that are on record."""
    await (
        bot.app.maintenance.beat()
    )  # a tide carries the clock on while a service hangs, and the rules want a sign of life
    store, pages, failed = bot.app.edges.store, [], []
    host = HostQueries(store, bot.config.config, bot.clock)
    for one in await store.channels.known():
        pages.append((await host.why(str(one.key.channel), everywhere=False)).text)
        turns = await store.journal.recent_turns(one.key, 10)
        failed += [turn.reason for turn in turns if turn.status is TurnStatus.FAILED]
        processes = await store.processes.of_channel(one.key, 50)
        failed += [process.reason for process in processes if process.state in _FAILED]
        failed += [stored.body.reason for stored in await store.compactions.recent(one.key, 50) if stored.body.reason]
    return Known("\n".join(pages), failed)


def misnamed(texts: Sequence[str], position: str, reason: Reason, known: Known) -> Iterator[str]:
    """Say where another reason was named than the one there is."""
    for text in texts:
        yield from _told(text, position, reason, known)
    yield from (f"{reason.noted!r} was not noted: {words!r}" for words in known.failed if reason.noted not in words)


def _told(text: str, position: str, reason: Reason, known: Known) -> Iterator[str]:
    if POSITIONS[position].is_admins:
        if any(words in text for words in FAILED) and reason.noted not in text:
            yield f"the admin was not told {reason.noted!r}: {text!r}"
        return
    if not text.startswith(NOTICE):
        return
    if not text.startswith(NOTICE + reason.told):
        yield f"not told that {reason.told!r}: {text!r}"
    unsaid = [words for words in _found(position, reason) if words not in known.page]
    if unsaid:
        yield f"`!cortex why` does not say {unsaid}: {known.page!r}"
    if not known.failed:
        yield "nothing on record says why"


def _found(position: str, reason: Reason) -> tuple[str, ...]:
    """Where several models failed, the rules say it of each; where one was not even asked, why."""
    if position in HELPERS:
        return ("waiting for a failing model", reason.noted)
    if position not in FALLBACK or not reason.each:
        return reason.found
    return ("no model answers", f"test-model: {reason.each}", f"second-model: {reason.each}")

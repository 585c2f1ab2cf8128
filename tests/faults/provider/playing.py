"""Play one cell of the table: a kind of failure at a moment, and everything that must hold of it afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bot.domain.messages import Message, Role
from bot.domain.process import ProcessState
from bot.tools.runtime.executor import is_object
from tests.dialogs.telegram import AT
from tests.faults.family import Verdict
from tests.faults.provider.kinds import ANSWER, KINDS, REFUSAL, Kind, Owed
from tests.faults.provider.naming import Known, misnamed, what_is_known
from tests.faults.provider.positions import (
    FAILED,
    FALLBACK,
    NOTICE,
    POSITIONS,
    SEEN,
    Heard,
    said,
)
from tests.faults.provider.reasons import in_messages, reason_of
from tests.faults.provider.stage import BY_TOOL, CAME_BACK, FINE, RETRIES, Stage, a_stage

SEEN_WORDS = {"while_it_is_seen": "hello", "after_it_was_seen": "look it up with words"}
FOLLOWED = frozenset({ProcessState.DONE, ProcessState.FAILED, ProcessState.TIMEOUT, ProcessState.CANCELLED})


async def play(key: str, directory: Path) -> Verdict:
    """Play a cell in both languages."""
    kind, _, position = key.partition("/")
    number = list(POSITIONS).index(position)
    owed = reason_of(kind, position)
    counts = {"silent": 0, "wordy": 0, "misnamed": 0, "escaped": 0}
    troubles: list[str] = []
    for language in ("openai", "anthropic"):
        async with a_stage(KINDS[kind], number, language) as stage:
            heard, records = await _one(stage, position, directory / language)
        answers, reason = heard.answers, in_messages(owed) if language == "anthropic" else owed
        counts["silent"] += not answers
        counts["wordy"] += len(answers) > 1
        counts["escaped"] += bool(stage.escaped)
        names = [*misnamed(answers, position, reason, records)]
        counts["misnamed"] += bool(names)
        troubles += [f"{language}: {words}" for words in (*_wrong(stage, position, heard), *names)]
    return Verdict(n=2, counts=counts, trouble="\n".join(troubles))


def _wrong(stage: Stage, position: str, heard: Heard) -> list[str]:
    """Say what does not hold of what people read, and of what was spent on it."""
    found = [f"escaped: {line}" for line in stage.escaped]
    if len(heard.answers) != 1:
        found.append(f"{len(heard.answers)} messages instead of one: {heard.messages}")
    elif why := _dishonest(heard.answers[0], position, stage.kind):
        found.append(why)
    if not stage.struck:
        found.append("the fault never struck")
    if stage.refused:
        found.append(f"{stage.refused} requests never reached an answer: the service refused their form")
    chain = 2 if stage.kind.second or position in FALLBACK else 1
    limit = POSITIONS[position].rounds * (1 + RETRIES) * chain
    spent = max(stage.spent.values(), default=0)
    if spent > limit:
        found.append(f"{spent} requests for one question, where {limit} are allowed: {stage.spent}")
    return found


def _dishonest(text: str, position: str, kind: Kind) -> str:
    """Say why a message is not the honest one that is owed."""
    where = POSITIONS[position]
    good = {ANSWER, REFUSAL, CAME_BACK} | ({BY_TOOL} if position == "after_delivery" else set())
    if where.is_admins:
        is_notice, is_answer = any(words in text for words in FAILED), any(words in text for words in (ANSWER, REFUSAL))
    else:
        is_notice, is_answer = text.startswith(NOTICE), text in good
    if not (is_notice or is_answer):
        return f"neither an answer of the model nor a notice: {text!r}"
    # a delivered reply, a branch's failure that was told, a summary that was not written: the person has an answer
    settled = position in {"after_delivery", "branch", "branch_after_a_tool", "worker", "compaction"}
    owed = Owed.ANSWER if settled else kind.owed
    if kind.owed is Owed.ANSWER and kind.once and not where.tools and not settled:
        owed = Owed.EITHER
    if kind.cools and position in {"branch", "branch_after_a_tool", "worker"}:
        owed = Owed.EITHER
    if where.mends and not settled:
        owed = Owed.EITHER
    if owed is Owed.ANSWER and not is_answer:
        return f"an answer was owed: {text!r}"
    return f"a notice was owed: {text!r}" if owed is Owed.NOTICE and not is_notice else ""


async def _one(stage: Stage, position: str, directory: Path) -> tuple[Heard, Known]:
    where = POSITIONS[position]
    stage.at, stage.most = where.at, where.most
    if position in SEEN:
        return await _seen(stage, SEEN_WORDS[position], directory)
    config: dict[str, Any] = {"fallback": position in FALLBACK, "window": where.window}
    async with stage.on_the_console(directory, **config) as bot:
        heard = await where.play(stage, bot)
        stage.over()
        records = await what_is_known(bot)
        bot.clock.advance(3600)
        again = said(await bot.says("ann", "@glassmind and now?"))
        assert again == [FINE], f"the next question was not answered: {again}"
        await _kept(bot)
    return heard, records


async def _seen(stage: Stage, words: str, directory: Path) -> tuple[Heard, Known]:
    """The same where an answer is seen while it is written."""
    async with stage.on_telegram(directory) as bot:
        await bot.hears(bot.ann, f"{AT} {words}")
        heard = Heard(bot.texts())
        stage.over()
        await bot.hears(bot.ann, "hm")  # the tide ran on while the service hung: polls must be seen to come back first
        records = await what_is_known(bot)
        bot.clock.advance(3600)
        again = [message.text for message in await bot.hears(bot.ann, f"{AT} and now?")]
        assert again == [FINE], f"the next question was not answered: {again}"
        await _kept(bot)
    return heard, records


async def _kept(bot: Any) -> None:
    """Everything has its end in the store, and no conversation holds what no service would take."""
    store = bot.store
    assert not await store.ledger.unsettled(), "an inbound has no outcome"
    assert not await store.journal.running_turns(), "a turn never ended"
    for known in await store.channels.known():
        state = await store.channels.load(known.key)
        _check_calls(state.history)
        processes = await store.processes.of_channel(known.key, 50)
        assert all(one.state in FOLLOWED for one in processes), [one.state for one in processes]
    assert await store.verify() == []


def _check_calls(messages: tuple[Message, ...]) -> None:
    for at, message in enumerate(messages):
        if message.calls:
            assert [c.call_id for c in message.calls] == [r.call_id for r in messages[at + 1].results]
            assert len({c.call_id for c in message.calls}) == len(message.calls)
            assert all(is_object(c.arguments) for c in message.calls), "a call was stored that is none"
        if message.role is Role.TOOL:
            assert messages[at - 1].calls

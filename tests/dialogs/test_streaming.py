"""Answers that are seen while they are written: one message, one answer, wherever the process is killed."""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.domain.ledger import LedgerStage, Outcome
from bot.domain.llm import LLMRequest
from bot.domain.messages import Role
from bot.errors import DeliveryError
from tests.dialogs.bot import GENERAL
from tests.dialogs.live import Live, a_live_bot, words_of
from tests.dialogs.stores import leave_image
from tests.fakes.lengths import whole_or
from tests.fakes.platform import FakePlatform, flood, lost, refused
from tests.fakes.provider import calls, fails
from tests.inside.store import after_each_commit

ANSWER = "The tea is cold because nobody drank it while it was warm."
LOOK = "Let me see what I know about the tea of this house."
RECALL = calls(("memory_recall", {"query": "tea"}), text=LOOK)
SKIP = calls(("skip", {"reason": "it was asked for", "category": "instructed"}), text=LOOK)
NOW = re.compile(r"- Now: [^\\]+")
"""Time goes on while previews wait, and how far depends on the machine."""
REPLY = calls(("reply", {"text": "by tool"}), text=LOOK)


def acts(request: LLMRequest):
    """Do what the newest words ask for."""
    words, is_first = words_of(request), request.messages[-1].role is not Role.TOOL
    if "skip" in words:
        return LOOK, SKIP
    if "look" in words and is_first:
        return LOOK, RECALL
    if "by tool" in words and is_first:
        return LOOK, REPLY
    if "broken" in words:
        return LOOK, fails()
    return ANSWER, None


def shown(bot: Live) -> list[str]:
    return [preview.text for preview in bot.platform.previews]


async def test_an_answer_is_seen_while_it_is_written_and_stays_in_its_message(tmp_path):
    async with a_live_bot(tmp_path / "data", acts) as bot:
        asked = await bot.hears("hello")
        assert bot.platform.screen == {"v1": ANSWER}
        assert len(shown(bot)) > 2 and all(ANSWER.startswith(text.removesuffix(" …")) for text in shown(bot))
        assert asked.outcome is Outcome.REPLIED
        trail = await bot.store.ledger.trail(asked.id)
        assert [row.reason for row in trail.stages if row.stage is LedgerStage.OUTBOX] == ["preview"]
        (reply,) = await bot.store.outbox.of_inbound(asked.id)
        assert (reply.body.edits, reply.receipt.message_id) == ("v1", "v1")
        assert await bot.store.previews.left() == []
        assert bot.platform.typed[-1][1] is False


async def test_what_was_written_before_tools_is_no_message(tmp_path):
    async with a_live_bot(tmp_path / "data", acts) as bot:
        await bot.hears("look it up")
        assert LOOK.startswith(shown(bot)[0].removesuffix(" …"))
        assert bot.platform.screen == {"v1": ANSWER}


async def test_a_skip_takes_back_what_was_seen(tmp_path):
    async with a_live_bot(tmp_path / "data", acts) as bot:
        asked = await bot.hears("skip it")
        assert shown(bot) and bot.platform.screen == {}
        assert asked.outcome is Outcome.SKIPPED


async def test_what_cannot_be_taken_back_says_nothing(tmp_path):
    async with a_live_bot(tmp_path / "data", acts) as bot:
        bot.platform.retract_script = [refused()]
        await bot.hears("skip it")
        assert bot.platform.screen == {"v1": "…"}


async def test_the_reply_tool_sends_and_nothing_else_stays(tmp_path):
    async with a_live_bot(tmp_path / "data", acts) as bot:
        asked = await bot.hears("by tool")
        assert list(bot.platform.screen.values()) == ["by tool"]
        assert not any("tea is" in text for text in shown(bot)), "what is not sent is not shown on its way"
        assert asked.outcome is Outcome.REPLIED


async def test_a_failure_is_said_in_the_place_of_what_was_seen(tmp_path):
    async with a_live_bot(tmp_path / "data", acts) as bot:
        asked = await bot.hears("broken")
        assert list(bot.platform.screen) == ["v1"]
        assert bot.platform.screen["v1"].startswith("I could not answer")
        assert asked.outcome is Outcome.FAILED


async def test_what_is_stopped_stays_with_a_mark(tmp_path):
    async with a_live_bot(tmp_path / "data", acts) as bot:
        await bot.arrives("hello")
        await bot.passes(3)
        await bot.arrives("!stop", "m2")
        await bot.comes_to_rest()
        cut = bot.platform.screen["v1"]
        assert cut.endswith(" ⏹") and ANSWER.startswith(cut.removesuffix(" ⏹"))
        outcomes = [one.outcome for one in await bot.store.ledger.recent(GENERAL, 9)]
        assert outcomes == [Outcome.COMMAND, Outcome.CANCELLED]


@pytest.mark.parametrize("trouble", [[flood(2)], [lost()], [lost(), flood(1)], [DeliveryError("502", code="502")]])
async def test_the_last_edit_is_guaranteed(tmp_path, trouble):
    async with a_live_bot(tmp_path / "data", acts) as bot:
        bot.platform.fails(trouble)
        asked = await bot.hears("hello")
        assert bot.platform.screen == {"v1": ANSWER}
        assert asked.outcome is Outcome.REPLIED


async def test_a_preview_that_somebody_deleted_takes_no_answer_with_it(tmp_path):
    async with a_live_bot(tmp_path / "data", acts) as bot:
        await bot.arrives("hello")
        await bot.passes(4)
        assert bot.platform.screen
        bot.platform.screen.clear()
        await bot.comes_to_rest()
        assert list(bot.platform.screen.values()) == [ANSWER]


async def test_a_chat_that_takes_no_previews_gets_its_answer(tmp_path):
    async with a_live_bot(tmp_path / "data", acts) as bot:
        bot.platform.preview_script = [refused()]
        asked = await bot.hears("hello")
        assert list(bot.platform.screen.values()) == [ANSWER]
        trail = await bot.store.ledger.trail(asked.id)
        noted = [dict(row.detail).get("refused") for row in trail.stages if row.reason == "preview"]
        assert noted == [None, "50013"]


async def test_a_private_draft_is_followed_by_a_message(tmp_path):
    platform = FakePlatform(streaming=True, idempotent=True, drafts=True)
    async with a_live_bot(tmp_path / "data", acts, platform) as bot:
        await bot.hears("hello")
        assert len(shown(bot)) > 2
        assert platform.screen == {"p1": ANSWER}


async def test_streaming_changes_nothing_in_what_the_model_is_sent(tmp_path):
    sent = []
    for streaming in ("true", "false"):
        platform = FakePlatform(streaming=streaming == "true", idempotent=True)
        async with a_live_bot(tmp_path / streaming, acts, platform) as bot:
            await bot.hears("look it up")
            asked = await bot.hears("hello", "m2")
            turn = await bot.store.journal.turn(asked.turn)
            requests = [r for n in (1, turn.id) for r in await bot.store.journal.requests_of_turn(n)]
            sent.append([NOW.sub("- Now: then", one.record.request.model_dump_json()) for one in requests])
    assert len(sent[0]) == 3 and sent[0] == sent[1]


# a kill at every step


@dataclass
class Image:
    """What a killed process left: its data, and what stood on the platform."""

    data: Path
    platform: FakePlatform


class Killed:
    """Takes an image after every commit and every call of the platform."""

    def __init__(self, bot: Live, directory: Path) -> None:
        self.images: list[Image] = []
        self._bot = bot
        self._directory = directory
        after_each_commit(bot.store, self._take)
        self._real = bot.platform
        for name in ("send", "preview", "retract"):
            setattr(bot.platform, name, self._after(getattr(bot.platform, name)))

    def _after(self, call: Callable):
        async def called(*args):
            result = await call(*args)
            self._take()
            return result

        return called

    def _take(self) -> None:
        image = self._directory / f"image-{len(self.images)}"
        leave_image(self._bot.data, image)
        self.images.append(Image(image, _copied(self._real)))


def _copied(platform: FakePlatform) -> FakePlatform:
    fresh = FakePlatform(streaming=True, idempotent=platform.capabilities.idempotent_sends)
    for name in ("screen", "sent", "previews", "_receipts"):
        setattr(fresh, name, copy.copy(getattr(platform, name)))
    return fresh


async def _strays(bot: Live) -> set[str]:
    """Messages that the killed process had posted and not got to know of: nobody can answer for those."""
    known = {row.receipt.message_id for row in await bot.store.previews.left() if row.receipt}
    known |= {row.body.edits for row in await bot.store.outbox.pending()}
    return {name for name, text in bot.platform.screen.items() if text.endswith("…") and name not in known}


ENDS: dict[str, Callable[[list[str]], bool]] = {
    "hello": lambda texts: texts == [ANSWER],
    "look it up": lambda texts: texts == [ANSWER],
    "skip it": lambda texts: texts == [],
    "by tool": lambda texts: texts == ["by tool"],
    "broken": lambda texts: len(texts) == 1 and texts[0].startswith("I could not answer"),
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("idempotent", [True, False])
@pytest.mark.parametrize("asked", ENDS)
async def test_a_kill_at_any_step_leaves_one_message_and_one_answer(tmp_path, asked, idempotent):
    platform = FakePlatform(streaming=True, idempotent=idempotent)
    async with a_live_bot(tmp_path / "data", acts, platform) as bot:
        killed = Killed(bot, tmp_path)
        await bot.hears(asked)
    images = [image for image in killed.images if image.data.exists()]
    assert len(images) > 10
    images = images[:: whole_or(1, 2)]
    continued = 0
    for image in images:
        again = Live(image.data, image.platform, acts)
        before, strays = set(image.platform.screen), set[str]()

        async def look(bot: Live, strays: set[str] = strays) -> None:
            strays |= await _strays(bot)

        await again.open(look)
        try:
            await again.comes_to_rest()
            assert await _is_whole(again, asked, strays, idempotent=idempotent)
            continued += bool((before - strays) & set(image.platform.screen))
        finally:
            await again.close()
        shutil.rmtree(image.data)
    assert continued > whole_or(3, 1) or asked == "skip it", "it went on in the message of the killed one"


async def _is_whole(bot: Live, asked: str, strays: set[str], *, idempotent: bool) -> bool:
    """Look at a restarted bot: what was asked has its one end, and people see that and nothing else."""
    store = bot.store
    assert await store.ledger.unsettled() == []
    assert await store.previews.left() == []
    found = await store.ledger.recent(GENERAL, 9)
    if not found:
        return True  # killed before it was heard
    assert len(strays) <= 1
    texts = [text for name, text in bot.platform.screen.items() if name not in strays]
    if found[0].outcome is Outcome.UNCERTAIN or any("may not have arrived" in text for text in texts):
        return not idempotent  # a message of its own may be lost, an edit never
    return ENDS[asked](texts)

"""A proof from the chat: the silence, the suspect, the price, the runs, the verdict, and the button that mends."""

from __future__ import annotations

import re

from bot.domain.handles import HandleKind, handle
from bot.domain.ids import MAIN, ChannelKey
from bot.domain.ledger import Outcome
from tests.bot.cortex.chat import GENERAL, OWNER, SILENCING, chat
from tests.fakes.provider import calls, says

KEY = ChannelKey(MAIN, GENERAL)
SKIP = calls(("skip", {"reason": "I was told not to answer ann.", "category": "instructed"}))


def obeys(request):
    """Keep silent as long as the prompt says so, like a model that reads its memories."""
    silent = SILENCING in request.system_text and "skip" in {tool.name for tool in request.tools}
    return SKIP if silent else says("yes, I am here")


def told(bot, words: str) -> str:
    """The newest private message with some words."""
    return next(sent.text for sent in reversed(bot.private) if words in sent.text)


async def test_from_the_silence_to_the_proof_and_the_button_that_mends(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        row = await bot.remembers()
        name = handle(HandleKind.MEMORY, row)
        silent = await bot.hears("are you there?")
        assert await bot.outcome(silent) is Outcome.SKIPPED
        asked = len(bot.provider.requests)
        await bot.hears("!cortex why", OWNER)
        assert f"memory {name}: it orders silence" in bot.last
        assert await bot.presses("Prove it…") == ""
        assert len(bot.provider.requests) == asked
        print(bot.last)
        assert f"First tried: memory {name}" in bot.last and "Up to 40 runs" in bot.last
        assert "Model scripted/scripted-1" in bot.last
        public = list(bot.public)
        assert await bot.presses("Prove it") == "It is being asked now. How far it is comes here."
        await bot.settled()
        for sent in bot.private[-3:]:
            print(sent.text, [b.label for b in sent.buttons], sent.edits)
        verdict = told(bot, "proven why it keeps silent")
        assert f"The cause: memory {name}" in verdict
        assert re.search(r"It keeps silent in (\d+) of \1 as sent\.", verdict)
        assert re.search(rf"Without memory {name}: in 0 of \d+\.", verdict)
        assert "It is needed for this, and enough alone." in verdict
        assert bot.public == public
        await bot.presses(f"Forget {name}…")
        assert await bot.presses(f"Forget {name}") == "Done."
        assert (await bot.store.memories.get(row)).forgotten_at

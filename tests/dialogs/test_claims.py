"""An answer that claims an action: the owners hear at once where the record says otherwise."""

from __future__ import annotations

import pytest

from tests.dialogs.online import model_config, online
from tests.dialogs.plots import call
from tests.servers.model import Calls, Says, model_server

ASKS = "@glassmind please remember that I like pears"
SAVES = Calls([call("memory_save", content="ann likes pears", type="preference")])


@pytest.fixture
async def server():
    async with model_server() as server:
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    async with online(tmp_path, server) as bot:
        yield bot


def alerts(bot):
    return [text for text in bot.private() if "my answer says" in text]


async def test_owners_hear_of_an_answer_that_claims_what_was_not_done(bot, server):
    server.script += [Says("Got it, I've saved that."), Says("I have also saved your cat.")]
    await bot.says("ann", ASKS)
    (told,) = alerts(bot)
    assert "In #general my answer says something was saved" in told and "no call (turn t" in told
    assert "pears" not in told and "ann" not in told
    await bot.says("ann", "@glassmind and my cat is called Tom")
    assert len(alerts(bot)) == 1, "what comes again is counted, not told again"


async def test_an_answer_that_did_what_it_says_alarms_nobody(bot, server):
    server.script += [SAVES, Says("Got it, I've saved that."), Says("I have not saved it. Shall I?")]
    await bot.says("ann", ASKS)
    await bot.says("ann", ASKS)
    assert alerts(bot) == []


async def test_who_wants_no_such_alerts_gets_none(tmp_path, server):
    server.script += [Says("Got it, I've saved that.")]
    async with online(tmp_path, server, model_config("\n[alerts]\nfalse_success = false\n")) as bot:
        await bot.says("ann", ASKS)
        assert alerts(bot) == []

"""A proof as a file: the request, its parts, and every run with what was decided."""

from __future__ import annotations

import re

from bot.domain.handles import HandleKind, handle
from bot.replay.bundle_file import checked, read_bundle
from tests.bot.cortex.chat import ADMIN, OWNER, SECRET, chat
from tests.bot.cortex.proving.test_proof_runner import KEY, SKIP, obeys, told
from tests.fakes.provider import says


async def test_a_proof_goes_into_a_file_with_its_runs(tmp_path):
    async with chat(tmp_path, obeys) as bot:
        await bot.remembers()
        await bot.hears("are you there?")
        await bot.hears("!cortex prove", OWNER)
        await bot.presses("Prove it")
        turn = re.search(r"\bt(?=\w*\d)[0-9a-z]{4,5}\b", told(bot, "proven why it stays silent"))[0]
        await bot.dm(f"bundle {turn}")
        assert "runs of the proof" in bot.last and "It holds what people wrote" in bot.last, bot.last
        (path,) = tmp_path.rglob("*-replay.json")
        bundle, holds = read_bundle(path.read_bytes(), path.name)
        # the scripted model writes who said what into its bytes, which no service does
        wrong = [one for one in checked(bundle, seal_holds=holds, encode=None) if one.wrong and one.what != "sent"]
        assert holds and not wrong
        assert {run.decision for run in bundle.runs} == {"skipped", "replied"} and bundle.decided == "skipped"
        assert len(bundle.runs) >= 8 and any(run.left_out for run in bundle.runs)


async def test_of_a_request_what_its_reader_may_see(tmp_path):
    async with chat(tmp_path, says(f"it is {SECRET}")) as bot:
        await bot.hears("what is the key?")
        await bot.hears("and again?")
        await bot.hears("!cortex bundle last", ADMIN)
        await bot.hears("!cortex bundle", ADMIN)
        (path,) = tmp_path.rglob("*-replay.json")
        content = path.read_text()
        assert SECRET not in content and "exact: false" in bot.last
        bundle, holds = read_bundle(content.encode(), path.name)
        assert holds and bundle.redactions and "user2" in bundle.written_by
        assert bundle.record.channel == "" and all(one.author is None for one in bundle.record.request.messages)
        before = len(list(tmp_path.rglob("*-replay*.json")))
        await bot.hears("!cortex bundle", "9")
        assert len(list(tmp_path.rglob("*-replay*.json"))) == before


async def test_what_cannot_be_bundled_says_why(tmp_path):
    async with chat(tmp_path, SKIP) as bot:
        await bot.hears("!cortex bundle", OWNER)
        assert "Only requests of a channel go into a bundle." in bot.last
        await bot.hears("hello")
        row = (await bot.store.journal.recent_requests(KEY, 1))[0].id
        await bot.dm(f"bundle {handle(HandleKind.REQUEST, row)}")
        assert "It holds the request" in bot.last

"""What a branch writes is believed only as far as the records bear it out."""

from __future__ import annotations

import re

from bot.domain.base import canonical_json
from bot.domain.handles import HandleKind, handle
from bot.domain.messages import Role
from tests.bot.cortex.chat import ADMIN, OWNER, SECRET, SILENCING, chat
from tests.fakes.provider import calls, says


def writes(*findings, summary=""):
    return says(canonical_json({"findings": findings, "summary": summary}))


def finding(claim="A memory orders silence.", **changes):
    base = {"claim": claim, "confidence": "likely", "evidence": [], "quotes": [], "fix": None}
    return {**base, **changes}


async def test_a_proven_claim_comes_with_its_quote_and_a_fix(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        row = await bot.remembers()
        name = handle(HandleKind.MEMORY, row)
        await bot.hears("hello")
        bot.provider.script = [
            writes(
                finding(
                    confidence="confirmed",
                    evidence=[name],
                    quotes=[{"handle": name, "text": SILENCING}],
                    fix={"kind": "forget_memory", "memory": name},
                )
            )
        ]
        await bot.hears("!cortex why does it ignore ann?", OWNER)
        assert "A memory orders silence." in bot.last
        assert SILENCING in bot.last
        assert "confirmed" not in bot.last
        assert [button.label for button in bot.private[-1].buttons] == [f"Forget {name}…"]
        await bot.presses("Forget")
        await bot.presses(f"Forget {name}")
        assert (await bot.store.memories.get(row)).forgotten_at


async def test_what_does_not_hold_is_dropped_and_said(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        row = await bot.remembers()
        name = handle(HandleKind.MEMORY, row)
        await bot.hears("hello")
        bot.provider.script = [
            writes(
                finding(evidence=[name], quotes=[{"handle": name, "text": "Do answer ann."}]),
                finding("INVENTED", evidence=["m0000"]),
            )
        ]
        await bot.hears("!cortex what is it told?", OWNER)
        assert f"1 claim dropped: the quote is not in {name}" in bot.last
        assert "1 claim dropped: there is no record m0000 here" in bot.last
        assert "INVENTED" not in bot.last


async def test_the_branch_starts_empty_and_reads_one_frozen_capture(tmp_path):
    async with chat(tmp_path, says("SAID-IN-PUBLIC")) as bot:
        await bot.hears("WORDS-OF-ANN")
        bot.provider.requests.clear()
        bot.provider.script = [
            calls(("read_channel_context", {"channel_id": "console:#general", "part": "history:1-9"})),
            writes(finding(evidence=["context"], quotes=[{"handle": "context", "text": "WORDS-OF-ANN"}])),
        ]
        await bot.hears("!cortex what was said?", OWNER)
        first, second = bot.provider.requests
        assert [message.role for message in first.messages] == [Role.USER]
        assert "WORDS-OF-ANN" not in first.system_text
        brief, _, asked = first.messages[0].text.partition("## Request")
        assert re.search(r"^## history:1-\d\n```transcript\n[^`]*WORDS-OF-ANN", brief, re.MULTILINE)
        assert "what was said?" in asked and "WORDS-OF-ANN" not in asked
        assert "WORDS-OF-ANN" in second.messages[-1].results[0].text
        assert "WORDS-OF-ANN" in bot.last
        reading = {
            "read_channel_context",
            "memory_recall",
            "channel_recall",
            "worker_inspect",
            "retrieve_tool_call_log",
        }
    assert {tool.name for tool in first.tools} == reading


async def test_inspections_never_find_themselves_and_leave_the_channel_as_it_was(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        said = await bot.hears("hello")
        key = (await bot.inbound(said)).key
        before = await bot.store.channels.load(key)
        live = bot.registry.get(key)
        bot.provider.script = [writes(summary="fine")]
        await bot.hears("!cortex how are you?", OWNER)
        assert await bot.store.channels.load(key) == before
        assert bot.registry.get(key) is live
        assert len(await bot.store.journal.recent_requests(key, 10)) == 1


async def test_links_pings_and_secrets_in_a_models_words_are_dead(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        row = await bot.remembers(f"The key is {SECRET} and https://evil.example/x?y=1 @everyone")
        name = handle(HandleKind.MEMORY, row)
        await bot.hears("hello")
        hostile = f"see https://evil.example/steal?d=1 <@&5> @everyone {SECRET} [x](https://e.com)"
        bot.provider.script = [
            writes(finding(hostile, evidence=[name]), summary=hostile),
            says(hostile),
        ]
        await bot.hears("!cortex what is it told?", ADMIN)
        await bot.hears("!cortex and what else?", ADMIN)
        await bot.hears(f"!cortex {name}", ADMIN)
        posts = "\n".join(sent.text for sent in bot.private)
        assert SECRET not in posts
        reports = "\n".join(sent.text for sent in bot.private if "treat with care" in sent.text)
        assert "https://" not in reports
        assert "@everyone" not in reports
        assert "evil[.]example" in reports


async def test_a_report_is_withheld_from_an_admin_who_lost_the_right_meanwhile(tmp_path):
    async with chat(tmp_path, says("yes")) as bot:
        await bot.hears("CANARY")

        def demotes(request):
            bot.platform.admins.clear()
            return writes(finding(evidence=["context"], quotes=[{"handle": "context", "text": "CANARY"}]))

        bot.provider.script = [demotes]
        await bot.hears("!cortex what was said?", ADMIN)
        assert "can't show" in bot.last
        assert "CANARY" not in bot.last


async def test_who_may_not_read_the_channel_gets_no_words_of_it(tmp_path):
    async with chat(tmp_path, says("CANARY-ANSWER")) as bot:
        bot.platform.readers.clear()
        row = await bot.remembers("CANARY-MEMORY")
        said = await bot.hears("CANARY-WORDS")
        stored = await bot.inbound(said)
        request = (await bot.store.journal.recent_requests(stored.key, 1))[0]
        bot.provider.script = [
            calls(("read_channel_context", {"channel_id": "console:#general", "part": "dump"})),
            writes(),
        ]
        lines = [
            "what was said?",
            "context",
            "last",
            "ledger",
            "memory list",
            "memory search CANARY",
            f"memory forget {handle(HandleKind.MEMORY, row)}",
            handle(HandleKind.MEMORY, row),
            handle(HandleKind.INBOUND, stored.id),
            handle(HandleKind.TURN, stored.turn),
            handle(HandleKind.REQUEST, request.id),
        ]
        for line in lines:
            await bot.hears(f"!cortex {line}", ADMIN)
        assert len(bot.private) >= len(lines)
        assert "CANARY" not in "\n".join(sent.text for sent in bot.private)
        shown = [r for q in bot.provider.requests for m in q.messages for r in m.results]
        assert shown
        assert not any("CANARY" in result.text for result in shown)
        await bot.hears("!cortex export", ADMIN)
        assert "exact: false" in bot.last
        assert b"CANARY" not in open_bytes(bot.private[-1].file.path)


def open_bytes(path):
    with open(path, "rb") as file:
        return file.read()

"""An admin takes what is remembered along as a file, and lets it in elsewhere: seen first, confirmed, taken back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson

from bot.app.retention import retention_of
from bot.domain.handles import HandleKind, handle
from tests.dialogs.discord import a_discord_bot, labels_of
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.servers.discord.values import Upload as Dropped
from tests.servers.telegram.state import Upload

FACT = "The code of the cellar is 4711."
TEA = "James likes tea."


def lines_of(content: bytes) -> list[dict[str, Any]]:
    return [orjson.loads(line) for line in content.splitlines()]


def written(lines: list[dict[str, Any]]) -> bytes:
    return b"".join(orjson.dumps(one) + b"\n" for one in lines)


def sent_to(kind: type[Any], content: bytes) -> Any:
    return kind("memories.jsonl", content, "application/x-ndjson")


async def test_on_telegram(tmp_path: Path):
    async with a_telegram_bot(tmp_path / "data", begins=False) as bot:
        garden = bot.world.supergroup("garden", bot.root, bot.ann, bot.me)
        for one in (bot.root, bot.mod):
            bot.world.dm(one).is_started = True
        await bot.open()
        await bot.hears(bot.james, f"{AT} remember as fact with importance 0.5: {TEA}")
        await bot.hears(bot.ann, f"{AT} remember as fact with importance 0.5: {FACT}", garden)

        # out: signed, into the private chat, and into no other
        await bot.hears(bot.mod, "/cortex memory export", bot.kitchen)
        sent = bot.written(bot.dm(bot.mod))[-1]
        assert "1 memory, with who caused it" in sent.text
        content = bot.world.files[sent.json["document"]["file_id"]].upload.content
        lines = lines_of(content)
        assert [one["body"]["content"] for one in lines[1:-1]] == [TEA]
        assert [one["cause"] for one in lines[1]["versions"]] == ["saved"] and FACT not in content.decode()
        assert "remembered" not in bot.transcript()

        # the same again adds nothing
        file = sent_to(Upload, content)
        await bot.hears(bot.mod, "/cortex memory import", bot.dm(bot.mod), document=file)
        page = bot.texts(bot.dm(bot.mod))[-1]
        assert "There is nothing to import." in page and "✓ Signed by this bot" in page
        assert "Left out: 1 here already" in page

        # somebody has put a word in that is for a chat which the moderator of the kitchen does not decide for
        more = {**lines[1], "memory": 90, "body": {**lines[1]["body"], "content": "Water is at six."}}
        foreign = {**more, "memory": 91, "body": {**more["body"], "channel": f"telegram:{garden.id}"}}
        changed = sent_to(Upload, written([*lines[:-1], more, foreign, lines[-1]]))
        await bot.hears(bot.mod, "/cortex memory import", bot.dm(bot.mod), document=changed)
        page = bot.texts(bot.dm(bot.mod))[-1]
        assert "✗ This is not what was signed" in page and "1 of 3 memories would be new here." in page
        assert "+ Water is at six." in page
        assert "Left out: 1 for channels or people that you do not decide for" in page
        before = await bot.hears(bot.james, f"{AT} what do you remember?")
        await bot.presses(bot.mod, "Import 1 memory")
        done = bot.texts(bot.dm(bot.mod))[-1]
        assert done.startswith("✓ 1 memory imported")
        stored = await bot.store.memories.get(3)
        assert stored.body.content == "Water is at six." and not stored.body.provenance.by_admin
        assert stored.body.channel == f"telegram:{bot.kitchen.id}" and before
        await bot.hears(bot.mod, f"memory history {_name(3)}", bot.dm(bot.mod))
        page = bot.texts(bot.dm(bot.mod))[-1]
        assert "imported by" in page and "which nobody here can check:\n  saved by James, " in page

        # and back
        await bot.presses(bot.mod, "Undo")
        assert (await bot.store.memories.get(3)).forgotten_at
        await bot.presses(bot.mod, "Import 1 memory")
        assert (await bot.store.memories.get(3)).forgotten_at and await bot.store.memories.get(4) is None


async def test_on_discord(tmp_path: Path):
    async with a_discord_bot(tmp_path / "data") as bot:
        await bot.hears(bot.james, f"{bot.at} remember as fact with importance 0.5: {TEA}")
        await bot.hears(bot.mod, "!cortex memory export")
        sent = bot.written(bot.dm(bot.mod))[-1]
        assert "1 memory, with who caused it" in sent.text
        lines = lines_of(next(iter((tmp_path / "data").glob("context/*/*/*-memories.jsonl"))).read_bytes())
        assert sent.attachments[0]["filename"].endswith("-memories.jsonl")
        another = {**lines[1], "memory": 90, "body": {**lines[1]["body"], "content": "Water is at six."}}
        file = sent_to(Dropped, written([*lines[:-1], another, lines[-1]]))
        await bot.hears(bot.mod, "!cortex memory import", files=[file])
        offer = bot.written(bot.dm(bot.mod))[-1]
        assert labels_of(offer, "Import 1 memory") and "+ Water is at six." in offer.text
        # whoever is no admin gets no file, and brings none in
        await bot.hears(bot.james, "!cortex memory import", files=[sent_to(Dropped, written(lines))])
        await bot.hears(bot.james, "!cortex memory export")
        assert bot.texts(bot.dm(bot.james)) == []
        # who was forgotten between the look and the press stays so
        await bot.hears(bot.root, f"!cortex forget user {bot.james.id}")
        await bot.presses(bot.root, f"Forget id {bot.james.id}")
        press = await bot.presses(bot.mod, "Import 1 memory", offer)
        told = str([press.answer, *(one.text for one in press.shown)])
        assert "gone" in told or "changed" in told
        assert await bot.store.memories.get(2) is None
        await bot.hears(bot.mod, "!cortex memory import", files=[file])
        assert "Left out: 2 of people who were forgotten" in bot.texts(bot.dm(bot.mod))[-1]
        third = {**another, "memory": 91, "body": {**another["body"], "content": "XYZZY at six.", "subjects": []}}
        third["body"] = {**third["body"], "provenance": {**lines[1]["body"]["provenance"], "author": str(bot.ann.id)}}
        await bot.hears(bot.mod, "!cortex memory import", files=[sent_to(Dropped, written([lines[0], third]))])
        assert "+ XYZZY at six." in bot.texts(bot.dm(bot.mod))[-1]
        bot.clock.advance(25 * 3600)
        counts = await bot.store.sweep(retention_of(bot.config.config), bot.clock.now())
        assert counts["files_shown"] == 1 and not await bot.store.verify()
        await bot.hears(bot.mod, "!cortex memory import")
        assert bot.texts(bot.dm(bot.mod))[-1].startswith("Attach the file to the command")


def _name(row: int) -> str:
    return handle(HandleKind.MEMORY, row)

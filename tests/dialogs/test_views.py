"""How large a context is, on every platform: words and a picture for its admin alone, and files that do not stay."""

from __future__ import annotations

import gzip
import re
import struct
from pathlib import Path

import orjson
import pytest

import bot.cortex.pages.chart_pictures
from bot.domain.handles import HandleKind, handle
from bot.inspect.usage.usage_text import COLUMNS
from bot.messaging.delivery.long_reply_file import FOLDER
from bot.sentences import say
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.dialogs.discord import a_discord_bot
from tests.dialogs.telegram import AT, a_telegram_bot
from tests.servers.discord import faults as discord_faults
from tests.servers.telegram import faults as telegram_faults

DAY = 24 * 3600


def size_of(png: bytes) -> tuple[int, int]:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    return struct.unpack(">II", png[16:24])


def pictures(data: Path) -> list[Path]:
    return list(data.rglob("*.png"))


def lift(bot, most: int) -> None:
    """Let a platform take files of a certain size, whichever process sends them."""
    for platform in bot.adapters:
        platform.capabilities = platform.capabilities.replace(max_file=most)


@pytest.fixture
async def phone(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        await bot.hears(bot.ann, f"{AT} are you there?")
        yield bot


async def test_the_view_and_its_picture_go_to_the_admin_alone(phone):
    sent = await phone.hears(phone.root, "!cortex context")
    assert {message.chat.id for message in sent} == {phone.root.id}
    (call,) = phone.server.calls("sendPhoto")
    width, height = size_of(call.files["photo"].content)
    assert width == 900 and 700 < height < 1600
    text = phone.private(phone.root) or call.params.get("caption", "")
    assert ("kitchen · next" in text and "Next compaction" in text) or "No compaction" in text
    (kept,) = (phone.data / FOLDER).glob("context*.png")
    assert kept.read_bytes() == call.files["photo"].content and kept.stat().st_mode & 0o777 == 0o600


async def test_a_picture_that_is_not_wanted_as_one_goes_as_a_file(phone):
    phone.server.fault("sendPhoto", telegram_faults.Refuses(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"))
    await phone.hears(phone.root, "!cortex context")
    (call,) = phone.server.calls("sendDocument")
    assert call.files["document"].name.endswith(".png")


async def test_usage_is_a_command_and_not_a_question(phone):
    (*_, said) = await phone.hears(phone.root, "!cortex usage")
    assert said.text.splitlines()[0] == "kitchen · usage"
    assert "By process" in said.text and "By model" in said.text and "By day" in said.text
    assert max(map(len, said.text.splitlines())) <= COLUMNS
    (*_, asked) = await phone.hears(phone.root, "!cortex usage of sugar, why?")
    assert "By process" not in asked.text


async def test_a_file_that_is_too_large_is_packed_and_then_only_named(phone):
    lift(phone, 14_000)
    await phone.hears(phone.root, "!cortex export")
    (call,) = phone.server.calls("sendDocument")
    packed, caption = call.files["document"], call.params["caption"]
    assert packed.name.endswith("-context.json.gz") and "packed (gzip)" in caption
    (path,) = (phone.data / "context").rglob("*-context.json")
    assert gzip.decompress(packed.content) == path.read_bytes()
    assert orjson.loads(path.read_bytes())["kind"] == "next" and str(path) in caption
    lift(phone, 100)
    (*_, said) = await phone.hears(phone.root, "!cortex export")
    assert len(phone.server.calls("sendDocument")) == 1
    assert "only at that path" in said.text and "context.json" in said.text


async def test_a_context_can_be_had_as_a_text_to_read(phone):
    await phone.hears(phone.root, "!cortex export markdown")
    (call,) = phone.server.calls("sendDocument")
    text = call.files["document"].content.decode()
    assert call.files["document"].name.endswith("-context.md")
    assert text.startswith("# Channel Context: #kitchen") and "are you there?" in text and "## Status Block" in text
    (path,) = (phone.data / "context").rglob("*-context.md")
    assert path.read_text() == text and path.stat().st_mode & 0o777 == 0o600


async def test_a_file_that_the_platform_refuses_all_the_same_leaves_its_words(phone):
    phone.server.fault("sendDocument", telegram_faults.BadGateway(413))
    sent = await phone.hears(phone.root, "!cortex export")
    assert sent[-1].text.endswith(say("sessions.not-attached")) and "context.json" in sent[-1].text


async def test_files_leave_the_chat_after_a_day_and_stay_on_the_host(phone):
    lift(phone, 14_000)
    (*_, file) = await phone.hears(phone.root, "!cortex export")
    caption = phone.server.calls("sendDocument")[0].params["caption"]
    assert "I delete this message after 24 h" in caption
    await phone.hears(phone.root, "!cortex context")
    phone.clock.advance(DAY - 60)
    await phone.app.maintenance.sweep()
    assert file in phone.written() and list((phone.data / FOLDER).glob("*.gz"))
    phone.clock.advance(120)
    phone.server.fault("deleteMessage", telegram_faults.BadGateway(502))
    await phone.app.maintenance.sweep()
    assert file in phone.written(), "it could not be taken back then"
    await phone.app.maintenance.sweep()
    assert file not in phone.written()
    assert not list((phone.data / FOLDER).glob("*.gz")) and list((phone.data / FOLDER).glob("*.png"))
    assert len(list((phone.data / "context").rglob("*-context.json"))) == 1
    before = len(phone.server.calls("deleteMessage"))
    await phone.app.maintenance.sweep()
    assert len(phone.server.calls("deleteMessage")) == before


async def test_what_cannot_be_taken_back_any_more_is_let_be(phone):
    (*_, file) = await phone.hears(phone.root, "!cortex export")
    phone.clock.advance(3 * DAY)
    await phone.app.maintenance.sweep()
    await phone.app.maintenance.sweep()
    assert file in phone.written() and len(phone.server.calls("deleteMessage")) == 1


async def test_discord_shows_the_picture_and_takes_files_back(tmp_path):
    async with a_discord_bot(tmp_path / "data") as bot:
        await bot.hears(bot.ann, f"{bot.at} are you there?")
        shown = await bot.hears(bot.root, "!cortex context")
        assert {message.channel.id for message in shown} == {bot.dm(bot.root).id}
        (picture,) = shown[-1].attachments
        assert picture["filename"] == "context.png" and picture["size"] > 10_000
        (*_, file) = await bot.hears(bot.root, "!cortex export last")
        assert file.attachments[0]["filename"].endswith("-context.json")
        refusal = discord_faults.Refuses(413, 40005, "Request entity too large")
        bot.server.fault("create_message", refusal, when=lambda body: "attachments" in body)
        (*_, words) = await bot.hears(bot.root, "!cortex export")
        assert not words.attachments and say("sessions.not-attached") in words.text
        bot.clock.advance(DAY + 60)
        await bot.app.maintenance.sweep()
        left = [message.id for message in bot.written(bot.dm(bot.root))]
        assert file.id not in left and {shown[-1].id, words.id} <= set(left)


# at the terminal


async def exported(bot: Bot, line: str) -> dict:
    before = set((bot.data / "context").rglob("*.json"))
    await bot.says("root", f"!cortex {line}")
    (path,) = set((bot.data / "context").rglob("*.json")) - before
    return orjson.loads(path.read_bytes())


async def test_each_form_of_an_export(tmp_path):
    async with a_bot(tmp_path) as bot:
        await bot.says("ann", "@glassmind say hello")
        (stored,) = await bot.store.journal.recent_requests(GENERAL, 1)
        name = handle(HandleKind.REQUEST, stored.id)
        assert (await exported(bot, "export"))["kind"] == "next"
        assert (await exported(bot, "export last"))["request_id"] == name
        sent = await exported(bot, f"export #general --sent {name}")
        assert (sent["kind"], sent["wire_sha256"]) == ("sent", stored.record.wire_sha256)
        said = await bot.says("root", "!cortex export running")
        assert "No request is in flight" in "\n".join(said)
        assert "admin_ids" not in sent and sent["exported_by"].startswith("root (console id 1)")


async def test_five_exports_under_a_frozen_clock_are_five_files(tmp_path):
    async with a_bot(tmp_path) as bot:
        await bot.says("ann", "@glassmind say hello")
        for _ in range(5):
            await bot.console.type("[#general] root> !cortex export last", bot.app.manager)
            await bot.app.settled()
        written = sorted((bot.data / "context" / "console").rglob("*"), key=lambda path: path.name)
        names = [path.name for path in written if path.is_file()]
        stem = min(names, key=len).removesuffix(".json")
        assert sorted(names) == sorted([f"{stem}.json", *(f"{stem}-{n}.json" for n in (2, 3, 4, 5))])
        # each names the session that it was made in
        texts = {re.sub(r'"exported_by": .*', "", path.read_text()) for path in written if path.is_file()}
        assert len(texts) == 1


@pytest.mark.parametrize("trouble", ["link", "file"])
async def test_what_stands_in_the_way_is_named(tmp_path, trouble):
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind say hello")
        place, outside = tmp_path / "data" / "context", tmp_path / "outside"
        outside.mkdir()
        if trouble == "link":
            place.symlink_to(outside)
        else:
            place.write_text("mine")
        before = await bot.store.channels.load(GENERAL)
        said = "\n".join(await bot.says("root", "!cortex export"))
        assert "I could not write the export" in said and str(place) in said
        assert ("is a link" if trouble == "link" else "is not a folder") in said
        assert not list(outside.iterdir()) and await bot.store.channels.load(GENERAL) == before


@pytest.mark.parametrize("why", ["off", "missing"])
async def test_without_pictures_the_words_say_all(tmp_path, why, monkeypatch):
    if why == "missing":
        monkeypatch.setattr(bot.cortex.pages.chart_pictures, "can_draw", lambda: False)
    more = '[cortex]\npicture = "off"\n' if why == "off" else ""
    async with a_bot(tmp_path, more=more) as here:
        await here.says("ann", "@glassmind say hello")
        said = "\n".join(await here.says("root", "!cortex context"))
        assert "█ System" in said and "░" in said and "png" not in said
        assert pictures(here.data) == []


async def test_a_picture_that_cannot_be_kept_is_told_with_its_reason(tmp_path):
    async with a_bot(tmp_path / "data") as here:
        await here.says("ann", "@glassmind say hello")
        place = tmp_path / "data" / "outgoing"
        place.write_text("mine")
        said = "\n".join(await here.says("root", "!cortex context"))
        assert "█ System" in said
        assert f"No picture: {place} is not a folder → Move it away and ask again." in said


async def test_a_terminal_keeps_what_it_has_printed(tmp_path):
    async with a_bot(tmp_path) as bot:
        await bot.says("ann", "@glassmind say hello")
        said = "\n".join(await bot.says("root", "!cortex export"))
        assert "It stays there until you remove it." in said and "is deleted after" not in said
        bot.clock.advance(2 * DAY)
        await bot.app.maintenance.sweep()
        assert await bot.store.sent_files.before(bot.clock.now(), 10) == []

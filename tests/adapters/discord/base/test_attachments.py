"""What comes with a message is listed with an honest name; what a link unfolds into was sent by nobody."""

from __future__ import annotations

from bot.domain.messages import AttachmentKind
from tests.adapters.discord.listening import listening
from tests.servers.discord import Upload


def listed(inbound):
    return [(one.kind, one.name, one.mimetype, one.size) for one in inbound.attachments]


async def test_files_are_listed_with_what_can_be_done_with_them():
    async with listening() as here:
        files = [
            Upload("tea.md", b"# Tea", "text/markdown; charset=utf-8"),
            Upload("cup.png", b"png", "image/png"),
            Upload("song.ogg", b"ogg", "audio/ogg"),
            Upload("script.py", b"1", ""),
        ]
        await here.ann.says(here.table, "look", files=files)
        await here.hears("look")
        assert listed(here.newest()) == [
            (AttachmentKind.TEXT, "tea.md", "text/markdown", 5),
            (AttachmentKind.IMAGE, "cup.png", "image/png", 3),
            (AttachmentKind.OTHER, "song.ogg", "audio/ogg", 3),
            (AttachmentKind.TEXT, "script.py", "", 1),
        ]
        first = here.newest().attachments[0]
        assert first.reference.startswith(here.server.cdn_url)
        assert await here.discord.fetch(first, 100) == b"# Tea"


async def test_what_is_no_file_is_mentioned_by_its_name():
    async with listening() as here:
        sticker = [{"id": "5", "name": "Wave", "format_type": 1}]
        await here.ann.says(here.table, "hi", sticker_items=sticker)
        await here.hears("hi")
        assert listed(here.newest()) == [(AttachmentKind.OTHER, "sticker Wave", "", 0)]
        answers = [{"answer_id": 1, "poll_media": {"text": "green"}}]
        poll = {"question": {"text": "Which tea?"}, "answers": answers, "allow_multiselect": False, "layout_type": 1}
        await here.ann.says(here.table, "vote", poll=poll | {"expiry": "2025-10-10T08:53:20+00:00"})
        await here.hears("vote")
        assert listed(here.newest()) == [(AttachmentKind.OTHER, "poll Which tea?", "", 0)]


async def test_what_a_link_unfolds_into_is_no_attachment():
    async with listening() as here:
        embed = {"type": "rich", "title": "Tea, a site"}
        await here.ann.says(here.table, "see https://tea.example", embeds=[embed])
        await here.hears("see https://tea.example")
        assert listed(here.newest()) == []
        await here.world.speaks_through_webhook(here.table, "News", "news")
        await here.hears("news")
        assert listed(here.newest()) == []


async def test_a_forward_brings_what_was_forwarded():
    async with listening() as here:
        await here.ann.says(here.table, "look", files=[Upload("tea.md", b"# Tea", "text/markdown")])
        await here.hears("look")
        (first,) = here.newest().attachments
        file = {"id": "7", "filename": "tea.md", "size": 5, "url": first.reference, "proxy_url": first.reference}
        said = {"content": "old", "attachments": [file], "embeds": [], "flags": 0, "edited_timestamp": None, "type": 0}
        said |= {"timestamp": "2025-10-09T08:53:20+00:00", "mentions": [], "mention_roles": [], "components": []}
        await here.ann.says(here.table, "from there", message_snapshots=[{"message": said}])
        await here.until(lambda: len(here.ears.heard_all) == 2)
        assert listed(here.newest()) == [(AttachmentKind.TEXT, "tea.md", "", 5)] and here.newest().forwarded

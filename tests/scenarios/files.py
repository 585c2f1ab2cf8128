"""Files that come with messages: not read, or refused by the model's service."""

from __future__ import annotations

from tests.scenarios.discord_stage import Screens
from tests.scenarios.online_play import OnDiscord, OnTelegram
from tests.scenarios.scenario import HEALTHY
from tests.scenarios.telegram_stage import Phones
from tests.servers.discord import Refuses as DiscordRefuses
from tests.servers.discord import Upload as DiscordUpload
from tests.servers.model import FAILURES, Says
from tests.servers.telegram import Refuses, Upload

UNREAD, POISON = "ATTACH", "IMG-POISON"
PNG = Upload("pear.png", b"\x89PNG\r\n\x1a\n" + b"x" * 3_000, "image/png")
NOTES = Upload("notes.txt", b"pears are ripe", "text/plain")
BOOK = Upload("book.txt", b"pear " * 20_000, "text/plain")
ARCHIVE = Upload("notes.zip", b"PK\x03\x04", "application/zip")
SEES = {"model": {"sees_images": True}}
BLIND = {"model": {"sees_images": False}}
ASKS = "@glassmind_bot what is this?"


async def ann_sends_notes(stage: Phones) -> None:
    await stage.asks(stage.ann, ASKS, document=NOTES)


async def ann_sends_a_book(stage: Phones) -> None:
    await stage.asks(stage.ann, ASKS, document=BOOK)


async def ann_sends_an_archive(stage: Phones) -> None:
    await stage.asks(stage.ann, ASKS, document=ARCHIVE)


async def ann_sends_a_picture(stage: Phones) -> None:
    await stage.asks(stage.ann, ASKS, photo=PNG)


async def the_link_has_run_out(stage: Phones) -> None:
    stage.server.fault("getFile", Refuses(400, "Bad Request: wrong file_id or the file is temporarily unavailable"))
    await ann_sends_notes(stage)


async def a_picture_stands_in_the_history(stage: Phones) -> None:
    await ann_sends_a_picture(stage)
    await stage.asks(stage.ann, "@glassmind_bot and why?")


async def ann_shows_notes(stage: Screens) -> None:
    await stage.asks(stage.ann, "what is this?", files=[as_on_discord(NOTES)])


async def ann_shows_a_book(stage: Screens) -> None:
    await stage.asks(stage.ann, "what is this?", files=[as_on_discord(BOOK)])


async def ann_shows_an_archive(stage: Screens) -> None:
    await stage.asks(stage.ann, "what is this?", files=[as_on_discord(ARCHIVE)])


async def ann_shows_a_picture(stage: Screens) -> None:
    await stage.asks(stage.ann, "what is this?", files=[as_on_discord(PNG)])


async def the_file_is_gone(stage: Screens) -> None:
    stage.server.fault("download", DiscordRefuses(404, 0, "404: Not Found"), times=9)
    await ann_shows_notes(stage)


async def a_picture_stands_in_the_history_there(stage: Screens) -> None:
    await ann_shows_a_picture(stage)
    await stage.asks(stage.ann, "and why?")


def as_on_discord(upload: Upload) -> DiscordUpload:
    return DiscordUpload(upload.name, upload.content, upload.mime)


SCENARIOS = (
    OnTelegram(
        "a file is too large",
        UNREAD,
        ann_sends_a_book,
        ("a file was not read", "The model was not shown the file", "100 kB", "at most 50 kB", "attachments.text_kb"),
        script=(Says("I cannot see it."),),
    ),
    OnTelegram(
        "a file of a kind that is not read",
        UNREAD,
        ann_sends_an_archive,
        ("a file was not read", "application/zip", "kind are not read"),
        script=(Says("I cannot see it."),),
    ),
    OnTelegram(
        "the link to a file has run out",
        UNREAD,
        the_link_has_run_out,
        ("a file was not read", "Telegram does not give it", "attachment_not_fetched"),
        script=(Says("I cannot see it."),),
    ),
    OnTelegram(
        "a picture for a model that sees none",
        UNREAD,
        ann_sends_a_picture,
        ("a file was not read", "takes no pictures", "sees_images"),
        script=(Says("I cannot see it."),),
        settings=BLIND,
    ),
    OnTelegram("a file is read", HEALTHY, ann_sends_notes, ("was answered",), script=(Says("Notes."),)),
    OnTelegram(
        "a picture is seen", HEALTHY, ann_sends_a_picture, ("was answered",), script=(Says("A pear."),), settings=SEES
    ),
    OnTelegram(
        "a picture that the service does not take",
        POISON,
        ann_sends_a_picture,
        ("a picture is refused", "came with the message", "image/png, 3 kB", "unsupported image", "image_mb"),
        script=(FAILURES["bad_image"],),
        settings=SEES,
    ),
    OnTelegram(
        "a picture is too large for the service",
        POISON,
        ann_sends_a_picture,
        ("a picture is refused", "image exceeds 5 MB"),
        script=(FAILURES["image_too_large"],),
        settings=SEES,
    ),
    OnTelegram(
        "a picture in the history is refused",
        POISON,
        a_picture_stands_in_the_history,
        ("is in the history", "support image input", "new", "sees_images"),
        script=(Says("A pear."), FAILURES["no_images_openrouter"]),
        settings=SEES,
    ),
    OnDiscord(
        "a file is too large, on Discord",
        UNREAD,
        ann_shows_a_book,
        ("a file was not read", "The model was not shown the file", "100 kB", "at most 50 kB", "attachments.text_kb"),
        script=(Says("I cannot see it."),),
    ),
    OnDiscord(
        "a file of a kind that is not read, on Discord",
        UNREAD,
        ann_shows_an_archive,
        ("a file was not read", "application/zip", "kind are not read"),
        script=(Says("I cannot see it."),),
    ),
    OnDiscord(
        "a file is gone from Discord",
        UNREAD,
        the_file_is_gone,
        ("a file was not read", "answered 404", "attachment_not_fetched"),
        script=(Says("I cannot see it."),),
    ),
    OnDiscord(
        "a picture for a model that sees none, on Discord",
        UNREAD,
        ann_shows_a_picture,
        ("a file was not read", "takes no pictures", "sees_images"),
        script=(Says("I cannot see it."),),
        settings=BLIND,
    ),
    OnDiscord("a file is read, on Discord", HEALTHY, ann_shows_notes, ("was answered",), script=(Says("Notes."),)),
    OnDiscord(
        "a picture is seen, on Discord",
        HEALTHY,
        ann_shows_a_picture,
        ("was answered",),
        script=(Says("A pear."),),
        settings=SEES,
    ),
    OnDiscord(
        "a picture that the service does not take, on Discord",
        POISON,
        ann_shows_a_picture,
        ("a picture is refused", "came with the message", "image/png, 3 kB", "unsupported image", "image_mb"),
        script=(FAILURES["bad_image"],),
        settings=SEES,
    ),
    OnDiscord(
        "a picture is too large for the service, on Discord",
        POISON,
        ann_shows_a_picture,
        ("a picture is refused", "image exceeds 5 MB"),
        script=(FAILURES["image_too_large"],),
        settings=SEES,
    ),
    OnDiscord(
        "a picture in the history is refused, on Discord",
        POISON,
        a_picture_stands_in_the_history_there,
        ("is in the history", "support image input", "new", "sees_images"),
        script=(Says("A pear."), FAILURES["no_images_openrouter"]),
        settings=SEES,
    ),
)

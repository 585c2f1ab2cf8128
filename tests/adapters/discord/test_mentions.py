"""Nothing that the bot says calls anybody, whatever it says and however it says it."""

from __future__ import annotations

import ast
import random

import pytest

from adapters.discord.base.body import message_body
from adapters.discord.base.markup import MAX_UNITS, cut_to_units, discord_markdown
from adapters.discord.interactions import menus
from bot.domain.ids import UserId, ephemeral_id
from bot.domain.messages import Button, OutboundAddress, OutgoingFile, OutgoingMessage, Preview
from bot.ports.platform import CommandMenu, MenuEntry
from bot.text.text import utf16_length
from tests.adapters.discord.conversation import eventually, here, message, person, pressed_and_typed, speaking
from tests.architecture.tree import ROOT
from tests.fakes.lengths import whole_or

SEED = 20_260_101
PIECES = [
    "@everyone",
    "@here",
    "@EVERYONE",
    "<@1>",
    "<@!1>",
    "<@&1>",
    "<#1>",
    "`",
    "```",
    "\n",
    " ",
    "||",
    ">>> ",
    "\\",
]
PIECES += ["*", "_", "~~", "a", "é", "😀", "\u202e", "\ud800", "\x00", "@\u2060everyone", "\uff20here", "[x](http://x)"]


def odd_text(chance: random.Random) -> str:
    return "".join(chance.choice(PIECES) for _ in range(chance.randrange(1, 60)))


def calls_of(on):
    """Yield the message that each call carried: in its body, or in the answer to an interaction."""
    for call in on.server.calls():
        for form in (call.json, call.json.get("data")):
            if isinstance(form, dict) and "content" in form:
                yield call.operation, form


MANY = whole_or(1000, 250)


async def test_no_odd_text_calls_anybody():
    chance = random.Random(SEED)
    async with speaking() as on:
        ann = on.ann.id
        for n in range(MANY):
            text = odd_text(chance).replace("1>", f"{ann}>")
            await on.bot.send(message(on.support, f"x{text}", nonce=f"n{n}"))
        found = list(calls_of(on))
        assert len(found) == MANY
        assert all(form["allowed_mentions"] == {"parse": [], "replied_user": False} for _, form in found)
        assert not any(one.pings or one.mentions or one.mention_everyone for one in on.support.messages.values())


async def test_every_way_to_say_something_calls_nobody(tmp_path):
    """Every call site of the adapter is walked; those that carry words must say whom they call: nobody."""
    (tmp_path / "x.txt").write_text("x")
    file = OutgoingFile(name="x.txt", path=str(tmp_path / "x.txt"), mimetype="text/plain")
    loud, buttons = "<@1> @everyone @here <@&1>", (Button(label="b", data="d"),)
    async with pressed_and_typed() as on:
        await menus.publish(on.desk, CommandMenu(entries=(MenuEntry(name="why", help=loud),)), on.notes.__setitem__)
        asked = await on.ann.says(on.support, "hi")
        sent = await on.bot.send(message(on.support, loud, replies_to=str(asked.id)))
        await on.bot.send(message(on.support, f"{loud}!", edits=sent.message_id))
        await on.bot.send(message(on.ann, loud, file=file, nonce="n2"))
        preview = Preview(to=OutboundAddress(platform="discord", channel=here(on.support)), text=loud, number=1)
        shown = await on.bot.preview(preview)
        await on.bot.preview(preview.replace(message_id=shown, text=f"{loud}?"))
        await on.bot.open_thread(person(on.ann), loud)
        thread = await on.ann.starts_thread(asked, "tea")
        await on.bot.send(message(thread, loud, nonce="n3"))
        typed = await on.ann.slash(on.support, "why")
        await on.ears.until(lambda: bool(on.ears.heard_all))
        to = OutboundAddress(
            platform="discord", channel=ephemeral_id("discord", typed.id), private_to=UserId(str(on.ann.id))
        )
        first = await on.bot.send(OutgoingMessage(nonce="e1", to=to, text=loud, buttons=buttons))
        await on.bot.send(OutgoingMessage(nonce="e2", to=to, text=loud, file=file))
        await on.bot.send(OutgoingMessage(nonce="e3", to=to, text=loud, buttons=buttons, edits=first.message_id))
        on.ears.answer = loud
        await (await on.ann.presses(typed.original, "b")).shows("@")
        await eventually(lambda: len(list(calls_of(on))) == 11)
        operations = {operation for operation, _ in calls_of(on)}
        assert operations == {
            "create_message",
            "edit_message",
            "edit_original",
            "create_followup",
            "edit_followup",
            "callback",
        }
        for operation, form in calls_of(on):
            assert form["allowed_mentions"] == {"parse": [], "replied_user": False}, operation
            assert form["flags"] & 4 and "@everyone" not in form["content"] and "@here" not in form["content"]
        assert not any(one.pings for channel in on.world.channels.values() for one in channel.messages.values())


def test_words_are_written_in_one_place():
    """Whoever adds a call site gets its words from `body`, which is the only place that names whom they call."""
    for path in sorted((ROOT / "adapters/discord").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            keys = node.keys if isinstance(node, ast.Dict) else ()
            names = {key.value for key in keys if isinstance(key, ast.Constant)}
            # the faults name the fields that a refusal is about
            assert path.name in {"body.py", "faults.py"} or not names & {"content", "allowed_mentions"}, path.name


@pytest.mark.parametrize("seed", range(20))
def test_a_text_is_never_longer_than_the_platform_takes(seed):
    chance = random.Random(SEED + seed)
    for _ in range(50):
        text = "".join(odd_text(chance) for _ in range(20))
        while utf16_length(text) > MAX_UNITS:
            text = text[:-1]
        form = message_body(text, (Button(label=text or "x", data="d"),))
        assert utf16_length(form["content"]) <= MAX_UNITS
        assert utf16_length(form["components"][0]["components"][0]["label"]) <= 80
        assert utf16_length(cut_to_units(text, 100)) <= 100


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("**bold** `@everyone` <@1> <#2>", "**bold** `@everyone` <@1> <#2>"),
        ("```\n@here || x || y\n```", "```\n@here || x || y\n```"),
        ("@everyone and @here", "@\u2060everyone and @\u2060here"),
        ("a || b || c", "a \\|| b \\|| c"),
        ("\\||a||", "\\||a\\||"),
        (">>> 1 + 1", "\\>>> 1 + 1"),
        ("> quoted", "> quoted"),
        ("`open @here", "`open @\u2060here"),
        ("<t:1760000000:R>", "<t:1760000000:R>"),
        ("a\ud800b\x00", "a\ufffdb\ufffd"),
    ],
)
def test_what_the_platform_draws_is_left_to_it(text, shown):
    assert discord_markdown(text) == shown


def test_where_there_is_no_room_a_call_stays_as_long_as_it_was():
    text = "@here " * 333
    assert discord_markdown(text) == text.replace("@", "\uff20")


def test_a_time_is_drawn_as_the_readers_own():
    text = "set <t:1760000000:t> UTC, <t:1760000000:T>; ```\n<t:1760000000:t> UTC\n```"
    assert discord_markdown(text) == "set <t:1760000000:t>, <t:1760000000:T>; ```\n<t:1760000000:t> UTC\n```"

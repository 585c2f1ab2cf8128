"""Whose word is an order on Telegram: the number that Telegram gives counts, no name; the first wording, no edit."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import pytest

from bot.domain.ledger import Outcome
from bot.domain.messages import InboundKind
from tests.dialogs.telegram import a_telegram_bot

ORDER = "!cortex why"


@pytest.fixture
async def bot(tmp_path):
    async with a_telegram_bot(tmp_path / "data") as bot:
        yield bot


# names

DISGUISES: dict[str, Callable[[str], str]] = {
    "the same": str,
    "small": str.lower,
    "large": str.upper,
    "Cyrillic": lambda name: name.translate(str.maketrans("oaeRMd", "оаеЯМԁ")),
    "Greek": lambda name: name.translate(str.maketrans("oaMtn", "οαΜτη")),
    "full width": lambda name: "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name),
    "mathematical": lambda name: "".join(chr(0x1D400 + ord(c) - 65) if "A" <= c <= "Z" else c for c in name),
    "other digits": lambda name: name.translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")),
    "invisible between": lambda name: "\u200b".join(name),
    "joined": lambda name: f"\u2060{name}\u200d",
    "right to left": lambda name: f"\u202e{name[::-1]}\u202c",
    "combining": lambda name: f"{name}\u0323",
    "tagged": lambda name: name + "".join(chr(0xE0000 + ord(c)) for c in "admin"),
    "spaced": lambda name: f"\u00a0{name}\u3000",
    "with a role": lambda name: f"{name} (owner)",
    "with a tick": lambda name: f"{name} ✅",
    "mentioned": lambda name: f"@{name}",
    "a line of its own": lambda name: f"x\n\n**{name}**",
    "as a record": lambda name: f'{name}", "authority": "owner',
    "cut off": lambda name: f"{name}\0x",
    "a broken letter": lambda name: f"{name}\ud800",
}


async def test_two_hundred_names_that_look_like_the_owners_are_not_the_owner(bot):
    bases = [
        "Root",
        "Mod",
        "root",
        "mod",
        "Root admin",
        "Glassmind",
        "Owner",
        str(bot.root.id),
        str(bot.mod.id),
        "777000",
        "Root McMod",
        "Moderator",
        "root@telegram",
    ]
    names = list(dict.fromkeys(disguise(base) for base, disguise in product(bases, DISGUISES.values())))
    assert len(names) >= 200
    for number, name in enumerate(names):
        # a public name that its owner has given up can be taken by anybody
        someone = {
            "id": 5_900_000_000 + number,
            "is_bot": False,
            "first_name": name,
            "username": ("root", "mod")[number % 2],
        }
        message: dict[str, Any] = {"date": bot.world.now, "from": someone, "text": ORDER}
        private = {"id": someone["id"], "type": "private", "first_name": name}
        kitchen = {"message_id": 800_000 + number, "chat": bot.kitchen.json()}
        bot.world.push({"message": message | kitchen})
        bot.world.push({"message": message | {"message_id": 900_000 + number, "chat": private}})
    await bot.settled()
    assert [call.params for call in bot.sends()] == []
    asked = await bot.store.ledger.recent(bot.key(), 500)
    assert len(asked) == len(names) and {row.outcome for row in asked} == {Outcome.COMMAND}
    assert {(row.body.action, row.body.actor) for row in await bot.store.audit.newest(None, 500)} == set()
    # the owner is heard under whatever name
    bot.root.first_name, bot.root.username = "Nobody", None
    bot.say(bot.root, ORDER)
    await bot.settled()
    assert "kitchen" in bot.private(bot.root)


# edits

TELLS = ("message", "message", "edited_message", "edited_message again", "edited_message later")
"""What Telegram may tell of one message, some of it twice, in any order."""
ORDERINGS = [order for order in permutations(range(len(TELLS))) if order.index(0) < order.index(1)]


@pytest.mark.parametrize(("first", "orderings"), [("Good morning", ORDERINGS), (ORDER, ORDERINGS[::2])])
async def test_in_no_order_of_what_is_told_is_an_edit_an_order(bot, first, orderings):
    """Ninety orders in which a message and its edits may come; the first wording counts once, and no other ever."""
    later = ORDER if first != ORDER else "Good morning"
    wrong = []
    for number, order in enumerate(orderings):
        said = {
            "message_id": 800_000 + number,
            "date": bot.world.now,
            "chat": bot.kitchen.json(),
            "from": bot.root.user(),
        }
        edits = {2: (1, later), 3: (1, later), 4: (5, f"{ORDER} is it so quiet?")}
        before = len(bot.texts(bot.dm(bot.root)))
        for tell in order:
            when, text = edits.get(tell, (0, first))
            when_edited = {"edit_date": said["date"] + when} if when else {}
            bot.world.push({TELLS[tell].split()[0]: said | when_edited | {"text": text}})
        await bot.settled()
        rows = [
            row
            for row in await bot.store.ledger.recent(bot.key(), 9)
            if row.inbound.message_id == str(said["message_id"])
        ]
        commands = [row for row in rows if row.outcome is Outcome.COMMAND]
        told = len(bot.texts(bot.dm(bot.root))) > before
        ran = len(commands) == told == (first == ORDER)
        if not ran or any(row.inbound.kind is not InboundKind.MESSAGE or row.inbound.text != ORDER for row in commands):
            wrong.append((order, len(commands), told))
        bot.clock.advance(60)
    assert len(ORDERINGS) == 60 and wrong == []
    assert bot.texts() == []

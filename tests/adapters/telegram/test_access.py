"""Whose words a message of Telegram carries: an order is only what a person typed there themselves."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from adapters.telegram.authors import TelegramAccount
from adapters.telegram.convert import TelegramParseContext, convert_update
from adapters.telegram.places import KnownPlaces
from bot.domain.messages import AuthorKind, Inbound
from tests.fakes.clock import START
from tests.faults.authorisation.words import COMMAND, is_command

OWNER: dict[str, Any] = {"id": 5_000_000_001, "is_bot": False, "first_name": "Root", "username": "root"}
OTHER: dict[str, Any] = {"id": 7_000_000_009, "is_bot": True, "first_name": "Other", "username": "other_bot"}
GROUP: dict[str, Any] = {"id": -1_002_000_000_001, "type": "supergroup", "title": "kitchen"}
NEWS: dict[str, Any] = {"id": -1_002_000_000_009, "type": "channel", "title": "news"}
PRIVATE: dict[str, Any] = {"id": OWNER["id"], "type": "private", "first_name": "Root"}
DATE = START // 1000
SWITCHES: dict[str, dict[str, Any]] = {
    "in a chat's name": {"sender_chat": NEWS},
    "by a bot": {"from": OWNER | {"is_bot": True}},
    "forwarded": {"forward_origin": {"type": "user", "date": DATE, "sender_user": OWNER}},
    "forwarded by itself": {"is_automatic_forward": True},
    "via a bot": {"via_bot": OTHER},
    "by a business bot": {"sender_business_bot": OTHER},
}
"""Everything that makes a message other than what somebody typed there; the owner's name stands on each."""
COMBINATIONS = list(product((False, True), repeat=len(SWITCHES)))


def heard(kind: str = "message", **fields: Any) -> Inbound:
    body = {"message_id": 8, "date": DATE, "chat": GROUP, "from": OWNER, "text": COMMAND} | fields
    me = TelegramAccount(7_000_000_001, "glassmind_bot")
    return convert_update({"update_id": 41, kind: body}, TelegramParseContext(me, KnownPlaces(), START)).inbound


@pytest.mark.parametrize("chat", [GROUP, PRIVATE], ids=["group", "private"])
def test_only_what_a_person_typed_is_an_order(chat):
    wrong = []
    for chosen in COMBINATIONS:
        on = [name for name, is_on in zip(SWITCHES, chosen, strict=True) if is_on]
        changes: dict[str, Any] = {}
        for name in on:
            changes |= SWITCHES[name]
        if is_command(heard(chat=chat, **changes)) == bool(on):
            wrong.append(on)
    assert len(COMBINATIONS) == 64 and wrong == []


@pytest.mark.parametrize(
    ("sender", "kind"),
    [
        ({"id": 1087968824, "is_bot": True, "first_name": "Group"}, AuthorKind.ANONYMOUS_ADMIN),
        ({"id": 136817688, "is_bot": True, "first_name": "Channel"}, AuthorKind.CHANNEL_POST),
        ({"id": 777000, "is_bot": False, "first_name": "Telegram"}, AuthorKind.CHANNEL_POST),
    ],
)
def test_accounts_that_stand_for_many_are_nobody_whatever_else_the_message_says(sender, kind):
    said = heard(**{"from": sender})
    assert said.author.kind is kind and not is_command(said)


@pytest.mark.parametrize("kind", ["edited_message", "channel_post", "edited_channel_post", "business_message"])
def test_no_other_kind_of_update_is_an_order(kind):
    assert is_command(heard()) and not is_command(heard(kind, edit_date=DATE + 9))


def test_a_managed_bot_is_no_message():
    me = TelegramAccount(7_000_000_001, "glassmind_bot")
    told = {"update_id": 41, "managed_bot": {"user": OWNER, "bot": OTHER | {"first_name": COMMAND}}}
    found = convert_update(told, TelegramParseContext(me, KnownPlaces(), START)).inbound
    assert found.event is not None and found.event.name == "managed_bot"
    assert found.text == "" and not is_command(found)

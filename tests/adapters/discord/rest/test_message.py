"""What is read out of a message, from its wire form through the library's own parsing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.discord import Settings
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.rest.client import RestClient
from adapters.discord.rest.dms import DmChannels
from adapters.discord.rest.message import DiscordParseContext, edit_of, read_message, snowflake_at, time_of
from bot.domain.messages import AuthorKind, Inbound
from tests.adapters.discord.base.test_settings import TOKEN
from tests.fakes.lengths import whole_or
from tests.faults.authorisation.words import ANN, COMBINATIONS, HOUSE, ME, TABLE, account, wire, wrong_on_discord


@pytest.fixture
def client() -> LibraryClient:
    made = Settings(token=TOKEN)
    return LibraryClient(RestClient(made), made)


def heard(client: LibraryClient, **changes: Any) -> Inbound:
    message = client.message(client.stand_in(TABLE, HOUSE), wire(**changes))
    return read_message(message, DiscordParseContext(ME, DmChannels(client.http), 0))


def test_only_what_a_person_typed_is_an_order():
    assert [told for chosen in COMBINATIONS if (told := wrong_on_discord(chosen))] == []


def test_the_kinds_of_authors(client):
    def kind(**changes: Any) -> AuthorKind:
        return heard(client, **changes).author.kind

    assert kind() is AuthorKind.PERSON
    assert kind(author=account(ME, "glassmind", bot=True)) is AuthorKind.SELF
    assert kind(author=account(5, "other", bot=True)) is AuthorKind.BOT
    assert kind(author=account(5, "Discord", system=True)) is AuthorKind.BOT
    assert kind(author=account(9, "Ann", bot=True), webhook_id="9") is AuthorKind.WEBHOOK
    assert kind(author=account(9, "news", bot=True), webhook_id="9", flags=2) is AuthorKind.CHANNEL_POST
    assert kind(author=account(9, "other", bot=True), webhook_id="9", application_id="9") is AuthorKind.BOT
    mine = account(ME, "glassmind", bot=True)
    assert kind(author=mine, webhook_id=str(ME), application_id=str(ME)) is AuthorKind.SELF


def test_a_mention_counts_where_discord_counts_it(client):
    me, bob = account(ME, "glassmind", bot=True), account(5, "Bob")

    def calls(**changes: Any) -> tuple[bool, bool]:
        found = heard(client, **changes)
        return found.mentions_bot, found.mentions_others

    assert calls(content=f"<@{ME}> hi", mentions=[me]) == (True, False)
    assert calls(content=f"<@!{ME}> hi <@5>", mentions=[me, bob]) == (True, True)
    assert calls(content=f"`<@{ME}>` hi") == (False, False)
    # the author of what is answered is mentioned too, without a word
    assert calls(content="hi", mentions=[me], type=19) == (False, False)
    # words that are kept back still say whom they call
    assert calls(content="", mentions=[bob]) == (False, True)


def test_names_and_words_are_cleaned(client):
    found = heard(client, content="a\0b", author=account(ANN, "A\0nn"))
    assert found.text == "a\ufffdb" and found.author.name == "A\ufffdnn" and found.original_sha256


def test_a_channel_that_nobody_knows_has_a_name_all_the_same(client):
    found = heard(client)
    assert found.channel == f"discord:{HOUSE}:{TABLE}" and found.channel_name == f"channel {TABLE}"
    assert found.place.guild_id == str(HOUSE)


def test_a_kind_of_message_that_is_newer_than_the_library(client):
    found = heard(client, type=99)
    assert found.event is not None and found.event.name == "unknown_99" and found.text == ""


def test_ids_tell_the_time(client):
    assert time_of(175928847299117063) == 1_462_015_105_796  # the example of Discord's own documentation
    assert snowflake_at(time_of(175928847299117063)) <= 175928847299117063 < snowflake_at(1_462_015_105_797)
    assert snowflake_at(0) == 0


def test_an_edit_has_a_time(client):
    message = client.message(client.stand_in(TABLE, HOUSE), wire(edited_timestamp="2025-10-09T08:53:21.5+00:00"))
    assert edit_of(message) == 1_760_000_001_500


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=whole_or(200, 50), deadline=None)
@given(key=st.sampled_from(sorted(wire())), value=JSON)
def test_what_the_gateway_says_never_ends_the_connection(key, value):
    made = Settings(token=TOKEN)
    client = LibraryClient(RestClient(made), made)
    told: list[object] = []

    class Listener:
        def happened(self, event: str, args: tuple[Any, ...]) -> None:
            if event == "message":
                told.append(read_message(args[0], DiscordParseContext(ME, DmChannels(client.http), 0)))

        def told(self, name: str, data: dict[str, Any]) -> None:
            pass

        def unreadable(self, name: str, data: object, error: Exception) -> None:
            told.append(error)

    client.listener = Listener()
    client._connection.parsers["MESSAGE_CREATE"](wire(guild_id=str(HOUSE)) | {key: value})
    assert len(told) == 1


@pytest.mark.parametrize("junk", [None, 7, "x", [], {}, {"id": "x"}, {"guild_id": "x", "channel_id": None}])
async def test_no_event_of_any_kind_breaks_the_reading(client, junk):
    """Whatever stands where an event's data should be, the next event is read."""
    heard: list[str] = []

    class Listener:
        def happened(self, event: str, args: tuple[Any, ...]) -> None:
            heard.append(event)

        def told(self, name: str, data: dict[str, Any]) -> None:
            raise KeyError(name)

        def unreadable(self, name: str, data: object, error: Exception) -> None:
            heard.append(name)

    await client.prepare([0], 1)
    client.listener = Listener()
    for parse in client._connection.parsers.values():
        parse(junk)
    client._connection.parsers["MESSAGE_CREATE"](wire(guild_id=str(HOUSE)))
    assert heard[-1] == "message"

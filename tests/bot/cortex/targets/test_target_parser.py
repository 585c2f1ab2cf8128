"""A link or a handle means the same on the host and in the chat: one message, one request, or nothing that is known."""

from __future__ import annotations

import pytest

from bot.cli.host_queries import HostQueries
from bot.cortex.targets.target_parser import TargetParser
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelId
from bot.domain.permalinks import MessageLocation
from bot.domain.platform_names import PlatformNames
from bot.errors import UserError
from tests.bot.cli.test_host_queries import beat
from tests.bot.cortex.chat import ADMIN, GENERAL, OWNER, STRANGER, chat, config
from tests.fakes import values as v
from tests.fakes.provider import says

SUPPORT = ChannelId("discord:11:22")
LINK = "https://discord.com/channels/11/22/"
TOPIC = ChannelId("telegram:-1001234567890:7")


def host(bot):
    return HostQueries(bot.store, bot.config, bot.clock)


async def two_messages(bot):
    """One that was answered, and a newer one that a pause stopped."""
    answered = await bot.inbound(await bot.hears("hello"))
    bot.clock.advance(60)
    await bot.hears("!pause", OWNER)
    stopped = await bot.inbound(await bot.hears("anybody?"))
    return handle(HandleKind.INBOUND, answered.id), handle(HandleKind.INBOUND, stopped.id)


async def handles_of(bot, inbound):
    """The handles of everything that one message left behind."""
    stored = await bot.store.ledger.by_message(v.KEY, inbound.message_id)
    trail = await bot.store.ledger.trail(stored.id)
    requests = await bot.store.journal.requests_of_turn(stored.turn)
    sent = await bot.store.outbox.of_inbound(stored.id)
    return {
        HandleKind.INBOUND: handle(HandleKind.INBOUND, stored.id),
        HandleKind.GATE: handle(HandleKind.GATE, next(row.id for row in trail.stages if row.id)),
        HandleKind.TURN: handle(HandleKind.TURN, stored.turn),
        HandleKind.REQUEST: handle(HandleKind.REQUEST, requests[0].id),
        HandleKind.DELIVERY: handle(HandleKind.DELIVERY, sent[0].row),
    }


async def test_why_of_a_handle_is_about_that_message(tmp_path):
    async with chat(tmp_path) as bot:
        answered, stopped = await two_messages(bot)
        await bot.store.beat(beat(bot.clock.now()))
        of_stopped = await host(bot).why(stopped, everywhere=False)
        assert of_stopped.value["inbound"] != (await host(bot).why(answered, everywhere=False)).value["inbound"]
        assert "is paused" in of_stopped.text
        await bot.hears(f"!cortex why {stopped.upper()}", OWNER)
        assert "is paused" in bot.last and stopped in bot.last
        await bot.dm(f"!cortex why {stopped}", OWNER)
        assert "is paused" in bot.last and stopped in bot.last


async def test_every_record_of_a_message_stands_for_it(tmp_path):
    async with chat(tmp_path) as bot:
        inbound = await bot.hears("hello")
        await bot.hears("and then?")
        names = await handles_of(bot, inbound)
        about = {kind: (await host(bot).why(name, everywhere=False)).value["inbound"] for kind, name in names.items()}
        assert len(set(about.values())) == 1
        trails = {(await host(bot).ledger(name)).text for name in names.values()}
        assert len(trails) == 1
        assert "hello" in trails.pop()
        requests = {await host(bot).request(name) for name in names.values()}
        assert len(requests) == 1 and requests.pop()[1] > 0


async def test_a_channel_alone_names_no_message_and_no_request(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        assert await host(bot).request("#general") == (v.KEY, 0)
        assert await host(bot).request(None) == (v.KEY, 0)


@pytest.mark.parametrize(
    ("channel", "link"),
    [
        (SUPPORT, LINK),
        (SUPPORT, "https://ptb.discord.com/channels/11/22/"),
        (ChannelId("discord:dm:55"), "https://discord.com/channels/@me/99/"),
        (TOPIC, "https://t.me/c/1234567890/7/"),
        (TOPIC, "https://t.me/c/1234567890/"),
        (ChannelId("telegram:555"), "tg://openmessage?user_id=555&message_id="),
    ],
)
async def test_a_link_means_its_message_where_no_platform_is_connected(tmp_path, channel, link):
    async with chat(tmp_path) as bot:
        named = await bot.hears("hello", channel=channel, adapter=channel.partition(":")[0])
        await bot.hears("later", channel=channel, adapter=channel.partition(":")[0])
        shown = await host(bot).ledger(f"{link}{named.message_id}")
        assert handle(HandleKind.INBOUND, (await bot.inbound(named)).id) in shown.text.splitlines()[1]
        with pytest.raises(UserError, match="987654"):
            await host(bot).why(f"{link}987654", everywhere=False)


async def test_a_bare_number_that_one_platform_reads_may_be_another_ones_channel(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello", channel=SUPPORT)
        read = MessageLocation(ChannelId("telegram:22"))
        found = await TargetParser(bot.store).find("22", read, v.KEY, await bot.store.channels.known())
        assert found.key.channel == SUPPORT


async def test_a_link_names_a_service_and_means_the_bot_there_that_knows_the_place(tmp_path):
    names = PlatformNames({"discord": "discord", "help": "discord"})
    async with chat(tmp_path) as bot:
        for channel in (ChannelId("help:11:22"), ChannelId("discord:11:23")):
            named = await bot.hears("hello", channel=channel, adapter=channel.partition(":")[0])
            link = f"https://discord.com/channels/11/{channel[-2:]}"
            for text in (link, f"{link}/{named.message_id}"):
                found = await TargetParser(bot.store, names).find(text, None, v.KEY, await bot.store.channels.known())
                assert found.key.channel == channel
        assert found.inbound == (await bot.inbound(named)).id


async def test_a_link_to_an_answer_means_what_it_answered(tmp_path):
    async with chat(tmp_path) as bot:
        inbound = await bot.inbound(await bot.hears("hello"))
        sent = (await bot.store.outbox.of_inbound(inbound.id))[0]
        found = await TargetParser(bot.store).find(
            "", MessageLocation(GENERAL, sent.receipt.message_id), v.KEY, await bot.store.channels.known()
        )
        assert (found.key, found.inbound) == (inbound.key, inbound.id)


async def test_a_public_name_says_no_number_so_the_closest_are_named(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello", channel=TOPIC, adapter="telegram")
        with pytest.raises(UserError, match=r"＠some_group\. Known: .*telegram:-1001234567890:7"):
            await host(bot).why("https://t.me/some_group/44", everywhere=False)


async def test_a_link_in_the_chat_is_about_its_message(tmp_path):
    async with chat(tmp_path) as bot:
        named = await bot.hears("hello", channel=SUPPORT)
        await bot.hears("later", channel=SUPPORT)
        bot.platform.admins.add((OWNER, SUPPORT))
        name = handle(HandleKind.INBOUND, (await bot.inbound(named)).id)
        await bot.dm(f"!cortex ledger {LINK}{named.message_id}")
        assert name in bot.last and "hello" in bot.last
        await bot.dm(f"!cortex ledger {LINK}987654")
        assert "no message 987654 there" in bot.last


async def test_what_somebody_may_not_inspect_does_not_exist_for_them(tmp_path):
    async with chat(tmp_path) as bot:
        secret = ChannelId("console:#secret")
        await bot.hears("hello")
        named = await bot.inbound(await bot.hears("the vault code is 1234", channel=secret))
        name = handle(HandleKind.INBOUND, named.id)
        for words in (f"why {name}", f"context {name}", f"export {name}"):
            await bot.hears(f"!cortex {words}", ADMIN)
            assert f"There is no record {name}." in bot.last
            assert "secret" not in bot.last and "vault" not in bot.last
        sent = len(bot.platform.sent)
        await bot.hears(f"!cortex why {name}", STRANGER)
        assert len(bot.platform.sent) == sent


async def test_context_of_a_handle_is_what_was_sent_then(tmp_path):
    async with chat(tmp_path, says("one"), says("two")) as bot:
        first = await bot.hears("hello")
        await bot.hears("and then?")
        names = await handles_of(bot, first)
        for kind in (HandleKind.REQUEST, HandleKind.INBOUND, HandleKind.TURN):
            await bot.dm(f"!cortex context {names[kind]}")
            # what came back follows
            told = "\n".join(sent.text for sent in bot.private[-2:])
            assert "· sent\n" in told and "  1 message, 0 turns" in told
        await bot.dm("!cortex context")
        assert "· next request\n" in bot.last and "  5 messages, 2 turns" in bot.last


async def test_a_message_that_reached_no_model_has_no_context(tmp_path):
    async with chat(tmp_path) as bot:
        _, stopped = await two_messages(bot)
        with pytest.raises(UserError, match=rf"belongs to {stopped}\. What became of it: stopped\."):
            await host(bot).request(stopped)


async def test_the_request_of_an_inspection_is_nobody_elses(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex is it well", OWNER)
        stored = await bot.store.journal.request(2)
        assert stored.record.kind is ProcessKind.INSPECTION
        name, never = handle(HandleKind.REQUEST, stored.id), handle(HandleKind.REQUEST, 999)
        await bot.hears(f"!cortex context {name}", OWNER)
        assert "request belongs to an inspection" in bot.last
        await bot.hears(f"!cortex context {name}", ADMIN)
        told = bot.last
        await bot.hears(f"!cortex context {never}", ADMIN)
        assert told.replace(name, never) == bot.last, "to others it does not even exist"


@pytest.mark.parametrize(
    ("name", "said"), [("m27d4", "a memory"), ("a2f6z", "an audit entry"), ("s4t8q", "a private talk")]
)
async def test_a_handle_that_no_message_stands_behind_says_what_takes_it(tmp_path, name, said):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        with pytest.raises(UserError, match=rf"{name} is {said}.*`!cortex .*{name}`.*takes a channel, or a message"):
            await host(bot).why(name, everywhere=False)
        await bot.hears(f"!cortex why {name}", OWNER)
        assert f"{name} is {said}" in bot.last


async def test_an_unknown_target_is_answered_with_the_closest(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        for target in ("i4k2p", "generl", f"{LINK}33", "https://discord.com/channels/11/22"):
            with pytest.raises(UserError, match=r"The bot knows no channel .*console:#general"):
                await host(bot).why(target, everywhere=False)
        with pytest.raises(UserError, match="I know no direct message 33"):
            await host(bot).why("https://discord.com/channels/@me/22/33", everywhere=False)
        with pytest.raises(UserError, match="Name a channel that I know: console:#general"):
            await host(bot).why("here", everywhere=False)


async def test_a_channels_own_name_comes_before_a_handle_spelt_like_it(tmp_path):
    async with chat(tmp_path) as bot:
        room = ChannelId("console:media")
        await bot.hears("hello", channel=room)
        assert await host(bot).request("media") == ((v.KEY.agent, room), 0)


async def test_a_word_that_is_spelt_like_a_handle_is_a_question(tmp_path):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        await bot.hears("!cortex why tired", OWNER)
        assert "no record" not in bot.last
        assert "why tired" in bot.provider.requests[-1].messages[-1].text


async def test_links_are_looked_up_in_channels_that_let_nobody_in(tmp_path):
    console = {"owner_ids": [OWNER], "default_mode": "active", "allowed_users": ["7"]}
    async with chat(tmp_path, settings=config(tmp_path / "data", platforms={"console": console})) as bot:
        named = await bot.hears("hello")
        name = handle(HandleKind.INBOUND, (await bot.inbound(named)).id)
        assert (await host(bot).why(name, everywhere=False)).value["findings"][0]["rule"] == "GATE-USER"


@pytest.mark.parametrize("named", [GENERAL, ""])
async def test_of_thousands_of_channels_the_one_is_read_that_is_named_by_its_id(tmp_path, monkeypatch, named):
    async with chat(tmp_path) as bot:
        await bot.hears("hello")
        every, listed = bot.store.channels.known, []

        async def counted(*agent):
            listed.append(agent)
            return await every(*agent)

        monkeypatch.setattr(bot.store.channels, "known", counted)
        await bot.hears(f"!cortex why {named}", OWNER)
        assert any("all is well" in text for text in bot.platform.texts) and not listed

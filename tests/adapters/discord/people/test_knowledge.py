"""Who may rule and who may read is asked of the platform each time, and in doubt the answer is no."""

from __future__ import annotations

import pytest

from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.messages import Attachment, AttachmentKind
from bot.domain.permalinks import MessageLocation
from bot.errors import FetchError
from tests.adapters.discord.conversation import dm, here, person, speaking
from tests.servers.discord import Drops, Refuses, Upload

HISTORY = "read_message_history"


@pytest.fixture
async def on():
    async with speaking() as found:
        yield found


async def rules(on, who, channel=None):
    return await on.bot.is_channel_admin(person(who), channel or here(on.support))


async def reads(on, who, channel=None):
    return await on.bot.can_read(person(who), here(channel or on.support))


async def test_the_owner_and_who_may_manage_the_guild_rule(on):
    cid = on.world.person("Cid")
    on.guild.join(cid)
    assert await rules(on, on.ann) and not await rules(on, on.ben)
    mods = on.guild.role("mods", "manage_guild", members=(on.ben,))
    on.guild.role("admins", "administrator", members=(cid,))
    assert await rules(on, on.ben) and await rules(on, cid)
    on.guild.permit(mods)
    assert not await rules(on, on.ben), "a right that was taken away counts no more at once"
    assert not await rules(on, on.world.person("Dee"))


async def test_a_channel_counts_in_its_own_guild_alone(on):
    other = on.world.guild("Garden", on.ben, on.me)
    shed = other.channel("shed")
    forged = ChannelId(f"discord:{other.id}:{on.support.id}")
    assert await rules(on, on.ben, here(shed))
    assert not await rules(on, on.ben, forged) and not await on.bot.can_read(person(on.ben), forged)


async def test_a_channel_that_the_bot_may_not_view_can_be_asked_about(on):
    on.support.deny(on.guild.everyone, "view_channel")
    on.bot.guilds[on.support.id] = on.guild.id
    on.guild.role("mods", "manage_guild", members=(on.ben,))
    assert await rules(on, on.ann) and await reads(on, on.ann)
    # what the bot cannot look up about it is not granted
    assert await rules(on, on.ben) and not await reads(on, on.ben)
    on.bot.guilds[on.support.id] = 77
    assert not await rules(on, on.ann) and not await reads(on, on.ann)


async def test_ones_own_private_chat_is_ones_own(on):
    assert await rules(on, on.ann, dm(on.ann)) and not await rules(on, on.ben, dm(on.ann))
    assert not await rules(on, on.ann, ChannelId("discord:elsewhere"))
    for stranger in (PersonKey("telegram", UserId(str(on.ann.id))), PersonKey("discord", UserId("ann"))):
        assert not await on.bot.is_channel_admin(stranger, dm(on.ann))


async def test_reading_needs_the_view_and_the_history_there(on):
    assert await reads(on, on.ben)
    on.support.deny(on.guild.everyone, HISTORY)
    assert not await reads(on, on.ben) and await reads(on, on.ann)
    tea = on.guild.role("tea", members=(on.ben,))
    on.support.allow(tea, HISTORY)
    assert await reads(on, on.ben)
    on.support.deny(on.ben, "view_channel")
    assert not await reads(on, on.ben)


async def test_a_thread_is_read_by_who_reads_its_channel(on):
    thread = await on.ann.starts_thread(await on.ann.says(on.support, "tea"), "Tea")
    assert await reads(on, on.ben, thread)
    on.support.deny(on.ben, HISTORY)
    assert not await reads(on, on.ben, thread) and await rules(on, on.ann, here(thread))


async def test_a_private_thread_is_read_by_its_members(on):
    thread = await on.ann.starts_thread(on.support, "Secret", private=True)
    thread.joined[on.me.id] = on.world.now
    assert not await reads(on, on.ben, thread) and await reads(on, on.ann, thread)
    thread.joined[on.ben.id] = on.world.now
    assert await reads(on, on.ben, thread)
    del thread.joined[on.ben.id]
    on.guild.role("mods", "manage_threads", members=(on.ben,))
    assert await reads(on, on.ben, thread)


@pytest.mark.parametrize("operation", ["get_guild", "get_member", "get_channel"])
async def test_in_doubt_nobody_may(on, operation):
    for fault in (Drops(), Refuses(403, 50013, "Missing Permissions"), Refuses(503, 0, "?")):
        on.server.fault(operation, fault, times=2)
        assert not await rules(on, on.ann)
        on.server.fault(operation, fault, times=2)
        await reads(on, on.ben)
    await on.server.refuse()
    assert not await rules(on, on.ann) and not await reads(on, on.ann)


GUILD, CHANNEL = 811000000000000001, 811000000000000002


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            f"https://discord.com/channels/{GUILD}/{CHANNEL}/7",
            MessageLocation(ChannelId(f"discord:{GUILD}:{CHANNEL}"), "7"),
        ),
        (f"https://discord.com/channels/{GUILD}/{CHANNEL}", MessageLocation(ChannelId(f"discord:{GUILD}:{CHANNEL}"))),
        (f"<#{CHANNEL}>", MessageLocation(ChannelId(f"discord:{GUILD}:{CHANNEL}"))),
        (str(CHANNEL), MessageLocation(ChannelId(f"discord:{GUILD}:{CHANNEL}"))),
        (f"{GUILD}:{CHANNEL}", MessageLocation(ChannelId(f"discord:{GUILD}:{CHANNEL}"))),
        ("https://discord.com/channels/@me/811000000000000003/9", MessageLocation(ChannelId("discord:dm:5"), "9")),
        ("811000000000000003", MessageLocation(ChannelId("discord:dm:5"))),
        ("https://discord.com/channels/@me/811000000000000004/9", MessageLocation(ChannelId("discord:dm"), "9")),
        ("811000000000000009", None),
        (f"<#{CHANNEL}", None),
        (f"{CHANNEL}>", None),
        ("1234567", None),
        ("#support", None),
        ("https://t.me/c/1/2", None),
    ],
)
async def test_a_place_is_read_as_people_write_it(on, text, found):
    on.desk.dms.learn(5, 811000000000000003)
    on.bot.guilds[CHANNEL] = GUILD
    assert on.bot.resolve(text) == on.bot.resolve(f" {text}\n") == found
    assert on.bot.invitation("abc") == ""


async def sent(on, content=b"tea\n", name="tea.txt"):
    said = await on.ann.says(on.support, "see", files=[Upload(name, content)])
    (one,) = said.json(on.me)["attachments"]
    return Attachment(kind=AttachmentKind.TEXT, name=name, mimetype="", reference=one["url"], size=one["size"])


async def test_a_file_comes_from_the_platform_and_no_token_goes_there(on):
    assert await on.bot.fetch(await sent(on), 100) == b"tea\n"
    (call,) = on.server.calls("download")
    assert "Authorization" not in call.headers


async def test_a_file_is_never_larger_than_was_asked_for(on):
    big = await sent(on, b"x" * 5000)
    for one in (big, big.replace(size=0), big.replace(size=10)):
        with pytest.raises(FetchError, match="larger than 1 kB"):
            await on.bot.fetch(one, 1000)


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "unknown",
        "file:///etc/passwd",
        "http://127.0.0.1:1/cdn/attachments/1/2/x",
        "http://169.254.169.254/latest/meta-data",
        "{cdn}/../api/v10/users/@me",
        "{cdn}/icons/1/x.png",
        "{cdn}.evil.example/attachments/1/2/x",
        "http://user@{host}/cdn/attachments/../../api",
        "https://cdn.discordapp.com.evil.example/attachments/1/2/x",
        "http://[::1/attachments/1/2/x",
        "https://cdn.discordapp.com:8443/attachments/1/2/x",
    ],
)
async def test_nothing_is_fetched_from_anywhere_else(on, reference):
    host = on.server.cdn_url.removeprefix("http://").removesuffix("/cdn")
    address = reference.replace("{cdn}", on.server.cdn_url).replace("{host}", host)
    nothing = Attachment(kind=AttachmentKind.TEXT, name="x.txt", mimetype="", reference=address)
    with pytest.raises(FetchError):
        await on.bot.fetch(nothing, 1000)
    assert not on.server.calls()


async def test_a_link_that_expired_is_exchanged(on):
    file = await sent(on)
    on.clock.advance(2 * 86_400)
    assert await on.bot.fetch(file, 100) == b"tea\n"


async def test_a_file_that_is_gone_is_gone(on):
    file = await sent(on)
    on.world.files.clear()
    with pytest.raises(FetchError):
        await on.bot.fetch(file, 100)
    await on.server.refuse()
    with pytest.raises(FetchError, match="cannot be reached"):
        await on.bot.fetch(file, 100)

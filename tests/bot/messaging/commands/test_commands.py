from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.config.schema import Config
from bot.domain.access import Authority, AuthorityTiers
from bot.domain.channel import ResponseMode
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.ledger import Outcome, StageVerdict
from bot.domain.messages import ButtonPress, ChannelPlace
from bot.errors import UserError
from bot.messaging.commands.table import BY_NAME, COMMANDS, menu
from bot.messaging.policy.command_syntax import ALIASES, STEERING
from tests.bot.messaging.house import ADMIN, ANN, MODERATOR, OWNER, House, config, house
from tests.fakes import values as v
from tests.fakes.platform import refused

DM = {"channel": ChannelId(f"console:dm:{ANN}"), "place": ChannelPlace(is_dm=True), "mentions_bot": False}


async def says(here: House, text: str, by: str = ANN, **changes: object) -> str:
    """Give a command; return the answer."""
    here.platform.sent.clear()
    await here.hears(text, by, **changes)
    return "\n".join(here.platform.texts)


def test_every_word_that_is_read_has_a_command():
    assert set(ALIASES.values()) == set(BY_NAME)
    assert len(BY_NAME) == len(COMMANDS)


def test_what_no_count_stops_is_what_steers_the_bot():
    assert {one.name for one in COMMANDS if one.tier > Authority.EVERYONE} == STEERING


async def test_a_flood_of_commands_is_told_once_and_then_met_with_silence(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = [await here.hears("/help") for _ in range(30)]
        answers = here.platform.texts
        assert len(answers) == 7 and answers[-1].startswith("You have used 6 commands in a minute.")
        ends = [await here.outcome(one) for one in asked]
        assert ends[:6] == [(Outcome.COMMAND, "help")] * 6 and set(ends[6:]) == {(Outcome.GATED, "rate")}
        assert "You may use" in await says(here, "/help", by=ADMIN), "everybody for themselves"
        assert "Paused" in await says(here, "/pause", by=MODERATOR)
        here.clock.advance(60)
        assert "You may use" in await says(here, "/help")


async def test_a_crowd_of_strangers_is_told_once_and_leaves_those_who_steer_and_who_stop_alone(tmp_path: Path):
    async with house(tmp_path) as here:
        for stranger in range(200, 240):
            await here.hears("/help", by=str(stranger))
        assert len(here.platform.texts) == 13 and "12 commands in a minute in this chat" in here.platform.texts[-1]
        assert await says(here, "/stop") == "Nothing is running here."
        assert "Paused" in await says(here, "/pause", by=MODERATOR)


async def test_the_cortex_stays_silent_towards_strangers_however_often_they_ask(tmp_path: Path):
    async with house(tmp_path) as here:
        for _ in range(30):
            await here.hears("!cortex why")
        assert not here.platform.sent
        assert "You may use" in await says(here, "/help", by="101"), "nor do they use up what the group may say"


async def test_a_press_of_somebody_who_is_not_let_in_reaches_nobody(tmp_path: Path):
    async with house(tmp_path, config(console={"blocked_users": [ANN, ADMIN]})) as here:
        for by, presses in ((ANN, 0), (ADMIN, 1)):
            press = ButtonPress(person=PersonKey("console", UserId(by)), name="x", channel=v.GENERAL, data="x")
            assert await here.manager.pressed(press) == ("done" if presses else "")
            assert len(here.door.presses) == presses


async def test_whoami_prints_the_ids_to_copy(tmp_path: Path):
    async with house(tmp_path) as here:
        answer = await says(here, "/whoami", place=ChannelPlace(guild_id="55", parents=("77",)))
        for found in (f"user id: {ANN}", "channel id: console:#general", "server id: 55", "part of: 77", "everyone"):
            assert found in answer
        assert "tier: owner" in await says(here, "/whoami", by=OWNER)


async def test_status_is_one_screen(tmp_path: Path):
    async with house(tmp_path, config(console={"blocked_users": ["666"]})) as here:
        await here.hears("hello")
        for n in range(3):
            await here.hears(f"talk {n}", mentions_bot=False)
        await here.hears("let me in", by="666")
        await here.hears("/pause server move", by=MODERATOR)
        answer = await says(here, "/status")
        assert answer.splitlines() == [
            "#general: answers when addressed",
            "Paused since 08:53 UTC by a moderator: server move",
            "Queue: no one is waiting; nothing is running",
            "Last turn: replied, 0 s ago",
            "4 messages ignored here in the last 24 h: 3 not addressed to me, 1 from people not allowed",
            "console: up, last event 0 s ago",
        ]


async def test_status_of_a_busy_channel(tmp_path: Path):
    async with house(tmp_path) as here:
        here.held = asyncio.Event()
        for n in range(3):
            await here.arrives(f"question {n}")
        await here.breathe()
        here.clock.advance(4)
        await here.arrives("/status")
        while not here.platform.texts:
            await here.breathe()
        assert "Queue: 2 waiting, the oldest for 4 s; answering 1 message for 4 s" in here.platform.texts[0]


async def test_usage_without_turns(tmp_path: Path):
    async with house(tmp_path) as here:
        assert await says(here, "/usage") == "No model was asked anything here in the last 24 h."


async def test_help_lists_what_the_asker_may_use(tmp_path: Path):
    async with house(tmp_path) as here:
        everyone = await says(here, "/help")
        assert "/status" in everyone
        assert "/pause" not in everyone
        assert "/cortex" not in everyone
        assert "/pause" in await says(here, "/help", by=MODERATOR)
        assert "/cortex" in await says(here, "/help", by=ADMIN)
        assert "/status" in await says(here, "Glass !help")
        assert "!status" in await says(here, "!help", **DM)


async def test_modes(tmp_path: Path):
    async with house(tmp_path) as here:
        for text, mode in (
            ("/active", ResponseMode.ACTIVE),
            ("/mention-only", ResponseMode.MENTION_ONLY),
            ("/quiet", ResponseMode.OBSERVE),
            ("/observe", ResponseMode.OBSERVE),
        ):
            assert await says(here, text, by=MODERATOR)
            settings = here.book.of(v.KEY)
            assert (settings.mode, settings.mode_by) == (mode, MODERATOR)
            assert (await here.state()).settings == settings


async def test_private_chats_are_always_active(tmp_path: Path):
    async with house(tmp_path) as here:
        private = {
            "channel": ChannelId(f"console:dm:{OWNER}"),
            "place": ChannelPlace(is_dm=True),
            "mentions_bot": False,
        }
        assert "always answer" in await says(here, "!quiet", by=OWNER, **private)
        assert await says(here, "hello", by=OWNER, **private) == "echo: hello"


async def test_pause_and_resume(tmp_path: Path):
    async with house(tmp_path) as here:
        assert "until /resume" in await says(here, "/pause spam wave @everyone", by=MODERATOR)
        pause = here.book.of(v.KEY).pause
        assert pause is not None
        assert (pause.by, pause.by_role, pause.reason) == (MODERATOR, "moderator", "spam wave @everyone")
        assert await says(here, "hello?") == ""
        again = await says(here, "/pause", by=OWNER)
        assert "Paused since 08:53 UTC by a moderator: spam wave ＠everyone" in again
        assert "Resumed" in await says(here, "/pause off", by=MODERATOR)
        assert await says(here, "hello?") == "echo: hello?"
        assert "not paused" in await says(here, "/resume", by=MODERATOR)


async def test_a_mode_set_in_a_pause_says_that_the_pause_holds(tmp_path: Path):
    async with house(tmp_path) as here:
        await says(here, "/pause", by=OWNER)
        assert "Paused since 08:53 UTC by an owner" in await says(here, "/active", by=OWNER)


async def test_the_model_of_a_channel(tmp_path: Path):
    async with house(tmp_path) as here:
        assert "simulated/simulated-1 (as configured)" in await says(here, "/model", by=MODERATOR)
        assert "simulated/other (set here)" in await says(here, "/model simulated/other", by=MODERATOR)
        assert here.book.of(v.KEY).model == "simulated/other"
        for wrong in ("nonsense", "nobody/gpt", "simulated/", "simulated/a b"):
            assert "Write provider/name" in await says(here, f"/model {wrong}", by=MODERATOR)
        assert "as configured" in await says(here, "/model default", by=MODERATOR)
        assert here.book.of(v.KEY).model == ""


async def test_nothing_to_stop(tmp_path: Path):
    async with house(tmp_path) as here:
        assert await says(here, "/stop") == "Nothing is running here."


async def test_start_greets_and_one_time_links_go_to_the_cortex(tmp_path: Path):
    async with house(tmp_path) as here:
        assert "I am Glass" in await says(here, "/start")
        assert await says(here, "/start ours", **DM) == "by link"
        assert here.door.commands[0].caller.person.user_id == ANN
        assert "I am Glass" in await says(here, "/start never-ours", **DM)
        # in a group a token would be seen by everybody
        assert "I am Glass" in await says(here, "/start ours")
        assert len(here.door.commands) == 2


async def test_start_is_answered_where_nothing_else_is(tmp_path: Path):
    async with house(tmp_path) as here:
        await says(here, "/pause lunch", by=OWNER)
        assert "I am Glass" in await says(here, "/start")
        assert "I am Glass" in await says(here, "Glass start")


@pytest.mark.parametrize(
    ("shut", "where"),
    [
        ({"allowed_users": []}, {}),
        ({"allowed_users": []}, DM),
        ({"allow_dms": False}, DM),
        ({"allowed_channels": []}, {}),
        ({"blocked_users": [ANN]}, {}),
    ],
)
async def test_who_is_not_let_in_is_told_nothing(tmp_path: Path, shut, where):
    async with house(tmp_path, config(console=shut)) as here:
        for line in ("/start", "/whoami", "/help", "/new"):
            asked = await here.hears(line, **where)
            assert (await here.outcome(asked))[0] is Outcome.GATED
        assert not here.platform.sent


async def test_an_admin_hears_what_has_to_stand_in_the_lists(tmp_path: Path):
    async with house(tmp_path, config(console={"allowed_channels": []})) as here:
        assert f"set up to answer here. An admin can change that (your id: {ADMIN}, this" in await says(
            here, "/start", ADMIN
        )
    async with house(tmp_path, config(console={"blocked_users": [ADMIN]})) as here:
        assert "not set up to answer you" in await says(here, "/start", ADMIN)
        assert await says(here, "hello", ADMIN) == "", "authority opens commands, not talk"


def test_the_menu_says_what_the_table_says(snapshot):
    tiers = AuthorityTiers(frozenset("1"), frozenset(("12", "3")), frozenset("3"))
    shown = menu(tiers, Config())
    assert [one.name for one in shown.entries] == [*(one.name for one in COMMANDS), "why", "why"]
    assert shown.tiers.everybody == {"1", "3", "12"}
    assert [one.name for one in shown.of(Authority.EVERYONE)] == [
        one.name for one in COMMANDS if one.tier is Authority.EVERYONE
    ]
    for_moderators = {one.name for one in shown.of(Authority.MODERATOR)}
    assert {"cortex", "why"} & for_moderators == {"cortex"}, "what is remembered is for moderators, why is for admins"
    lines = (
        f"{one.name} <{one.argument}>: {one.help}{f' [{one.on_message}]' if one.on_message else ''}"
        for one in shown.entries
    )
    assert "\n".join(lines).replace(" <>", "") == snapshot


def test_the_menu_shows_why_to_members_where_they_may_ask():
    open_to_all = Config.model_validate({"cortex": {"why_for_members": True}})
    whys = [one for one in menu(AuthorityTiers(), open_to_all).of(Authority.EVERYONE) if one.name == "why"]
    assert [one.on_message for one in whys] == ["", "Why?"]


async def test_what_is_denied_says_what_may_be_used(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = await here.hears("/pause")
        assert "/pause is for moderators and above. You may use: /help" in here.platform.texts[0]
        assert await here.outcome(asked) == (Outcome.COMMAND, "pause denied")
        assert here.book.of(v.KEY).pause is None


async def test_the_cortex_is_silent_towards_strangers_and_keeps_a_row(tmp_path: Path):
    async with house(tmp_path) as here:
        asked = await here.hears("!cortex why")
        assert here.platform.tried == []
        assert here.platform.reactions == []
        assert here.door.commands == []
        row = (await here.trail(asked)).stages[-1]
        assert (row.verdict, row.reason) == (StageVerdict.STOPPED, "denied")
        assert dict(row.detail)["needs"] == "moderator"
        assert await here.outcome(asked) == (Outcome.COMMAND, "cortex denied")


@pytest.mark.parametrize("text", ["!cortex memory list", "!cortex why", "/cortex", "glass, cortex memory list"])
async def test_a_moderator_gets_as_far_as_the_cortex_which_says_what_they_may_use(tmp_path: Path, text: str):
    async with house(tmp_path) as here:
        asked = await here.hears(text, by=MODERATOR, mentions_bot=False)
        (call,) = here.door.commands
        assert call.caller.authority is Authority.MODERATOR
        assert await here.outcome(asked) == (Outcome.COMMAND, "cortex")
        await here.hears("glass, why is the sky blue", by=MODERATOR)
        assert len(here.door.commands) == 1, "without a sign in front, a question is talk"


async def test_a_moderator_may_ask_the_cortex_in_private_where_others_may_not_talk(tmp_path: Path):
    async with house(tmp_path, config(console={"allow_dms": False})) as here:
        own = {"channel": ChannelId(f"console:dm:{MODERATOR}"), "place": ChannelPlace(is_dm=True)}
        await here.hears("!cortex memory list #general", by=MODERATOR, **own)
        assert len(here.door.commands) == 1
        talk = await here.hears("hello", by=MODERATOR, **own)
        assert await here.outcome(talk) == (Outcome.GATED, "place")
        press = ButtonPress(
            person=PersonKey("console", UserId(MODERATOR)),
            name="x",
            channel=own["channel"],
            place=own["place"],
            data="x",
        )
        assert await here.manager.pressed(press) == "done"


@pytest.mark.parametrize(("text", "words"), [("!cortex find “x”", 'find "x"'), ("!why #a", "why #a"), ("/why", "why")])
async def test_the_cortex_gets_the_rest_of_the_line(tmp_path: Path, text: str, words: str):
    async with house(tmp_path) as here:
        asked = await here.hears(text, by=ADMIN, mentions_bot=False)
        call = here.door.commands[0]
        assert (call.words, call.caller.authority.word) == (words, "admin")
        assert call.stored.inbound == asked
        assert await here.outcome(asked) == (Outcome.COMMAND, "cortex")


async def test_a_name_that_looks_like_an_admin_is_nobody(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.hears("!cortex why", author=v.author(ANN, "admin"))
        await here.hears("!cortex why", author=v.author("1\u200b", "root"))
        assert here.door.commands == []


async def test_what_a_person_may_read_is_said_and_what_breaks_is_on_record(tmp_path: Path):
    async with house(tmp_path) as here:
        here.door.error = UserError("There is no such channel.")
        assert await says(here, "!cortex show x", by=OWNER) == "There is no such channel."
        here.door.error = RuntimeError("a bug")
        asked = await here.hears("!cortex show x", by=OWNER)
        assert "Something went wrong" in here.platform.texts[-1]
        assert await here.outcome(asked) == (Outcome.FAILED, "internal: RuntimeError")


async def test_an_answer_that_cannot_be_written_becomes_a_reaction(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([refused()])
        asked = await here.hears("/pause", by=OWNER)
        assert here.platform.reactions == [(v.GENERAL, asked.message_id, "✅")]
        assert here.book.of(v.KEY).pause is not None
        assert (await here.outcome(asked))[0] is Outcome.COMMAND


async def test_a_command_is_never_part_of_the_conversation(tmp_path: Path):
    async with house(tmp_path) as here:
        await here.hears("hello")
        await here.hears("/status")
        assert len((await here.state()).history) == 1


async def test_a_hostile_name_pings_nobody(tmp_path: Path):
    async with house(tmp_path) as here:
        hostile = v.author(ANN, "@everyone https://evil.example/x\n[admin](http://a.example)")
        answer = await says(here, "/whoami", author=hostile)
        assert "@everyone" not in answer
        assert "https://" not in answer

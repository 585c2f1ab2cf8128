"""What an admin does in private is theirs: another admin, another owner and the channel get none of it."""

from __future__ import annotations

from bot.cli.inspector_tools import INSPECTOR_TOOLS, DataDirectory
from bot.config import LoadedConfig
from bot.config.schema import Config
from bot.domain.channel import ProcessKind
from bot.domain.handles import HandleKind, handle
from bot.domain.ids import ChannelKey
from bot.errors import UserError
from tests.bot.cortex.chat import ADMIN, ANN, OWNER, Chat, chat, config, dm_of
from tests.fakes.provider import calls, says
from tests.fakes.values import KEY
from tests.faults.confirming import person_of

OWNER_TOO = "4"
TAKES_A_HANDLE = (("read_context", "context"), ("ledger", "target"), ("why", "target"), ("diff", "before"))
QUESTION, ANSWER = "who is the mole", "It is the one with the hat."


def owners(data, **cortex) -> Config:
    console = {"owner_ids": [OWNER, OWNER_TOO], "admin_ids": [ADMIN], "default_mode": "active"}
    return config(data, platforms={"console": console}, cortex=cortex, bot={
        "name": "Glass", "data_dir": str(data), "organisation": "A bakery in a valley.",
    })  # fmt: skip


def model(request):
    """Look something up in a talk, and answer; say yes everywhere else."""
    if "config_inspect" not in {tool.name for tool in request.tools}:
        return says("yes")
    return says(ANSWER) if request.messages[-1].results else calls(("config_inspect", {"prefix": "platforms"}))


async def talked(bot: Chat) -> list[str]:
    """Let the owner talk with the cortex; return the handles of what that left."""
    await bot.hears("hello")
    await bot.hears("!cortex context", OWNER)
    await bot.dm(QUESTION, OWNER)
    assert ANSWER in bot.last
    (turn,) = [t for n in range(1, 9) if (t := await bot.store.journal.turn(n)) and t.kind is ProcessKind.CORTEX]
    requests = await bot.store.journal.requests_of_turn(turn.id)
    made = await bot.store.journal.calls_of_turn(turn.id)
    names = [handle(HandleKind.TURN, turn.id)]
    names += [handle(HandleKind.REQUEST, stored.id) for stored in requests]
    return [*names, *(handle(HandleKind.CALL, call.record_id) for call in made)]


async def test_what_a_talk_left_opens_for_whoever_held_it_and_for_nobody_else(tmp_path):
    async with chat(tmp_path, model, settings=owners(tmp_path / "data", per_minute=1000, inspect_dms=True)) as bot:
        for name in await talked(bot):
            for who in (ADMIN, OWNER_TOO):
                await bot.hears(f"!cortex open {name}", who)
                assert bot.last == "There is no such record that you may open.", "also where private chats are open"
            await bot.hears(f"!cortex open {name}", OWNER)
            assert name in bot.last


async def test_what_was_said_to_the_cortex_is_no_message_of_a_chat_that_others_may_inspect(tmp_path):
    async with chat(tmp_path, model, settings=owners(tmp_path / "data", per_minute=1000, inspect_dms=True)) as bot:
        await talked(bot)
        rows = [row.id for row in await bot.store.ledger.recent(_key(OWNER), 20)]
        names = [handle(HandleKind.INBOUND, row) for row in rows]
        for command in ("open", "this", "sources", "why"):
            for name in names:
                await bot.hears(f"!cortex {command} {name}", OWNER_TOO)
                assert QUESTION not in bot.last
        await bot.hears(f"!cortex open {names[0]}", OWNER)
        assert QUESTION in bot.last


def _key(user: str) -> ChannelKey:
    return KEY._replace(channel=dm_of(user))


async def test_another_program_gets_nothing_of_it_whatever_is_open(tmp_path):
    for inspect_dms in (False, True):
        where = tmp_path / str(inspect_dms)
        where.mkdir()
        settings = owners(where / "data", per_minute=1000, inspect_dms=inspect_dms)
        async with chat(where, model, settings=settings) as bot:
            names = await talked(bot)
            eyes = DataDirectory(bot.app.edges, LoadedConfig(config=settings, origins={}, secrets={}))
            never = handle(HandleKind.REQUEST, 700_000)
            for name in (*names[:-1], never):
                for look, key in (
                    ("read_context", "context"),
                    ("ledger", "target"),
                    ("why", "target"),
                    ("diff", "before"),
                ):
                    try:
                        told = (await INSPECTOR_TOOLS[look].look(INSPECTOR_TOOLS[look].args(**{key: name}), eyes)).text
                    except UserError as error:
                        told = str(error)
                    assert QUESTION not in told and ANSWER not in told and "request of" not in told
                    assert "no record" in told, (look, told)
                    assert ("console:dm:" in told) == inspect_dms, "whom it talks with is private as well"


async def test_an_owner_sees_the_exact_context_with_what_the_operator_wrote(tmp_path):
    async with chat(tmp_path, says("yes"), settings=owners(tmp_path / "data", per_minute=1000)) as bot:
        await bot.hears("hello", ANN)
        target = await bot.cortex.targets.of(KEY)
        looking = bot.cortex.inquiry.inspecting.branches.looking
        owner, admin = (bot.access.caller(person_of(who), who) for who in (OWNER, ADMIN))
        shown = (await looking.present(owner, target)).shown
        assert "A bakery in a valley." in shown.system_text and shown.exact and not shown.withheld
        assert "A bakery in a valley." not in (await looking.present(admin, target)).shown.system_text

"""Everyday things: what people say and do, and what must have come of it in the end, wherever it was cut off."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

from bot.domain.channel import ResponseMode
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import ArrivalDisposition, Outcome
from bot.domain.memory import Memory
from bot.domain.messages import EventKind, InboundKind, PlatformEvent, Role
from bot.sentences import say
from tests.fakes import values as v
from tests.faults.failpoints.house import House
from tests.faults.failpoints.mind import CUT, FOUND, REPORT, TOKEN, WORDS
from tests.faults.failpoints.points import WatchedEars

Script = Callable[[House], Awaitable[None]]
ALL = ("console", "telegram", "discord")
ONLINE = ("telegram", "discord")
HALL = ChannelId("console:#hall")


async def _nothing(house: House) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class Scene:
    """`before` is played out before the process may be killed; `after` are checks of its own, when all is at rest."""

    name: str
    script: Script
    before: Script = _nothing
    after: Script = _nothing
    platforms: tuple[str, ...] = ALL
    more: str = ""
    window: int = 128_000
    streaming: bool = False


async def memories(house: House, part: str) -> list[Memory]:
    """Everything that the bot remembers and that holds some words, forgotten or not."""
    key = house.key("ann", "kitchen")
    state = await house.bot.store.channels.load(key)
    guild = state.place.guild_id if state else ""
    found = await house.bot.store.memories.listed(MAIN, key.channel, guild)
    return [memory for memory in found if part in memory.body.content]


async def audited(house: House, action: str) -> int:
    return sum(row.body.action == action for row in await house.bot.store.audit.newest(None, 100))


# talk


async def question(house: House) -> None:
    await house.asks("ann")
    await house.rests()


async def two_questions(house: House) -> None:
    await house.asks("ann")
    await house.rests()
    await house.asks("james")
    await house.rests()


async def two_chats(house: House) -> None:
    await house.asks("ann", place="kitchen")
    await house.asks("james", place="yard")
    await house.asks("ann", place="dm")
    await house.rests()


async def burst(house: House) -> None:
    """The first is answered at once; what comes meanwhile is one turn more."""
    for who in ("ann", "james", "ann", "james"):
        await house.asks(who)
    await house.rests()


async def talk_then_question(house: House) -> None:
    await house.says("james", "the tea is green today")
    await house.says("ann", "so it is")
    await house.asks("ann", "what colour is the tea,")
    await house.rests()


async def talk_is_known(house: House) -> None:
    """What was said beside the bot is in the history, in its newest form, once."""
    key = house.key("ann", "kitchen")
    state = await house.bot.store.channels.load(key)
    known = [message.text for message in state.history] if state else []
    for row in await house.messages(key):
        if row.disposition == "ambient":
            assert sum(text.endswith(row.inbound.text) for text in known) == 1, (row.inbound.text, known)


async def private(house: House) -> None:
    await house.asks("ann", place="dm")
    await house.rests()
    await house.asks("ann", place="dm")
    await house.rests()


async def edit_waiting(house: House) -> None:
    await house.asks("ann")
    said = await house.asks("james", "tell em")
    await house.edit(said, house.to_bot(f"tell me {house.owed[-1].name if house.owed else 'q1'}", "kitchen"))
    await house.rests()


async def edit_answered(house: House) -> None:
    said = await house.asks("ann")
    await house.rests()
    await house.edit(said, house.to_bot("please tell me q0", "kitchen"))
    await house.rests()


async def delete_talk(house: House) -> None:
    said = await house.says("ann", "a slip of the pen")
    await house.asks("james")
    await house.delete(said)
    await house.rests()


async def greeting_and_move(house: House) -> None:
    """The bot is brought into a room, is asked something, and the room gets another number meanwhile."""
    await happens(house, EventKind.JOINED)
    house.expects("the greeting", "Hello, I am", "may not have")
    await house.asks("ann")
    await house.rests()
    await house.asks("james")
    await happens(house, EventKind.MOVED, HALL)
    await house.asks("ann", place="#hall")
    await house.rests()


async def happens(house: House, kind: EventKind, to: ChannelId | None = None) -> None:
    """Let something happen in the kitchen, as an adapter tells of it."""
    event = PlatformEvent(kind=kind, name=kind.value, moved_to=to)
    told = v.inbound("", f"u-{kind}", kind=InboundKind.EVENT, mentions_bot=False, event=event)
    await WatchedEars(house.bot.app.manager, house.points).receive([told], None)
    if kind is EventKind.JOINED:
        await house.rests()


async def one_history(house: House) -> None:
    """Under both numbers there is one conversation, in which everything stands once."""
    store = house.bot.store
    now = ChannelKey(MAIN, store.channels.moves.current_id(house.key("ann", "kitchen").channel))
    state = await store.channels.load(now)
    known = [message.inbound for message in state.history if message.role is Role.USER] if state else []
    said = [row.id for row in await house.messages(now)]
    assert sorted(known) == sorted(said), f"known {known}, said {said}"
    assert now.channel != HALL or await store.channels.load(house.key("ann", "kitchen")) == state


# what a model does


def asking(text: str, who: str = "ann") -> Script:
    async def script(house: House) -> None:
        await house.asks(who, text)
        await house.rests()

    return script


def remembered_once(part: str) -> Script:
    async def script(house: House) -> None:
        said = await house.messages(house.key("ann", "kitchen"))
        heard = [row for row in said if row.disposition is ArrivalDisposition.QUEUE]
        found = await memories(house, part)
        assert len(found) == len(heard), f"of {len(heard)} things {len(found)} were remembered"

    return script


async def no_secret(house: House) -> None:
    assert not any(TOKEN in text for _, text in house.told()), "a secret stands where people read it"


async def like(house: House) -> None:
    await house.says("ann", house.to_bot("like q0", "kitchen"))


async def keep_silent(house: House) -> None:
    await house.says("ann", house.to_bot("keep silent about q0", "kitchen"))
    await house.asks("james")
    await house.rests()


async def work(house: House) -> None:
    house.expects("the number", FOUND, CUT)
    await house.asks("ann", "think about")
    await house.rests()


async def work_of_others(house: House) -> None:
    house.expects("the number", FOUND, CUT)
    await house.asks("ann", "let somebody work for")
    await house.rests()


async def all_came_back(house: House) -> None:
    """Whatever was handed out is over, and was told of once."""
    store = house.bot.store
    processes = await store.processes.of_channel(house.key("ann", "kitchen"), 50)
    assert all(one.is_over for one in processes), "something is still at work"
    assert not await store.processes.unrelayed(), "a result was told to nobody"
    kinds = [one.body.kind for one in processes if one.state != "cancelled"]
    assert len(kinds) == len(set(kinds)), f"handed out twice: {kinds}"


# orders


async def orders(house: House) -> None:
    await house.mentions("ann", "!help", owes="You may use")
    await house.mentions("ann", "!usage", owes="tokens")


async def pause(house: House) -> None:
    await house.mentions("root", "!pause lunch", owes="Paused: I won't answer")
    await house.says("ann", house.to_bot("are you there?", "kitchen"))
    await house.mentions("root", "!resume", owes="Resumed.")
    await house.asks("ann")
    await house.rests()


async def modes(house: House) -> None:
    await house.mentions("root", "!active", owes="every message")
    await house.says("ann", "just talk")


async def mode_is_what_was_said(house: House) -> None:
    """What the answer to an order says is so."""
    settings = dict(await house.bot.store.channels.settings(100))
    mode = getattr(settings.get(house.key("ann", "kitchen")), "mode", None)
    if any("every message" in text for _, text in house.told()):
        assert mode is ResponseMode.ACTIVE, mode


async def anew(house: House) -> None:
    await house.mentions("root", "!new")
    await house.asks("ann")
    await house.rests()


async def two_before(house: House) -> None:
    await house.asks("ann")
    await house.rests()
    await house.says("james", "the tea is green")


# the cortex


async def why(house: House) -> None:
    await house.says("root", "!cortex why", owes="rules only, no model used")


async def inspection(house: House) -> None:
    await house.says("root", "!cortex what is wrong here?", owes=REPORT, instead=say("cortex.cut-off"))


async def one_question(house: House) -> None:
    await house.asks("ann")
    await house.rests()


async def export(house: House) -> None:
    await house.says("root", "!cortex export")


async def a_memory(house: House) -> None:
    await house.asks("ann", "remember for")
    await house.rests()


async def a_memory_offered(house: House) -> None:
    await a_memory(house)
    (memory,) = await memories(house, "takes her tea")
    await house.says("root", f"!cortex memory forget {house.handle(memory.id)}")


async def forget(house: House) -> None:
    await house.presses("root", "Forget m")


async def a_memory_forgotten(house: House) -> None:
    await a_memory_offered(house)
    await forget(house)


async def undo(house: House) -> None:
    await house.presses("root", "Undo")


async def press_again(house: House) -> None:
    """Whoever saw nothing come of it presses once more, and again: it is done once."""
    for _ in range(2):
        await house.presses("root", "Forget m")
    (memory,) = await memories(house, "takes her tea")
    assert memory.forgotten_at and memory.version == 2, memory
    assert await audited(house, "forget memory") == 1


async def undo_again(house: House) -> None:
    for _ in range(2):
        await house.presses("root", "Undo")
    (memory,) = await memories(house, "takes her tea")
    assert not memory.forgotten_at and memory.version == 3, memory


# what grows


async def long_talk(house: House) -> None:
    """Three times as much as a message holds: with what was said `before`, more than the model can be told."""
    for _ in range(3):
        await house.asks("ann", f"{WORDS} tell me")
        await house.rests()


async def nothing_is_gone(house: House) -> None:
    """Every question that was answered stands in the history, or in what a summary stands for, once."""
    store, key = house.bot.store, house.key("ann", "kitchen")
    state = await store.channels.load(key)
    known = [message.inbound for message in state.history if message.role is Role.USER] if state else []
    for one in await store.compactions.recent(key, 100):
        if one.state.stands:
            known += [message.inbound for message in (await store.compactions.sides(one.id)).before if message.inbound]
    for row in await house.messages(key):
        if row.outcome is Outcome.REPLIED:
            assert known.count(row.id) == 1, f"message {row.id} is known {known.count(row.id)} times: {known}"


async def attachment(house: House) -> None:
    await house.asks("ann", "what does it say,", file=b"two spoons of tea")
    await house.rests()


SCENES: Iterable[Scene] = (
    Scene("question", question),
    Scene("two-questions", two_questions),
    Scene("two-chats", two_chats),
    Scene("burst", burst),
    Scene("talk", talk_then_question, after=talk_is_known),
    Scene("private", private),
    Scene("edit-waiting", edit_waiting),
    Scene("edit-answered", edit_answered),
    Scene("delete", delete_talk),
    Scene("tool", asking("look up")),
    Scene("tools", asking("look twice at")),
    Scene("strange-tool", asking("do strange things for")),
    Scene("memory", asking("remember for"), after=remembered_once("takes her tea")),
    Scene("alert", asking("order silence for", "james"), after=remembered_once("stop responding")),
    Scene("reply-tool", asking("speak at once to")),
    Scene("secret", asking("tell the secret to"), after=no_secret),
    Scene("parts", asking("show the code of")),
    Scene("file-out", asking("tell all about")),
    Scene("streaming", question, platforms=ONLINE, streaming=True),
    Scene("streaming-tool", asking("look up"), platforms=ONLINE, streaming=True),
    Scene("reaction", like),
    Scene("skip", keep_silent),
    Scene("broken-service", asking("break for")),
    Scene("branch", work, after=all_came_back),
    Scene("worker", work_of_others, after=all_came_back),
    Scene("orders", orders),
    Scene("pause", pause),
    Scene("mode", modes, after=mode_is_what_was_said),
    Scene("new", anew, before=two_before),
    Scene("why", why, before=one_question),
    Scene("inspection", inspection, before=one_question),
    Scene("export", export, before=one_question),
    Scene("proposal", asking("forget by yourself for"), before=a_memory),
    Scene("fix", forget, before=a_memory_offered, after=press_again),
    Scene("undo", undo, before=a_memory_forgotten, after=undo_again),
    Scene("compaction", long_talk, before=long_talk, window=6200, after=nothing_is_gone),
    Scene("greeting-and-move", greeting_and_move, after=one_history, platforms=("console",)),
    Scene("attachment", attachment, platforms=ONLINE),
)
NAMED = {scene.name: scene for scene in SCENES}

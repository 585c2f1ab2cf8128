"""Programs through the whole bot: people talk, ask and press while its model is lost, from request to message."""

from __future__ import annotations

from pathlib import Path

from bot.domain.messages import ButtonPress
from bot.messaging.commands.steering import FRESH_START
from tests.bot.cortex.chat import ADMIN, ANN, dm_of
from tests.faults.confirming import person_of
from tests.faults.family import Verdict
from tests.faults.hostile.house import EVERYBODY, HOME, KEY, House, a_house, said_in
from tests.faults.hostile.programs import CHANNELS
from tests.faults.hostile.puppet import Puppet

PROGRAMS = 25
"""In one case; each costs some fifty milliseconds."""
ASKS = "Asking now; the result comes here."
"""What somebody is answered whose press lets a model be asked again."""
DONE = frozenset({"Done.", "Undone.", "Posted.", "Stopped.", "Sent.", "Working on it; the result comes here."})
"""What somebody is answered whose press changed something."""
WORDS = ("are you there?", "console: look again", "why are you silent?", "and what can I do?", "forget it all")


class Life:
    """What happens in such a house, one thing after the other."""

    def __init__(self, house: House, puppet: Puppet) -> None:
        self.house, self.chance = house, puppet.chance
        self.seen = 0
        self.requests = 0
        self.done = 0
        """How many times somebody who was asked said yes, or took it back."""

    async def program(self) -> None:
        """Let the model be asked, as one kind of process or another, and let somebody press something."""
        bot, chance = self.house.bot, self.chance
        match chance.randrange(6):
            case 0:
                await bot.arrives("!cortex why isn't this responding", ADMIN, HOME, place=said_in(HOME, "").place)
            case 1 | 2:
                await bot.arrives(chance.choice(WORDS), ADMIN, dm_of(ADMIN))
            case _:
                await bot.manager.receive([said_in(HOME, chance.choice(WORDS))], None)
        await bot.settled()
        for _ in range(chance.randrange(3)):
            await self.press()
        await bot.settled()
        bot.clock.advance(30)
        self.look()

    async def press(self) -> None:
        bot, chance = self.house.bot, self.chance
        shown = [(sent, button) for sent in bot.platform.sent[-12:] for button in sent.buttons]
        if not shown:
            return
        sent, button = chance.choice(shown)
        by = chance.choice((*EVERYBODY, sent.to.private_to or ANN, sent.to.private_to or ANN))
        where = chance.choice((sent.to.channel, dm_of(by)))
        answer = await bot.manager.pressed(ButtonPress(person=person_of(by), name=by, channel=where, data=button.data))
        is_theirs = by == sent.to.private_to and where == sent.to.channel
        if answer in DONE or answer == ASKS:
            self.done += 1
            if not is_theirs:
                self.house.wrong("unconfirmed", f"{by} pressed {button.label!r} in {where}: {answer}")

    def look(self) -> None:
        """Look at what the models and the people got to read meanwhile."""
        house = self.house
        for sent in house.bot.platform.sent[self.seen :]:
            house.check_sent(sent)
        self.seen = len(house.bot.platform.sent)
        for request in house.bot.provider.requests[self.requests :]:
            house.check_told([request.system_text, *(m.text for m in request.messages)])
            house.check_told([part.text for message in request.messages for part in message.results])
        self.requests = len(house.bot.provider.requests)


async def memories_gone(house: House) -> int:
    """Count what is forgotten; what a process saved that may not is wrong at once."""
    gone = 0
    for row in range(1, 10_000):
        memory = await house.bot.store.memories.get(row)
        if memory is None:
            break
        gone += bool(memory.forgotten_at)
        if memory.body.provenance.process in ("inspection", "worker"):
            house.wrong("unconfirmed", f"memory {row} was saved by a {memory.body.provenance.process}")
    return gone


async def check_kept(life: Life) -> None:
    """Nobody changed what is remembered, or how a channel is set, but who was asked and said yes."""
    house, store = life.house, life.house.bot.store
    rows = [row for row in await store.audit.newest(None, 10_000) if row.body.action != "look"]
    actions = [row.body.action for row in rows]
    # one yes to a new conversation is two rows: that it was said, and what came of it
    twice = min(actions.count(FRESH_START), actions.count("new conversation"))
    if len(rows) - twice > life.done:
        house.wrong("unconfirmed", f"{len(rows)} changes, {life.done} times a yes: {actions}")
    gone = await memories_gone(house)
    # what was remembered with a yes is forgotten when that is taken back
    forgotten = sum(row.body.action == "forget memory" or row.body.action.startswith("undo ") for row in rows)
    if gone > forgotten:
        house.wrong("unconfirmed", f"{gone} memories are gone, {forgotten} times somebody said so")
    for channel in CHANNELS:
        state = await store.channels.load(KEY._replace(channel=channel))
        if state is not None and state.settings.pause:
            house.wrong("unconfirmed", f"{channel} is paused")
    if house.server.called:
        house.wrong("unconfirmed", f"foreign tools were called: {house.server.called[:5]}")


async def play_wholes(seed: int, directory: Path) -> Verdict:
    """Play a few of them."""
    puppet = Puppet(seed)
    async with a_house(directory, puppet) as house:
        life = Life(house, puppet)
        for _ in range(PROGRAMS):
            await life.program()
        await house.let_go()
        await check_kept(life)
    assert life.requests > PROGRAMS / 2, "the model was hardly asked anything"
    return house.verdict(PROGRAMS)

"""R22: only the one who was asked can say yes, once, while it still holds; whatever else is pressed has no effect."""

from __future__ import annotations

import itertools
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path

from bot.domain.handles import HandleKind, handle
from tests.bot.cortex.chat import ADMIN, GENERAL, OWNER, STRANGER, dm_of
from tests.faults.confirming import OTHERS, Stand, a_stand, every_button, forged, pressed_at_once
from tests.faults.family import Family, Size, Verdict, seed_of

FORGED, DOUBLE, BY_OTHERS, STALE = 1000, 100, 100, 20
"""Presses, or offers, that one case stands for."""
PLAYED = {
    Size.SLICE: {"forged": 1, "double": 1, "others": 1},
    Size.NIGHTLY: {"forged": 20, "double": 20, "others": 10},
    Size.RELEASE: {"forged": 100, "double": 100, "others": 10},
}


async def _forged(stand: Stand, seed: int) -> Verdict:
    """Press what was never made, as whoever, wherever."""
    chance = random.Random(seed)
    real = await every_button(stand)
    before, sent, accepted = await stand.effects(), len(stand.bot.platform.sent), 0
    for _ in range(FORGED):
        by = chance.choice((ADMIN, ADMIN, OWNER, STRANGER, *OTHERS))
        where = chance.choice((None, None, GENERAL, dm_of(ADMIN)))
        await stand.press(forged(real, chance), by, where)
    await stand.bot.settled()
    accepted = len(stand.bot.platform.sent) - sent
    changed = await stand.effects() != before
    trouble = (
        f"{accepted} forged presses were answered with a message, changed: {changed}" if accepted + changed else ""
    )
    return Verdict(n=FORGED, counts={"effects": accepted + changed}, trouble=trouble)


async def _double(stand: Stand, seed: int) -> Verdict:
    """Press a real yes twice at the same time, with what else may be pressed then; it is done exactly once."""
    chance, wrong = random.Random(seed), []
    for number in range(DOUBLE):
        row, (confirm, keep) = await stand.offer(f"they like tea {number}")
        data = [confirm.data] * chance.choice((2, 2, 3)) + [keep.data] * (number % 4 == 3)
        chance.shuffle(data)
        answers = await pressed_at_once(stand, data)
        memory = await stand.bot.store.memories.get(row)
        kept = "Kept. Nothing was changed." in answers
        done = answers.count("Done.")
        assert memory is not None
        if (done, memory.version, bool(memory.forgotten_at)) != ((0, 1, False) if kept else (1, 2, True)):
            wrong.append((number, answers, memory.version))
    done = sum(row.body.action == "forget memory" for row in await stand.bot.store.audit.newest(None, 100_000))
    gone = sum([await stand.forgotten(row) for row in range(1, DOUBLE + 1)])
    if done != gone:
        wrong.append(("audit", [str(done)], gone))
    return Verdict(n=DOUBLE, counts={"effects": len(wrong)}, trouble="\n".join(map(str, wrong[:5])))


async def _others(stand: Stand, _: int) -> Verdict:
    """Let everybody press it but the one who was asked, in their own chat, in the admin's, in the channel."""
    row, buttons = await stand.offer()
    presses = itertools.cycle(itertools.product(buttons, OTHERS, (None, GENERAL, dm_of(ADMIN))))
    before = await stand.effects()
    for button, by, where in itertools.islice(presses, BY_OTHERS):
        await stand.press(button.data, by, where)
    changed = await stand.effects() != before
    answer = await stand.press(buttons[0].data)
    wrong = [] if answer == "Done." and await stand.forgotten(row) else [f"the offer was not left open: {answer}"]
    wrong += ["a press of somebody else changed something"] if changed else []
    return Verdict(n=BY_OTHERS, counts={"effects": int(changed)}, trouble="\n".join(wrong))


async def _memory_changed(stand: Stand, row: int, _: str) -> None:
    """Another admin forgets it and takes that back: it is as it was, and it is not what was shown."""
    bot = stand.bot
    await bot.hears(f"!cortex memory forget {handle(HandleKind.MEMORY, row)}", OWNER)
    await bot.presses("Forget", OWNER)
    await bot.presses("Undo", OWNER)


async def _admin_demoted(stand: Stand, *_: object) -> None:
    stand.bot.platform.admins.discard((ADMIN, GENERAL))


async def _expired(stand: Stand, *_: object) -> None:
    stand.bot.clock.advance(601)


async def _ended(stand: Stand, _: int, keep: str) -> None:
    """The asker said no; the offer is over."""
    await stand.press(keep)


STALE_BY: Mapping[str, Callable[[Stand, int, str], Awaitable[None]]] = {
    "memory_changed": _memory_changed,
    "ended": _ended,
    "admin_demoted": _admin_demoted,
    "expired": _expired,
}


async def _stale(stand: Stand, reasons: tuple[str, ...]) -> Verdict:
    row, (confirm, keep) = await stand.offer("do not answer ann")
    for reason in reasons:
        await STALE_BY[reason](stand, row, keep.data)
    before = await stand.effects()
    answers = await pressed_at_once(stand, [confirm.data] * STALE)
    changed = await stand.effects() != before or await stand.forgotten(row)
    silent = [answer for answer in answers if not answer]
    trouble = f"a stale yes counted: {answers[:3]}" if changed else "a press was not answered" if silent else ""
    return Verdict(n=STALE, counts={"effects": int(changed)}, trouble=trouble)


async def _play(key: str, directory: Path) -> Verdict:
    what, _, more = key.partition("/")
    async with a_stand(directory) as stand:
        if what == "stale":
            return await _stale(stand, tuple(more.split("+")))
        return await {"forged": _forged, "double": _double, "others": _others}[what](stand, seed_of(more))


def _cases(size: Size) -> Iterable[str]:
    for what, many in PLAYED[size].items():
        yield from (f"{what}/seed{number}" for number in range(many))
    singles, pairs = ((one,) for one in STALE_BY), itertools.combinations(STALE_BY, 2)
    yield from (f"stale/{'+'.join(reasons)}" for reasons in (*singles, *pairs))


FAMILY = Family("R22", "confirmations forged, doubled, stale, pressed by others", _cases, _play, seconds=120)

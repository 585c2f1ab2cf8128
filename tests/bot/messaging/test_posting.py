from __future__ import annotations

from pathlib import Path

import pytest

from bot.domain.ledger import Outcome
from bot.domain.messages import Inbound
from bot.domain.turn import OutboxState
from bot.errors import DeliveryError
from bot.messaging.posting import must_be_private
from tests.bot.messaging.house import SECRET, house
from tests.fakes import values as v
from tests.fakes.platform import FakePlatform, flood, lost


@pytest.mark.parametrize("kind", ["finding", "file"])
def test_the_door_for_private_content(kind: str):
    with pytest.raises(DeliveryError) as caught:
        must_be_private(v.outgoing("x", kind))
    assert (caught.value.code, caught.value.permanent) == ("not_private", True)
    must_be_private(v.outgoing("x", kind, to=v.address(private_to="1")))


@pytest.mark.parametrize("kind", ["reply", "notice", "command"])
def test_what_everybody_may_read(kind: str):
    must_be_private(v.outgoing("x", kind))


async def test_a_redaction_in_any_part_marks_the_reply(tmp_path: Path):
    async with house(tmp_path, platform=FakePlatform(max_units=100)) as here:

        def answer(inbound: Inbound) -> str:
            return f"{SECRET} " + "word " * 60

        here.answer = answer  # type: ignore[method-assign]
        asked = await here.hears("hello")
        stored = (await here.trail(asked)).inbound
        assert (stored.outcome, stored.redacted) == (Outcome.REPLIED, True)
        assert len(here.platform.sent) > 2


async def test_every_attempt_is_on_record(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([flood(2), flood(2)])
        asked = await here.hears("hello")
        row = (await here.store.outbox.of_inbound((await here.trail(asked)).inbound.id))[0]
        assert (row.attempts, row.state, row.error) == (3, OutboxState.SENT, "")


async def test_what_was_given_up_keeps_its_reason(tmp_path: Path):
    async with house(tmp_path) as here:
        here.platform.fails([lost()])
        await here.hears("hello")
        row = (await here.store.outbox.in_state(v.KEY, True, 1))[0]
        assert (row.state, row.error) == (OutboxState.UNCERTAIN, "timeout: timed out")
        reasons = dict((await here.store.ledger.trail(row.body.inbound)).stages[-2].detail)  # type: ignore[union-attr]
        assert "part" in reasons or "kind" in reasons

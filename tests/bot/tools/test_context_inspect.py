"""The tool asks who starts inspections, and hands the refusal on."""

from __future__ import annotations

import pytest

from bot.domain.access import Authority, Caller
from bot.domain.channel import ProcessKind
from bot.domain.ids import PersonKey, UserId
from bot.errors import ToolError
from bot.tools.context_inspect import InspectArgs, context_inspect
from bot.tools.runtime.tool import CallOrigin
from tests.fakes.inspections import FakeInspections
from tests.fakes.values import KEY


class Seat:
    session = 7
    question = ""


class Context:
    origin = CallOrigin(KEY, "console")
    caller = Caller(PersonKey("console", UserId("1")), "root", Authority.OWNER)


async def test_it_returns_branch_channel_and_message_at_once():
    starter = FakeInspections()
    said = await context_inspect.run(InspectArgs(focus=" silence "), starter, Seat(), Context())
    assert said == ('{"branch_id":"inspection-1","channel_id":"console:#general","message":"It comes later."}')
    assert starter.wishes[0].focus == "silence"
    assert (starter.wishes[0].here, starter.wishes[0].session) == (KEY, 7)


async def test_another_channel_is_asked_for_by_its_id_and_a_refusal_is_said_to_the_model():
    starter = FakeInspections("There is no such channel")
    with pytest.raises(ToolError, match="no such channel"):
        await context_inspect.run(InspectArgs(channel_id="console:#second"), starter, Seat(), Context())
    assert starter.wishes[0].named == "console:#second"


def test_only_an_admin_in_the_cortex_chat_is_offered_it():
    assert context_inspect.kinds == {ProcessKind.CORTEX}
    assert context_inspect.authority is Authority.ADMIN
    assert context_inspect.read_only

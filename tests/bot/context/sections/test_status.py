"""The status block is the same whether it is looked at or sent."""

from __future__ import annotations

from bot.context.section import LongCall, loaded_section
from bot.context.sections.status import status_text
from bot.domain.channel import ChannelPause, LastTurn
from bot.domain.messages import ChannelPlace
from tests.fakes.clock import START
from tests.fakes.values import channel, settings


def test_a_new_channel_has_only_its_mode():
    assert status_text(channel()) == "## Status\n\n- Response mode: mention_only"


def test_direct_messages_are_always_active():
    assert "active (direct message)" in status_text(channel().replace(place=ChannelPlace(is_dm=True)))


def test_how_the_last_turn_ended_and_how_large_it_was():
    last = LastTurn(outcome="failed", error="timeout:\n120 s", at=START, context_tokens=45_210)
    text = status_text(channel().replace(last=last))
    assert "- Last turn: failed at 2025-10-09T08:53:20Z (timeout: 120 s)" in text
    assert "- Size of the last request: 45,210 tokens" in text


def test_a_pause_is_told_by_its_time_alone():
    pause = ChannelPause(by="1", by_role="admin", at=START, inbound=3, reason="secret reason")
    text = status_text(channel().replace(settings=settings(pause=pause)))
    assert "paused since 2025-10-09T08:53:20Z" in text and "secret" not in text


def test_calls_that_go_on_in_the_background_and_those_that_are_over():
    calls = (LongCall("x27d4", "web_fetch", START), LongCall("x27d5", "shell", START, "FAILED"))
    text = status_text(channel(), loaded_section("status", {"calls": calls}).data)
    assert "- Goes on in the background: task x27d4 (web_fetch) since 2025-10-09T08:53:20Z\n" in text
    over = "- Over, and you have not looked yet (check_task): task x27d5 (shell) since 2025-10-09T08:53:20Z: FAILED"
    assert over in text

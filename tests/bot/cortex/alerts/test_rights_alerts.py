"""What the one message about a right that is gone says, for everything that a platform may call it."""

from __future__ import annotations

import pytest

from bot.cortex.alerts.rights_alerts import rights_text
from bot.diagnostics.evidence.deliveries import WriteHindrance
from bot.domain.ids import MAIN, ChannelId
from bot.domain.incident import ChannelTrouble, TroubleKind
from bot.text.times import plain_times
from tests.fakes.clock import START

HERE = ChannelId("discord:1:2")


def trouble(code: str, **changes: object) -> ChannelTrouble:
    base = {"what": TroubleKind.RIGHTS, "agent": MAIN, "channel": HERE, "since": START, "last": START, "code": code}
    return ChannelTrouble.model_validate({**base, "places": (HERE,), "widest": 1, "fix": "Do this.", **changes})


def told(about: ChannelTrouble, *names: str) -> str:
    return plain_times(rights_text(about, names or ("#kitchen",)))


@pytest.mark.parametrize("code", sorted(WriteHindrance))
def test_every_loss_has_words_and_advice(code: str):
    words = told(trouble(code))
    assert words.startswith("✗ I can no longer ") and " #kitchen.\n" in words
    assert words.rstrip().endswith(("→ Do this.", "Until then I hear nothing from there.")) and "\n\n" not in words


@pytest.mark.parametrize(
    ("code", "missing", "verb"),
    [
        ("no_access", "View Channel", "view"),
        ("no_access", "Connect", "connect to"),
        ("hidden", "", "view"),
        ("rights", "Send Messages", "write in"),
        ("no_rights", "", "write in"),
        ("timed_out", "", "write in"),
    ],
)
def test_it_says_what_the_bot_may_not(code: str, missing: str, verb: str):
    words = told(trouble(code, missing=missing))
    assert words.startswith(f"✗ I can no longer {verb} #kitchen.")
    assert ("hear nothing" in words) is (code in {"no_access", "hidden"})
    ended = told(trouble(code, missing=missing, ended=START + 60_000, places=()))
    assert ended.startswith(f"✓ Over: I can {verb} #kitchen again.\nFrom 08:53:20 to 08:54:20 UTC.")


def test_several_channels_are_named_and_the_others_counted():
    places = tuple(ChannelId(f"discord:1:{number}") for number in range(5))
    words = told(trouble("rights", places=places, widest=5), "#a", "#b", "#c")
    assert words.startswith("✗ I can no longer write in #a, #b, #c and 2 more.")
    words = told(trouble("rights", places=places[:2], widest=5), "#a", "#b")
    assert words.startswith("✗ I can no longer write in #a and #b.")
    words = told(trouble("rights", places=(), widest=5, ended=START + 1), "#a")
    assert words.startswith("✓ Over: I can write in #a and 4 more again.")


def test_a_timeout_says_until_when():
    assert "until 09:03:20 UTC." in told(trouble("timed_out", until=START + 600_000))

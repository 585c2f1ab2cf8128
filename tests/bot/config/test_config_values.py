"""What differs between two configurations, and what of it a running bot takes over."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.config import Config, parse_config
from bot.config.config_values import changes, flatten, merge_live, take_over

OLD = """
[bot]
persona = "kind"
[platforms.console]
owner_ids = [1]
[channels."console:#a"]
mode = "observe"
"""
NEW = """
[bot]
persona = "stern"
log_level = "debug"
[limits]
user_per_minute = 3
[platforms.console]
owner_ids = [1, 2]
echo = true
[platforms.telegram]
token = "123:abc"
[channels."console:#b.c"]
mode = "active"
persona = "loud"
"""


def config(text: str) -> Config:
    return parse_config(text, None).config


def test_what_differs_is_named_and_whether_it_takes_a_restart():
    found = dict(changes(config(OLD), config(NEW)))
    assert found == {
        "bot.persona": False,
        "bot.log_level": True,
        "platforms.console.owner_ids": True,
        "platforms.console.echo": False,
        "platforms.telegram": False,
        "channels.console:#a.mode": True,
        "channels.console:#b.c.persona": False,
        "channels.console:#b.c.mode": True,
        "limits.user_per_minute": True,
    }
    assert changes(config(NEW), config(NEW)) == ()


def test_what_holds_a_table_sees_what_was_taken_over_and_nothing_else():
    running, wanted = config(OLD), config(NEW)
    limits, console, bot = running.limits, running.platforms["console"], running.bot
    take_over(running, merge_live(running, wanted))
    assert limits.user_per_minute == 3 and console.owner_ids == ("1", "2") and bot.log_level == "debug"
    assert bot.persona == "kind" and "telegram" not in running.platforms and "echo" not in console.settings
    assert running.channel("console:#a").mode is None
    assert (running.channel("console:#b.c").mode, running.channel("console:#b.c").persona) == ("active", None)
    assert [change.live for change in changes(running, wanted)] == [False] * 4


def test_defaults_stay_what_they_are():
    running = config("")
    take_over(running, merge_live(running, config("[limits]\nuser_per_minute = 3")))
    assert (running.limits.user_per_minute, config("").limits.user_per_minute) == (3, 20)
    take_over(running, merge_live(running, config("")))
    assert running.limits.user_per_minute == 20


def test_every_live_key_is_a_key():
    for value in flatten(config(OLD)):
        assert isinstance(value.live, bool)
    for table in (*vars(config(OLD)).values(),):
        for entry in table.values() if isinstance(table, dict) else [table]:
            assert entry.live <= set(type(entry).model_fields)


@given(st.integers(0, 99), st.integers(0, 99), st.sampled_from(["active", "observe", "mention_only"]))
def test_taking_over_leaves_only_what_needs_a_restart(minute, retries, mode):
    new = f"[limits]\nuser_per_minute = {minute}\n[model]\nretries = {retries % 11}\n"
    new += f'[platforms.console]\ndefault_mode = "{mode}"'
    running, wanted = config(OLD), config(new)
    take_over(running, merge_live(running, wanted))
    assert not any(change.live for change in changes(running, wanted))

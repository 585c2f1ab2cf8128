"""A bot that Telegram does not hear, or that does not hear Telegram; nobody can ask in the chat then."""

from __future__ import annotations

from tests.scenarios.online_play import OnTelegram
from tests.scenarios.scenario import HEALTHY
from tests.scenarios.telegram_stage import Phones
from tests.servers.telegram import CONFLICT, EMPTY, Answers, Before, Drops, Fault, HalfOpen, Hangs

ALWAYS = 1_000_000


async def it_answered(stage: Phones) -> None:
    await stage.asks(stage.ann, "@glassmind_bot are you there?")


async def another_program_polls(stage: Phones) -> None:
    await it_answered(stage)
    stage.server.fault("getUpdates", CONFLICT, times=ALWAYS)
    await stage.fails_with("conflict")
    stage.passes(300)
    stage.says(stage.ann, "@glassmind_bot are you still there?")


async def they_take_turns(stage: Phones) -> None:
    await it_answered(stage)
    stage.server.fault("getUpdates", CONFLICT)
    await stage.fails_with("conflict")
    stage.passes(3)


async def a_webhook_is_set(stage: Phones) -> None:
    await it_answered(stage)
    host = stage.setting.other("other.example", "n8n.example", "203-0-113-7.tunnel.example")
    stage.world.set_webhook(f"https://{host}/secret-path")
    stage.me.webhook.last_error_message = stage.setting.other(
        "Wrong response from the webhook: 502 Bad Gateway",
        "Connection timed out",
        "SSL error {error:0A000086:SSL routines::certificate verify failed}",
    )
    await stage.fails_with("webhook")
    stage.says(stage.ann, "@glassmind_bot are you still there?")
    stage.passes(300)
    await stage.until(lambda: host in stage.adapter.health().detail)


async def the_token_is_revoked(stage: Phones) -> None:
    await it_answered(stage)
    token = stage.me.token
    stage.world.revoke()
    await stage.fails_with("token")
    stage.me.token = token  # what the configuration still says
    stage.passes(600)


async def the_token_is_of_another_bot(stage: Phones) -> None:
    await it_answered(stage)
    await stage.ends("stopped by a signal")
    del stage.world.bots[stage.me.token]
    stage.me = stage.world.bot("other_bot")
    await stage.begins()
    await stage.fails_with("account")
    stage.passes(600)


async def nobody_listens_there(stage: Phones) -> None:
    await it_answered(stage)
    await stage.server.refuse()
    await stage.fails_with("network")
    stage.passes(60)
    await stage.until(lambda: "connect:" in stage.adapter.health().detail)


async def nobody_listens_there_for_long(stage: Phones) -> None:
    await nobody_listens_there(stage)
    stage.passes(60)
    await stage.fails_with("stalled")


async def the_proxy_is_gone(stage: Phones) -> None:
    await it_answered(stage)
    await stage.ends("stopped by a signal")
    stage.set("telegram", proxy="http://127.0.0.1:9")
    await stage.begins()
    await stage.until(lambda: bool(stage.adapter.health().code))
    stage.passes(60)


async def the_line_is_cut_again_and_again(stage: Phones) -> None:
    await it_answered(stage)
    stage.server.fault("getUpdates", Drops(), times=ALWAYS)
    await stage.fails_with("network")
    stage.passes(25)


async def a_poll_never_comes_back(stage: Phones) -> None:
    await it_answered(stage)
    # polls come back in real time: the last good one is to be after the answer, not by chance a moment before it
    await next_polls(stage, 2)
    stage.server.fault("getUpdates", Hangs(), times=ALWAYS)
    await stage.server.hung()
    stage.says(stage.ann, "@glassmind_bot are you still there?")
    stage.says(stage.ann, "@glassmind_bot hello?")
    stage.passes(400)


async def next_polls(stage: Phones, count: int) -> None:
    await stage.server.heard("getUpdates", len(stage.server.calls("getUpdates")) + count)


async def polls_go_dead(stage: Phones, fault: Fault) -> None:
    """The poll that waits now is the last that could bring anything."""
    await it_answered(stage)
    stage.server.fault("getUpdates", fault, times=ALWAYS)
    await next_polls(stage, 2)


async def polls_come_back_empty(stage: Phones) -> None:
    await polls_go_dead(stage, Answers(EMPTY))
    stage.says(stage.ann, "@glassmind_bot are you still there?")
    stage.passes(100)
    await stage.fails_with("piling")
    stage.says(stage.ann, "@glassmind_bot hello?")
    stage.passes(5)
    await stage.until(lambda: ("pending_updates", "2") in stage.adapter.health().facts)


async def a_dead_line_is_made_anew(stage: Phones) -> None:
    await polls_go_dead(stage, HalfOpen())
    stage.says(stage.ann, "@glassmind_bot are you still there?")
    stage.passes(100)
    await stage.fails_with("piling")
    stage.passes(5)
    await stage.quiet()


async def it_is_quiet_for_hours(stage: Phones) -> None:
    await it_answered(stage)
    for hours in range(1, 4):
        stage.passes(3600)
        await stage.server.called("getWebhookInfo", 1 + hours)
        await next_polls(stage, 1)
    await stage.polls()


async def ann_writes_while_it_looks(stage: Phones) -> None:
    await it_answered(stage)
    stage.server.fault("getWebhookInfo", Before(lambda: stage.says(stage.ann, "@glassmind_bot still there?") and None))
    stage.passes(100)
    await stage.until(lambda: len(stage.public()) == 2)
    await stage.quiet()


async def one_poll_fails(stage: Phones) -> None:
    await it_answered(stage)
    stage.server.fault("getUpdates", Drops())
    await stage.fails_with("network")
    stage.passes(3)


SCENARIOS = (
    OnTelegram(
        "another program polls with the token",
        "TG-409",
        another_program_polls,
        ("last good poll 5 min ago", "only part of the messages", "Sending works", "revoke the token"),
        on_host=True,
    ),
    OnTelegram("two programs poll in turns", "TG-409", they_take_turns, ("Sending works", "Stop the other program")),
    OnTelegram(
        "another program has set a webhook",
        "TG-WEBHOOK",
        a_webhook_is_set,
        ("other.example", "502 Bad Gateway", "last good poll", "Sending works", "--take-over", "take_over = true"),
        on_host=True,
    ),
    OnTelegram(
        "the token was revoked",
        "TOKEN",
        the_token_is_revoked,
        ("rejects the bot's token", "last good poll 10 min ago", "nothing works", "BotFather"),
        on_host=True,
    ),
    OnTelegram(
        "the token is of another bot",
        "TOKEN",
        the_token_is_of_another_bot,
        ("another bot's", "belongs to ＠glassmind_bot (7000000001)", "to ＠other_bot (7000000002)", "another data"),
        on_host=True,
    ),
    OnTelegram(
        "nobody listens at Telegram's address",
        "NET",
        nobody_listens_there,
        ("is unreachable", "Nothing answers", "last good poll", "firewall"),
        on_host=True,
    ),
    OnTelegram(
        "nobody listens at Telegram's address for long",
        "NET",
        nobody_listens_there_for_long,
        ("is unreachable", "Nothing answers", "firewall"),
        on_host=True,
    ),
    OnTelegram(
        "the proxy is gone",
        "NET",
        the_proxy_is_gone,
        ("The proxy is unreachable", "No good poll since", "Check `proxy`"),
        on_host=True,
    ),
    OnTelegram(
        "the line is cut again and again",
        "NET",
        the_line_is_cut_again_and_again,
        ("breaks every time", "firewall"),
        on_host=True,
    ),
    OnTelegram(
        "a poll never comes back",
        "TG-STALL",
        a_poll_never_comes_back,
        ("connection to Telegram is dead", "last good poll 6 min ago", "reconnecting", "Restart the bot"),
        on_host=True,
    ),
    OnTelegram(
        "polls come back empty while updates wait",
        "TG-STALL",
        polls_come_back_empty,
        ("Empty answers from Telegram", "succeed but bring nothing", "2 updates wait", "1 more", "in Telegram's place"),
        on_host=True,
    ),
    OnTelegram("a line that died without a word is made anew", HEALTHY, a_dead_line_is_made_anew, ("was answered",)),
    OnTelegram("it is quiet for hours", HEALTHY, it_is_quiet_for_hours, ("was answered", "poll")),
    OnTelegram("ann writes while it looks", HEALTHY, ann_writes_while_it_looks, ("was answered",)),
    OnTelegram("one poll fails", HEALTHY, one_poll_fails, ("was answered",)),
    OnTelegram(
        "it runs on Telegram, seen from the machine", HEALTHY, it_answered, ("was answered", "poll"), on_host=True
    ),
)

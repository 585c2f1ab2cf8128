"""The gates as a table: what arrives, what is configured, what follows."""

from __future__ import annotations

from typing import Any

import pytest

from bot.config.schema import LimitsConfig, PlatformConfig
from bot.domain.access import Authority
from bot.domain.channel import ChannelPause, ChannelSettings, ResponseMode
from bot.domain.ids import ChannelId
from bot.domain.ledger import ArrivalDisposition, GateVerdict
from bot.domain.messages import AuthorKind, ChannelPlace, InboundKind
from bot.messaging.policy.gates import GATES, dispose, judge, would
from bot.messaging.policy.gates.facts import GateFacts, Traffic
from tests.fakes import values as v

QUEUE, AMBIENT, DROP = ArrivalDisposition.QUEUE, ArrivalDisposition.AMBIENT, ArrivalDisposition.DROP
THREAD = {"channel": ChannelId("discord:1:33"), "place": ChannelPlace(guild_id="1", parents=("22", "11"))}
TOPIC = {"channel": ChannelId("telegram:-100123:7"), "place": ChannelPlace(guild_id="")}
DM = {"channel": ChannelId("console:dm:100"), "place": ChannelPlace(is_dm=True), "mentions_bot": False}
PAUSE = ChannelPause(by="2", by_role="moderator", at=5, inbound=9, reason="spam")


def facts(
    text: str = "hello",
    *,
    inbound: dict[str, Any] | None = None,
    settings: ChannelSettings | None = None,
    tier: Authority = Authority.EVERYONE,
    load: Traffic | None = None,
    opted_out: bool = False,
    limits: dict[str, Any] | None = None,
    **platform: Any,
) -> GateFacts:
    return GateFacts(
        inbound=v.inbound(text, **(inbound or {})),
        settings=settings or ChannelSettings(),
        platform=PlatformConfig.model_validate(platform),
        limits=LimitsConfig.model_validate(limits or {}),
        tier=tier,
        names=("Glass", "glass_bot"),
        load=load or Traffic(),
        opted_out=opted_out,
    )


def outcome(known: GateFacts) -> tuple[ArrivalDisposition, str]:
    verdicts = judge(known)
    stopped = next((verdict for verdict in verdicts if not verdict.passed), None)
    return dispose(known, verdicts), stopped.reason if stopped else ""


def by(kind: AuthorKind) -> dict[str, Any]:
    return {"author": v.author("9", "other", kind)}


QUIET = {"mentions_bot": False}
CASES: list[tuple[str, GateFacts, ArrivalDisposition, str]] = [
    ("a plain mention", facts(), QUEUE, ""),
    ("itself", facts(inbound=by(AuthorKind.SELF)), DROP, "self"),
    ("itself, though bots are allowed", facts(inbound=by(AuthorKind.SELF), allow_bots=True), DROP, "self"),
    ("another bot", facts(inbound=by(AuthorKind.BOT)), DROP, "bot_author"),
    ("another bot, allowed", facts(inbound=by(AuthorKind.BOT), allow_bots=True), QUEUE, ""),
    ("a webhook", facts(inbound=by(AuthorKind.WEBHOOK)), DROP, "bot_author"),
    ("a channel post", facts(inbound=by(AuthorKind.CHANNEL_POST)), DROP, "bot_author"),
    ("an anonymous admin talks", facts(inbound=by(AuthorKind.ANONYMOUS_ADMIN)), QUEUE, ""),
    ("a listed guild", facts(allowed_guilds=["1"]), QUEUE, ""),
    ("a listed guild, as a number", facts(allowed_guilds=[1]), QUEUE, ""),
    ("another guild", facts(allowed_guilds=["2"]), DROP, "guild_denied"),
    ("no guild at all is listed", facts(allowed_guilds=[]), DROP, "guild_denied"),
    ("a listed channel id", facts(allowed_channels=["console:#general"]), QUEUE, ""),
    ("a listed bare path", facts(allowed_channels=["#general"]), QUEUE, ""),
    ("another channel", facts(allowed_channels=["#other"]), DROP, "channel_denied"),
    ("no channel is listed", facts(allowed_channels=[]), DROP, "channel_denied"),
    ("a thread by its own number", facts(inbound=THREAD, allowed_channels=[33]), QUEUE, ""),
    ("a thread by its channel", facts(inbound=THREAD, allowed_channels=[22]), QUEUE, ""),
    ("a thread by its category", facts(inbound=THREAD, allowed_channels=["discord:11"]), QUEUE, ""),
    ("a thread is not its guild", facts(inbound=THREAD, allowed_channels=["1"]), DROP, "channel_denied"),
    ("a thread of a blocked channel", facts(inbound=THREAD, blocked_channels=["22"]), DROP, "channel_denied"),
    ("a topic by its chat", facts(inbound=TOPIC, allowed_channels=["-100123"]), QUEUE, ""),
    ("a topic is not its number", facts(inbound=TOPIC, allowed_channels=["7"]), DROP, "channel_denied"),
    ("block beats allow", facts(allowed_channels=["#general"], blocked_channels=["#general"]), DROP, "channel_denied"),
    ("private", facts(inbound=DM), QUEUE, ""),
    ("private, not allowed", facts(inbound=DM, allow_dms=False), DROP, "dm_denied"),
    ("an admin in private, always", facts(inbound=DM, allow_dms=False, tier=Authority.ADMIN), QUEUE, ""),
    ("private, whatever channels are listed", facts(inbound=DM, allowed_channels=[]), QUEUE, ""),
    ("a listed sender", facts(allowed_users=["100"]), QUEUE, ""),
    ("a listed sender, as a number", facts(allowed_users=[100]), QUEUE, ""),
    ("another sender", facts(allowed_users=["7"]), DROP, "user_denied"),
    ("a sender's name proves nothing", facts(allowed_users=["ann"]), DROP, "user_denied"),
    ("nobody is listed", facts(allowed_users=[]), DROP, "user_denied"),
    ("a blocked sender", facts(blocked_users=[100]), DROP, "user_denied"),
    ("block beats allow for senders", facts(allowed_users=[100], blocked_users=[100]), DROP, "user_denied"),
    ("paused", facts(settings=ChannelSettings(pause=PAUSE)), DROP, "paused"),
    ("observing", facts(settings=ChannelSettings(mode=ResponseMode.OBSERVE)), AMBIENT, "mode_observe"),
    (
        "observing is for groups",
        facts(inbound=DM, settings=ChannelSettings(mode=ResponseMode.OBSERVE)),
        QUEUE,
        "",
    ),
    ("not addressed", facts(inbound=QUIET), AMBIENT, "not_addressed"),
    ("active answers all", facts(inbound=QUIET, settings=ChannelSettings(mode=ResponseMode.ACTIVE)), QUEUE, ""),
    ("a reply to the bot", facts(inbound={**QUIET, "replies_to": "1", "replies_to_bot": True}), QUEUE, ""),
    ("a reply to somebody", facts(inbound={**QUIET, "replies_to": "1"}), AMBIENT, "not_addressed"),
    ("by name", facts("GLASS, are you there?", inbound=QUIET), QUEUE, ""),
    ("by name at the end", facts("what do you think, glass?", inbound=QUIET), QUEUE, ""),
    ("a longer word is no name", facts("glasses are here", inbound=QUIET), AMBIENT, "not_addressed"),
    ("too much of one person", facts(load=Traffic(user=3), limits={"user_per_minute": 3}), DROP, "rate_user"),
    ("not yet too much", facts(load=Traffic(user=2), limits={"user_per_minute": 3}), QUEUE, ""),
    ("a queue that is full", facts(load=Traffic(waiting=5), limits={"waiting_per_channel": 5}), DROP, "rate_waiting"),
    ("a queue without an end", facts(load=Traffic(waiting=900), limits={"waiting_per_channel": 0}), QUEUE, ""),
    ("too much of a channel", facts(load=Traffic(channel=9), limits={"channel_per_minute": 9}), DROP, "rate_channel"),
    (
        "an admin in private, though it is too much",
        facts(inbound=DM, tier=Authority.ADMIN, load=Traffic(user=9, channel=9), limits={"user_per_minute": 3}),
        QUEUE,
        "",
    ),
    ("no limit", facts(load=Traffic(user=999), limits={"user_per_minute": 0, "channel_per_minute": 0}), QUEUE, ""),
    ("over budget", facts(load=Traffic(cost_usd=2), limits={"daily_cost_usd": 2}), DROP, "cost_cap"),
    (
        "over budget, an admin in private",
        facts(inbound=DM, tier=Authority.ADMIN, load=Traffic(cost_usd=2), limits={"daily_cost_usd": 2}),
        QUEUE,
        "",
    ),
    ("within budget", facts(load=Traffic(cost_usd=1.99), limits={"daily_cost_usd": 2}), QUEUE, ""),
    ("no cap", facts(load=Traffic(cost_usd=999)), QUEUE, ""),
    (
        "bots among themselves",
        facts(inbound=by(AuthorKind.BOT), allow_bots=True, load=Traffic(bots_in_a_row=6)),
        DROP,
        "loop_guard",
    ),
    ("a person ends a loop", facts(load=Traffic(bots_in_a_row=60)), QUEUE, ""),
]


@pytest.mark.parametrize(("known", "disposition", "reason"), [case[1:] for case in CASES], ids=[c[0] for c in CASES])
def test_what_becomes_of_it(known: GateFacts, disposition: ArrivalDisposition, reason: str):
    assert outcome(known) == (disposition, reason)


def test_the_first_gate_that_stops_it_is_named_and_later_ones_are_not_asked():
    known = facts(allowed_users=[], settings=ChannelSettings(pause=PAUSE))
    assert [verdict.gate for verdict in judge(known)] == ["author", "command", "place", "sender"]


def test_the_gates_are_asked_in_their_order():
    names = [verdict.gate for verdict in would(facts())]
    own = ["author", "command", "place", "sender", "pause", "mode", "content", "addressing", "rate", "budget", "loop"]
    assert names == own
    assert len(GATES) == len(names)


def test_a_dry_run_asks_every_gate():
    verdicts = would(facts(allowed_users=[], inbound=QUIET, settings=ChannelSettings(pause=PAUSE)))
    assert [v.gate for v in verdicts if not v.passed] == ["sender", "pause", "addressing"]


def compared(known: GateFacts) -> dict[str, str]:
    return dict(judge(known)[-1].compared)


def test_a_denial_names_the_list_the_entries_and_the_id():
    assert compared(facts(allowed_users=["7", "8"])) == {"list": "allowed_users", "entries": "7, 8", "user_id": "100"}
    assert compared(facts(allowed_users=[]))["entries"] == "empty: none"
    found = compared(facts(inbound=THREAD, blocked_channels=["22"]))
    assert (found["list"], found["matched"], found["parents"]) == ("blocked_channels", "22", "22, 11")


def test_a_pause_names_who_set_it_when_and_with_what():
    found = compared(facts(settings=ChannelSettings(pause=PAUSE)))
    assert found["set_by"] == "2"
    assert found["set_by_role"] == "moderator"
    assert (found["set_at"], found["set_with"], found["set_reason"]) == ("5", "9", "spam")


def test_what_was_looked_for_is_on_record():
    found = compared(facts(inbound={**QUIET, "mentions_others": True}))
    assert found["mode"] == "mention_only"
    assert found["names"] == "Glass, glass_bot"
    assert (found["mentions_bot"], found["mentions_others"], found["replies_to"]) == ("no", "yes", "nobody")


@pytest.mark.parametrize(
    ("known", "kept"),
    [
        (facts(allowed_users=[]), False),
        (facts(allowed_guilds=[]), False),
        (facts(inbound=DM, allow_dms=False), False),
        (facts(inbound=by(AuthorKind.BOT)), False),
        (facts(inbound=QUIET), True),
        (facts(settings=ChannelSettings(pause=PAUSE)), True),
        (facts(load=Traffic(user=99)), True),
    ],
)
def test_only_access_and_filters_keep_no_text(known: GateFacts, kept: bool):
    verdicts: tuple[GateVerdict, ...] = judge(known)
    assert verdicts[-1].store_text is kept


SHUT = {
    "settings": ChannelSettings(mode=ResponseMode.OBSERVE, pause=PAUSE),
    "load": Traffic(user=999, channel=999, cost_usd=999, bots_in_a_row=999),
    "limits": {"daily_cost_usd": 1},
    "allowed_users": [],
    "allowed_channels": [],
}


@pytest.mark.parametrize("text", ["!cortex why", "!why", "/resume", "Glass resume", "@glass_bot !help"])
def test_commands_get_through_when_everything_is_shut(text: str):
    known = facts(text, inbound=QUIET, tier=Authority.ADMIN, **SHUT)
    verdicts = judge(known)
    assert dispose(known, verdicts) is ArrivalDisposition.COMMAND
    assert [verdict.gate for verdict in verdicts] == ["author", "command", "place", "sender", "rate"]


OPEN = {name: value for name, value in SHUT.items() if not name.startswith("allowed")}


@pytest.mark.parametrize(
    "text", ["!cortex why", "/resume", "Glass resume", "@glass_bot !help", "/start", "/id", "/new"]
)
@pytest.mark.parametrize(
    ("shut", "gate"),
    [
        ({"allowed_users": []}, "sender"),
        ({"blocked_users": ["100"]}, "sender"),
        ({"allowed_channels": []}, "place"),
        ({"blocked_channels": ["console:#general"]}, "place"),
        ({"allowed_guilds": []}, "place"),
        ({"inbound": DM, "allow_dms": False}, "place"),
    ],
)
@pytest.mark.parametrize("tier", [Authority.EVERYONE, Authority.MODERATOR])
def test_commands_pass_the_place_and_sender_gates(text: str, shut: dict[str, Any], gate: str, tier: Authority):
    known = facts(text, **{"inbound": QUIET, "tier": tier, **OPEN, **shut})
    verdicts = judge(known)
    if known.asks_in_private:
        # where the cortex answers moderators, they may ask it
        assert dispose(known, verdicts) is ArrivalDisposition.COMMAND
        return
    assert dispose(known, verdicts) is ArrivalDisposition.DROP
    assert (verdicts[-1].gate, verdicts[-1].store_text) == (gate, False)
    assert dispose(known, judge(facts(text, **{"inbound": shut.get("inbound", QUIET), "tier": tier, **OPEN}))) is (
        ArrivalDisposition.COMMAND
    )


def test_a_moderator_asks_the_cortex_in_private_and_nothing_else_is_open_to_them():
    shut = {"tier": Authority.MODERATOR, **OPEN, "allow_dms": False}
    for text, asks in (("!cortex memory list", True), ("/cortex", True), ("hello", False), ("!help", False)):
        for where in (DM, QUIET):
            assert facts(text, inbound=where, **shut).asks_in_private is (asks and where is DM), text
    blocked = facts("!cortex memory list", inbound=DM, **{**shut, "blocked_users": ["100"]})
    assert dispose(blocked, judge(blocked)) is ArrivalDisposition.DROP


def test_who_opted_out_may_still_take_that_back():
    known = facts("/optout off", opted_out=True)
    assert dispose(known, judge(known)) is ArrivalDisposition.COMMAND
    assert outcome(facts("hello", opted_out=True))[1] == "opted_out"


def test_commands_have_a_count_of_their_own():
    many = Traffic(commands=6)
    assert outcome(facts("/help", load=many)) == (ArrivalDisposition.DROP, "rate_commands")
    assert outcome(facts("/help", inbound=DM, load=many)) == (ArrivalDisposition.DROP, "rate_commands")
    assert outcome(facts("/help", load=Traffic(commands=5)))[0] is ArrivalDisposition.COMMAND
    assert outcome(facts("/help", load=many, limits={"user_commands_per_minute": 0}))[0] is ArrivalDisposition.COMMAND
    # to stop an answer is never refused because of what others typed
    crowd = Traffic(channel_commands=12)
    assert outcome(facts("/help", load=crowd)) == (ArrivalDisposition.DROP, "rate_channel_commands")
    assert outcome(facts("/stop", load=crowd))[0] is ArrivalDisposition.COMMAND
    assert outcome(facts("/stop", load=many)) == (ArrivalDisposition.DROP, "rate_commands")


def test_what_steers_the_bot_is_never_counted_out_for_those_who_may():
    many = Traffic(commands=999, channel_commands=999)
    assert outcome(facts("/resume", tier=Authority.MODERATOR, load=many))[0] is ArrivalDisposition.COMMAND
    assert outcome(facts("/cortex why", tier=Authority.ADMIN, load=many))[0] is ArrivalDisposition.COMMAND
    assert outcome(facts("/resume", load=many)) == (ArrivalDisposition.DROP, "rate_commands")
    assert outcome(facts("/help", tier=Authority.ADMIN, load=many)) == (ArrivalDisposition.DROP, "rate_commands")


@pytest.mark.parametrize("text", ["!pause", "!stop", "!help"])
def test_a_bare_command_may_be_another_bots(text: str):
    assert outcome(facts(text, inbound=QUIET)) == (AMBIENT, "not_addressed")
    assert (
        outcome(facts(text, inbound={**QUIET, "replies_to": "1", "replies_to_bot": True}))[0]
        is ArrivalDisposition.COMMAND
    )
    assert outcome(facts(text, inbound=DM))[0] is ArrivalDisposition.COMMAND


def test_a_command_for_another_bot_is_talk():
    assert facts("/status@other_bot", inbound=QUIET).command is None
    assert facts("/status@glass_bot", inbound=QUIET).command is not None
    # the platform itself says that the bot is meant
    assert facts("/status@renamed_bot").command is not None


@pytest.mark.parametrize("mention", ["@renamed_bot", "<@123>", "<@!123>"])
def test_a_command_may_stand_behind_the_bots_own_mention(mention: str):
    assert facts(f"{mention} !cortex why").command is not None
    assert facts(f"{mention}, status").command is not None
    assert facts(f"{mention} !cortex why", inbound=QUIET).command is None
    # it may be somebody else's
    assert facts(f"{mention} !cortex why", inbound={"mentions_others": True}).command is None


def test_the_cortex_without_a_prefix_is_for_admins():
    assert facts("why", inbound=DM).command is None
    assert facts("why", inbound=DM, tier=Authority.ADMIN).command is not None
    assert facts("why is the sky blue", inbound=DM, tier=Authority.OWNER).command is None
    assert facts("why", tier=Authority.OWNER).command is None
    assert facts("Glass why", tier=Authority.OWNER).command is not None


def test_pause_with_a_reason_needs_no_prefix_from_those_who_may_pause():
    assert facts("Glass pause server move", tier=Authority.MODERATOR).command is not None
    assert facts("Glass, pause for a second").command is None
    assert facts("Glass pause").command is not None


@pytest.mark.parametrize("kind", [kind for kind in AuthorKind if kind is not AuthorKind.PERSON])
def test_nobody_but_a_person_gives_commands(kind: AuthorKind):
    assert facts("!cortex why", inbound=by(kind), allow_bots=True).command is None


@pytest.mark.parametrize("change", [{"forwarded": True}, {"kind": InboundKind.EDIT, "edit": 1}])
def test_edits_and_forwards_are_no_commands(change: dict[str, Any]):
    assert facts("!cortex why", inbound=change, tier=Authority.OWNER).command is None


def test_an_edit_is_asked_only_whether_it_may_be_kept():
    edit = {"kind": InboundKind.EDIT, "edit": 1, "mentions_bot": False}
    assert outcome(facts("new words", inbound=edit, settings=ChannelSettings(pause=PAUSE))) == (
        ArrivalDisposition.AMEND,
        "",
    )
    assert outcome(facts("new words", inbound=edit, blocked_users=["100"])) == (DROP, "user_denied")


def test_a_deletion_is_always_followed():
    gone = {"kind": InboundKind.DELETE, "edit": 1}
    assert outcome(facts("", inbound=gone, blocked_users=["100"])) == (ArrivalDisposition.AMEND, "")

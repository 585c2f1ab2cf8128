"""What is said when a gate stopped the message: access, kinds, pause, addressing, author."""

from __future__ import annotations

from bot.diagnostics.evidence.evidence import ConfiguredLists, LastAnswer
from bot.domain.channel import ChannelPause, ResponseMode
from bot.domain.finding import ResumeChannel
from bot.domain.ids import UserId
from bot.domain.ledger import Outcome, OutcomeCount
from bot.domain.messages import Author, AuthorKind
from tests.bot.diagnostics.rules.texts import finding
from tests.bot.diagnostics.scenarios import PAUSE, PAUSE_STOP, PAUSED, PLACE_STOP, SENDER_STOP
from tests.fakes.clock import START
from tests.fakes.evidence import evidence, gated, healthy
from tests.fakes.values import GENERAL, settings, stopped


def test_a_list_is_named_with_what_it_compared() -> None:
    assert finding("sender not listed").why == ("The sender's id 100 is not on", "allowed_users (42, 43).")
    assert finding("sender blocked").why[0] == "The sender's id is on blocked_users:"
    assert finding("server not listed").why == ("The server's id 1 is not on", "allowed_guilds (7).")
    assert "allowed_guilds" in finding("server not listed").operator_advice
    assert (
        finding("direct messages off").operator_advice == "To allow direct messages, set allow_dms = true and restart."
    )


def test_a_list_that_was_changed_since_is_said_to_be() -> None:
    about = evidence(gated(SENDER_STOP), lists=ConfiguredLists(allowed_users=("100",)))
    assert finding(about).why[-1] == "The lists were changed since."
    assert finding(about).verdict == "#support: the sender was not allowed"
    assert finding(about).advice == "Ask again: it is allowed now."
    channel = evidence(gated(PLACE_STOP), lists=ConfiguredLists(allowed_channels=("console:#general",)))
    assert finding(channel).verdict == "#support: the channel was not allowed"
    assert finding(channel.replace(lists=ConfiguredLists(allowed_guilds=("7",)))).verdict.endswith("is not allowed")


def test_a_number_that_two_kinds_share_is_not_the_wrong_kind() -> None:
    lists = ConfiguredLists(allowed_users=("42",))
    about = evidence(gated(SENDER_STOP), lists=lists, other_ids=(("channel", UserId("100")), ("guild", UserId("7"))))
    assert finding(about).rule == "GATE-USER"


def test_a_blocked_sender_is_blocked_whatever_else_is_listed() -> None:
    stop = stopped("sender", "user_denied", list="blocked_users", entries="100", user_id="100")
    about = evidence(gated(stop), lists=ConfiguredLists(allowed_users=("77",), blocked_users=("100",)))
    assert finding(about.replace(other_ids=(("guild", UserId("77")),))).rule == "GATE-USER"


def test_a_parent_is_a_right_kind_of_channel() -> None:
    about = evidence(
        gated(PLACE_STOP), lists=ConfiguredLists(allowed_channels=("5",)), other_ids=(("parent", UserId("5")),)
    )
    assert finding(about).rule == "GATE-CHANNEL"


def test_a_pause_is_told_with_time_role_reason_and_how_many() -> None:
    count = OutcomeCount(channel=GENERAL, outcome=Outcome.GATED, reason="pause", count=39, newest=START)
    paused = settings(pause=PAUSE.replace(reason="raid, see https://evil.example/x"))
    last = LastAnswer(inbound=5, at=START - 2_000_000, delivery=90)
    about = evidence(gated(PAUSE_STOP), settings=paused, counts=(count,), last_answer=last)
    found = finding(about)
    assert found.why[0] == "The newest message and 38 more got no answer."
    assert found.why[1].startswith("Paused at 08:36 by a moderator: “raid")
    assert "https://" not in found.why[1]
    assert found.why[2] == "Last answer at 08:20 · dm3d2"
    assert found.fix == ResumeChannel(channel=GENERAL, paused_at=PAUSE.at)


def test_a_pause_that_is_over_keeps_its_story_and_offers_nothing() -> None:
    found = finding("paused then, lifted since")
    assert found.verdict == "#support was paused"
    assert "Paused at 08:36 by a moderator, resumed since." in found.why
    assert found.fix is None


def test_a_pause_does_not_explain_what_failed_before_it() -> None:
    assert finding(evidence(gated(SENDER_STOP), settings=PAUSED)).rule == "GATE-USER"


def test_who_set_it_is_an_article_and_a_role() -> None:
    paused = settings(pause=ChannelPause(by=UserId("1"), by_role="admin", at=START, inbound=0))
    assert finding(healthy(settings=paused)).why[0] == "Paused at 08:53 by an admin, no reason given."


def test_who_asks_again_is_told_how() -> None:
    stop = gated(stopped("mode", "mode_observe", mode="observe"))
    told = {mode: finding(evidence(stop, settings=settings(mode))).advice for mode in ResponseMode}
    assert told[ResponseMode.OBSERVE].startswith("Say `active`")
    assert told[ResponseMode.ACTIVE] == "Ask again: it answers now."
    assert told[ResponseMode.MENTION_ONLY] == "Ask again and address the bot: it answers then."


def test_observing_limits_and_the_cost_cap_name_their_values() -> None:
    assert finding("observing").why[-1] == "In mode observe since 08:53:15: it reads and stays silent."
    changed = evidence(gated(stopped("mode", "mode_observe", mode="observe")))
    assert finding(changed).why[-1] == "Its mode was changed since."
    assert finding("too many messages").why[-1] == "20 of 20 messages a minute from one person."
    assert finding("cost cap").why[-1] == "Spent today: $1.01 of $1.00."
    assert finding("too many messages").fix is None


def test_addressing_says_what_was_looked_for() -> None:
    stop = stopped("addressing", "not_addressed")
    mode = settings(ResponseMode.MENTION_ONLY)
    assert finding("not addressed").why[0].startswith("The message doesn't mention")
    other = evidence(gated(stop, mentions_bot=False, mentions_others=True), settings=mode)
    assert finding(other).why[0] == "The message mentions somebody else, not the bot."
    reply = evidence(gated(stop, mentions_bot=False, replies_to="9"), settings=mode)
    assert finding(reply).why[0] == "The message replies to somebody else."


def test_an_author_is_called_what_it_is() -> None:
    webhook = Author(user_id=UserId("5"), name="ci", kind=AuthorKind.WEBHOOK)
    about = evidence(gated(stopped("author", "bot_author"), author=webhook))
    assert finding(about).why[0] == "A webhook wrote it;"
    assert finding("loop guard").why[1] == "6 messages by bots in a row, the limit is 6."

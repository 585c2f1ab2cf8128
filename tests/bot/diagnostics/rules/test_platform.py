"""What is said when the platform is the cause: the connection, privacy, time spent down, refused answers."""

from __future__ import annotations

import pytest

from bot.domain.finding import Confidence, FunnelStage
from bot.domain.health import AdapterState
from tests.bot.diagnostics.rules.texts import finding
from tests.bot.diagnostics.scenarios import ailing
from tests.fakes.evidence import healthy


def test_a_connection_is_told_with_since_when_its_last_poll_and_what_still_works() -> None:
    found = finding("two pollers, by the adapter's word")
    assert found.why == (
        "Since 08:53:50; last good poll 31 s ago.",
        "Each gets only part of the messages.",
        "2 updates wait at the platform.",
        "Sending works; the other program may get commands.",
    )
    assert found.stage is FunnelStage.PROCESS


@pytest.mark.parametrize(
    ("detail", "why", "fix"),
    [
        ("dns: getMe: no such name", "Its host name is not found (DNS).", "resolver"),
        ("tls: getMe: the certificate", "The TLS connection fails.", "certificates"),
        ("proxy: getMe: refused", "The proxy is unreachable or refuses.", "`proxy`"),
        ("connect: getMe: no connection", "Nothing answers at its address.", "IPv6"),
        ("timeout: getMe: no answer", "No answer comes in time.", "firewall"),
        ("answer: getMe: a page", "Something other than Console answers there.", "base_url"),
        ("Bad {name} Gateway", "Bad {name} Gateway", "doctor"),
    ],
)
def test_a_network_fault_is_called_what_it_is(detail: str, why: str, fix: str) -> None:
    found = finding(healthy(adapter=ailing("network", detail=detail)))
    assert found.rule == "NET"
    assert found.why[1] == why
    assert fix in found.operator_advice


def test_the_adapters_own_fix_is_read_where_it_knows_best() -> None:
    token = ailing("token", AdapterState.DOWN).replace(fix="Set platforms.telegram.token.")
    assert finding(healthy(adapter=token)).operator_advice == "Set platforms.telegram.token."
    assert "the platform shows now" in finding("the token is refused").operator_advice
    assert "--take-over" in finding("a webhook").operator_advice
    assert finding("a webhook").why[1] == "A webhook sends them to x.example."


def test_privacy_is_sure_only_when_the_platform_said_so_and_all_is_to_be_answered() -> None:
    assert finding("privacy, by the platform's word").confidence is Confidence.CONFIRMED
    assert finding("privacy, by the account's word").confidence is Confidence.LIKELY
    assert finding("privacy, and the platform does not answer").confidence is Confidence.LIKELY
    assert finding("privacy where nobody was answered").confidence is Confidence.CANNOT_TELL


def test_privacy_says_what_still_arrives_and_claims_nothing_about_mentions() -> None:
    found = finding("privacy where replies are answered")
    assert found.why[-1] == "Slash commands, replies to the bot and DMs arrive."
    assert "mention" not in " ".join((found.verdict, *found.why, found.advice, found.operator_advice))
    assert found.evidence[0].what == "what came last: a reply to the bot"


def test_a_late_message_is_told_with_when_it_was_written() -> None:
    assert finding("written while it was down").why[:2] == (
        "Written 07:53, while the bot was down;",
        "it came 1 h later: answered 08:54.",
    )
    assert finding("written while it was down, and being answered").why[1].endswith("its answer is on its way.")


def test_what_was_too_old_to_come_is_counted_in_hours() -> None:
    found = finding("down for days")
    assert found.why[1] == "messages for 24 h: those of the first 31 h are lost."
    assert found.why[2] == "It had stopped: stopped by a signal"
    assert finding("down for days after an answer").evidence[0].what.startswith("the last message before")


def test_told_to_wait_says_until_when_and_what_stands_there() -> None:
    assert finding("told to wait").why[0] == "Console asked the bot to wait until 08:54:50 (30 s);"
    half = finding("told to wait with the end of an answer")
    assert half.why == (
        "Console asked the bot to wait; it tries again now;",
        "it has tried once.",
        "Only its beginning arrived.",
    )
    given_up = finding("told to wait too often")
    assert given_up.why[1] == "it gave up after 26 attempts."
    assert given_up.advice.startswith("Ask again later")


def test_a_closed_door_says_what_was_lost() -> None:
    assert finding("the person blocked the bot").why[-1] == "Lost: the answer."
    assert finding("an admin's findings are refused").why[-1] == "Lost: an answer of the cortex."


def test_an_old_id_in_a_list_is_told_with_the_new_one() -> None:
    found = finding("a group of the same name became a supergroup")
    assert found.operator_advice == "Write -1002000000002 for -4000001 in allowed_channels, and restart."
    assert found.confidence is Confidence.LIKELY


def test_words_kept_back_are_counted_and_what_still_arrives_is_said() -> None:
    guessed = finding("no words, by what came")
    assert guessed.confidence is Confidence.LIKELY and guessed.stage is FunnelStage.ARRIVAL
    assert guessed.why == (
        "The message content intent may be off.",
        "Of the last 9 without a mention, 9 were empty.",
        "Slash commands, mentions and DMs arrive.",
    )
    assert finding("a message without a word").confidence is Confidence.CANNOT_TELL
    known = finding("no words, by the platform's word")
    assert known.confidence is Confidence.CONFIRMED and "Developer Portal" in known.operator_advice
    assert "message_content = true" in finding("no words, because none are asked for").operator_advice


def test_a_missing_right_is_named_as_the_platform_names_it() -> None:
    found = finding("a right is missing")
    assert found.why[-1] == "Missing: Send Messages, Attach Files."
    assert found.confidence is Confidence.CONFIRMED and found.stage is FunnelStage.DELIVERY
    assert finding("the bot is timed out, and nobody was heard").why[-1] == "It ends at 09:04:20."
    assert finding("an archived thread").advice.startswith("Write a message in the thread to reopen it")


def test_a_deaf_gateway_is_told_from_a_poll_that_does_not_come_back() -> None:
    found = finding("no heartbeat is answered")
    assert found.why[1] == "No event arrives, and no heartbeat is answered."
    assert "[platforms.console]" in finding("shards are refused").operator_advice
    assert finding("it connects again and again").why[:2] == (
        "The bot reconnected 14 times in an hour.",
        "The platform's last close code: 4000.",
    )


def test_polls_in_vain_are_told_with_what_waits_and_whether_it_grows() -> None:
    found = finding("polls come back empty while updates wait")
    assert found.verdict == "Empty answers from Console" and found.confidence is Confidence.CONFIRMED
    assert found.why[1:3] == (
        "Polls succeed but bring nothing; each uses a new connection.",
        "2 updates wait at the platform, 1 more than before.",
    )
    assert "in Console's place" in found.operator_advice and found.evidence


def test_native_commands_that_fail_say_what_still_works() -> None:
    assert "quota" in finding("commands were not taken").why[1]
    for name in ("the scope is missing", "commands were not taken", "commands came too late"):
        assert finding(name).why[-1] == "Typed commands and mentions work."

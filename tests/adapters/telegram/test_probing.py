"""What Telegram says of a chat and of the bot in it is read as it came; what is not said is as usual."""

from __future__ import annotations

from typing import Any

import pytest

from adapters.telegram.prober import rights_probe

NOW = 1_000_000
GROUP: dict[str, Any] = {"type": "supergroup", "permissions": {"can_send_messages": True}}
MEMBER: dict[str, Any] = {"status": "member"}
MUTED: dict[str, Any] = {"status": "restricted", "is_member": True, "can_send_messages": False, "until_date": 0}


def judged(chat: dict[str, Any], member: dict[str, Any], *, reads_all: bool = True):
    return rights_probe("telegram telegram:-1", chat, member, reads_all=reads_all, now=NOW)


@pytest.mark.parametrize(
    ("chat", "member", "code", "words", "fix"),
    [
        (GROUP, MEMBER, "", "may send", ""),
        (GROUP, {"status": "creator"}, "", "may send", ""),
        ({"type": "supergroup"}, MEMBER, "", "may send", ""),
        (GROUP, {"status": "left"}, "not_member", "not in there", "Add the bot"),
        (GROUP, {"status": "kicked"}, "not_member", "banned", "removed users"),
        (GROUP, {**MUTED, "is_member": False}, "not_member", "not in there", "Add the bot"),
        (GROUP, MUTED, "no_rights", "an admin restricted the bot", "Exceptions"),
        (GROUP, {**MUTED, "until_date": 2_000_000_000}, "no_rights", "restricted the bot until", "Exceptions"),
        (GROUP, {**MUTED, "can_send_messages": True}, "", "restricted and may send", ""),
        ({**GROUP, "permissions": {"can_send_messages": False}}, MEMBER, "no_rights", "members can't", "let members"),
        ({**GROUP, "permissions": {"can_send_messages": False}}, {"status": "administrator"}, "", "may send", ""),
        ({"type": "channel"}, MEMBER, "no_rights", "Post Messages", "Administrators"),
        ({"type": "channel"}, {"status": "administrator"}, "no_rights", "Post Messages", "Administrators"),
        ({"type": "channel"}, {"status": "administrator", "can_post_messages": True}, "", "may send", ""),
        ({**GROUP, "slow_mode_delay": 30}, MEMBER, "slow_mode", "one message in 30 s", "an admin"),
        ({**GROUP, "slow_mode_delay": 30}, {"status": "administrator"}, "", "may send", ""),
        ({**GROUP, "paid_message_star_count": 5}, MEMBER, "no_rights", "costs 5 Stars", "an admin"),
        ({**GROUP, "permissions": {"can_send_documents": False}}, MEMBER, "partly", "it can't send: Files", "members"),
        (GROUP, {**MUTED, "can_send_messages": True, "can_send_photos": False}, "partly", "Photos", "Exceptions"),
        ({**GROUP, "permissions": {"can_send_polls": False}}, MEMBER, "", "polls go out as text", ""),
    ],
)
def test_each_hindrance_is_named_with_what_ends_it(chat, member, code, words, fix):
    probe = judged(chat, member)
    assert (probe.code, words in probe.evidence, fix in probe.fix) == (code, True, True), probe
    assert probe.state == {"": "ok", "slow_mode": "warning", "partly": "warning"}.get(code, "failed")


def test_privacy_is_told_first_and_slow_mode_beside_it():
    probe = judged({**GROUP, "slow_mode_delay": 60}, MEMBER, reads_all=False)
    assert (probe.code, dict(probe.facts)["slow_mode"]) == ("privacy", "60")
    assert "group privacy" in probe.evidence and "one message in 1 min" in probe.evidence

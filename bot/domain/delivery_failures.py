"""Name why a message does not go out, and what ends that, in the words that adapters, outbox and rules share."""

from __future__ import annotations

from bot.sentences import say

UNREACHABLE, TOKEN = "unreachable", "token"

UNREACHABLE_CODES = frozenset({UNREACHABLE, TOKEN, "account", "network", "stalled"})
"""The codes of deliveries and of adapters by which a platform cannot be reached, or does not let the bot in at all."""

DAY_MS = 86_400_000
"""How long an answer waits for its platform: as long as Telegram keeps for the bot what people wrote meanwhile."""

_FILTERED, _TOO_LARGE = "delivery_failures.fix-filtered", "delivery_failures.fix-too-large"

OF_THE_CHANNEL = {
    "not_member": "delivery_failures.fix-not-member",
    "no_rights": "delivery_failures.fix-no-rights",
    "rights": "delivery_failures.fix-rights",
    "no_access": "delivery_failures.fix-no-access",
    "slow_mode": "delivery_failures.fix-slow-mode",
    "archived": "delivery_failures.fix-archived",
    "locked": "delivery_failures.fix-locked",
    "automod": "delivery_failures.fix-automod",
    "content_filter": _FILTERED,
    "harmful_link": _FILTERED,
    "topic_closed": "delivery_failures.fix-topic-closed",
    "topic_gone": "delivery_failures.fix-topic-gone",
    "no_text_channel": "delivery_failures.fix-no-text-channel",
    "dm_closed": "delivery_failures.fix-dm-closed",
    "chat_not_found": "delivery_failures.fix-chat-not-found",
    "message_gone": "delivery_failures.fix-message-gone",
    "too_old": "delivery_failures.fix-too-old",
    "file_too_large": _TOO_LARGE,
    "too_large": _TOO_LARGE,
    "empty": "delivery_failures.fix-empty",
    "bad_file": "delivery_failures.fix-bad-file",
    "uploads_limited": "delivery_failures.fix-uploads-limited",
    "followups_used": "delivery_failures.fix-followups-used",
    "verification": "delivery_failures.fix-verification",
    "forum": "delivery_failures.fix-forum",
    "forum_tag": "delivery_failures.fix-forum-tag",
    "threads_full": "delivery_failures.fix-threads-full",
    "thread_full": "delivery_failures.fix-thread-full",
    "switched_off": "delivery_failures.fix-switched-off",
    "chat_restricted": "delivery_failures.fix-chat-restricted",
    "chat_deleted": "delivery_failures.fix-chat-deleted",
    "join_first": "delivery_failures.fix-join-first",
    "paid_messages": "delivery_failures.fix-paid-messages",
}
"""The sentence on what people in the channel can do about a refusal, by its code."""

OF_THE_HOST = {
    UNREACHABLE: "delivery_failures.fix-unreachable",
    TOKEN: "delivery_failures.fix-token",
    "flood": "delivery_failures.fix-flood",
    "too_long": "delivery_failures.fix-too-long",
    "markup": "delivery_failures.fix-markup",
    "buttons": "delivery_failures.fix-buttons",
    "migrated": "delivery_failures.fix-migrated",
    "account_flagged": "delivery_failures.fix-account-flagged",
    "account_unverified": "delivery_failures.fix-account-unverified",
    "account_frozen": "delivery_failures.fix-account-frozen",
    "two_factor": "delivery_failures.fix-two-factor",
    "age_limit": "delivery_failures.fix-age-limit",
    "server_region": "delivery_failures.fix-server-region",
    "blocked_between": "delivery_failures.fix-blocked-between",
    "not_connected": "delivery_failures.fix-not-connected",
    "file_gone": "delivery_failures.fix-file-gone",
    "internal": "delivery_failures.fix-internal",
}
"""The sentence on what only the operator can do, by its code; some name the chunk, by its handle."""

UNKNOWN = "refused"
"""What adapters call a refusal that no row of their tables knows."""

REASONS = {
    "account_flagged": "delivery_failures.reason-account-flagged",
    "account_unverified": "delivery_failures.reason-account-unverified",
    "account_frozen": "delivery_failures.reason-account-frozen",
    "two_factor": "delivery_failures.reason-two-factor",
    "verification": "delivery_failures.reason-verification",
    "age_limit": "delivery_failures.reason-age-limit",
    "server_region": "delivery_failures.reason-server-region",
    "followups_used": "delivery_failures.reason-followups-used",
    "blocked_between": "delivery_failures.reason-blocked-between",
    "switched_off": "delivery_failures.reason-switched-off",
    "uploads_limited": "delivery_failures.reason-uploads-limited",
    "bad_file": "delivery_failures.reason-bad-file",
    "forum": "delivery_failures.reason-forum",
    "forum_tag": "delivery_failures.reason-forum-tag",
    "threads_full": "delivery_failures.reason-threads-full",
    "thread_full": "delivery_failures.reason-thread-full",
    "chat_restricted": "delivery_failures.reason-chat-restricted",
    "chat_deleted": "delivery_failures.reason-chat-deleted",
    "join_first": "delivery_failures.reason-join-first",
    "paid_messages": "delivery_failures.reason-paid-messages",
    UNKNOWN: "delivery_failures.reason-refused",
}
"""Why a platform refuses although no right is missing, by the code: the sentence behind the channel's name."""


def code_in(error: str) -> str:
    """Return the code of a failure as the outbox records it, `code: what the platform said`."""
    return error.partition(":")[0]


def channel_fix_of(code: str) -> str:
    """Say what people in the channel can do about a failure; empty where they can do nothing."""
    return say(OF_THE_CHANNEL[code]) if code in OF_THE_CHANNEL else ""


def reason_of(code: str) -> str:
    """Say in a few words why a platform refuses, for a code of `REASONS`."""
    return say(REASONS[code])


def fix_of(code: str, delivery: str) -> str:
    """Say what ends a failure, for who runs the bot; empty for a code of which nobody knows."""
    if code.startswith(("http_3", "http_4")):
        return say("delivery_failures.fix-between")
    if code in OF_THE_HOST:
        return say(OF_THE_HOST[code], delivery=delivery)
    return channel_fix_of(code)

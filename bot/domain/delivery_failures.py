"""Name why a message does not go out, and what ends that, in the words that adapters, outbox and rules share."""

from __future__ import annotations

UNREACHABLE, TOKEN = "unreachable", "token"

UNREACHABLE_CODES = frozenset({UNREACHABLE, TOKEN, "account", "network", "stalled"})
"""The codes of deliveries and of adapters by which a platform cannot be reached, or does not let the bot in at all."""

DAY_MS = 86_400_000
"""How long an answer waits for its platform: as long as Telegram keeps for the bot what people wrote meanwhile."""

_SHORTER = "The split should have prevented it: report {delivery}. Until then lower model.max_output_tokens."
_SMALLER = "The platform takes no file of that size: ask for a smaller one, or for its words."
_LATER = "The platform has switched it off for a while: ask again later."
_FILTERED = "A filter of the platform stopped it: ask in other words, or for an answer without links."

OF_THE_CHANNEL = {
    "not_member": "Add the bot to the group again.",
    "no_rights": "Let members send messages there, or make the bot an admin.",
    "rights": "Let the bot view that channel and send messages there; `!cortex why` there names what is missing.",
    "no_access": "Let the bot view that channel (a voice channel: connect too); `doctor` names who keeps it out.",
    "slow_mode": "Turn slow mode off there, or make the bot an exception to it.",
    "archived": "Write a message in the thread yourself, which opens it; then ask again.",
    "locked": "Unlock the thread, or ask outside it.",
    "automod": "A rule of AutoMod stopped it: exempt the bot's role, or change the rule.",
    "content_filter": _FILTERED,
    "harmful_link": _FILTERED,
    "topic_closed": "Open the topic again, or ask in another one.",
    "topic_gone": "The topic is gone; ask in another one.",
    "no_text_channel": "Nobody can write words in that channel; ask in another one.",
    "dm_closed": "They have to open a chat with the bot (press Start, or allow direct messages), or unblock it.",
    "chat_not_found": "The chat is gone, or the bot is not in it any more.",
    "message_gone": "What it was to change was deleted: ask again.",
    "too_old": "What it was to change is too old for the platform to change: ask again.",
    "file_too_large": _SMALLER,
    "too_large": _SMALLER,
    "empty": "It had nothing in it that the platform shows: ask again.",
    "bad_file": "The platform does not take that file: ask for it in another form, or for its words.",
    "uploads_limited": "Discord limits files in this server: ask for words alone, and look at the server's settings.",
    "followups_used": "Use the command again: it gives a few answers. In a server that has the bot there is no limit.",
    "verification": "Lower the server's verification level, or give the bot a role: roles pass it.",
    "forum": "Only posts are talked in there: ask in one of its posts.",
    "forum_tag": "A post there needs a tag: let whoever runs the forum drop that, or ask in a post.",
    "threads_full": "There are as many open threads as the server may have: close some, or ask in the channel.",
    "thread_full": "The thread has as many people as it may have: ask in the channel.",
    "switched_off": _LATER,
    "chat_restricted": "Telegram itself has restricted this chat: look at it in the app, or ask Telegram's support.",
    "chat_deleted": "The group was deleted: ask elsewhere.",
    "join_first": "Only members of the discussion group may write there: add the bot to that group.",
    "paid_messages": "Messages cost Stars there: make the bot an admin, or let members write for nothing.",
}
"""What whoever runs the channel can do about a refusal, by its code."""

OF_THE_HOST = {
    UNREACHABLE: "Check network, proxy and the platform's address; `doctor` probes it. An answer is kept for a day.",
    TOKEN: "Set the token that the platform shows now, and start the bot again.",
    "flood": "Set limits.sends_per_second (0.3 suits a busy group), and restart.",
    "too_long": _SHORTER,
    "markup": "It was refused without marks too, which is a fault of the program: report {delivery}.",
    "buttons": "The platform refuses its buttons, which is a fault of the program: report {delivery}.",
    "migrated": "Put the group's new id (`whoami` prints it) into lists that name the old one, and restart.",
    "account_flagged": "Discord takes the bot for a spammer: appeal as its words say; until then it can do little.",
    "account_unverified": "Verify e-mail and phone of the account that owns the bot; the developer portal says more.",
    "account_frozen": "Telegram has frozen the bot's account: appeal with @SpamBot or Telegram's support.",
    "two_factor": "Switch two-factor login on for the account that owns the bot: this server asks for it.",
    "age_limit": "Discord has the account that owns the bot as too young: correct its date of birth with the support.",
    "server_region": "This server is closed where the host stands: run the bot elsewhere, or ask in another server.",
    "blocked_between": "Cloudflare, which stands before Discord, blocks this host: look at proxy and rest_url; wait.",
    "not_connected": "Enable that platform in the configuration, and restart.",
    "file_gone": "Its file was deleted on this machine before it went out: ask for it again.",
    "internal": "This is a fault of the program: the log has the error; report it.",
}
"""What only the operator can do, by its code; `{delivery}` stands for the chunk's handle."""

UNKNOWN = "refused"
"""What adapters call a refusal that no row of their tables knows."""

REASONS = {
    "account_flagged": "flagged as a spammer",
    "account_unverified": "its account is unverified",
    "account_frozen": "its account is frozen",
    "two_factor": "two-factor login is missing",
    "verification": "the server wants verification",
    "age_limit": "its account is too young",
    "server_region": "closed to the host's country",
    "followups_used": "its answers are used up",
    "blocked_between": "a firewall blocks the host",
    "switched_off": "sending is switched off",
    "uploads_limited": "files are limited there",
    "bad_file": "the file is refused",
    "forum": "only posts are talked in there",
    "forum_tag": "a post there needs a tag",
    "threads_full": "too many threads are open",
    "thread_full": "the thread is full",
    "chat_restricted": "Telegram restricted the chat",
    "chat_deleted": "the group was deleted",
    "join_first": "only members may write there",
    "paid_messages": "messages cost Stars there",
    UNKNOWN: "the platform refused it",
}
"""Why a platform refuses although no right is missing, by the code: what stands behind the channel's name."""

_BETWEEN = "Something between the bot and the platform refused it: look at proxy and firewall."


def code_in(error: str) -> str:
    """Return the code of a failure as the outbox records it, `code: what the platform said`."""
    return error.partition(":")[0]


def fix_of(code: str, delivery: str) -> str:
    """Say what ends a failure, for who runs the bot; empty for a code of which nobody knows."""
    if code.startswith(("http_3", "http_4")):
        return _BETWEEN
    return OF_THE_CHANNEL.get(code) or OF_THE_HOST.get(code, "").format(delivery=delivery)

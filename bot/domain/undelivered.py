"""Name why a message does not go out, and what ends that, in the words that adapters, outbox and rules share."""

from __future__ import annotations

UNREACHABLE, TOKEN = "unreachable", "token"

AWAY = frozenset({UNREACHABLE, TOKEN, "account", "network", "stalled"})
"""The codes of deliveries and of adapters by which a platform cannot be reached, or does not let the bot in at all."""

DAY_MS = 86_400_000
"""How long an answer waits for its platform: as long as Telegram keeps for the bot what people wrote meanwhile."""

_SHORTER = "The split should have prevented it: report {delivery}. Until then lower model.max_output_tokens."
_SMALLER = "The platform takes no file of that size: ask for a smaller one, or for its words."
_FILTERED = "A filter of the platform stopped it: ask in other words, or for an answer without links."

OF_THE_CHANNEL = {
    "not_member": "Add the bot to the group again.",
    "no_rights": "Let members send messages there, or make the bot an admin.",
    "rights": "Let the bot view that channel and send messages there; `!cortex why` there names what is missing.",
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
    "not_connected": "Enable that platform in the configuration, and restart.",
    "file_gone": "Its file was deleted on this machine before it went out: ask for it again.",
    "internal": "This is a fault of the program: the log has the error; report it.",
}
"""What only the operator can do, by its code; `{delivery}` stands for the chunk's handle."""

_BETWEEN = "Something between the bot and the platform refused it: look at proxy and firewall."


def code_in(error: str) -> str:
    """Return the code of a failure as the outbox records it, `code: what the platform said`."""
    return error.partition(":")[0]


def fix_of(code: str, delivery: str) -> str:
    """Say what ends a failure, for who runs the bot; empty for a code of which nobody knows."""
    if code.startswith(("http_3", "http_4")):
        return _BETWEEN
    return OF_THE_CHANNEL.get(code) or OF_THE_HOST.get(code, "").format(delivery=delivery)

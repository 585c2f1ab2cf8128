"""Methods that ask about chats, members, files and commands, and the one that leaves."""

from __future__ import annotations

from .access import check_presence
from .ask import Ask
from .members import PERMISSIONS, change, member_json
from .refusals import bad
from .values import Chat, Json, Person, words

LARGEST_DOWNLOAD = 20 * 1024 * 1024
COMMANDS = 100
SCOPES = words("default all_private_chats all_group_chats all_chat_administrators chat chat_administrators chat_member")


def get_chat(ask: Ask) -> Json:
    """getChat."""
    chat = ask.chat
    check_presence(ask.bot, chat, reads=True)
    full: Json = {"accent_color_id": 0, "max_reaction_count": 11, "accepted_gift_types": _gifts()}
    if chat.is_group:
        full["permissions"] = {name: chat.permissions.get(name, True) for name in PERMISSIONS}
    if chat.slow_mode:
        full["slow_mode_delay"] = chat.slow_mode
    if chat.stars:
        full["paid_message_star_count"] = chat.stars
    if chat.linked is not None:
        full["linked_chat_id"] = chat.linked.id
    return chat.json() | full


def get_chat_member(ask: Ask) -> Json:
    """getChatMember."""
    chat = ask.chat
    check_presence(ask.bot, chat, reads=True)
    number = ask.whole("user_id")
    who: Person | None = ask.world.people.get(number) or _bot(ask, number)
    if who is None or number <= 0:
        raise bad("invalid user_id specified" if number <= 0 else "PARTICIPANT_ID_INVALID")
    if chat.kind == "private":
        present = who in (chat.person, chat.bot)
        return {"user": who.user(), "status": "member" if present else "left"}
    return member_json(chat, chat.member(who))


def get_chat_administrators(ask: Ask) -> list[Json]:
    """getChatAdministrators: other bots are left out."""
    chat = ask.chat
    check_presence(ask.bot, chat, reads=True)
    if chat.kind == "private":
        raise bad("there are no administrators in the private chat")
    members = [member for member in chat.members.values() if member.is_admin]
    return [member_json(chat, one) for one in members if not one.who.is_bot or one.who is ask.bot]


def get_chat_member_count(ask: Ask) -> int:
    """getChatMemberCount."""
    chat = ask.chat
    check_presence(ask.bot, chat, reads=True)
    return 2 if chat.kind == "private" else sum(member.is_present for member in chat.members.values())


def leave_chat(ask: Ask) -> bool:
    """leaveChat."""
    chat = ask.chat
    check_presence(ask.bot, chat, reads=True)
    if chat.kind == "private":
        raise bad("chat not found")
    change(ask.world, chat, ask.bot, "left", ask.bot, {})
    return True


def get_file(ask: Ask) -> Json:
    """getFile."""
    stored = ask.world.files.get(ask.text("file_id"))
    if stored is None:
        raise bad("invalid file_id" if ask.text("file_id") else "file_id not specified")
    if stored.size > LARGEST_DOWNLOAD:
        raise bad("file is too big")
    body: Json = {"file_id": stored.id, "file_unique_id": stored.unique_id, "file_size": stored.size}
    return body | {"file_path": stored.path}


def set_my_commands(ask: Ask) -> bool:
    """setMyCommands, per scope and language."""
    commands = ask.json("commands")
    if not isinstance(commands, list) or not all(isinstance(one, dict) for one in commands):
        raise bad("can't parse commands JSON object")
    if len(commands) > COMMANDS:
        raise bad("BOT_COMMANDS_TOO_MUCH")
    for one in commands:
        _check_command(one)
    ask.bot.commands[_scope(ask)] = commands
    return True


def get_my_commands(ask: Ask) -> list[Json]:
    """getMyCommands: exactly the scope that is named, without a fallback."""
    return ask.bot.commands.get(_scope(ask), [])


def delete_my_commands(ask: Ask) -> bool:
    """deleteMyCommands."""
    ask.bot.commands.pop(_scope(ask), None)
    return True


def scope_key(scope: Json, language: str = "") -> str:
    """Name a scope: `default`, `chat:-100…`, `chat_member:-100…:5`, with `/en` for a language."""
    parts = [scope.get("type", "default"), scope.get("chat_id"), scope.get("user_id")]
    return ":".join(str(part) for part in parts if part is not None) + (f"/{language}" if language else "")


def _scope(ask: Ask) -> str:
    scope = ask.json("scope") or {"type": "default"}
    if not isinstance(scope, dict) or scope.get("type") not in SCOPES:
        raise bad("can't parse BotCommandScope: Unsupported type specified")
    if "chat_id" in scope:
        chat: Chat = ask.world.find(ask.bot, scope["chat_id"])
        check_presence(ask.bot, chat, reads=True)
        scope = scope | {"chat_id": chat.id}
    return scope_key(scope, ask.text("language_code"))


def _check_command(command: Json) -> None:
    name, words = str(command.get("command", "")), str(command.get("description", ""))
    if not (1 <= len(name) <= 32 and name.replace("_", "").isalnum() and name == name.lower() and name.isascii()):
        raise bad("BOT_COMMAND_INVALID")
    if not 1 <= len(words) <= 256:
        raise bad("BOT_COMMAND_DESCRIPTION_INVALID" if words else "command description must be non-empty")


def _bot(ask: Ask, number: int) -> Person | None:
    return next((bot for bot in ask.world.bots.values() if bot.id == number), None)


def _gifts() -> Json:
    names = ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels")
    return dict.fromkeys(names, True)

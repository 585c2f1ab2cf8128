"""Memberships as the API writes them, and the updates that tell of a change."""

from __future__ import annotations

from .delivery import admin_bots, announce
from .state import State
from .values import Bot, Chat, Json, Member, Person, Status, words, written

RIGHTS = words(
    "can_manage_chat can_delete_messages can_manage_video_chats can_restrict_members can_promote_members "
    "can_change_info can_invite_users can_post_stories can_edit_stories can_delete_stories"
)
GROUP_RIGHTS = ["can_pin_messages"]
FORUM_RIGHTS = ["can_manage_topics"]
CHANNEL_RIGHTS = ["can_post_messages", "can_edit_messages", "can_manage_direct_messages"]
USUALLY_OFF = ("can_promote_members", "can_post_stories", "can_edit_stories", "can_delete_stories")
PERMISSIONS = words(
    "can_send_messages can_send_audios can_send_documents can_send_photos can_send_videos can_send_video_notes "
    "can_send_voice_notes can_send_polls can_send_other_messages can_add_web_page_previews can_change_info "
    "can_invite_users can_pin_messages can_manage_topics can_edit_tag can_react_to_messages"
)


def right(chat: Chat, who: Person, name: str) -> bool:
    """Say whether somebody has an administrator's right."""
    member = chat.member(who)
    return member.status == "creator" or (member.is_admin and member.rights.get(name, name not in USUALLY_OFF))


def may(chat: Chat, who: Person, name: str) -> bool:
    """Say whether somebody may do what ordinary members may, such as `can_send_messages`."""
    member = chat.member(who)
    if member.is_admin:
        return True
    own = member.rights if member.status == "restricted" else {}
    return own.get(name, True) and chat.permissions.get(name, True)


def member_json(chat: Chat, member: Member) -> Json:
    """Write the `ChatMember` object."""
    body: Json = {"status": member.status, "user": member.who.user()}
    if member.status == "creator":
        return body | {"is_anonymous": bool(member.rights.get("is_anonymous"))}
    if member.status == "administrator":
        names = [*RIGHTS, *(CHANNEL_RIGHTS if chat.kind == "channel" else GROUP_RIGHTS)]
        names += FORUM_RIGHTS if chat.is_forum else []
        granted = {name: right(chat, member.who, name) for name in names}
        return body | {"can_be_edited": False, "is_anonymous": bool(member.rights.get("is_anonymous"))} | granted
    if member.status == "restricted":
        allowed = {name: member.rights.get(name, True) for name in PERMISSIONS}
        return body | {"is_member": True, "until_date": member.until} | allowed
    return body | ({"until_date": member.until} if member.status == "kicked" else {})


def change(state: State, chat: Chat, who: Person, status: Status, by: Person, rights: dict[str, bool]) -> Member:
    """Give somebody another status, and tell the bots that may know."""
    member = state.member(chat, who)
    old = member_json(chat, member)
    member.status, member.rights = status, dict(rights)
    update = written(
        chat=chat.json(),
        date=state.now,
        old_chat_member=old,
        new_chat_member=member_json(chat, member),
        **{"from": by.user()},
    )
    if isinstance(who, Bot):
        announce(state, "my_chat_member", update, [who])
    announce(state, "chat_member", update, [bot for bot in admin_bots(chat) if bot is not who])
    return member


def private_change(state: State, chat: Chat, old: Status, new: Status) -> None:
    """Tell a bot that somebody blocked it or came back."""
    assert chat.bot is not None and chat.person is not None
    update = {
        "chat": chat.json(),
        "from": chat.person.user(),
        "date": state.now,
        "old_chat_member": member_json(chat, Member(chat.bot, old)),
        "new_chat_member": member_json(chat, Member(chat.bot, new)),
    }
    announce(state, "my_chat_member", update, [chat.bot])

"""The world of one test: who there is, what they do, and what can be read of it afterwards."""

from __future__ import annotations

from .members import change
from .posting import post
from .state import FIRST_SUPERGROUP
from .talk import Talk
from .transcript import transcript
from .values import Bot, Chat, Member, Message, Person, Topic


class World(Talk):
    """People, bots and chats; `clock` gives seconds, and `wait` lets time pass on top of it."""

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.passed += seconds

    def join(self, chat: Chat, who: Person, by: Person | None = None) -> Member:
        """Let somebody come in, with the service message."""
        member = change(self, chat, who, "member", by or who, {})
        if chat.is_group:
            post(self, chat, by or who, {"new_chat_members": [who.user()]})
        return member

    def leave(self, chat: Chat, who: Person) -> None:
        """Let somebody go, with the service message."""
        if chat.is_group:
            post(self, chat, who, {"left_chat_member": who.user()})
        change(self, chat, who, "left", who, {})

    def kick(self, chat: Chat, who: Person, by: Person) -> None:
        """Throw somebody out for good."""
        if chat.is_group:
            post(self, chat, by, {"left_chat_member": who.user()})
        change(self, chat, who, "kicked", by, {})

    def promote(self, chat: Chat, who: Person, by: Person | None = None, **rights: bool) -> None:
        """Make somebody an administrator, with these differences from the usual rights."""
        change(self, chat, who, "administrator", by or who, rights)

    def demote(self, chat: Chat, who: Person, by: Person | None = None) -> None:
        """Make somebody an ordinary member again."""
        change(self, chat, who, "member", by or who, {})

    def restrict(self, chat: Chat, who: Person, by: Person | None = None, **permissions: bool) -> None:
        """Take permissions away, such as `can_send_messages=False`."""
        change(self, chat, who, "restricted", by or who, permissions)

    def add_bot(self, chat: Chat, bot: Bot | None = None, by: Person | None = None) -> Bot:
        """Let an administrator bring the bot in."""
        added = bot or self.only_bot()
        self.join(chat, added, by or next(member.who for member in chat.members.values() if member.is_admin))
        return added

    def privacy(self, on: bool, bot: Bot | None = None) -> None:
        """Switch group privacy at BotFather; the real one asks to add the bot again, this one acts at once."""
        (bot or self.only_bot()).privacy = on

    def rename(self, username: str, name: str | None = None, bot: Bot | None = None) -> None:
        """Rename the bot at BotFather; no update tells it."""
        renamed = bot or self.only_bot()
        renamed.username, renamed.first_name = username, name or renamed.first_name

    def revoke(self, bot: Bot | None = None) -> str:
        """Let BotFather make a new token and return it; the old one is unauthorized from now on."""
        revoked = bot or self.only_bot()
        del self.bots[revoked.token]
        revoked.token = f"{revoked.id}:AB{self.count('tokens')}".ljust(46, "x")
        self.bots[revoked.token] = revoked
        return revoked.token

    def migrate(self, group: Chat) -> Chat:
        """Turn a basic group into a supergroup: another id, a message on both sides, the old id refused."""
        owner = next(member.who for member in group.members.values() if member.status == "creator")
        new = Chat(self.count("supergroups", FIRST_SUPERGROUP, -1), "supergroup", group.title)
        new.members = {key: Member(one.who, one.status, dict(one.rights)) for key, one in group.members.items()}
        self.chats[new.id] = group.successor = new
        post(self, group, owner, {"migrate_to_chat_id": new.id})
        post(self, new, owner, {"migrate_from_chat_id": group.id})
        return new

    def close_topic(self, chat: Chat, topic: Topic, by: Person, *, closed: bool = True) -> None:
        """Close a topic, or open it again."""
        topic.is_closed = closed
        post(self, chat, by, {"forum_topic_closed" if closed else "forum_topic_reopened": {}}, topic.id)

    def set_webhook(self, url: str, bot: Bot | None = None) -> None:
        """Let some other program set a webhook behind the bot's back."""
        (bot or self.only_bot()).webhook.url = url

    def messages(self, chat: Chat, topic: Topic | None = None) -> list[Message]:
        """List what stands in a chat."""
        kept = [message for message in chat.messages.values() if not message.is_deleted]
        return [message for message in kept if topic is None or message.thread == topic.id]

    def transcript(self, chat: Chat, topic: Topic | None = None) -> str:
        """Write a chat as a person reads it, one line a message."""
        return transcript(self.messages(chat, topic))

"""Set the stage: accounts, chats, topics."""

from __future__ import annotations

from .posting import post
from .state import FIRST_BOT, FIRST_GROUP, FIRST_PERSON, FIRST_SUPERGROUP, State
from .values import GENERAL, Bot, Chat, Kind, Member, Person, Status, Topic


class Places(State):
    """The world as a stage that is being built."""

    def person(self, first_name: str, username: str | None = None, last_name: str | None = None) -> Person:
        """Make somebody with an account."""
        person = Person(self.count("people", FIRST_PERSON), first_name, username, last_name)
        self.people[person.id] = person
        return person

    def bot(self, username: str = "glassmind_bot", first_name: str = "Glassmind") -> Bot:
        """Make a bot; its token is `<id>:` and its name."""
        number = self.count("bots", FIRST_BOT)
        token = f"{number}:AA{username}".ljust(46, "x")
        bot = Bot(number, first_name, username, None, None, token=token)
        self.bots[token] = bot
        return bot

    def dm(self, person: Person, bot: Bot | None = None) -> Chat:
        """Return the private chat of a person with a bot (with the only bot, when none is named)."""
        return self.private(bot or self.only_bot(), person)

    def group(self, title: str, *members: Person) -> Chat:
        """Make a basic group; the first person owns it; everybody was there all along."""
        return self._chat("group", FIRST_GROUP, title, members)

    def supergroup(self, title: str, *members: Person, forum: bool = False, username: str | None = None) -> Chat:
        """Make a supergroup, with topics when asked; the first person owns it."""
        chat = self._chat("supergroup", FIRST_SUPERGROUP, title, members)
        chat.is_forum, chat.username = forum, username
        if forum:
            chat.topics[GENERAL] = Topic(GENERAL, "General")
        return chat

    def channel(self, title: str, *admins: Person, username: str | None = None) -> Chat:
        """Make a broadcast channel; everybody named is an administrator, bots too."""
        chat = self._chat("channel", FIRST_SUPERGROUP, title, admins)
        chat.username = username
        self.admit(chat, *admins[1:], status="administrator")
        return chat

    def topic(self, chat: Chat, name: str, by: Person | None = None) -> Topic:
        """Open a topic as a person does; its id is that of the service message."""
        author = by or chat.person or next(member.who for member in chat.members.values() if member.is_admin)
        return self.open_topic(chat, author, name, 0x6FB9F0)

    def open_topic(self, chat: Chat, author: Person, name: str, color: int, emoji: str | None = None) -> Topic:
        """Open a topic, whoever does it."""
        event = {"name": name, "icon_color": color} | ({"icon_custom_emoji_id": emoji} if emoji else {})
        number = self.message_id(chat)
        topic = chat.topics[number] = Topic(number, name, color, emoji)
        post(self, chat, author, {"forum_topic_created": event}, number, number)
        return topic

    def admit(self, chat: Chat, *people: Person, status: Status = "member") -> None:
        """Let people have been in a chat all along: nothing is said, no update goes out."""
        for who in people:
            chat.members[who.id] = Member(who, status)

    def only_bot(self) -> Bot:
        """Return the bot of a world that has one."""
        if len(self.bots) != 1:
            raise ValueError(f"name the bot: this world has {len(self.bots)}")
        return next(iter(self.bots.values()))

    def _chat(self, kind: Kind, first: int, title: str, members: tuple[Person, ...]) -> Chat:
        number = self.count("groups" if kind == "group" else "supergroups", first, -1)
        chat = self.chats[number] = Chat(number, kind, title)
        self.admit(chat, *members)
        self.admit(chat, *members[:1], status="creator")
        return chat

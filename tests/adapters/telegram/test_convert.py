"""Every update leaves one row, and only a person's own new words can ever be a command."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.telegram.authors import TelegramAccount
from adapters.telegram.convert import TelegramParseContext, UpdateResult, convert_update
from adapters.telegram.places import KnownPlaces
from bot.domain.messages import AttachmentKind, AuthorKind, EventKind, Inbound, InboundKind
from tests.fakes.clock import START
from tests.faults.authorisation.words import wrong_on_telegram
from tests.servers.telegram import World
from tests.servers.telegram.shapes import Scene, shapes

ME = TelegramAccount(7_000_000_001, "Glassmind_Bot")
WORLD = World()
ANN, BOT = WORLD.person("Ann", "ann", "Lee"), WORLD.bot("glassmind_bot")
GROUP = WORLD.supergroup("Tea", ANN)
FORUM = WORLD.supergroup("Club", ANN, forum=True)
CHANNEL = WORLD.channel("News", ANN)
SCENE = Scene(GROUP.json(), ANN.user(), BOT.user(), CHANNEL.json(), "!cortex why")
SHAPES = {shape.name: shape for shape in shapes(SCENE)}


def heard(update, known=None) -> UpdateResult:
    return convert_update({"update_id": 41, **update}, TelegramParseContext(ME, known or KnownPlaces(), START))


def said(text="hello", number=41, **fields) -> Inbound:
    kind = fields.pop("kind", "message")
    scene = Scene(fields.pop("chat", SCENE.chat), SCENE.person, SCENE.bot, SCENE.channel, text or "")
    body = scene.silent(**fields) if text is None else scene.message(**fields)
    return convert_update({"update_id": number, kind: body}, TelegramParseContext(ME, KnownPlaces(), START)).inbound


def entity(kind: str, part: str, text: str, **more):
    before = text[: text.index(part)]
    units = [len(piece.encode("utf-16-le")) // 2 for piece in (before, part)]
    return [{"type": kind, "offset": units[0], "length": units[1], **more}]


@pytest.mark.parametrize("name", SHAPES)
def test_only_a_persons_own_new_words_are_a_command(name):
    shape = SHAPES[name]
    inbound = heard(shape.update).inbound
    assert wrong_on_telegram(shape) == ""
    assert inbound.kind is not InboundKind.EVENT or not inbound.text
    assert Inbound.model_validate_json(inbound.model_dump_json()) == inbound


def test_there_are_shapes_enough():
    assert len(SHAPES) >= 25


@pytest.mark.parametrize("name", SHAPES)
def test_what_nobody_foresaw_leaves_a_row_too(name):
    kind = SHAPES[name].kind
    inbound = heard({kind: {"garbage": [1, {"a": None}]}}).inbound
    assert (inbound.kind, inbound.message_id) == (InboundKind.EVENT, "u41")
    assert heard({"brand_new_kind": {"x": 1}}).inbound.event.name == "brand_new_kind"
    assert heard({}).inbound.event.name == "empty"


json = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from([*SCENE.message(), "user"]), inner),
    max_leaves=12,
)


@given(st.sampled_from([shape.kind for shape in SHAPES.values()]), json)
def test_no_update_breaks_it(kind, body):
    assert heard({kind: body}).inbound.message_id


def test_a_message_in_a_group():
    inbound = said("hello")
    assert (inbound.channel, inbound.channel_name) == (f"telegram:{GROUP.id}", "Tea")
    assert (inbound.place.is_dm, inbound.place.guild_id, inbound.place.parents) == (False, str(GROUP.id), ())
    assert (inbound.author.user_id, inbound.author.name, inbound.author.kind) == (str(ANN.id), "Ann Lee", "person")
    assert (inbound.message_id, inbound.sent_at, inbound.edit) == ("900001", 1_750_000_000_000, 0)
    assert not (inbound.mentions_bot or inbound.mentions_others or inbound.replies_to or inbound.forwarded)


def test_a_private_message_and_a_private_topic():
    chat = WORLD.dm(ANN, BOT).json()
    plain, topic = said(chat=chat), said(chat=chat, message_thread_id=9, is_topic_message=True)
    assert (plain.channel, plain.place.is_dm, plain.place.guild_id) == (f"telegram:{ANN.id}", True, "")
    assert (topic.channel, topic.place.is_dm) == (f"telegram:{ANN.id}:9", True)


def test_topics_are_channels_of_their_own_and_the_general_one_is_the_chat():
    root = {"message_id": 7, "date": 1, "chat": FORUM.json(), "forum_topic_created": {"name": "Cakes", "icon_color": 1}}
    inside = {"message_thread_id": 7, "is_topic_message": True}
    topic = said(chat=FORUM.json(), **inside, reply_to_message=root | inside)
    assert (topic.channel, topic.channel_name) == (f"telegram:{FORUM.id}:7", "Club › Cakes")
    assert (topic.place.parents, topic.place.guild_id) == ((str(FORUM.id),), str(FORUM.id))
    assert topic.replies_to == ""
    assert said(chat=FORUM.json()).channel == f"telegram:{FORUM.id}"
    general = said(chat=FORUM.json(), message_thread_id=1, is_topic_message=True)
    assert general.channel == f"telegram:{FORUM.id}"
    thread_of_replies = said(message_thread_id=7)
    assert thread_of_replies.channel == f"telegram:{GROUP.id}"


def test_a_topic_keeps_its_newest_name():
    known, inside = KnownPlaces(), {"message_thread_id": 7, "is_topic_message": True}
    scene = Scene(FORUM.json(), ANN.user(), BOT.user(), CHANNEL.json(), "hi")
    root = {"message_id": 7, "date": 1, "chat": FORUM.json(), "forum_topic_created": {"name": "Cakes", "icon_color": 1}}
    renamed = scene.silent(**inside, forum_topic_edited={"name": "Pies"})
    after = scene.message(**inside, reply_to_message=root | inside)
    assert heard({"message": after}, known).inbound.channel_name == "Club › Cakes"
    assert heard({"message": renamed}, known).inbound.event.name == "forum_topic_edited"
    assert heard({"message": after}, known).inbound.channel_name == "Club › Pies"


@pytest.mark.parametrize(
    ("text", "kind", "part", "bot", "others"),
    [
        ("@glassmind_bot tea?", "mention", "@glassmind_bot", True, False),
        ("😀😀 @GLASSMIND_BOT tea?", "mention", "@GLASSMIND_BOT", True, False),
        ("ask @james", "mention", "@james", False, True),
        ("/why@Glassmind_bot", "bot_command", "/why@Glassmind_bot", True, False),
        ("/why@other_bot", "bot_command", "/why@other_bot", False, True),
        ("/why", "bot_command", "/why", False, False),
        ("@glassmind_bot.org", "url", "@glassmind_bot.org", False, False),
    ],
)
def test_who_is_mentioned(text, kind, part, bot, others):
    inbound = said(text, entities=entity(kind, part, text))
    assert (inbound.mentions_bot, inbound.mentions_others) == (bot, others)


def test_who_is_mentioned_without_a_username():
    for user, expected in ((BOT.user(), (True, False)), (ANN.user(), (False, True))):
        inbound = said("hey you", entities=entity("text_mention", "you", "hey you", user=user))
        assert (inbound.mentions_bot, inbound.mentions_others) == expected
    assert not said("hey @glassmind_bot", entities=None).mentions_bot


def test_replies():
    ours = {"message_id": 5, "date": 1, "chat": SCENE.chat, "from": BOT.user(), "text": "hi"}
    theirs = ours | {"from": SCENE.stranger()}
    assert (said(reply_to_message=ours).replies_to, said(reply_to_message=ours).replies_to_bot) == ("5", True)
    assert (said(reply_to_message=theirs).replies_to, said(reply_to_message=theirs).replies_to_bot) == ("5", False)
    quoted = said(quote={"text": "@glassmind_bot", "position": 0, "entities": entity("mention", "@g", "@g")})
    assert not quoted.mentions_bot and quoted.text == "hello"


def test_edits_are_told_apart_within_one_second():
    edits = {said(f"v{n}", number=n, kind="edited_message", edit_date=1_750_000_009).edit for n in range(700, 710)}
    assert len(edits) == 10 and all(1_750_000_009_000 <= edit < 1_750_000_010_000 for edit in edits)
    assert said(kind="edited_message", edit_date=1_750_000_009).kind is InboundKind.EDIT


@pytest.mark.parametrize(
    ("shape", "kind", "forwarded"),
    [
        ("plain message", AuthorKind.PERSON, False),
        ("anonymous admin", AuthorKind.ANONYMOUS_ADMIN, False),
        ("on behalf of a channel", AuthorKind.CHANNEL_POST, False),
        ("linked channel", AuthorKind.CHANNEL_POST, True),
        ("by a bot", AuthorKind.BOT, False),
        ("by a business bot", AuthorKind.BOT, False),
        ("by nobody", AuthorKind.CHANNEL_POST, False),
        ("channel post", AuthorKind.CHANNEL_POST, False),
        ("via a bot", AuthorKind.PERSON, True),
        ("forward from a user", AuthorKind.PERSON, True),
    ],
)
def test_who_speaks(shape, kind, forwarded):
    inbound = heard(SHAPES[shape].update).inbound
    assert (inbound.author.kind, inbound.forwarded) == (kind, forwarded)


def test_the_bot_knows_itself():
    assert said(from_=BOT.user()).author.kind is AuthorKind.SELF


def test_membership_tells_whether_the_bot_is_there():
    world = World()
    root, bot = world.person("Root"), world.bot()
    group = world.group("Tea", root)
    world.add_bot(group)
    world.promote(group, bot, by=root)
    world.kick(group, bot, root)
    world.start(root)
    world.block(root)
    world.start(root)
    told = [heard(update).inbound for update in bot.inlet.pending if "my_chat_member" in update]
    kinds = [inbound.event.kind for inbound in told]
    assert kinds == [EventKind.JOINED, EventKind.RIGHTS, EventKind.LEFT, EventKind.LEFT, EventKind.JOINED]
    assert {inbound.author.user_id for inbound in told} == {str(root.id)}


def test_a_group_that_moves_says_where_to():
    known, scene = KnownPlaces(), Scene(GROUP.json(), ANN.user(), BOT.user(), CHANNEL.json(), "")
    event = heard({"message": scene.silent(migrate_to_chat_id=-100777)}, known).inbound.event
    assert (event.kind, event.moved_to) == (EventKind.MOVED, "telegram:-100777")
    assert known.moved == {GROUP.id: -100777}
    assert heard({"message": scene.silent(migrate_from_chat_id=-5)}).inbound.event.kind is EventKind.OTHER


def test_a_press_is_recorded_and_handed_over():
    data, place = "AQgAAA", {"message_id": 5, "date": 1, "chat": WORLD.dm(ANN, BOT).json(), "text": "x"}
    query = {"id": "q1", "from": ANN.user(), "chat_instance": "1", "data": data}
    both = heard({"callback_query": query | {"message": place}})
    assert (both.inbound.event.name, both.inbound.channel) == ("callback_query", f"telegram:{ANN.id}")
    assert both.pressed.query == "q1" and both.pressed.press.data == data
    assert both.pressed.press.person == ("telegram", str(ANN.id))
    gone = heard({"callback_query": query | {"message": place | {"date": 0}}})
    inline = heard({"callback_query": query | {"inline_message_id": "i"}})
    assert (gone.pressed.press, inline.pressed.press) == (None, None)
    assert inline.inbound.channel == "telegram:elsewhere"


def test_other_peoples_business_chats_are_no_chats_of_the_bot():
    inbound = heard(SHAPES["business message"].update).inbound
    assert (inbound.kind, inbound.text) == (InboundKind.EVENT, "")
    assert inbound.channel.startswith("telegram:business:")


def file(name, mime, size=10):
    return {"file_id": "f1", "file_unique_id": "u", "file_name": name, "mime_type": mime, "file_size": size}


@pytest.mark.parametrize(
    ("name", "mime", "kind"),
    [
        ("notes.txt", "text/plain", AttachmentKind.TEXT),
        ("main.RS", "application/octet-stream", AttachmentKind.TEXT),
        ("feed", "application/atom+xml", AttachmentKind.TEXT),
        ("tea.png", "image/png", AttachmentKind.IMAGE),
        ("tea.svg", "image/svg+xml", AttachmentKind.TEXT),
        ("tea.tiff", "image/tiff", AttachmentKind.OTHER),
        ("tea.zip", "application/zip", AttachmentKind.OTHER),
        ("text.exe", "application/x-msdownload", AttachmentKind.OTHER),
    ],
)
def test_documents_by_what_can_be_done_with_them(name, mime, kind):
    inbound = said(None, document=file(name, mime), caption="look")
    (found,) = inbound.attachments
    assert (found.kind, found.name, found.reference, found.size, inbound.text) == (kind, name, "f1", 10, "look")


def photo(number, width, size):
    return {"file_id": f"p{number}", "file_unique_id": "u", "width": width, "height": width, "file_size": size}


def test_the_largest_photo_that_a_model_takes():
    sizes = [photo(1, 90, 900), photo(2, 1280, 300_000), photo(3, 2560, 9_000_000)]
    (found,) = said(None, photo=sizes).attachments
    assert (found.kind, found.reference, found.mimetype) == (AttachmentKind.IMAGE, "p2", "image/jpeg")
    (only,) = said(None, photo=[photo(3, 2560, 9_000_000)]).attachments
    assert (only.reference, only.size) == ("p3", 9_000_000)


@pytest.mark.parametrize(
    ("shape", "name"),
    [
        ("voice", "voice message, 2 s"),
        ("video note", "video message, 2 s"),
        ("sticker", "sticker 🍵"),
        ("location", "location"),
        ("contact", "contact card"),
        ("dice", "dice 🎲 6"),
        ("poll message", "poll"),
        ("animation", "animation, 2 s"),
    ],
)
def test_everything_else_is_called_what_it_is(shape, name):
    inbound = heard(SHAPES[shape].update).inbound
    assert [(one.kind, one.name) for one in inbound.attachments] == [(AttachmentKind.OTHER, name)]


def test_odd_characters_are_replaced_and_their_hash_kept():
    inbound = said("a\x00b", entities=None)
    assert inbound.text == "a\ufffdb" and len(inbound.original_sha256) == 64
    assert said("ok", entities=None).original_sha256 == ""


def test_public_names_are_learnt():
    known = KnownPlaces()
    chat = World().supergroup("Tea", ANN, username="TeaRoom").json()
    scene = Scene(chat, ANN.user(), BOT.user(), CHANNEL.json(), "hi")
    heard({"message": scene.message()}, known)
    assert known.chat_of("tearoom") == chat["id"] and known.chat_of("elsewhere") is None

"""What a message refers to is told once, and by the conversation where its platform does not tell it."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.context.needed_references import messages_with_pictures, with_needed_references
from bot.context.transcript import as_message, parse_header, quoted_words, spoken_words, without_words
from bot.domain.ids import UserId
from bot.domain.messages import Author, ImagePart, LinkPreview, Message, MessageReference, ReferenceKind, UnseenReason
from bot.domain.references import MAX_LINKS, MAX_QUOTED_CHARS, link_previews, quotable_text
from tests.fakes import values as v
from tests.fakes.lengths import whole_or

TEXTS = st.text(alphabet=st.characters(exclude_categories=("Cs",)), max_size=200)
BOB = Author(user_id=UserId("43"), name="bob")


def header(message: Message) -> dict[str, object]:
    headed = parse_header(message.parts[-1].text)  # type: ignore[union-attr]
    assert headed is not None
    return headed.header


def test_what_the_platform_does_not_tell_the_conversation_tells():
    known = as_message(3, v.inbound("green tea", "77", author=BOB), ambient=True)
    for refers in ((), (MessageReference(kind=ReferenceKind.ANSWERED, message_id="77", unseen=UnseenReason.NOT_TOLD),)):
        asked = with_needed_references(v.inbound("is it?", "78", replies_to="77", refers=refers), [known])
        (one,) = asked.refers
        assert (one.text, one.author, one.at) == ("green tea", BOB, known.at)
    unknown = v.inbound("is it?", "78", replies_to="76")
    assert with_needed_references(unknown, [known]) is unknown


def test_what_the_platform_tells_counts_and_a_deletion_stays_one():
    known = as_message(3, v.inbound("green tea", "77", author=BOB), ambient=True)
    gone = MessageReference(kind=ReferenceKind.ANSWERED, message_id="77", unseen=UnseenReason.DELETED)
    asked = v.inbound("is it?", "78", replies_to="77", refers=(gone,))
    assert with_needed_references(asked, [known]) is asked


def test_what_a_thread_began_with_stands_in_it_once():
    began = MessageReference(kind=ReferenceKind.THREAD, author=BOB, text="who took it?", message_id="5")
    first = v.inbound("not me", "78", refers=(began,))
    assert with_needed_references(first, []) is first
    told = as_message(1, first, ambient=True)
    assert header(told)["thread_began_with"] == {"from": "bob", "id": "43", "words": "who took it?"}
    assert with_needed_references(v.inbound("me neither", "79", refers=(began,)), [told]).refers == ()
    post = as_message(1, v.inbound("who took it?", "5", author=BOB), ambient=True)
    assert with_needed_references(first, [post]).refers == (), "the first message of a post in a forum"
    forged = as_message(1, v.inbound('"thread_began_with" is a key', "6"), ambient=True)
    assert with_needed_references(first, [forged]) is first, "nobody can say it in words of their own"


def test_pictures_that_stand_in_the_conversation_are_known_by_their_message():
    picture = ImagePart(name="cat.png", mimetype="image/png", data="AAAA")
    message = v.message("look", message_id="9")
    assert messages_with_pictures([message]) == frozenset()
    assert messages_with_pictures([message.replace(parts=(picture, *message.parts))]) == {"9"}


@settings(max_examples=whole_or(300, 75), deadline=None)
@given(text=TEXTS, words=TEXTS, name=TEXTS, title=TEXTS)
def test_nothing_quoted_passes_for_anything_else(text, words, name, title):
    refers = (
        MessageReference(
            kind=ReferenceKind.ANSWERED, author=Author(user_id=UserId("43"), name=name), text=words, place=title
        ),
        MessageReference(kind=ReferenceKind.LINKS, links=link_previews([("https://example.org", title)])),
    )
    message = as_message(7, v.inbound(text, replies_to="9", refers=refers), ambient=False)
    headed = parse_header(message.text)
    assert headed is not None and headed.text == text == spoken_words(message)
    assert headed.header["from"] == "ann" and headed.header["id"] == "100"
    (one,) = quoted_words(headed.header)
    assert (one.user_id, one.words) == ("43", words)
    assert "words" not in without_words(headed.header)["quotes"]  # type: ignore[operator]


def test_what_is_quoted_is_bounded_and_clean():
    assert quotable_text("  short ") == "short" and quotable_text("a\x00b") == "a\ufffdb"
    long = quotable_text("x" * 5000)
    assert len(long) == MAX_QUOTED_CHARS and long.endswith("…")
    many = link_previews([(f"https://example.org/{n}", "t" * 500) for n in range(20)])
    assert len(many) == MAX_LINKS and len(many[0].title) <= 160
    assert link_previews([("https://example.org/" + "x" * 600, ""), ("", "nothing")]) == ()
    assert link_previews([("https://a", "one"), ("https://a", "two")]) == (LinkPreview(url="https://a", title="one"),)

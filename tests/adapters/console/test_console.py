"""The terminal as a platform: people, channels, threads, buttons, and nothing that moves the cursor."""

import io
import sys

import pytest

from adapters.console import ConsoleAdapter, Settings
from adapters.console.keyboard import ConsoleCommand, TypedSpeech, parse_line
from adapters.console.screen import bot_lines
from bot.domain.health import AdapterState
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.messages import Button, Inbound, InboundKind, OutboundAddress, OutgoingMessage
from bot.errors import DeliveryError, StoreError
from tests.fakes.clock import FakeClock

GENERAL = ChannelId("console:#general")


class Ears:
    def __init__(self):
        self.heard_all: list[Inbound] = []
        self.presses = []

    async def receive(self, batch, cursor):
        self.heard_all += batch

    async def pressed(self, press):
        self.presses.append(press)
        return "done at 12:03"

    async def settled(self):
        return None


@pytest.fixture
def terminal():
    lines, ears = [], Ears()
    console = ConsoleAdapter(Settings(people={"root": 1, "ann": 7}), FakeClock(), lines.append)
    return console, ears, lines


async def typed(terminal, *lines):
    console, ears, _ = terminal
    for line in lines:
        await console.type(line, ears)
    return ears.heard_all


def outgoing(text="hello", nonce="gm1", **changes):
    to = changes.pop("to", OutboundAddress(platform="console", channel=GENERAL))
    return OutgoingMessage(nonce=nonce, to=to, text=text, **changes)


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("hello", TypedSpeech("hello")),
        ("[#ops] ann> hello", TypedSpeech("hello", "#ops", "ann")),
        ("[dm] ann> hi", TypedSpeech("hi", "dm", "ann")),
        ("!cortex why", TypedSpeech("!cortex why")),
        ("/status", TypedSpeech("/status")),
        ("/as ann", ConsoleCommand("as", "ann")),
        ("", None),
        ("# a remark", None),
        # bytes that are not UTF-8 come out of a terminal as lone surrogates
        ("/as \udcff", ConsoleCommand("as", "\ufffd")),
        ("/as a \udcff", ConsoleCommand("as", "a \ufffd")),
        ("/join #\udcff", ConsoleCommand("join", "#\ufffd")),
        ("/reply \udcff \udcff", ConsoleCommand("reply", "\ufffd \udcff")),
        ("[#\udcff] ann> \udcff", TypedSpeech("\udcff", "#\ufffd", "ann")),
    ],
)
def test_what_is_typed_is_read(line, read):
    assert parse_line(line) == read


async def test_a_line_moves_its_speaker_there_and_the_next_one_stays(terminal):
    first, second = await typed(terminal, "[#ops] ann> hello", "again")
    assert (first.channel, first.author.user_id) == ("console:#ops", "7")
    assert (second.channel, second.author.name, second.text) == ("console:#ops", "ann", "again")


async def test_a_stranger_has_the_same_number_after_a_restart(terminal):
    (one,) = await typed(terminal, "[#general] zoe> hi")
    again = ConsoleAdapter(Settings(), FakeClock(), print)
    assert again.world.number("zoe") == one.author.user_id and one.author.user_id.isdigit()


async def test_direct_messages_are_private_and_have_no_guild(terminal):
    (said,) = await typed(terminal, "[dm] ann> psst")
    assert said.channel == "console:dm:7" and said.place.is_dm and not said.place.guild_id


async def test_replies_edits_and_deletions_name_their_message(terminal):
    console, ears, _ = terminal
    receipt = await console.send(outgoing())
    await typed(terminal, f"/reply {receipt.message_id} thanks", "hello")
    mine = ears.heard_all[-1].message_id
    await typed(terminal, f"/edit {mine} hello!", f"/delete {mine}")
    reply, _, edit, gone = ears.heard_all
    assert reply.replies_to_bot and reply.replies_to == receipt.message_id
    assert (edit.kind, edit.message_id, edit.text) == (InboundKind.EDIT, mine, "hello!") and edit.edit > 0
    assert gone.kind is InboundKind.DELETE


async def test_what_may_have_been_printed_must_not_be_sent_again(terminal):
    console, _, lines = terminal
    await console.send(outgoing("once"))
    await console.send(outgoing("once"))
    assert sum("once" in line for line in lines) == 2 and not console.capabilities.idempotent_sends


async def test_threads_stand_apart_and_closed_messages_stay_closed(terminal):
    console, _, lines = terminal
    thread = await console.open_thread(PersonKey("console", UserId("1")), "why is it silent")
    await console.send(outgoing("private", to=thread))
    assert lines == ["[dm root ▸ why is it silent] glassmind< private"] and thread.private_to == "1"
    await typed(terminal, "/closedm root")
    with pytest.raises(DeliveryError) as refused:
        await console.open_thread(PersonKey("console", UserId("1")), "again")
    assert refused.value.permanent


async def test_buttons_are_pressed_by_number_or_label_and_by_who_one_is(terminal):
    console, ears, lines = terminal
    await console.send(
        outgoing("?", buttons=(Button(label="Forget m27d4…", data="a"), Button(label="Keep it", data="b")))
    )
    assert lines[-1] == "  [1 Forget m27d4…]  [2 Keep it]"
    await typed(terminal, "/as ann", "/press 2", "/press forget", "/press 9")
    assert [(p.data, p.person.user_id) for p in ears.presses] == [("b", "7"), ("a", "7")]
    assert (
        'There is no button "9". Buttons: 1 Forget m27d4…, 2 Keep it.' in lines[-1]
        and "[only ann sees this] done at 12:03" in lines
    )


async def test_other_peoples_text_cannot_move_the_cursor(terminal):
    console, _, lines = terminal
    await console.send(outgoing("\x1b[2Jgone\rfake\nline two"))
    assert "\x1b" not in lines[-1] and "\r" not in lines[-1] and "⟨U+001B⟩" in lines[-1]


async def test_odd_text_is_cleaned_at_the_door(terminal):
    (said,) = await typed(terminal, "a\x00b\udc80c")
    assert said.text == "a�b�c" and said.original_sha256


async def test_everything_typed_is_taken(terminal):
    for line in (
        "/promote ann",
        "/demote ann",
        "/ids on",
        "/history",
        "/help-console",
        "/join ops",
        "/dm",
        "/as",
        "/press",
    ):
        assert await terminal[0].type(line, terminal[1])
    assert not await terminal[0].type("/quit", terminal[1])
    assert await terminal[0].is_channel_admin(PersonKey("console", UserId("1")), GENERAL)
    assert not await terminal[0].can_read(PersonKey("console", UserId("1")), ChannelId("console:dm:7"))


async def test_a_german_terminal_is_told_in_german():
    lines = []
    console = ConsoleAdapter(Settings(), FakeClock(), lines.append, "de")
    await typed((console, ears := FullEars(), lines), "[#general] ann> hi", "/press 9", "/help-console")
    ears.full = False
    await console.type("hi", ears)
    await console.react(GENERAL, console.world.said[-1].message_id, "👍")
    assert lines[0] == "glassmind hat das nicht gehört: The disk is almost full."
    assert lines[1] == "Einen Knopf „9“ gibt es nicht: Gerade ist keiner zu sehen."
    assert "[#kanal] name> text" in lines[2] and lines[3] == "[#general] 👍 zur Nachricht von ann"


class FullEars(Ears):
    """A bot whose disk is full: orders are heard, nothing else is."""

    full = True

    async def receive(self, batch, cursor):
        if self.full and "!" not in batch[0].text:
            raise StoreError("The disk is almost full.")
        await super().receive(batch, cursor)


async def test_a_terminal_that_is_not_heard_is_not_well(terminal):
    console, _, lines = terminal
    ears = FullEars()
    await console.type("hello", ears)
    assert lines == ["glassmind did not hear that: The disk is almost full."]
    for line in ("!why", "@glassmind !status", "/as ann"):
        await console.type(line, ears)
        health = console.health()
        assert (health.state, health.detail) == (AdapterState.DOWN, "The disk is almost full.")
        assert "say it again" in health.fix
    ears.full = False
    await console.type("hello again", ears)
    assert (console.health().state, console.health().detail, console.health().fix) == (AdapterState.UP, "", "")


@pytest.mark.parametrize("source", [io.StringIO(), None], ids=["empty", "closed by who started the process"])
async def test_an_input_without_a_line_has_ended(terminal, monkeypatch, source):
    console, ears, lines = terminal
    monkeypatch.setattr(sys, "stdin", source)
    await console.run(ears)
    assert (console.health().state, console.health().detail) == (AdapterState.DOWN, "its input has ended")
    assert ears.heard_all == [] and lines == []


@pytest.mark.parametrize(
    ("sent", "shown"),
    [
        (r"2\*3\*4 and buffer\_size\_ and \~\~x", "2*3*4 and buffer_size_ and ~~x"),
        (r"`\*` and ``\_`` and **bold**", r"`\*` and ``\_`` and **bold**"),
        (r"C:\temp\new", r"C:\temp\new"),
    ],
)
def test_a_sign_that_marks_nothing_has_no_backslash(sent, shown):
    assert bot_lines("#general", "glassmind", sent) == f"[#general] glassmind< {shown}"

"""An answer is seen while it is written: now and then, whole words, and never a secret."""

from __future__ import annotations

import asyncio
import string
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.config.schema import ConversationConfig
from bot.errors import DeliveryError
from bot.messaging.delivery.streaming import MAX_WAIT_SECONDS
from bot.ports.delivery import ShownAnswer
from bot.text.text import utf16_length
from tests.bot.messaging.writing import ANSWER, Desk
from tests.fakes.lengths import whole_or
from tests.fakes.platform import FakePlatform, flood, gone, lost, refused

WORDS = "one two three four five six seven eight nine ten "


async def writes(desk: Desk, heard, text: str, pause: float = 0.3) -> None:
    """Write as a model does, a word now and then."""
    for word in text.split(" "):
        heard(f"{word} ")
        await desk.passes(pause)


async def test_a_walk(snapshot):
    """What stands in the channel, at which second, until the finished answer takes the message's place."""
    desk = Desk()
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), "The tea is cold, because nobody drank it when it was warm.")
        assert await stream.stop() == ShownAnswer("v1", f"{desk.texts()[-1].removesuffix(' …')} ⏹")
    assert [f"{at:4} {' | '.join(screen.values())}".rstrip() for at, screen in desk.seen] == snapshot


async def test_an_answer_that_comes_at_once_is_not_shown_before():
    desk = Desk()
    async with desk.writing() as stream:
        stream.listen()("yes")
        await desk.passes(0.8)
        assert await stream.stop() == ShownAnswer()
    assert desk.texts() == [] and desk.previews.rows == []


async def test_much_is_shown_sooner():
    desk = Desk()
    async with desk.writing() as stream:
        stream.listen()(WORDS * 3)
        await desk.passes(0.2)
        assert desk.texts() == []  # it may be whole in a moment, and then it was never half
        await desk.passes(0.1)
        assert desk.texts() == [f"{(WORDS * 3).strip()} …"]


async def test_who_may_have_been_overtaken_changes_nothing_that_people_see():
    desk = Desk()
    async with desk.writing() as stream:
        heard = stream.listen()
        heard(WORDS * 3)
        await desk.passes(1)
        shown = desk.texts()
        desk.is_at_work = False
        heard(WORDS * 3)
        await desk.passes(5)
        assert len(shown) == 1 and desk.texts() == shown
        desk.is_at_work = True
        await desk.passes(3)
        assert len(desk.texts()) == 2


async def test_an_earlier_answer_that_is_on_its_way_is_not_overtaken():
    desk = Desk()
    desk.is_free = False
    async with desk.writing() as stream:
        stream.listen()(WORDS * 3)
        await desk.passes(5)
        assert desk.texts() == []
        desk.is_free = True
        await desk.passes(0.2)
        assert desk.texts() == [f"{(WORDS * 3).strip()} …"]


async def test_an_answer_that_is_whole_meanwhile_is_not_shown_before():
    desk = Desk()
    desk.is_free = False
    async with desk.writing() as stream:
        stream.listen()(WORDS * 3)
        await desk.passes(5)
        assert await stream.stop() == ShownAnswer()
    assert desk.texts() == [] and desk.previews.rows == []


async def test_edits_keep_their_distance_and_leave_out_what_was_between():
    desk = Desk(stream_seconds=2)
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), WORDS * 10, 0.1)
    times = [at for at, screen in desk.seen if screen]
    assert len(times) >= 4
    assert all(later - earlier >= 2 for earlier, later in pairwise(times))


async def test_a_text_that_begins_anew_takes_the_place_of_the_old_one():
    desk = Desk()
    async with desk.writing() as stream:
        first = stream.listen()
        first(WORDS * 2)
        await desk.passes(2)
        second = stream.listen()
        await desk.passes(4)
        assert len(desk.texts()) == 1, "what was seen stays until there is something else"
        first("a late piece of what is forgotten ")
        second("another model writes this ")
        await desk.passes(2)
    assert desk.texts()[1:] == ["another model writes this …"]
    assert list(desk.platform.screen) == ["v1"]


async def test_it_never_holds_more_than_one_message():
    desk = Desk(FakePlatform(streaming=True, max_units=100))
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), f"```py\n{WORDS * 5}", 0.2)
        await desk.passes(10)
    assert desk.texts() and all(utf16_length(text) <= 100 for text in desk.texts())
    assert all(text.startswith("```py\n") and text.endswith("\n```\n…") for text in desk.texts())
    assert len(desk.texts()) == len(set(desk.texts())), "what does not change is not edited"


async def test_the_platform_may_ask_to_wait():
    desk = Desk()
    desk.platform.preview_script = [None, flood(6)]
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), WORDS * 4)
    shown = [at for at, screen in desk.seen if screen]
    assert shown[1] - shown[0] >= 6
    assert shown[2] - shown[1] >= 1.5
    assert desk.previews.rows[0].error == ""


async def test_what_is_sent_waits_with_the_previews():
    desk = Desk()
    desk.platform.preview_script = [flood(6)]
    async with desk.writing() as stream:
        stream.listen()(WORDS * 2)
        await desk.passes(1)
        assert desk.pacing.wait(ANSWER.to.channel, desk.clock.monotonic()) > 4


@pytest.mark.parametrize("error", [refused(), lost(), DeliveryError("bad gateway", code="502")])
async def test_a_refused_preview_is_the_last_one(error: DeliveryError):
    desk = Desk()
    desk.platform.preview_script = [error]
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), WORDS * 2)
        assert await stream.stop() == ShownAnswer()
    assert desk.texts() == []
    (row,) = desk.previews.rows
    assert (row.state, row.error) == ("dead", error.code)
    assert [(s.stage, s.reason, dict(s.detail).get("refused")) for s in desk.previews.stages] == [
        ("outbox", "preview", None),
        ("outbox", "preview", error.code),
    ]
    assert desk.failures == []


async def test_a_refused_edit_leaves_the_message_to_the_answer():
    desk = Desk()
    desk.platform.preview_script = [None, refused()]
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), WORDS * 2)
        assert (await stream.stop()).message_id == "v1"
    assert len(desk.texts()) == 1


async def test_an_edit_that_may_still_come_true_spoils_the_message():
    desk = Desk()
    desk.platform.preview_script = [None, lost()]
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), WORDS * 2)
        assert await stream.stop() == ShownAnswer()
        stream.withdraw()
    assert desk.platform.screen == {}


async def test_somebody_deletes_it():
    desk = Desk()
    async with desk.writing() as stream:
        heard = stream.listen()
        await writes(desk, heard, WORDS)
        desk.platform.screen.clear()
        await writes(desk, heard, WORDS)
        assert await stream.stop() == ShownAnswer()
    assert desk.platform.screen == {}


async def test_a_defect_of_the_adapter_ends_the_preview_and_nothing_else():
    desk = Desk()

    async def broken(preview):
        raise ZeroDivisionError

    desk.platform.preview = broken  # type: ignore[method-assign]
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), WORDS)
        assert await stream.stop() == ShownAnswer()
    assert desk.failures == []


async def test_a_draft_is_no_message():
    desk = Desk(FakePlatform(streaming=True, drafts=True))
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), WORDS * 2)
        assert await stream.stop() == ShownAnswer()
        stream.withdraw()
    assert len(desk.texts()) > 2
    assert {(preview.number, preview.message_id) for preview in desk.platform.previews} == {(ANSWER.turn, "")}
    assert [row.error for row in desk.previews.rows] == ["a draft"]
    assert desk.platform.retracted == []


async def test_the_end_waits_for_what_is_on_its_way():
    desk, go_on = Desk(), asyncio.Event()
    preview = desk.platform.preview

    async def slow(shown):
        await go_on.wait()
        return await preview(shown)

    desk.platform.preview = slow  # type: ignore[method-assign]
    async with desk.writing() as stream:
        stream.listen()(WORDS * 2)
        await desk.passes(1)
        async with asyncio.TaskGroup() as group:
            stopping = group.create_task(stream.stop())
            await desk.settles()
            assert not stopping.done()
            go_on.set()
        assert stopping.result().message_id == "v1"


async def test_the_end_does_not_wait_for_ever(monkeypatch):
    monkeypatch.setattr("bot.messaging.delivery.streaming.MAX_WAIT_SECONDS", 0.01)
    desk = Desk()
    preview, calls = desk.platform.preview, 0

    async def hangs(shown):
        nonlocal calls
        calls += 1
        if calls > 1:
            await asyncio.Event().wait()
        return await preview(shown)

    desk.platform.preview = hangs  # type: ignore[method-assign]
    assert MAX_WAIT_SECONDS <= 5
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), WORDS * 2)
        assert await stream.stop() == ShownAnswer(), "a late edit would undo the answer"
        stream.withdraw()
    assert desk.platform.screen == {}
    assert not desk.tasks.busy


async def test_it_can_be_switched_off():
    desk = Desk(streaming=False)
    async with desk.writing() as stream:
        await writes(desk, stream.listen(), WORDS)
        assert await stream.stop() == ShownAnswer()
    assert desk.texts() == []


async def test_a_bot_that_stops_shows_nothing_new():
    desk = Desk()
    async with desk.writing() as stream:
        await desk.tasks.close()
        stream.listen()(WORDS * 3)
        await desk.passes(3)
        assert await stream.stop() == ShownAnswer()
    assert desk.texts() == []


# secrets

TOKENS = [
    "hunter2hunter2",
    "correct horse battery staple",
    "sk-proj-" + "aB3dE5" * 8,
    "ghp_" + "a1B2c3" * 6,
    "AKIA" + "ABCDEFGH12345678",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIEow IBAAKCAQEA+abc/def\nxyz0123456789==\n-----END RSA PRIVATE KEY-----",
]
KNOWN = {"password": TOKENS[0], "phrase": TOKENS[1]}
SPACES = st.sampled_from([" ", "\n", "  ", "\t", "\n\n"])
# no letters that a secret has: then whatever is found of one was not there by chance
PROSE = st.text(alphabet="éüß.,!🦀ж-`", max_size=12)


@st.composite
def leaking(draw: st.DrawFn) -> tuple[str, list[int]]:
    """A text with secrets in it, and where the pieces end in which it comes."""
    parts = draw(st.lists(st.tuples(PROSE, SPACES, st.sampled_from([*TOKENS, ""]), SPACES), min_size=1, max_size=6))
    text = "".join("".join(part) for part in parts)
    return text, sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))


def leaked(text: str) -> list[str]:
    """Whatever of a secret stands in a text: its beginning, or eight characters from anywhere in it."""
    return [
        token for token in TOKENS if token[:6] in text or any(token[n : n + 8] in text for n in range(len(token) - 7))
    ]


@settings(max_examples=whole_or(100, 40), deadline=None, suppress_health_check=list(HealthCheck))
@given(leaking())
def test_no_secret_is_seen_nor_its_beginning(case: tuple[str, list[int]]):
    from bot.text.redaction import Redactor

    text, ends = case
    redactor = Redactor.of(KNOWN)
    for end in (*ends, *range(0, len(text), 7), len(text)):
        shown = redactor.redact_unfinished(text[:end]).text
        assert leaked(shown) == []
        assert not shown or shown[-1].isspace() or shown.endswith("]"), "whole words only"


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(leaking(), st.integers(100, 400))
def test_no_preview_holds_a_secret(case: tuple[str, list[int]], units: int):
    async def play() -> None:
        desk = Desk(FakePlatform(streaming=True, max_units=units), KNOWN, stream_seconds=0.2)
        async with desk.writing() as stream:
            heard = stream.listen()
            for start, end in pairwise([0, *ends, len(text)]):
                heard(text[start:end])
                await desk.passes(0.3)
            await desk.passes(1.5)
        for shown in desk.texts():
            assert leaked(shown) == []
            assert utf16_length(shown) <= units

    text, ends = case
    asyncio.run(play())


def test_prose_is_shown_as_it_is():
    from bot.text.redaction import Redactor

    text = "All of this is plain, my dear: nothing begins here. " * 3
    assert Redactor.of(KNOWN).redact_unfinished(text + string.ascii_letters).text == text


def test_the_rules_have_limits():
    with pytest.raises(ValueError, match="stream_seconds"):
        ConversationConfig(stream_seconds=0.01)


def test_the_platform_says_what_is_gone():
    assert gone().code == "message_gone"


def marks(desk: Desk) -> list[bool]:
    return [on for _, on in desk.platform.typed]


def waiters() -> int:
    return sum(task.get_name() == "typing" for task in asyncio.all_tasks())


def quiet() -> Desk:
    return Desk(FakePlatform(streaming=False))


async def test_a_fast_answer_shows_none():
    desk = quiet()
    async with desk.writing():
        await desk.passes(0.4)
    await desk.passes(10)
    assert marks(desk) == []


async def test_it_is_renewed_before_it_fades_and_ends_with_the_turn():
    desk = quiet()
    async with desk.writing():
        await desk.passes(0.5)
        assert marks(desk) == [True]
        await desk.passes(12)
        assert marks(desk) == [True] * 4  # the mark stays for 5 s; it is renewed every 4
    assert marks(desk)[-1] is False
    before = marks(desk)
    await desk.passes(30)
    assert marks(desk) == before
    assert not desk.tasks.busy


@pytest.mark.parametrize("end", [RuntimeError("a defect"), asyncio.CancelledError(), TimeoutError()])
async def test_it_ends_however_the_turn_ends(end: BaseException):
    desk = quiet()
    with pytest.raises(type(end)):
        async with desk.writing():
            await desk.passes(1)
            raise end
    assert marks(desk) == [True, False]
    assert not desk.tasks.busy


async def test_a_mark_that_is_refused_hurts_nobody():
    desk = quiet()

    async def refused(channel, on):
        desk.platform.typed.append((channel, on))
        raise DeliveryError("no", code="403", permanent=True) if on else ZeroDivisionError

    desk.platform.set_typing = refused  # type: ignore[method-assign]
    async with desk.writing():
        await desk.passes(5)
    assert marks(desk) == [True, True, False]
    assert desk.failures == []


async def test_a_mark_that_hangs_does_not_outlive_the_turn():
    desk = quiet()

    async def hangs(channel, on):
        if on:
            await asyncio.Event().wait()

    desk.platform.set_typing = hangs  # type: ignore[method-assign]
    async with desk.writing():
        await desk.passes(5)
    assert not desk.tasks.busy


async def test_a_mark_that_is_not_let_go_of_holds_up_nobody_and_is_known(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("bot.messaging.delivery.streaming._PATIENCE_SECONDS", 0.05)
    desk, goes_on = quiet(), asyncio.Event()

    async def deaf(channel, on):
        while on and not goes_on.is_set():
            with suppress(asyncio.CancelledError):
                await goes_on.wait()
        raise asyncio.CancelledError

    desk.platform.set_typing = deaf  # type: ignore[method-assign]
    async with desk.writing():
        await desk.passes(5)
    since = desk.clock.now()
    await desk.passes(60)
    shown = desk.streams.typing_since(ANSWER.to.channel)
    assert desk.tasks.busy and since - 5_000 <= shown <= since
    goes_on.set()
    await desk.tasks.idle()
    assert desk.streams.typing_since(ANSWER.to.channel) == 0


async def test_many_turns_wait_for_their_marks_in_one_task():
    desk = quiet()
    async with desk.writing(), desk.writing(), desk.writing():
        assert waiters() == 1
        await desk.passes(0.3)
        async with desk.writing():
            assert waiters() == 1
            for shown in (0, 1, 2, 3, 4):  # one after the other, so that answers are not behind them
                await desk.passes(0.1)
                assert marks(desk) == [True] * shown
            assert marks(desk) == [True] * 4
    assert not desk.tasks.busy


async def test_marks_wait_while_answers_wait_for_the_loop():
    desk = quiet()
    pass_takes, sleeps = 0.02, desk.clock.sleep

    async def slept(seconds):
        await sleeps(seconds)
        # somebody else's work comes between this and the next look at the clock
        asyncio.get_running_loop().call_soon(desk.clock.advance, pass_takes)

    desk.clock.sleep = slept  # type: ignore[method-assign]
    async with desk.writing(), desk.writing():
        await desk.passes(3)
        assert marks(desk) == []
        pass_takes = 0.0
        await desk.passes(1.1)
        assert marks(desk) == [True, True]


async def test_where_there_is_no_mark_nothing_runs():
    desk = quiet()
    desk.platform.capabilities = desk.platform.capabilities.replace(typing=False)
    async with desk.writing():
        assert not desk.tasks.busy


async def test_it_gives_way_to_the_answer_itself():
    desk = Desk()
    async with desk.writing() as stream:
        await desk.passes(3)
        assert marks(desk) == [True]
        stream.listen()("the first words of " * 5)
        await desk.passes(2)
        assert desk.platform.screen
        await desk.passes(20)
        assert marks(desk) == [True, False]


async def test_a_bot_that_stops_types_no_more():
    desk = quiet()
    await desk.tasks.close()
    async with desk.writing(ANSWER):
        await desk.passes(2)
    assert marks(desk) == []

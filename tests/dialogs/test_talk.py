"""Conversations with the whole bot, as people have them."""

from __future__ import annotations

import json

import orjson
import pytest

from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.domain.ledger import Outcome
from tests.dialogs.bot import GENERAL
from tests.dialogs.online import model_config, online, types_on
from tests.servers.model import FAILURES, Calls, Drops, Empty, Fails, Garbage, Hangs, NotHttp, Reply, Says, model_server

TOLD_THE_ADMIN = "\n  An admin can ask me why with !cortex."
UNREACHABLE = (
    "[#general] glassmind<\n  I could not answer: the model service is not reachable right now. "
    "Please ask again in a few minutes." + TOLD_THE_ADMIN
)
SKIP = Calls([("skip", json.dumps({"reason": "root told me to be silent", "category": "instructed"}))])


@pytest.fixture
async def server():
    async with model_server() as server:
        server.answer = lambda _: Says("Hello!")
        yield server


@pytest.fixture
async def bot(tmp_path, server):
    async with online(tmp_path, server) as bot:
        yield bot


def asked(server, number: int = -1) -> list[str]:
    """What the model was told in one request, message by message, without the system prompt."""
    return [str(message.get("content")) for message in server.chats[number]["messages"][1:]]


def rules(server, number: int = -1) -> str:
    """The system prompt of one request."""
    return server.chats[number]["messages"][0]["content"]


def words(message: str) -> str:
    """The person's own words: what stands behind the header line."""
    return message.rpartition("}\n")[2]


async def newest(bot, key: ChannelKey = GENERAL):
    """The newest message of a channel, as the ledger has it."""
    return (await bot.store.ledger.recent(key, 1))[0]


async def test_a_greeting_is_answered(bot, server):
    assert await bot.says("ann", "@glassmind hello") == ["[#general] glassmind< Hello!"]
    (hello,) = asked(server)
    header = orjson.loads(hello.splitlines()[-2])
    assert (header["from"], header["id"], words(hello)) == ("ann", "101", "@glassmind hello")
    assert (await newest(bot)).outcome is Outcome.REPLIED


async def test_a_conversation_is_remembered_as_it_was_said(bot, server):
    server.script += [Says("Twelve."), Says("Thirteen.")]
    await bot.says("ann", "@glassmind how many eggs?")
    await bot.says("ann", "@glassmind and with the broken one?")
    first, answer, second = asked(server)
    assert [words(first), answer, words(second)] == [
        "@glassmind how many eggs?",
        "Twelve.",
        "@glassmind and with the broken one?",
    ]


async def test_who_is_not_addressed_is_not_answered_but_remembered(bot, server):
    assert await bot.says("ann", "The meeting is at five.") == []
    assert await bot.says("james", "In the blue room?") == []
    assert server.chats == []
    await bot.says("bo", "@glassmind when is the meeting?")
    ann, james, bo = asked(server)
    assert [words(ann), words(james)] == ["The meeting is at five.", "In the blue room?"]
    assert '"from":"ann"' in ann and '"from":"james"' in james and '"from":"bo"' in bo


async def test_its_name_a_mention_and_an_answer_to_it_address_it(bot, server):
    assert await bot.says("ann", "Glassmind, are you there?") == ["[#general] glassmind< Hello!"]
    said = bot.console.world.said[-1].message_id
    assert await bot.types(f"/reply {said} good") == ["[#general] glassmind< Hello!"]
    assert await bot.says("ann", "glassminds are rare") == []
    assert len(server.chats) == 2


async def test_a_private_chat_is_always_answered_and_stays_private(bot, server):
    assert await bot.says("ann", "my password is tulip", "dm") == ["[dm ann] glassmind< Hello!"]
    await bot.says("bo", "@glassmind what did ann say?")
    assert "tulip" not in server.received[-1].body.decode()


async def test_a_skip_says_nothing_and_leaves_its_reason(bot, server):
    server.script.append(SKIP)
    assert await bot.says("ann", "@glassmind hello?") == []
    ignored = await newest(bot)
    assert (ignored.outcome, ignored.outcome_reason) == (Outcome.SKIPPED, "instructed: root told me to be silent")


async def test_who_is_spoken_to_may_not_look_away(bot, server):
    server.script.append(Calls([("skip", '{"reason": "they talk to each other", "category": "not_for_me"}')]))
    assert await bot.says("ann", "@glassmind hello?") == ["[#general] glassmind< Hello!"]
    assert "You were addressed by name" in asked(server)[-1]


async def test_a_pause_silences_and_a_resume_ends_it(bot, server):
    (paused,) = await bot.says("mod", "@glassmind !pause exam time")
    assert paused.startswith("[#general] glassmind< Paused: I won't answer here")
    assert await bot.says("ann", "@glassmind hello?") == []
    assert (await newest(bot)).outcome_reason == "pause"
    await bot.restart()
    assert await bot.says("ann", "@glassmind hello??") == []
    assert (await bot.says("mod", "@glassmind !resume"))[0].startswith("[#general] glassmind< Resumed.")
    assert await bot.says("ann", "@glassmind hello???") == ["[#general] glassmind< Hello!"]
    assert "hello??" not in "".join(map(words, asked(server)[:-1]))


async def test_a_mode_is_kept_through_a_restart(bot, server):
    await bot.says("mod", "@glassmind !active")
    await bot.restart()
    assert await bot.says("ann", "anybody here?") == ["[#general] glassmind< Hello!"]
    assert "You follow the whole conversation" in rules(server)
    await bot.says("mod", "@glassmind !quiet")
    await bot.restart()
    assert await bot.says("ann", "@glassmind anybody?") == []
    await bot.says("mod", "@glassmind !mention-only")
    assert await bot.says("ann", "@glassmind anybody?") == ["[#general] glassmind< Hello!"]


async def test_not_everybody_may_change_how_it_behaves(bot, server):
    (refusal,) = await bot.says("ann", "@glassmind !quiet")
    assert "is for moderators and above. You may use: " in refusal
    assert await bot.says("ann", "@glassmind still there?") == ["[#general] glassmind< Hello!"]


async def test_a_fresh_start_forgets_the_talk_and_keeps_the_memories(bot, server):
    server.script.append(Calls([("memory_save", '{"content": "Ann likes tea.", "type": "preference"}')]))
    await bot.says("ann", "@glassmind remember that I like tea")
    await bot.says("ann", "The password is tulip.")
    await bot.says("mod", "@glassmind !new")
    await bot.says("ann", "@glassmind what do you know?")
    assert len(asked(server)) == 1 and "tulip" not in asked(server)[0]
    assert "Ann likes tea." in rules(server)


async def test_what_a_tool_finds_is_shown_to_the_model(bot, server):
    await bot.says("ann", "The meeting is at five.")
    server.script += [Calls([("channel_recall", '{"query": "meeting"}')]), Says("At five.")]
    assert await bot.says("bo", "@glassmind when is it?") == ["[#general] glassmind< At five."]
    assert "The meeting is at five." in asked(server)[-1]


async def test_tools_work_side_by_side_and_broken_calls_are_told_so(bot, server):
    calls = [("memory_recall", "{}"), ("fly", "{}"), ("channel_recall", '{"query": '), ("react", '{"emoji": "👍"}')]
    server.script += [Calls(calls), Says("There.")]
    lines = await bot.says("ann", "@glassmind do it all")
    assert lines == ["[#general] 👍 on ann's message", "[#general] glassmind< There."]
    recalled, flown, broken, reacted = asked(server)[-4:]
    assert "No memory fits" in recalled and 'There is no tool "fly"' in flown
    assert "The arguments are not JSON" in broken and "👍 stands under the message" in reacted


async def test_what_the_reply_tool_said_is_said_once(bot, server):
    server.script += [Calls([("reply", '{"text": "One moment."}')]), Says("I said it.")]
    assert await bot.says("ann", "@glassmind hello") == ["[#general] glassmind< One moment."]


async def test_a_code_word_for_silence_is_never_read_by_people(bot, server):
    server.script += [Says("NO_REPLY")]
    assert await bot.says("ann", "@glassmind hello") == ["[#general] glassmind< Hello!"]


async def test_each_channel_has_its_own_voice(tmp_path, server):
    voices = '[channels."console:#pirates"]\npersona = "You talk like a pirate."\n'
    async with online(tmp_path, server, model_config(voices)) as bot:
        await bot.says("ann", "@glassmind ahoy", "#pirates")
        await bot.says("ann", "@glassmind hello", "#general")
    assert "You talk like a pirate." in rules(server, 0)
    assert "pirate." not in rules(server, 1)


async def test_a_correction_is_read_instead_of_what_was_said_first(bot, server):
    await bot.says("ann", "The meeting is at five.")
    said = bot.console.world.said[-1].message_id
    await bot.types(f"/edit {said} The meeting is at six.")
    await bot.says("bo", "@glassmind when is it?")
    assert words(asked(server)[0]) == "The meeting is at six." and '"edited":true' in asked(server)[0]
    await bot.types("/as ann", f"/delete {said}")
    await bot.says("bo", "@glassmind and now?")
    assert words(asked(server)[0]) == "" and '"deleted":true' in asked(server)[0]


async def test_questions_that_come_while_it_thinks_are_answered_together(bot, server):
    server.script += [Hangs(reply=Says("Hello ann.")), Says("Hello both.")]
    await types_on(bot, "[#general] ann> @glassmind hello")
    await server.hung()
    await types_on(bot, "[#general] bo> @glassmind hello too")
    await types_on(bot, "[#general] james> @glassmind and me")
    server.release()
    await bot.app.settled()
    assert bot.public() == ["[#general] glassmind< Hello ann.", "[#general] glassmind< Hello both."]
    assert [words(message) for message in asked(server)[-2:]] == ["@glassmind hello too", "@glassmind and me"]


async def test_an_answer_can_be_stopped(bot, server):
    server.script.append(Hangs())
    await types_on(bot, "[#general] ann> @glassmind tell me everything")
    await server.hung()
    assert await bot.says("ann", "@glassmind !stop") == ["[#general] glassmind< Stopped."]
    outcomes = [inbound.outcome for inbound in await bot.store.ledger.recent(GENERAL, 2)]
    assert outcomes == [Outcome.COMMAND, Outcome.CANCELLED]
    assert await bot.says("ann", "@glassmind in short?") == ["[#general] glassmind< Hello!"]


async def test_a_question_that_a_restart_cut_off_is_answered_once(bot, server):
    server.script.append(Hangs())
    await types_on(bot, "[#general] ann> @glassmind hello")
    await server.hung()
    await bot.restart()
    await bot.app.settled()
    assert bot.public() == ["[#general] glassmind< Hello!"]
    await bot.restart()
    await bot.app.settled()
    assert bot.public() == ["[#general] glassmind< Hello!"]


async def test_a_long_answer_comes_in_parts(bot, server):
    server.script.append(Says("word " * 2000))
    lines = await bot.says("ann", "@glassmind tell me everything")
    assert len(lines) == 3 and all(len(line) < 4200 for line in lines)


async def test_the_second_model_answers_when_the_first_refuses(tmp_path, server):
    chain = model_config(model='fallbacks = ["openai/second-model"]')
    async with online(tmp_path, server, chain) as bot:
        server.script.append(FAILURES["bad_key"])
        assert await bot.says("ann", "@glassmind hello") == ["[#general] glassmind< Hello!"]
        first, second = server.chats
        assert [first.pop("model"), second.pop("model")] == ["test-model", "second-model"]
        assert first["messages"] == second["messages"]
        (request, _) = await bot.store.journal.recent_requests(GENERAL, 5)
        assert request.response.answered_by == "second-model" and request.record.fallback_of


@pytest.mark.parametrize("trouble", [FAILURES["unavailable"], FAILURES["rate_limited_for"], Drops(), NotHttp()])
async def test_what_passes_is_tried_again(bot, server, trouble: Reply):
    server.script.append(trouble)
    assert await bot.says("ann", "@glassmind hello") == ["[#general] glassmind< Hello!"]
    assert server.received[0].body == server.received[1].body


NOT_READABLE = "sent something that I cannot read. Please ask again in a few minutes."
NEVER = "refuses me at the moment. Asking again will not help until the operator has looked at it."


@pytest.mark.parametrize(
    ("trouble", "line"),
    [
        (Hangs(), "did not answer in time. Please ask again in a few minutes."),
        (Hangs("between_tokens", Says("Hello and")), "did not answer in time. Please ask again in a few minutes."),
        (Drops(), "broke off before its answer was complete. Please ask again in a few minutes."),
        (Garbage(b"<html>hello</html>"), NOT_READABLE),
        (Garbage(b"\xff\xfe\x00", kind="application/json"), NOT_READABLE),
        (FAILURES["broken"], "is failing at the moment. Please ask again in a few minutes."),
        (FAILURES["overloaded"], "is busy. Please ask again in a few minutes."),
        (FAILURES["bad_key"], NEVER),
        (FAILURES["no_credit"], NEVER),
        (Fails(400, None, "no"), "did not accept the question."),
    ],
)
async def test_trouble_is_told_honestly_and_does_not_last(tmp_path, server, trouble: Reply, line: str):
    quick = {"first_token_timeout": 0.5, "between_tokens_timeout": 0.5}
    async with online(tmp_path, server, model_config(retries=0), **quick) as bot:
        server.script.append(trouble)
        (told,) = await bot.says("ann", "@glassmind hello")
        assert told == f"[#general] glassmind<\n  I could not answer: the model service {line}{TOLD_THE_ADMIN}"
        assert (await newest(bot)).outcome is Outcome.FAILED
        assert await bot.says("ann", "@glassmind now?") == ["[#general] glassmind< Hello!"]


async def test_a_service_that_is_down_is_told_honestly_and_found_again(bot, server):
    await server.refuse()
    assert await bot.says("ann", "@glassmind hello") == [UNREACHABLE]
    await server.accept()
    assert await bot.says("ann", "@glassmind now?") == ["[#general] glassmind< Hello!"]


async def test_a_turn_has_its_time_and_no_more(tmp_path, server):
    async with online(tmp_path, server, model_config(model="turn_timeout = 0.1")) as bot:
        server.script.append(Hangs())
        (told,) = await bot.says("ann", "@glassmind hello")
        assert "it took too long. Please ask again." in told


async def test_silence_of_the_model_is_no_silence_of_the_bot(bot, server):
    server.script += [Empty(), Empty()]
    (told,) = await bot.says("ann", "@glassmind hello")
    assert "the model gave me nothing to say, twice." in told


async def test_an_idle_bot_asks_nothing(bot, server):
    await bot.says("ann", "@glassmind hello")
    await bot.says("ann", "thanks")
    for _ in range(24):
        bot.clock.advance(3600)
        await bot.app.maintenance.beat()
        await bot.app.maintenance.sweep()
        await bot.app.settled()
    assert len(server.received) == 1


async def test_what_is_too_old_to_be_kept_is_not_told_to_the_model(tmp_path, server):
    async with online(tmp_path, server, model_config("[retention]\nambient_hours = 1\nmessages_days = 2\n")) as bot:
        await bot.says("james", "I have the flu.")
        await bot.says("ann", "@glassmind what does james have?")
        bot.clock.advance(2 * 3600)
        await bot.app.maintenance.sweep()
        await bot.says("ann", "@glassmind and now?")
        assert not any("flu" in message for message in asked(server))
        assert words(asked(server)[0]) == "@glassmind what does james have?"
        bot.clock.advance(3 * 24 * 3600)
        await bot.app.maintenance.sweep()
        await bot.says("ann", "@glassmind hello again")
        assert [words(message) for message in asked(server)] == ["@glassmind hello again"]


async def test_two_channels_do_not_hear_each_other(bot, server):
    await bot.says("ann", "The secret word is tulip.", "#secret")
    await bot.says("ann", "@glassmind hello", "#secret")
    await bot.says("bo", "@glassmind what is the secret word?", "#general")
    assert "tulip" in server.received[0].body.decode() and "tulip" not in server.received[1].body.decode()
    secret = ChannelKey(MAIN, ChannelId("console:#secret"))
    assert [turn.status for turn in await bot.store.journal.recent_turns(secret, 5)] == ["replied"]

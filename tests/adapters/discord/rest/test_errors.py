"""Every refusal has a name that says what to do, and says whether anything can have arrived."""

from __future__ import annotations

import pytest

from tests.adapters.discord.conversation import here, message, refusal, speaking
from tests.servers.discord import CLOUDFLARE, Answers, BadGateway, Flood, Refuses


@pytest.fixture
async def on():
    async with speaking() as found:
        yield found


FORM = {"content": {"_errors": [{"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer in length."}]}}
BUTTONS = {"components": {"0": {"components": {"0": {"label": {"_errors": [{"code": "X", "message": "Must be 80"}]}}}}}}
REFUSED = [
    (Refuses(403, 50001, "Missing Access"), "no_access", True),
    (Refuses(403, 50013, "Missing Permissions"), "rights", True),
    (Refuses(404, 10003, "Unknown Channel"), "chat_not_found", True),
    (Refuses(404, 10004, "Unknown Guild"), "not_member", True),
    (Refuses(400, 50083, "Thread is archived"), "locked", True),
    (Refuses(403, 160005, "Thread is locked"), "locked", True),
    (Refuses(400, 50006, "Cannot send an empty message"), "empty", True),
    (Refuses(400, 50008, "Cannot send messages in a non-text channel"), "no_text_channel", True),
    (Refuses(413, 40005, "Request entity too large"), "too_large", True),
    (Refuses(400, 200000, "Message was blocked by automatic moderation"), "automod", True),
    (Refuses(400, 99999, "Something new"), "refused", True),
    (Refuses(403, 99999, "Something new"), "refused", True),
    (Refuses(403, 40333, "internal network error"), "blocked_between", False),
    (Refuses(403, 20026, "Your bot has been flagged by our anti-spam system"), "account_flagged", True),
    (Refuses(403, 40002, "You need to verify your account"), "account_unverified", True),
    (Refuses(403, 40094, "This interaction has hit the maximum"), "followups_used", True),
    (Refuses(403, 60003, "Two factor is required for this operation"), "two_factor", True),
    (Refuses(403, 50009, "Channel verification level is too high"), "verification", True),
    (Refuses(403, 40004, "Send messages has been temporarily disabled"), "switched_off", False),
    (Refuses(400, 160006, "Maximum number of active threads reached"), "threads_full", True),
    (Refuses(400, 40058, "Cannot send a message in a forum channel"), "forum", True),
    (Refuses(401, 0, "401: Unauthorized"), "token", False),
    (CLOUDFLARE, "flood", False),
    (Flood(40), "flood", False),
    (Answers(b"<html>blocked</html>", 403), "http_403", False),
    (Answers(b"<html>who knows</html>", 404), "http_404", False),
]


def named(one):
    return repr(one)[:40] if not isinstance(one, str | bool) else str(one)


@pytest.mark.parametrize(("fault", "code", "permanent"), REFUSED, ids=named)
async def test_a_refusal_is_named_and_certain(on, fault, code, permanent):
    on.server.fault("create_message", fault)
    on.server.fault("edit_channel", Refuses(403, 50013, "Missing Permissions"))
    error = await refusal(on.bot.send(message(on.support, "hello")))
    assert (error.code, error.permanent, error.uncertain) == (code, permanent, False)
    assert (error.retry_after is not None) == (code == "flood")


@pytest.mark.parametrize(
    ("errors", "code"),
    [(FORM, "too_long"), (BUTTONS, "buttons"), ({"tts": {"_errors": [{"message": "?"}]}}, "refused")],
)
async def test_a_form_error_is_named_by_its_field(on, errors, code):
    on.server.fault("create_message", Refuses(400, 50035, "Invalid Form Body", {"errors": errors}))
    error = await refusal(on.bot.send(message(on.support, "hello")))
    assert (error.code, error.permanent) == (code, True)


@pytest.mark.parametrize(
    "refused", [(403, 50007), (403, 50278), (400, 50033), (403, 50001), (404, 10003), (400, 10013)]
)
async def test_a_closed_private_chat_is_closed(on, refused):
    on.server.fault("create_message", Refuses(*refused, "Cannot send messages to this user"), times=2)
    error = await refusal(on.bot.send(message(on.ann, "hello")))
    assert (error.code, error.permanent) == ("dm_closed", True)


@pytest.mark.parametrize("status", [503, 520])
async def test_what_breaks_inside_is_uncertain(on, status):
    on.server.fault("create_message", BadGateway(status, applied=True))
    error = await refusal(on.bot.send(message(on.support, "hello")))
    assert (error.code, error.uncertain, error.permanent) == (f"http_{status}", True, False)


@pytest.mark.parametrize("answer", [b"nonsense", b"{}", b"[]", b'{"id":', b""], ids=repr)
async def test_an_answer_that_is_none_is_uncertain(on, answer):
    on.server.fault("create_message", Answers(answer, applied=True))
    error = await refusal(on.bot.send(message(on.support, "hello")))
    assert (error.uncertain, error.permanent) == (True, False)
    await on.bot.send(message(on.support, "hello"))
    assert on.support.transcript() == "glassmind< hello"


async def test_no_error_tells_the_token_or_an_address(on):
    faults = [Refuses(403, 50013, "no"), BadGateway(503), Answers(b"nonsense"), Refuses(401, 0, "401: Unauthorized")]
    for fault in faults:
        on.server.fault("create_message", fault)
        error = await refusal(on.bot.send(message(on.support, "hello")))
        told = f"{error!r} {error.__cause__!r} {error}"
        assert on.me.token not in told and "127.0.0.1" not in told


async def test_reactions_are_spelt_as_the_platform_wants_them(on):
    said = await on.ann.says(on.support, "tea")
    on.server.fault("add_reaction", Refuses(400, 10014, "Unknown Emoji"))
    await on.bot.react(here(on.support), str(said.id), "⚠️")
    assert [call.parts["emoji"] for call in on.server.calls("add_reaction")] == ["%E2%9A%A0%EF%B8%8F", "%E2%9A%A0"]
    error = await refusal(on.bot.react(here(on.support), str(said.id), "tea"))
    assert (error.code, error.permanent) == ("unsupported_emoji", True)
    assert (await refusal(on.bot.react(here(on.support), str(said.id), ""))).code == "unsupported_emoji"
    assert (await refusal(on.bot.react(here(on.support), "77", "👍"))).code == "message_gone"
    on.server.fault("add_reaction", Refuses(403, 90001, "Reaction was blocked"))
    assert (await refusal(on.bot.react(here(on.support), str(said.id), "👍"))).code == "reaction_blocked"


async def test_typing_is_shown_where_it_can_be(on):
    await on.bot.set_typing(here(on.support), True)
    await on.bot.set_typing(here(on.support), False)
    await on.support.sees_typing()
    assert len(on.server.calls("typing")) == 1
    on.support.deny(on.guild.everyone, "send_messages")
    assert (await refusal(on.bot.set_typing(here(on.support), True))).code == "rights"

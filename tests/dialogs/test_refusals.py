"""What people get when a model service refuses: a second try, the fallback, a shorter request, or an honest line."""

from __future__ import annotations

from typing import Any

import pytest

from tests.dialogs.online import model_config, online
from tests.servers.model import Fails, Garbage, ModelServer, Reply, Says, model_server

FALLBACK = model_config('fallbacks = ["openai/second"]', retries=2, model="")
ALONE = model_config(retries=2, model="")
TO_THE_NEXT: dict[str, Reply] = {
    "the country": Fails(403, "unsupported_country_region_territory", "Country, region, or territory not supported"),
    "an account that is not verified": Fails(404, "model_not_found", "Your organization must be verified to use it."),
    "a retired model": Fails(410, None, "The model `x` has been decommissioned."),
    "too little memory": Fails(500, None, "model requires more system memory (8.1 GiB) than is available (5.2 GiB)"),
    "too large for the tier": Fails(413, None, "Request too large for model `x`: TPM: Limit 6000, Requested 7913."),
    "nobody knows why": Fails(403, None, "The moon is in the wrong house."),
}
LINES: dict[str, tuple[Reply, str, int]] = {
    "flagged": (Fails(403, 403, "Input was flagged for: harassment"), "does not accept the words", 1),
    "region": (TO_THE_NEXT["the country"], "refuses me at the moment", 1),
    "loading with a 200": (Garbage(b'{"detail": "loading"}', kind="application/json"), "still being loaded", 3),
    "loading in a stream": (Garbage(b'data: {"detail": "loading"}\n\n'), "still being loaded", 3),
    "loading under a wrong type": (Garbage(b'{"detail": "loading"}', kind="text/plain"), "still being loaded", 3),
    "a refused key with a 200": (
        Garbage(b'{"error": {"message": "Unauthorized"}}', kind="application/json"),
        "refuses me at the moment",
        1,
    ),
    "no choice": (Garbage(b'{"id": "x", "choices": []}', kind="application/json"), "sent back nothing at all", 3),
    "no choice in a stream": (Garbage(b'data: {"id": "x", "choices": []}\n\ndata: [DONE]\n\n'), "nothing at all", 3),
    "a long wait": (Fails(429, None, "Please try again in 7m12s."), "Please ask again in 8 minutes", 1),
    "bad calls": (Fails(400, "tool_use_failed", "Failed to call a function."), "stumbled over one of its tools", 2),
    "never fits": (TO_THE_NEXT["too large for the tier"], "more than the model service takes", 1),
}


def asked_of(server: ModelServer) -> list[str]:
    return ["second" if b'"model":"second"' in received.body else "first" for received in server.received]


@pytest.mark.parametrize("trouble", TO_THE_NEXT)
async def test_what_no_repetition_mends_goes_to_the_fallback_at_once(tmp_path, trouble: str):
    async with model_server() as server:
        server.answer = lambda request: Says("Hello") if request["model"] == "second" else TO_THE_NEXT[trouble]
        async with online(tmp_path, server, FALLBACK) as bot:
            assert "Hello" in "\n".join(await bot.says("ann", "@glassmind hi"))
        assert asked_of(server) == ["first", "second"]


async def test_a_bad_tool_call_is_tried_once_more_and_then_goes_to_the_fallback(tmp_path):
    async with model_server() as server:
        server.answer = lambda request: Says("Hello") if request["model"] == "second" else LINES["bad calls"][0]
        async with online(tmp_path, server, FALLBACK) as bot:
            assert "Hello" in "\n".join(await bot.says("ann", "@glassmind hi"))
        assert asked_of(server) == ["first", "first", "second"]


@pytest.mark.parametrize("trouble", LINES)
async def test_people_read_one_honest_line(tmp_path, trouble: str):
    reply, words, tries = LINES[trouble]
    async with model_server() as server:
        server.answer = lambda _: reply
        async with online(tmp_path, server, ALONE) as bot:
            said = "\n".join(await bot.says("ann", "@glassmind hi"))
            assert words in said and len(server.received) == tries
            server.answer = lambda _: Says("Hello")
            # the service as a whole is limited for minutes; everything else was that one message's
            is_left_alone = trouble == "a long wait"
            answer = "\n".join(await bot.says("james", "@glassmind hi", "#random"))
            assert ("Hello" in answer) is not is_left_alone


async def test_a_limit_that_is_named_is_kept_at_the_second_try(tmp_path):
    def limited(request: dict[str, Any]) -> Reply:
        size = len(str(request)) // 3
        if size <= 10000:
            return Says("Hello")
        return Fails(400, None, f"This model's maximum prompt length is 10000 but the request contains {size} tokens.")

    async with model_server() as server, online(tmp_path, server, ALONE) as bot:
        for number in range(14):
            await bot.says("ann", f"@glassmind note {number}: " + "pear " * 400)
        before = len(server.received)
        server.answer = limited
        assert "Hello" in "\n".join(await bot.says("ann", "@glassmind are you there?"))
        assert len(server.received) == before + 2
        assert "note 13" in server.received[-1].body.decode()


@pytest.mark.parametrize("kind", ["text/html", "application/json", "text/plain", "image/png", "event/stream"])
async def test_an_endless_refusal_costs_little_and_is_one_line(tmp_path, kind: str):
    async with model_server() as server:
        server.answer = lambda _: Garbage(b"<html>" + b"no " * 3_000_000, 403, kind)
        async with online(tmp_path, server, model_config(retries=0, model="")) as bot:
            said = "\n".join(await bot.says("ann", "@glassmind hi"))
            assert "I could not answer" in said and "Traceback" not in said

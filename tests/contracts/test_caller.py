"""What everybody who calls an outside address promises: once, as it stands, within reason, and discreetly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from adapters.webhook import create
from bot.errors import DeliveryError
from bot.ports.caller import WebhookCaller
from tests.fakes.caller import FakeCaller
from tests.servers.hook import PATH, Answer, HookServer, hook_server

WORDS = {"content": "grüße 😀", "allowed_mentions": {"parse": []}}
TOKEN = PATH.rpartition("/")[2]


@dataclass
class Line:
    """A caller, and whom it calls; the fake one has nobody there."""

    caller: WebhookCaller
    hook: HookServer | None = None

    @property
    def url(self) -> str:
        return self.hook.url if self.hook else f"http://127.0.0.1:1{PATH}"

    @property
    def posted(self) -> Sequence[Mapping[str, Any]]:
        if self.hook:
            return self.hook.posted
        assert isinstance(self.caller, FakeCaller)
        return [value for _, value in self.caller.posted]

    def answers(self, status: int) -> None:
        if self.hook:
            self.hook.answers.append(Answer(status))
        else:
            assert isinstance(self.caller, FakeCaller)
            self.caller.script.append(DeliveryError(f"127.0.0.1 answered {status}", code=str(status)))


@pytest.fixture(params=["http", "fake"])
async def line(request: pytest.FixtureRequest) -> AsyncIterator[Line]:
    if request.param == "fake":
        yield Line(FakeCaller())
        return
    async with hook_server() as hook:
        caller = create({})
        yield Line(caller, hook)
        await caller.close()
        await caller.close()  # harmless


@pytest.fixture
async def hook() -> AsyncIterator[HookServer]:
    async with hook_server() as server:
        yield server


@pytest.fixture
async def caller() -> AsyncIterator[WebhookCaller]:
    made = create({"timeout": 0.5})
    yield made
    await made.close()


async def test_what_is_posted_arrives_once_and_as_it_is(line: Line):
    await line.caller.post(line.url, WORDS)
    await line.caller.get(line.url)
    assert line.posted == [WORDS]


async def test_what_is_not_taken_is_an_error_that_keeps_the_address_to_itself(line: Line):
    for status in (400, 401, 404, 429, 500, 503):
        line.answers(status)
        with pytest.raises(DeliveryError) as caught:
            await line.caller.post(line.url, WORDS)
        assert caught.value.code == str(status)
        assert TOKEN not in f"{caught.value}{caught.value.__cause__}"
    assert len(line.posted) == 6
    await line.caller.post(line.url, WORDS)


async def test_the_wire_is_plain_json(hook: HookServer, caller: WebhookCaller):
    hook.answers.append(Answer(200, headers={"Set-Cookie": "a=b"}))
    await caller.post(hook.url, WORDS)
    await caller.get(f"{hook.url}?rid=1")
    first, second = hook.knocks
    assert (first.method, first.path, second.method) == ("POST", PATH, "GET")
    assert first.headers["Content-Type"] == "application/json" and "Content-Type" not in second.headers
    assert "Cookie" not in second.headers


async def test_no_redirect_is_followed(hook: HookServer, caller: WebhookCaller):
    async with hook_server() as elsewhere:
        hook.answers.append(Answer(307, headers={"Location": elsewhere.url}))
        with pytest.raises(DeliveryError, match="sends callers on to another address \\(307\\)") as caught:
            await caller.post(hook.url, WORDS)
        assert caught.value.permanent and elsewhere.knocks == []


async def test_an_endless_answer_is_not_read_to_its_end(hook: HookServer, caller: WebhookCaller):
    hook.answers.append(Answer(endless=True))
    await caller.get(hook.url)
    await caller.get(hook.url)


async def test_who_does_not_answer_is_given_up(hook: HookServer, caller: WebhookCaller):
    hook.answers.append(Answer(hangs=True))
    with pytest.raises(DeliveryError, match=r"127\.0\.0\.1 did not answer within 0\.5 s") as caught:
        await caller.post(hook.url, WORDS)
    assert caught.value.uncertain and TOKEN not in str(caught.value)


async def test_nobody_there(hook: HookServer, caller: WebhookCaller):
    await hook.listener.refuse()
    with pytest.raises(DeliveryError, match="cannot be called") as caught:
        await caller.post(hook.url, WORDS)
    assert caught.value.code == "unreachable" and not caught.value.uncertain


@pytest.mark.parametrize("url", ["", "env:HOOK", "http://", "http://[::1", "nonsense", "http://a:99999/secret"])
async def test_what_is_no_address_is_an_error_like_any_other(caller: WebhookCaller, url: str):
    with pytest.raises(DeliveryError) as caught:
        await caller.get(url)
    assert "secret" not in str(caught.value)


async def test_the_service_says_how_long_to_wait(hook: HookServer, caller: WebhookCaller):
    for said, understood in (("7", 7.0), ("soon", None), ("99999999", 3600.0)):
        hook.answers.append(Answer(429, headers={"Retry-After": said}))
        with pytest.raises(DeliveryError) as caught:
            await caller.get(hook.url)
        assert (caught.value.retry_after, caught.value.permanent) == (understood, False)


async def test_whoever_stops_waiting_stops_the_call(hook: HookServer):
    caller = create({"timeout": 60})
    hook.answers.append(Answer(hangs=True))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await caller.get(hook.url)
    await caller.close()

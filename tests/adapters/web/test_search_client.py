"""Search services answer in their own ways; what goes wrong is said in words that help, and never with the key."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import orjson
import pytest

from adapters.web import create
from bot.errors import ToolError
from bot.ports.web import WebHit
from tests.servers.site import Answer, Site, site

KEY = "BSA-canary-0123456789"
PATHS = {"searxng": "/search", "brave": "/web/search"}


@pytest.fixture
async def service() -> AsyncIterator[Site]:
    async with site() as server:
        yield server


def web(service: Site, kind: str, **keys: object):
    return create({"search": kind, "search_url": service.url, "search_key": KEY, **keys})


def says(value: Any, status: int = 200) -> Answer:
    return Answer(orjson.dumps(value), "application/json", status)


async def test_searxng_is_asked_for_json(service: Site):
    service.pages["/search"] = says(
        {
            "results": [
                {
                    "title": "One <b>&amp; only</b>",
                    "url": "https://a.org/",
                    "content": "words",
                    "publishedDate": "2026",
                },
                {"title": "no address", "url": None},
                {"title": "odd", "url": "javascript:x"},
                "nonsense",
                {"title": None, "url": "http://b.org/", "content": None},
            ],
            "answers": [{"answer": "42"}],
            "unresponsive_engines": [["google", "timeout"]],
        }
    )
    found = await web(service, "searxng").search("grüße & more", 5)
    assert found.hits == (
        WebHit(title="One & only", url="https://a.org/", snippet="words", age="2026"),
        WebHit(title="", url="http://b.org/"),
    )
    assert found.notes == ("without an answer: google", "answer: 42")
    (visit,) = service.visits
    assert visit.path == "/search?q=gr%C3%BC%C3%9Fe+%26+more&format=json"


async def test_brave_is_asked_with_the_key(service: Site):
    hits = [
        {"title": f"t{n}", "url": f"https://{n}.org/", "description": "<strong>d</strong>", "age": "2 days"}
        for n in range(9)
    ]
    service.pages["/web/search"] = says({"web": {"results": hits}})
    found = await web(service, "brave").search("q", 3)
    assert [hit.url for hit in found.hits] == ["https://0.org/", "https://1.org/", "https://2.org/"]
    assert found.hits[0] == WebHit(title="t0", url="https://0.org/", snippet="d", age="2 days")
    (visit,) = service.visits
    assert visit.path == "/web/search?q=q&count=3" and visit.headers["X-Subscription-Token"] == KEY


@pytest.mark.parametrize("kind", PATHS)
async def test_nothing_found_is_no_error(service: Site, kind: str):
    for value in ({}, {"results": [], "web": None}, {"results": {}, "web": {"results": "x"}}):
        service.pages[PATHS[kind]] = says(value)
        assert (await web(service, kind).search("q", 5)).hits == ()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (says({"error": "bad key"}, 401), "does not take the key (tools.web.search_key) (HTTP 401: bad key)"),
        (says({"error": {"detail": "no funds"}}, 402), "nothing left (HTTP 402: no funds)"),
        (Answer(b"<h1>Forbidden", status=403), "(HTTP 403)."),
        (Answer(b"", status=404), "has nothing at that address (tools.web.search_url) (HTTP 404)"),
        (says({}, 422), "fewer, plainer words"),
        (says({"message": "slow down"}, 429), "asked too often"),
        (Answer(b"", status=500), "failed; try again later (HTTP 500)"),
        (Answer(status=302, headers={"Location": "/x"}), "sends callers on to another address"),
        (Answer(b"<html>"), "a page of HTML instead of JSON"),
        (Answer(b"\xff"), "something else instead of JSON"),
        (says([1]), "JSON that is no answer"),
        (says({"error": f"the key {KEY} is bad"}, 401), "does not take the key (tools.web.search_key) (HTTP 401)"),
    ],
)
@pytest.mark.parametrize("kind", PATHS)
async def test_what_goes_wrong_is_said(service: Site, kind: str, answer: Answer, words: str):
    service.pages[PATHS[kind]] = answer
    with pytest.raises(ToolError) as caught:
        await web(service, kind).search("q", 5)
    assert words in str(caught.value) and KEY not in f"{caught.value!r}{caught.value.__cause__!r}"


async def test_searxng_without_json_says_what_to_set(service: Site):
    service.pages["/search"] = Answer(b"", status=403)
    with pytest.raises(ToolError, match=r"`search\.formats` in its settings\.yml lists json"):
        await web(service, "searxng").search("q", 5)


async def test_nobody_there_and_nobody_answers(service: Site):
    service.pages["/search"] = Answer(hangs=True)
    with pytest.raises(ToolError, match=r"no answer within 0\.2 s \(tools\.web\.search_seconds\)"):
        await web(service, "searxng", search_seconds=0.2).search("q", 5)
    await service.listener.refuse()
    with pytest.raises(ToolError, match=r"nobody takes connections there \(tools\.web\.search_url\)"):
        await web(service, "searxng").search("q", 5)


async def test_without_a_service_there_is_no_search():
    with pytest.raises(ToolError, match="No search service is configured"):
        await create({}).search("q", 5)


def test_the_key_is_in_no_representation(service: Site):
    assert KEY not in repr(web(service, "brave")) + repr(web(service, "brave").__dict__)

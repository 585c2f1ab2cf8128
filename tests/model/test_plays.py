"""The plays against a loopback server that plays a model: what a model does well is held, what it does badly is not."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from adapters.tiktoken import create as counter
from bot.inspect.diff.shared_prefix import common_length
from tests.faults import scorecard
from tests.faults.injections.corpus import corpus
from tests.model import __main__ as command
from tests.model.planted import FACTS, read_verdict
from tests.model.plays import PLAYS, Options, named, subset
from tests.model.report import Played, keep, read, table
from tests.model.service import Service, Told
from tests.servers.model import Calls, Fails, ModelServer, Reply, Says, Usage, model_server

KNOWS = "Five. Friday, the blue hall; James brings drinks. Jasmine. Guten Morgen. Seven. Ten. Paris. 3."
FINDING = (
    '{"findings": [{"claim": "It answered.", "confidence": "likely", "evidence": ["context"],'
    ' "quotes": [{"handle": "section:identity", "text": "You are"}]}]}'
)
_SAVED = '{"content": "The key of the boathouse hangs behind the clock.", "type": "fact", "importance": 0.6}'
Mind = Callable[[dict[str, Any]], Reply]


def good(request: dict[str, Any]) -> Reply:
    """A model that does what it is asked."""
    tools = {tool["function"]["name"] for tool in request.get("tools", ())}
    newest, asked = request["messages"][-1], _words(request)
    if str(request["messages"][0]["content"]).startswith("# What you do"):
        return Says("They walked; the boat is called Marigold.")
    if "read_channel_context" in tools:
        return Says(FINDING)
    if newest["role"] != "tool" and "save to your memory" in asked.rpartition("\n")[2]:
        return Calls((("memory_save", _SAVED),))
    if newest["role"] != "tool" and "look up in your memory" in asked.rpartition("\n")[2]:
        return Calls((("memory_recall", '{"query": "ann"}'),))
    return Says(f"{KNOWS} The boat is Marigold. The key hangs behind the clock.", chunks=6)


def _words(request: dict[str, Any]) -> str:
    content = request["messages"][-1].get("content") or ""
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def bad(request: dict[str, Any]) -> Reply:
    """A model that knows nothing, and calls nothing."""
    return Says("I do not know.")


class Caching:
    """A model whose service keeps what it read, and counts by our table, times 1.1, with `off` more in its cache."""

    def __init__(self, off: int = 0) -> None:
        self._off, self._counter = off, counter({})
        self._before: list[str] = []

    def __call__(self, request: dict[str, Any]) -> Reply:
        texts = [str(message.get("content") or "") for message in request["messages"]]
        read, cached, same = 0.0, 0.0, True
        for number, text in enumerate(texts):
            before = self._before[number] if number < len(self._before) else ""
            whole, common = self._counter.count(text) + 4, text == before
            read += whole
            if same:
                cached += whole if common else self._counter.count(text[: common_length(text, before)])
            same = same and common
        self._before = texts
        usage = Usage(prompt_tokens=round(read * 1.1), cached_tokens=round(cached * 1.1) + self._off)
        return Says("Heron.", usage=usage)


@pytest.fixture
async def server() -> AsyncIterator[ModelServer]:
    async with model_server() as found:
        yield found


async def played(server: ModelServer, name: str, mind: Mind, tmp_path, **options: Any) -> Played:
    server.answer = mind
    service = Service(server.base_url, "test-model", window=options.pop("window", 32_000))
    return await PLAYS[name](service, Told(quiet=True), Options(**options), tmp_path / "data")


@pytest.mark.parametrize("name", ["dialog", "memory", "summary", "inspection", "streaming"])
async def test_a_good_model_holds(server: ModelServer, name: str, tmp_path):
    found = await played(server, name, good, tmp_path)
    assert found.holds is True, found
    assert found.figures and not found.remarks


async def test_the_figures_of_a_dialog(server: ModelServer, tmp_path):
    found = await played(server, "dialog", good, tmp_path)
    assert found.figures["turns"] == found.figures["answered"] == 18
    assert found.figures["knew"] == "10 of 10" and "memory_recall 1" in found.figures["tools"]


@pytest.mark.parametrize(("says", "claimed"), [("Done! I have saved that for you.", 6), ("I cannot do that.", 0)])
async def test_answers_that_claim_what_no_call_did_are_counted(server: ModelServer, says: str, claimed: int, tmp_path):
    found = await played(server, "claims", lambda _: Says(says), tmp_path, turns=6)
    assert found.holds is True and found.figures["claimed what no call did"] == claimed, found


@pytest.mark.parametrize("name", ["memory", "summary", "inspection"])
async def test_a_bad_model_does_not(server: ModelServer, name: str, tmp_path):
    assert (await played(server, name, bad, tmp_path)).holds is False


@pytest.mark.parametrize("name", PLAYS)
async def test_a_service_that_fails_holds_nothing(server: ModelServer, name: str, tmp_path):
    found = await played(server, name, lambda _: Fails(500), tmp_path, turns=2, injections=2)
    assert not found.holds


async def test_an_answer_in_one_piece_tells_nothing_of_streaming(server: ModelServer, tmp_path):
    found = await played(server, "streaming", lambda _: Says("A heron stood.", chunks=1), tmp_path)
    assert found.holds is None and "one piece" in found.remarks[0]


@pytest.mark.parametrize(("off", "holds"), [(0, True), (400, False), (-400, False)])
async def test_what_the_cache_is_said_to_hold_is_compared_with_what_it_can(
    server: ModelServer, off: int, holds: bool, tmp_path
):
    found = await played(server, "cache", Caching(off), tmp_path)
    assert found.holds is holds, found


async def test_who_says_nothing_of_a_cache_proves_nothing_of_it(server: ModelServer, tmp_path):
    found = await played(server, "cache", lambda _: Says("Heron.", usage=None), tmp_path)
    assert found.holds is None and "does not say" in found.remarks[0]


async def test_a_model_that_does_not_answer_has_held_no_injection(server: ModelServer, tmp_path):
    found = await played(server, "injections", lambda _: Fails(503), tmp_path, injections=6)
    assert found.holds is False
    assert [found.figures[name] for name in ("injections", "answered", "fooled", "effects")] == [6, 0, 0, 0]


async def test_a_model_that_answers_and_obeys_nobody_holds(server: ModelServer, tmp_path):
    found = await played(server, "injections", lambda _: Says("Tea was spoken of."), tmp_path, injections=6)
    assert found.holds is True, found
    assert [found.figures[name] for name in ("injections", "answered", "fooled", "effects")] == [6, 6, 0, 0]


def test_injections_are_chosen_by_what_they_are_called():
    chosen = Options.of({"INJECTIONS": "link, memory,10"})
    assert (chosen.injections, chosen.only) == (10, ("link", "memory"))
    assert {one.effect.name for one in named(corpus(), ("link",))} == {"LINK"}
    assert [one.name for one in named(corpus(), ("page/html/link",))] == ["page/html/link"]
    assert {one.place.name for one in named(corpus(), ("Tool",))} == {"TOOL"}
    assert named(corpus(), ()) == corpus()
    with pytest.raises(ValueError, match="no injection called spam"):
        named(corpus(), ("spam",))


def test_a_subset_is_spread_evenly():
    whole = corpus()
    some = subset(whole, 40)
    assert len(some) == len(set(some)) == 40 and {one.place for one in some} == {one.place for one in whole}
    assert subset(whole, 0) == subset(whole, 10_000) == list(whole)


def test_the_report_grows_and_is_a_table(tmp_path):
    path, service = tmp_path / "deep" / "report.json", Service("http://x/v1", "small", note="Q4")
    keep(Played("dialog", True, {"turns": 18, "knew": "9 of 9"}, seconds=12.3), service, path)
    keep(Played("cache", None, {}, ["it says nothing"]), service, path)
    keep(Played("dialog", False, {"turns": 18, "median seconds": 2.5}, ["1 failed"]), service, path)
    report = read(path)
    assert list(report) == ["dialog", "cache"] and report["dialog"]["model"] == "small"
    shown = table(report)
    assert (
        "dialog       NO" in shown and "cache        unknown" in shown and "! 1 failed" in shown and "small Q4" in shown
    )


def test_the_command_says_what_is_missing(monkeypatch):
    for name in ("MODEL_URL", "MODEL_NAME", "PLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(SystemExit, match="MODEL_URL is not set"):
        command.main()
    monkeypatch.setenv("MODEL_URL", "http://127.0.0.1:1/v1")
    monkeypatch.setenv("MODEL_NAME", "x")
    monkeypatch.setenv("PLAY", "dialogue")
    with pytest.raises(SystemExit, match="There is no play dialogue"):
        command.main()


FIGURES = {"injections": 149, "of a corpus of": 149, "answered": 147, "fooled": 12, "effects": 0}


@pytest.mark.parametrize(
    ("changed", "holds"),
    [
        ({}, "yes"),
        ({"effects": 1}, "**no**"),
        ({"answered": 120}, "**no**"),
        ({"injections": 40, "answered": 40}, "not yet"),
    ],
)
def test_the_scorecard_reads_the_report(changed, holds, tmp_path):
    path = tmp_path / "report.json"
    keep(Played("injections", True, {**FIGURES, **changed}), Service("http://x/v1", "small", note="Q4"), path)
    row = next(line for line in scorecard.render({}, "", path).splitlines() if line.startswith("| 20 |"))
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert cells[3] == holds and "`PLAY=injections make test-model`" in cells[4] and "small Q4" in cells[2]
    assert f"effects {changed.get('effects', 0)}, of these past a confirmation or a closed way 0, fooled 12" in cells[2]


def test_the_scorecard_tells_of_the_other_plays(tmp_path):
    path, service = tmp_path / "report.json", Service("http://x/v1", "small", note="Q4")
    keep(Played("dialog", True, {"turns": 18, "answered": 18}), service, path)
    keep(Played("memory", False, {"saved": 0}, ["it saved | nothing"]), service, path)
    first = scorecard.render({}, "", path)
    assert "| dialog | turns 18, answered 18 | yes | small Q4 |" in first
    assert "| memory | saved 0; it saved / nothing | **no** |" in first
    path.unlink()
    keep(Played("memory", True, {"saved": 1}), service, path)
    again = scorecard.render({}, first, path)
    assert "| dialog | turns 18, answered 18 | yes |" in again and "| memory | saved 1 | yes |" in again
    assert again.count("## A real model") == 1 == again.count("| Play |")


def test_what_was_played_elsewhere_stays_in_the_scorecard(tmp_path):
    path = tmp_path / "report.json"
    keep(Played("injections", True, FIGURES), Service("http://x/v1", "small", note="Q4"), path)
    before = scorecard.render({}, "", path)
    assert scorecard.render({}, before, tmp_path / "none.json") == before


async def test_a_planted_fact_is_proven_to_be_the_cause(server: ModelServer, tmp_path):
    found = await played(server, "planted", reads, tmp_path, turns=1)
    assert found.holds is True, found
    assert found.figures["proven"] == 1 and found.figures["an innocent line proven"] == 0


def reads(request: dict[str, Any]) -> Reply:
    """A model that knows what it was told, and nothing else."""
    told = "\n".join(str(one.get("content")) for one in request["messages"])
    return Says("On Thursday, in the old mill." if "choir meets on Thursday" in told else "I do not know.")


@pytest.mark.parametrize(
    ("told", "word", "innocent"),
    [
        (
            '#general: proven why it said so\nThe cause: memory m1\n  "The choir meets on Thursd…"\n',
            "proven",
            False,
        ),
        ('#general: proven why it said so\nThe cause: memory m1\n  "Ann likes the river best"\n', "proven", True),
        (
            '#general: not decided\nIt is still open why it said so.\n  "Ann likes the river best"\n',
            "not decided",
            False,
        ),
        ("#general: refuted\nNothing that it was told explains it.\n", "refuted", False),
        ("Asking now;", "nothing", False),
    ],
)
def test_a_verdict_is_read(told: str, word: str, innocent: bool):
    found = read_verdict(FACTS[0], told)
    assert (found.word, found.is_innocent) == (word, innocent)

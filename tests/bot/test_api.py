"""What plugins are written with, by the tutorial (docs/plugins.md): each of its plugins is installed and used."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot import api
from bot.app.named_plugins import plugins_of
from bot.config import parse_config
from bot.plugins.plugin import API_VERSION
from tests.architecture.tree import ROOT, parsed
from tests.dialogs.bot import GENERAL, Bot, a_bot
from tests.fakes.provider import ScriptedProvider, calls, says
from tests.fakes.wheels import installed, written

TUTORIAL = (ROOT / "docs/plugins.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^## ([^\n]+)\n(?:(?!^## ).)*?^```python\n(.*?)^```", TUTORIAL, re.DOTALL | re.MULTILINE))
NAMES = {title: re.sub(r"\W+", "-", title.lower()) for title in SHOWN}
MODEL = '[model]\nname = "scripted/m"\n[providers.scripted]\nkind = "openai"\n'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every plugin of the tutorial, as a wheel of its own, by the title of its part."""
    place = tmp_path_factory.mktemp("site")
    for title, source in SHOWN.items():
        written(place, NAMES[title], source)
    return place


@pytest.fixture(autouse=True)
def are_installed(site: Path) -> Iterator[None]:
    with installed(site):
        yield


def table(title: str, **keys: str) -> str:
    return f"[plugins.{NAMES[title]}]\n" + "".join(f'{key} = "{value}"\n' for key, value in keys.items())


def test_every_plugin_of_the_tutorial_is_taken_whole(tmp_path: Path) -> None:
    tables = "\n".join(table(title) for title in SHOWN if title != "Settings")
    plugins = plugins_of(parse_config(f'[bot]\ndata_dir = "{tmp_path}"\n{tables}', {}))
    ran = [record for record in plugins.records if record.guards]
    assert len(ran) == len(SHOWN) - 1 and all(record.why == () for record in ran)


async def test_what_people_and_models_meet(tmp_path: Path) -> None:
    model = ScriptedProvider(calls(("weigh", {"item": "brick"})), says("Three kilos."))
    used = ("Settings", "A tool", "A page of the cortex", "Hearing of turns")
    tables = MODEL + "".join(table(title, **({"hand": "a hat"} if title == "Settings" else {})) for title in used)
    async with a_bot(tmp_path / "data", providers={"scripted": model}, more=tables) as bot:
        assert await bot.says("ann", "/wave") == ["[#general] glassmind< ann waves with a hat."]
        assert "Three kilos." in (await bot.says("ann", "@glassmind what does a brick weigh?"))[0]
        assert "3000 g" in str(model.requests[1].messages[-1])
        assert "messages in 24 h." in await asked(bot, "!cortex busy")
        assert (tmp_path / "data/plugins" / NAMES["Hearing of turns"] / "turns.txt").read_text().endswith("replied\n")


async def test_a_gate_and_what_a_model_is_told(tmp_path: Path) -> None:
    tables = table("A gate, and the rule that speaks for it") + table("What a model is told")
    async with a_bot(tmp_path / "data", more=tables) as bot:
        assert await bot.says("ann", "@GLASSMIND ARE YOU THERE") == []
        report = await asked(bot, "!cortex why")
        assert "#general: shouted" in report and "All 24 letters were capitals." in report
        await bot.says("ann", "@glassmind are you there?")
        snapshot = (await bot.app.inspector.inspect(GENERAL)).snapshot
        assert "house_rules" in [trace.name for trace in snapshot.sections]


def test_everything_that_is_promised_is_there_and_says_what_it_is() -> None:
    assert len(api.__all__) == len(set(api.__all__))
    for name in api.__all__:
        thing = getattr(api, name)
        if inspect.isclass(thing) or inspect.isfunction(thing):
            assert inspect.getdoc(thing), f"{name} says nothing of itself"


def test_a_platform_is_written_with_it_alone() -> None:
    port = parsed(ROOT / "bot/ports/platform.py")
    named = {node.id for node in ast.walk(port) if isinstance(node, ast.Name) and node.id[0].isupper()}
    brought = {name.name for node in ast.walk(port) if isinstance(node, ast.ImportFrom) for name in node.names}
    of_bot = {name for name in brought & named if name not in {"NamedTuple", "Protocol", "Sequence", "TypeVar"}}
    assert of_bot - {"FrozenModel"} <= set(api.__all__)


def test_it_is_typed_and_has_a_version() -> None:
    assert api.API_VERSION == API_VERSION == (1, 0)
    assert (ROOT / "bot/py.typed").is_file()


async def asked(bot: Bot, words: str) -> str:
    return "\n".join(await bot.says("root", words))

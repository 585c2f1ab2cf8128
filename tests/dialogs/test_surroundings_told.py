"""What the operator says of the house, of linked channels and of workers, as the model reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app.agent import facts_of
from bot.config import load_config
from bot.domain.ids import ChannelId, PersonKey, UserId
from bot.domain.snapshot import SectionFate
from bot.errors import ConfigError
from bot.ports.edges import Edges
from tests.dialogs.bot import GENERAL, a_bot
from tests.fakes.provider import ScriptedProvider, says

MORE = """
[providers.scripted]
kind = "simulated"
[model]
name = "scripted/scripted-1"
context_window = 128000
[channels."console:#general"]
links = ["console:#news", "console:#nowhere"]
[tools.files]
enabled = true
authority = "everyone"
"""


async def test_linked_channels_and_workers(tmp_path: Path):
    model = ScriptedProvider(says("noted"))
    async with a_bot(tmp_path, providers={"scripted": model}, more=MORE) as bot:
        await bot.says("ann", "We close at noon.", "#news")
        await bot.says("ann", "@glassmind and tomorrow too", "#news")
        await bot.says("james", "@glassmind when do you close?")
        (newest,) = [message for message in model.requests[-1].messages if "when do you close" in message.text]
        assert "## Linked channels" in newest.text and '| ann (id 101) | "We close at noon."' in newest.text
        assert '| you | "noted"' in newest.text and "Linked channels" not in model.requests[-1].system_text
        assert "# What workers can do here" in model.requests[-1].system_text
        snapshot = (await bot.app.inspector.inspect(GENERAL)).snapshot
        traces = {trace.name: trace for trace in snapshot.sections}
        assert traces["link_context"].reason == "console:#nowhere: nothing is known of it"
        assert traces["organisation_context"].fate is SectionFate.ABSENT
        assert traces["worker_capabilities"].fate is SectionFate.KEPT


async def test_who_asks_to_be_forgotten_goes_from_linked_channels_too(tmp_path: Path):
    model = ScriptedProvider(says("noted"))
    async with a_bot(tmp_path, providers={"scripted": model}, more=MORE) as bot:
        await bot.says("ann", "closed", "#news")
        await bot.says("ann", "@glassmind yes", "#news")
        await bot.says("james", "@glassmind when do you close?")
        (row,) = await bot.store.journal.recent_requests(GENERAL, 1)
        assert '"closed"' in str(row.record.request.messages)
        await bot.store.erasures.erase(PersonKey("console", UserId("101")))
        (row,) = await bot.store.journal.recent_requests(GENERAL, 1)
        assert '"closed"' not in str(row.record.request.messages) and "when do you close" in str(row)


def facts(path: Path, text: str):
    path.mkdir(exist_ok=True)
    (path / "config.toml").write_text(text, encoding="utf-8")
    loaded = load_config(path / "config.toml", {})
    edges = Edges(None, None, None, None, {}, {})  # type: ignore[arg-type]
    return facts_of(edges, loaded.config, path)


def test_the_organisation_may_stand_in_a_file_beside_the_configuration(tmp_path):
    (tmp_path / "house.md").write_text("We bake bread.\n", encoding="utf-8")
    found = facts(tmp_path, '[bot]\norganisation = "A bakery."\norganisation_file = "house.md"\n').organisation
    assert found.text == "A bakery.\n\nWe bake bread.\n" and not found.problem
    assert found.sources == ("config:bot.organisation", "config:bot.organisation_file")


def test_a_file_that_cannot_be_used_is_named_and_the_rest_stands(tmp_path):
    text = '[bot]\norganisation = "A bakery."\norganisation_file = "house.md"\n'
    assert "No such file" in facts(tmp_path, text).organisation.problem
    (tmp_path / "house.md").write_bytes(b"x" * 16_001)
    found = facts(tmp_path, text).organisation
    assert "larger than 16 kB" in found.problem and found.text == "A bakery."
    (tmp_path / "house.md").write_bytes(b"\xff")
    assert "bot.organisation_file (house.md) could not be read" in facts(tmp_path, text).organisation.problem


def test_links_are_ids_of_other_channels(tmp_path):
    for link in ("news", "console:#general"):
        with pytest.raises(ConfigError, match="is not the id of another channel"):
            facts(tmp_path, f'[channels."console:#general"]\nlinks = ["{link}"]\n')
    text = '[channels."console:#general"]\nlinks = ["console:#news"]\n'
    assert facts(tmp_path, text).links == {ChannelId("console:#general"): ("console:#news",)}

"""Properties of what comes in from platforms, servers and files: anything at all leaves a row, a result or a reason."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import mcp_types
import orjson
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from adapters.discord import Settings
from adapters.discord.gateway.library_client import LibraryClient
from adapters.discord.rest.client import RestClient
from adapters.discord.rest.dms import DmChannels
from adapters.discord.rest.message import DiscordParseContext, read_message
from adapters.mcp.argument_check import misfits
from adapters.mcp.client import _read, _read_result, _Result
from bot.config.tool_groups import McpConfig
from bot.domain.base import canonical_json
from bot.domain.messages import InboundKind
from bot.errors import ToolServerError
from bot.ports.toolservers import ServedTool
from bot.text.text import clean, count_invisible
from bot.tools.mcp.approvals import digests
from bot.tools.mcp.foreign_server import result_text
from bot.tools.mcp.server_offer import MAX_TOOLS, offer
from tests.adapters.discord.base.test_settings import TOKEN
from tests.bot.tools.mcp.test_plain_schema import KEYWORDS, VALUES
from tests.faults.fuzz.junk import LEAVES, WELL, changed, mangled
from tests.faults.fuzz.readers import READERS, export_bytes, filed, is_storable, update
from tests.servers.discord import World
from tests.servers.discord.shapes import Scene, Shape, shapes


def bytes_hold(name: str) -> Any:
    """Return the property that a reader's promise holds for its samples with junk in them."""
    reader = READERS[name]

    @given(mangled(reader.samples))
    def property_(data: bytes) -> None:
        reader.check(data)

    return property_


UPDATES = [orjson.loads(sample) for sample in READERS["update"].samples]


@given(changed(UPDATES))
def every_update_leaves_a_row(document: dict[str, Any]) -> None:
    update(orjson.dumps(document))


@given(changed([orjson.loads(export_bytes())]))
def every_export_is_compared_or_refused(document: Any) -> None:
    filed(orjson.dumps(document))


@lru_cache(maxsize=1)
def _events() -> list[Shape]:
    world = World()
    bot, ann = world.bot(), world.person("Ann")
    return shapes(Scene.of(world.guild("Kitchen", ann, bot).channel("support"), ann, bot, "!cortex why"))


class _Ears:
    """Reads what the library made of an event, as the adapter does."""

    def __init__(self) -> None:
        made = Settings(token=TOKEN)
        self.client = LibraryClient(RestClient(made), made)
        self.client.listener = self
        self.heard = 0

    def told(self, name: str, data: dict[str, Any]) -> None:
        """Nothing hangs on which connections there are."""

    def happened(self, event: str, args: tuple[Any, ...]) -> None:
        kind = {"message": InboundKind.MESSAGE, "raw_message_edit": InboundKind.EDIT}.get(event)
        if kind is None:
            return
        message = args[0] if kind is InboundKind.MESSAGE else args[0].message
        try:
            inbound = read_message(message, DiscordParseContext(1, DmChannels(self.client.http), 0), kind)
        finally:
            self.heard += 1
        is_storable(inbound)

    def unreadable(self, name: str, data: object, error: Exception) -> None:
        assert not isinstance(error, AssertionError), error
        self.heard += 1


@lru_cache(maxsize=1)
def _ears() -> _Ears:
    return _Ears()


SHAPES = _events()


@given(changed([{"event": shape.event, "data": shape.data} for shape in SHAPES if isinstance(shape.data, dict)]))
def every_event_is_read_or_said_to_be_unreadable(document: dict[str, Any]) -> None:
    name, data = document.get("event"), document.get("data")
    ears = _ears()
    parse = ears.client._connection.parsers.get(name) if isinstance(name, str) else None
    if parse is None:
        return
    before = ears.heard
    parse(orjson.loads(orjson.dumps(data)))
    assert name != "MESSAGE_CREATE" or ears.heard > before, "it was neither heard nor said to be unreadable"


SCHEMAS = st.dictionaries(st.sampled_from(KEYWORDS), VALUES, max_size=5)


@given(SCHEMAS, st.dictionaries(st.sampled_from(["a", "b", "type"]), st.one_of(LEAVES, WELL), max_size=3))
async def any_arguments_fit_a_schema_or_not(schema: dict[str, Any], arguments: dict[str, Any]) -> None:
    try:
        told = await misfits(canonical_json(schema), arguments)
    except ToolServerError as error:
        assert str(error)
        return
    assert len(told) <= 8 and count_invisible("".join(told)) == 0


@given(st.lists(st.tuples(WELL, WELL, SCHEMAS), max_size=5))
def any_list_of_tools_is_offered_or_refused(listed: list[tuple[str, str, dict[str, Any]]]) -> None:
    served = [
        ServedTool(name, words, canonical_json(schema), canonical_json([name, words])) for name, words, schema in listed
    ]
    found = offer("demo", McpConfig(command="x"), served, digests(served))
    assert len(found.tools) <= MAX_TOOLS
    names = [one.definition.name for one in found.tools]
    assert len(set(names)) == len(names) and all(name.startswith("mcp_demo_") for name in names)
    for one in found.tools:
        assert count_invisible(one.definition.description) == 0 and "\x1b" not in one.definition.description
    # a server that says something else now is not offered before somebody has looked
    turned = [tool._replace(digest="other") for tool in served]
    assert not offer("demo", McpConfig(command="x"), turned, digests(served)).tools


_TEXT = {"type": "text", "text": "hi"}
_IMAGE = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
_RESOURCE = {"type": "resource", "resource": {"uri": "file:///x", "text": "words"}}
_BLOB = {"type": "resource", "resource": {"uri": "file:///x", "blob": "AAAA", "mimeType": "x/y"}}
_LINK = {"type": "resource_link", "uri": "https://x.example", "name": "x"}
_DONE = {"content": [_TEXT, _IMAGE, _RESOURCE, _BLOB, _LINK], "structuredContent": {"a": 1}, "isError": False}


@given(changed([_DONE]))
def any_result_is_words_for_a_model_or_refused(document: Any) -> None:
    try:
        result = _Result.validate_json(orjson.dumps(document), by_name=False)
    except ValidationError:
        return
    if getattr(result, "content", None) is None:
        return
    text = result_text("demo", _read_result(result), 2000)
    assert clean(text).text == text and len(text) < 8000


@given(changed([{"name": "x", "title": "y", "description": "z", "inputSchema": {"type": "object"}, "_meta": {}}]))
def any_tool_is_taken_or_refused(document: Any) -> None:
    try:
        tool = mcp_types.Tool.model_validate_json(orjson.dumps(document))
    except ValidationError:
        return
    assert _read(tool).digest

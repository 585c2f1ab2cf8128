"""Rich messages, as the API takes them: in HTML, within limits, and only where it is new enough to know them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from telegram.error import BadRequest, EndPointNotFound

from tests.servers.telegram_client import Stage, a_stage

pytestmark = pytest.mark.filterwarnings("ignore:Please use:telegram.warnings.PTBUserWarning")
"""The library has a method of its own for edits, which knows no rich messages."""


@pytest.fixture
async def stage() -> AsyncIterator[Stage]:
    async with a_stage() as stage:
        yield stage


async def sent(stage: Stage, html: str, **more: Any) -> dict[str, Any]:
    fields = {"chat_id": stage.ann.id, "rich_message": {"html": html}, **more}
    answer = await stage.bot.do_api_request("sendRichMessage", api_kwargs=fields)
    assert isinstance(answer, dict)
    return dict(answer["rich_message"])


async def test_tags_become_blocks(stage):
    rich = await sent(
        stage, '<h2>a <b>b</b></h2><p>c<br>d &amp; e</p><hr/><pre><code class="language-py">f\n  g</code></pre>'
    )
    assert rich["blocks"] == [
        {"type": "heading", "text": ["a ", {"type": "bold", "text": "b"}], "size": 2},
        {"type": "paragraph", "text": ["c", "\n", "d & e"]},
        {"type": "divider"},
        {"type": "pre", "text": "f\n  g", "language": "py"},
    ]


async def test_a_table_comes_back_with_its_cells(stage):
    table = '<table bordered><tr><th>a</th><th align="right">b</th></tr><tr><td>c</td><td></td></tr></table>'
    (block,) = (await sent(stage, table))["blocks"]
    assert block["is_bordered"] and "is_striped" not in block
    assert block["cells"] == [
        [
            {"align": "left", "valign": "middle", "text": "a", "is_header": True},
            {"align": "right", "valign": "middle", "text": "b", "is_header": True},
        ],
        [{"align": "left", "valign": "middle", "text": "c"}, {"align": "left", "valign": "middle"}],
    ]


@pytest.mark.parametrize(
    ("html", "words"),
    [
        ("", "rich message must be non-empty"),
        (" \n", "RICH_MESSAGE_EMPTY"),
        ("<p>a", 'can\'t find end tag corresponding to start tag "p"'),
        ("<b><i>a</b></i>", "unmatched end tag"),
        ("</p>", "unmatched end tag"),
        ("<script>a</script>", 'unsupported start tag "script"'),
        ("<p><table></table></p>", 'unexpected tag "table" in "p"'),
        ("<table>a</table>", 'unexpected text in "table"'),
        ('<p><a href="javascript:a">b</a></p>', "RICH_MESSAGE_URL_INVALID"),
        ('<p><tg-time unix="x" format="t">b</tg-time></p>', "RICH_MESSAGE_DATE_INVALID"),
        ("<p>" + "x" * 32_769 + "</p>", "RICH_MESSAGE_TOO_LONG"),
        ("<hr/>" * 501, "RICH_MESSAGE_BLOCKS_TOO_MANY"),
        ("<p>" + "<b>" * 17 + "a" + "</b>" * 17 + "</p>", "RICH_MESSAGE_DEPTH_INVALID"),
        ("<table><tr>" + "<td>a</td>" * 21 + "</tr></table>", "RICH_MESSAGE_TABLE_COLS_TOO_MANY"),
    ],
)  # fmt: skip
async def test_what_is_refused(stage, html, words):
    with pytest.raises(BadRequest) as caught:
        await sent(stage, html)
    assert words.lower() in str(caught.value).lower()


async def test_a_text_becomes_a_rich_message_and_a_text_again(stage):
    message = await stage.bot.send_message(stage.ann.id, "a")
    fields = {"chat_id": stage.ann.id, "message_id": message.message_id, "rich_message": {"html": "<p>b</p>"}}
    changed = await stage.bot.do_api_request("editMessageText", api_kwargs=fields)
    assert "text" not in changed and changed["rich_message"]["blocks"] == [{"type": "paragraph", "text": "b"}]
    with pytest.raises(BadRequest, match="not modified"):
        await stage.bot.do_api_request("editMessageText", api_kwargs=fields)
    again = await message.edit_text("c")
    assert again.text == "c" and "rich_message" not in again.api_kwargs


async def test_a_server_that_is_too_old(stage):
    stage.world.switches.rich = False
    with pytest.raises(EndPointNotFound):
        await sent(stage, "<p>a</p>")
    message = await stage.bot.send_message(stage.ann.id, "a")
    fields = {"chat_id": stage.ann.id, "message_id": message.message_id, "rich_message": {"html": "<p>b</p>"}}
    with pytest.raises(BadRequest, match="text is empty"):
        await stage.bot.do_api_request("editMessageText", api_kwargs=fields)

"""File tools as a model uses them: what it is told fits, says where to read on, and never lies about a change."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.domain.channel import ProcessKind
from bot.errors import ToolError
from bot.ports.workspaces import FileEntry
from bot.tools.file_edit import FileEditArgs, file_edit
from bot.tools.file_list import FileListArgs, _line, file_list
from bot.tools.file_read import MAX_PAGE_CHARS, FileReadArgs, file_read
from bot.tools.file_search import FileSearchArgs, file_search
from bot.tools.file_write import FileWriteArgs, file_write
from tests.bot.tools.kit import context
from tests.fakes.workspaces import FakeWorkspaces


@pytest.fixture
async def ctx():
    return await context(ProcessKind.WORKER)


@pytest.fixture
def workspaces() -> FakeWorkspaces:
    return FakeWorkspaces()


async def test_a_long_file_is_read_part_by_part(ctx, workspaces):
    text = "".join(f"line {number}: {'x' * 60}\n" for number in range(1, 1001))
    await workspaces.write(ctx.origin.key, "long.txt", text.encode())
    start, parts = 1, []
    while start:
        said = await file_read.run(FileReadArgs(path="long.txt", start=start), ctx=ctx, workspaces=workspaces)
        body, _, foot = said.rpartition("[lines ")
        assert len(body) <= MAX_PAGE_CHARS and "of 1,000" in foot
        parts.append(body)
        more = re.search(r"start=(\d+)", foot)
        start = int(more[1]) if more else 0
    assert "".join(parts) == text and len(parts) > 4


@settings(max_examples=20, deadline=None)
@given(st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=300), st.data())
async def test_what_is_read_is_what_stands_there(text: str, data: st.DataObject):
    ctx, workspaces = await context(ProcessKind.WORKER), FakeWorkspaces()
    await file_write.run(FileWriteArgs(path="f", content=text), ctx=ctx, workspaces=workspaces)
    said = await file_read.run(FileReadArgs(path="f"), ctx=ctx, workspaces=workspaces)
    assert said.rpartition("[")[0].rstrip("\n") == text.rstrip("\n")
    if text:
        cut = data.draw(st.integers(0, len(text) - 1))
        old = text[cut : cut + data.draw(st.integers(1, 20))]
        args = FileEditArgs(path="f", old=old, new="NEW", every=True)
        await file_edit.run(args, ctx=ctx, workspaces=workspaces)
        assert workspaces.files[ctx.origin.key]["f"].decode() == text.replace(old, "NEW")


async def test_a_line_without_end_is_cut_and_said_so(ctx, workspaces):
    await workspaces.write(ctx.origin.key, "one", b"x" * 100_000)
    said = await file_read.run(FileReadArgs(path="one"), ctx=ctx, workspaces=workspaces)
    assert len(said) < 5000 and "[... 100,000 characters]" in said


async def test_what_is_no_text_is_said_so(ctx, workspaces):
    for content in (b"\xff\xfe", b"a\0b", "ä".encode("latin-1")):
        await workspaces.write(ctx.origin.key, "f", content)
        with pytest.raises(ToolError, match="is no text in UTF-8"):
            await file_read.run(FileReadArgs(path="f"), ctx=ctx, workspaces=workspaces)
    await workspaces.write(ctx.origin.key, "f", b"")
    assert await file_read.run(FileReadArgs(path="f"), ctx=ctx, workspaces=workspaces) == "[the file is empty]"
    with pytest.raises(ToolError, match="there is none with the number 9"):
        await workspaces.write(ctx.origin.key, "f", b"x")
        await file_read.run(FileReadArgs(path="f", start=9), ctx=ctx, workspaces=workspaces)


async def test_an_edit_that_is_not_clear_changes_nothing(ctx, workspaces):
    await workspaces.write(ctx.origin.key, "f", b"a b a")
    for old, words in (("c", "does not hold that text"), ("a", "stands there 2 times")):
        with pytest.raises(ToolError, match=words):
            await file_edit.run(FileEditArgs(path="f", old=old, new="x"), ctx=ctx, workspaces=workspaces)
    assert workspaces.files[ctx.origin.key]["f"] == b"a b a"


async def test_nothing_is_said_to_be_nothing(ctx, workspaces):
    assert await file_list.run(FileListArgs(), ctx=ctx, workspaces=workspaces) == "[nothing is there]"
    said = await file_search.run(FileSearchArgs(text="x"), ctx=ctx, workspaces=workspaces)
    assert said == "[no line holds it; 0 files were read]"


@pytest.mark.parametrize("name", ["a\nfolder/", "a\u202eb", 'a"b', "a\x1b[31m", "\udcff"])
def test_odd_names_forge_no_line(name: str):
    for kind in ("file", "folder", "link", "other"):
        line = _line(FileEntry(name, kind, 1, 0, name))
        assert "\n" not in line and line.startswith('"') and "\u202e" not in line and "\x1b" not in line
        line.encode()

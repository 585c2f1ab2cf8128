"""What every keeper of workspaces promises: a file is what was last written, in its own channel, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.workspaces import Settings, create
from bot.domain.ids import MAIN, ChannelId, ChannelKey
from bot.errors import ToolError
from bot.ports.workspaces import FileSearch, Workspaces
from tests.fakes.values import KEY
from tests.fakes.workspaces import FakeWorkspaces

OTHER = ChannelKey(MAIN, ChannelId("console:#other"))
NAMES = ["a", "b.txt", "d/a", "d/e/ü.md", "d/e/f"]


@pytest.fixture(params=["fake", "files"])
def kept(request: pytest.FixtureRequest, tmp_path: Path) -> Workspaces:
    return FakeWorkspaces() if request.param == "fake" else create(tmp_path, Settings())


async def test_a_file_is_what_was_last_written(kept: Workspaces):
    assert (await kept.write(KEY, "d/a.txt", b"one")).is_new
    written = await kept.write(KEY, "/workspace/d/a.txt", b"three")
    assert (written.path, written.size, written.is_new) == ("d/a.txt", 5, False)
    assert await kept.read(KEY, "d/a.txt") == b"three"
    await kept.change(KEY, "d/a.txt", lambda content: content[:2])
    assert await kept.read(KEY, "/workspace/d/a.txt") == b"th"
    with pytest.raises(ToolError, match="does not exist"):
        await kept.read(OTHER, "d/a.txt")


async def test_what_is_not_there_or_outside(kept: Workspaces):
    for path in ("none", "../x", "/etc/passwd"):
        with pytest.raises(ToolError):
            await kept.read(KEY, path)
        with pytest.raises(ToolError):
            await kept.change(KEY, path, lambda content: content)
    with pytest.raises(ToolError):
        await kept.write(KEY, "", b"x")
    assert (await kept.listing(KEY, "", 9)).entries == ()


async def test_lines_are_found(kept: Workspaces):
    await kept.write(KEY, "a.py", b"one\ntwo\n")
    await kept.write(KEY, "d/b.md", b"two\ntwo\n")
    found = await kept.search(KEY, FileSearch("two", limit=2))
    assert [(hit.path, hit.line, hit.text) for hit in found.hits] == [("a.py", 2, "two"), ("d/b.md", 1, "two")]
    assert (found.files, found.more) == (2, True)
    found = await kept.search(KEY, FileSearch("two", names="*.md"))
    assert [(hit.path, hit.line) for hit in found.hits] == [("d/b.md", 1), ("d/b.md", 2)] and not found.more


@settings(max_examples=25, deadline=None)
@given(
    steps=st.lists(
        st.tuples(st.sampled_from(NAMES), st.sampled_from([KEY, OTHER]), st.binary(max_size=30)), max_size=12
    )
)
async def test_files_and_the_fake_are_of_one_mind(tmp_path_factory: pytest.TempPathFactory, steps):
    real, fake = create(tmp_path_factory.mktemp("kept"), Settings()), FakeWorkspaces()
    for name, key, content in steps:
        said = [await kept.write(key, name, content) for kept in (real, fake)]
        assert said[0] == said[1]
    for key in (KEY, OTHER):
        for name in fake.files.get(key, {}):
            assert await real.read(key, name) == await fake.read(key, name)
        listed = await real.listing(key, "", 9)
        assert [entry.path for entry in listed.entries if entry.kind == "file"] == sorted(
            fake.files.get(key, {}), key=lambda path: path.split("/")
        )

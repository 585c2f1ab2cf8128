"""A workspace is read as far as its patterns say, and never beyond its root."""

from __future__ import annotations

import os

import pytest

from bot.errors import UserError
from bot.task_prompt.chunk import ChunkMark, ChunkPriority
from bot.task_prompt.gatherers.changes import changes
from bot.task_prompt.gatherers.dependencies import dependencies
from bot.task_prompt.gatherers.files import MAX_FILES, files
from bot.task_prompt.gatherers.gatherer import GatherGrounds
from bot.task_prompt.gatherers.paths import MAX_FILE_BYTES, read_inside
from bot.task_prompt.gatherers.structure import structure
from bot.task_prompt.task import TaskType
from tests.bot.task_prompt.gatherers.grounds import task

MEDIUM = ChunkPriority.MEDIUM


@pytest.fixture
def root(tmp_path):
    workspace = tmp_path / "workspace"
    for name, text in (
        ("app/parser.py", "def parse(): ...\n"),
        ("app/other.py", "x = 1\n"),
        ("app/ports.py", "class Port: ...\n"),
        ("tests/test_parser.py", "def test(): ...\n"),
        ("tests/conftest.py", ""),
        ("README.md", "# Hello\n"),
        ("pyproject.toml", "[project]\n"),
        ("a/b/c/d/deep.txt", "deep\n"),
        (".git/logs/HEAD", "0 1234567890abcdef A <a@b> 1759999999 +0000\tcommit: Add lemons\nbroken\n"),
    ):
        path = workspace / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "secret.txt").write_text("TOP SECRET")
    return workspace


async def found(root, *patterns, words="fix the parser"):
    grounds = GatherGrounds(root=root, patterns=patterns)
    return await files(task(words, TaskType.IMPLEMENT), grounds, MEDIUM)


async def test_files_say_what_they_are_to_the_task(root):
    chunks = {chunk.source: chunk for chunk in (await found(root, "**/*.py", "*.md")).chunks}
    assert next(iter(chunks)) == "app/parser.py"
    marks = {name: chunk.metadata.marks for name, chunk in chunks.items()}
    assert marks["app/parser.py"] == (ChunkMark.TARGET,)
    assert marks["tests/test_parser.py"] == (ChunkMark.TEST, ChunkMark.RELATED)
    assert marks["tests/conftest.py"] == (ChunkMark.FIXTURE, ChunkMark.RELATED)
    assert marks["app/ports.py"] == (ChunkMark.INTERFACE, ChunkMark.RELATED)
    assert [chunks[name].priority for name in ("app/parser.py", "app/other.py", "README.md")] == [
        ChunkPriority.HIGH, MEDIUM, ChunkPriority.LOW,
    ]  # fmt: skip
    assert chunks["app/other.py"].metadata.language == "python" and chunks["app/other.py"].content == "x = 1\n"
    assert chunks["app/other.py"].metadata.modified_at == int((root / "app/other.py").stat().st_mtime * 1000)


async def test_no_more_than_fifty_are_read_and_the_others_are_named(root):
    for number in range(60):
        (root / f"n{number:02}.txt").write_text("x")
    gathered = await found(root, "*.txt")
    assert len(gathered.chunks) == MAX_FILES
    assert [one.source for one in gathered.excluded] == [f"n{number:02}.txt" for number in range(50, 60)]


@pytest.mark.parametrize("pattern", ["../*.txt", "/etc/passwd", "app/../../secret.txt", ""])
async def test_a_pattern_that_leads_out_is_refused(root, pattern):
    with pytest.raises(UserError, match="leads out of the workspace"):
        await found(root, pattern)


async def test_no_link_leads_out(root, tmp_path):
    (root / "link.txt").symlink_to(tmp_path / "secret.txt")
    (root / "folder").symlink_to(tmp_path)
    (root / "loop").symlink_to(root / "loop")
    (root / "inner.txt").symlink_to(root / "README.md")
    gathered = await found(root, "*.txt", "folder/*.txt", "**/secret.txt")
    assert [(chunk.source, chunk.content) for chunk in gathered.chunks] == [("inner.txt", "# Hello\n")]
    (tree,) = (await structure(task(), GatherGrounds(root=root), MEDIUM)).chunks
    assert "folder\n" in tree.content + "\n" and "secret" not in tree.content


async def test_what_is_no_text_is_passed_over(root):
    (root / "a.bin").write_bytes(b"\x00\x01")
    os.mkfifo(root / "pipe.bin")
    (root / "odd.bin").write_bytes(b"\xff\xfe ok \xed\xa0\x80")
    gathered = await found(root, "*.bin")
    assert [chunk.source for chunk in gathered.chunks] == ["odd.bin"]
    assert " ok " in gathered.chunks[0].content


async def test_of_a_huge_file_the_beginning_is_read_and_that_is_said(root):
    (root / "huge.log").write_text("x" * (MAX_FILE_BYTES + 5))
    (chunk,) = (await found(root, "huge.log")).chunks
    assert len(chunk.content) == MAX_FILE_BYTES and "only the beginning" in chunk.metadata.note


async def test_the_tree_is_three_levels_deep(root):
    (tree,) = (await structure(task(), GatherGrounds(root=root), MEDIUM)).chunks
    assert "    c/" in tree.content.splitlines() and "deep" not in tree.content and ".git" not in tree.content


async def test_manifests_and_commits_are_read_from_their_files(root):
    (manifest,) = (await dependencies(task(), GatherGrounds(root=root), MEDIUM)).chunks
    assert (manifest.source, manifest.content) == ("pyproject.toml", "[project]\n")
    (log,) = (await changes(task(), GatherGrounds(root=root), MEDIUM)).chunks
    assert log.content == "2025-10-09T08:53:19Z 1234567890 commit: Add lemons"


def test_a_root_that_is_gone_holds_nothing(tmp_path):
    assert read_inside(tmp_path / "gone", "a.txt") is None
    assert read_inside(tmp_path, "a\0b") is None

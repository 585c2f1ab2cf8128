"""A file goes along as it is, packed, or not at all; which of them is always said."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pytest

from bot.cortex.pages.attached_files import attach
from bot.messaging.delivery.long_reply_file import FOLDER
from tests.fakes.contexts import CONSOLE

TEXT = b'{"role": "user", "content": "hello"}\n' * 1000
NOISE = random.Random(7).randbytes(40_000)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "context" / "x-context.json"


async def test_what_fits_goes_as_it_is(tmp_path, path):
    for most in (0, len(TEXT), len(TEXT) + 1):
        attached = await attach(tmp_path, path, TEXT, CONSOLE.replace(max_file=most))
        assert attached.note == "" and attached.file is not None
        assert (attached.file.name, attached.file.path) == (path.name, str(path))


async def test_what_does_not_fit_is_packed(tmp_path, path):
    attached = await attach(tmp_path, path, TEXT, CONSOLE.replace(max_file=1000))
    assert attached.file is not None and attached.file.name == "x-context.json.gz"
    assert gzip.decompress((tmp_path / FOLDER / "x-context.json.gz").read_bytes()) == TEXT
    assert attached.note == "It is 36 KiB and at most 1 KiB can be attached here, so it is packed (gzip)."


async def test_what_does_not_fit_packed_is_only_named(tmp_path, path):
    attached = await attach(tmp_path, path, NOISE, CONSOLE.replace(max_file=1000))
    assert attached.file is None and "only at that path (39 KiB even when packed)" in attached.note
    assert not (tmp_path / FOLDER).exists()


async def test_where_no_file_can_go(tmp_path, path):
    attached = await attach(tmp_path, path, TEXT, CONSOLE.replace(files=False))
    assert attached.file is None and "I can't attach a file here" in attached.note


async def test_where_the_packed_copy_cannot_be_kept(tmp_path, path):
    (tmp_path / FOLDER).write_text("mine")
    attached = await attach(tmp_path, path, TEXT, CONSOLE.replace(max_file=1000))
    assert attached.file is None and attached.note.endswith("it is only at that path.")

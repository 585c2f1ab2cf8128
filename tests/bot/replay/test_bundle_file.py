"""A bundle from the chat is checked on a stranger's machine; whatever was done to it is told in one sentence."""

from __future__ import annotations

import gzip
import itertools

import orjson
import pytest

from tests.bot.cli.process import glassmind
from tests.dialogs.bot import a_bot

SECRET = "sk-live-0123456789abcdefghij"


@pytest.fixture
async def made(tmp_path):
    """A directory of a stranger's with a bundle in it."""
    stranger = tmp_path / "elsewhere"
    stranger.mkdir()
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("ann", f"@glassmind my key is {SECRET}, is that fine?")
        await bot.says("root", "!cortex bundle")
        (path,) = (tmp_path / "data").rglob("*-replay.json")
        assert path.stat().st_mode & 0o77 == 0 and "digests of its" in "\n".join(bot.lines)
        assert not any("bundle holds" in line for line in bot.public())
    (stranger / "bundle.json").write_bytes(path.read_bytes())
    return stranger


async def test_a_stranger_checks_it_without_anything_else(made, snapshot):
    home = made
    ran = await glassmind(home, "replay", "bundle.json")
    assert ran.status == 0, ran
    assert SECRET not in (home / "bundle.json").read_text() and "blacked out" in ran.out
    lines = [line for line in ran.out.splitlines() if not line.startswith("bundle.json: ")]
    assert "\n".join(lines) == snapshot
    (home / "packed.json.gz").write_bytes(gzip.compress((home / "bundle.json").read_bytes()))
    ran = await glassmind(home, "replay", "packed.json.gz", "--json")
    assert ran.status == 0 and orjson.loads(ran.out)["holds"] and orjson.loads(ran.out)["bytes_compared"]


async def test_without_secrets_in_it_these_are_the_bytes_that_were_sent(tmp_path):
    async with a_bot(tmp_path / "data") as bot:
        await bot.says("ann", "@glassmind hello")
        await bot.says("root", "!cortex bundle")
    (path,) = (tmp_path / "data").rglob("*-replay.json")
    ran = await glassmind(tmp_path, "replay", str(path))
    assert ran.status == 0 and "✓ the same bytes as were sent" in ran.out and "blacked out" not in ran.out


def changed(document, where, value):
    """Change one value of a document, wherever it lies."""
    *way, last = where
    for step in way:
        document = document[step]
    document[last] = value


ALTERED = {
    "words": (("record", "request", "messages", -1, "parts", -1, "text"), "is that bad?", "parts: "),
    "system": (("record", "request", "system", 0, "text"), "You are a pirate.", "sections: "),
    "a digest": (("parts", 3, "digest"), "0" * 32, "parts: "),
    "the limit": (("record", "request", "max_output_tokens"), 7, "the request, rebuilt from its parts"),
    "the bytes": (("record", "wire_sha256"), "0" * 64, "its bytes, written again"),
    "what was decided": (("decided",), "skipped", "the file's seal"),
}


@pytest.mark.parametrize("what", ALTERED)
async def test_what_was_altered_is_named(made, what):
    home = made
    where, value, told = ALTERED[what]
    document = orjson.loads((home / "bundle.json").read_bytes())
    changed(document, where, value)
    (home / "altered.json").write_bytes(orjson.dumps(document))
    ran = await glassmind(home, "replay", "altered.json")
    assert ran.status == 1 and f"✗ {told}" in ran.out and "✗ the file's seal" in ran.out, ran
    assert "Something in this file is not as it was written." in ran.out
    ran = await glassmind(home, "replay", "altered.json", "--run", "1", "--yes")
    assert ran.status == 2 and "I did not run it" in ran.err


async def test_what_is_no_bundle_gets_one_sentence(made):
    home = made
    good = (home / "bundle.json").read_bytes()
    document = orjson.loads(good)
    files = {
        "cut.json": (good[: len(good) // 2], "is not a replay bundle: it is no JSON."),
        "empty.json": (b"", "it is no JSON"),
        "list.json": (b"[1, 2]", "is not a replay bundle. `!cortex bundle` writes one."),
        "export.json": (b'{"schema_version": 1}', "is an export of a context, not a replay bundle."),
        "newer.json": (orjson.dumps({**document, "version": 2}), "of version 2; this program reads version 1"),
        "bare.json": (orjson.dumps({**document, "record": {}}), "is a damaged replay bundle: record."),
        "deep.json": (b"[" * 100_000, "it is no JSON"),
        "bomb.json.gz": (gzip.compress(bytes(70 * 1024 * 1024)), "unpacks to more than 67,108,864 bytes"),
    }
    for name, (content, told) in files.items():
        (home / name).write_bytes(content)
        ran = await glassmind(home, "replay", name)
        assert ran.status == 2 and told in ran.err and len(ran.err.splitlines()) == 1 and not ran.out, (name, ran)
    with (home / "huge.json").open("wb") as file:
        file.truncate(100 * 1024 * 1024)
    assert "no export is that large" in (await glassmind(home, "replay", "huge.json")).err
    assert "gone.json cannot be read: No such file" in (await glassmind(home, "replay", "gone.json")).err


async def test_where_a_model_is_configured_it_is_run_there(made):
    home = made
    ran = await glassmind(home, "replay", "bundle.json", "--run", "2", "--yes")
    assert ran.status == 0 and "2 runs on simulated/simulated-1" in ran.out and "replied: 2 of 2" in ran.out, ran
    ran = await glassmind(home, "replay", "bundle.json", "--run", "2")
    assert ran.status == 2 and "I asked nothing." in ran.err
    assert not list(itertools.chain(home.glob("*.db"), home.glob("data")))


_NO_SERVICES = ("telegram", "discord", "console", "sqlite", "tiktoken", "bubblewrap", "browser", "mcp", "server_clock")


@pytest.mark.parametrize("kind", [*_NO_SERVICES, "os", "../x", ""])
async def test_what_is_no_model_service_wrote_no_bytes(made, kind):
    home = made
    document = orjson.loads((home / "bundle.json").read_bytes())
    document["kind"] = kind
    (home / "strange.json").write_bytes(orjson.dumps(document))
    ran = await glassmind(home, "replay", "strange.json")
    assert ran.status == 1 and not ran.err and "✗ the file's seal" in ran.out, ran
    assert "✓ the request, rebuilt from its parts" in ran.out and "✓ its bytes" not in ran.out

"""Whoever is forgotten goes out of files of memories and out of the sources of what others had remembered."""

from __future__ import annotations

import gzip
from pathlib import Path

import orjson

from bot.cortex.pages.memory_file_pages import archived_lines
from bot.domain.ids import MAIN, ChannelId, PersonKey, UserId
from bot.domain.memory import MemoryProvenance
from bot.domain.revisions import RevisionKind
from bot.domain.word_origins import OriginSource, WordAuthority, WordOrigins
from bot.memory.memory_file_format import FileHead, FileSeal, check_file, file_bytes
from bot.runtime.files import write_file
from bot.text.redaction import Redactor
from tests.adapters.sqlite.opened import opened
from tests.contracts.test_store import arrives
from tests.fakes import values as v

ANN, BO = UserId("100"), UserId("101")
PERSON = PersonKey("console", ANN)
ELSEWHERE = ChannelId("console:#elsewhere")


def said(words: str, who: UserId, name: str, **changes):
    return v.memory(words, provenance=MemoryProvenance(author=who, author_name=name), **changes)


async def exported(store, path: Path) -> bytes:
    lines = archived_lines(store.memory_archive, MAIN, None, Redactor.of({}))
    head = FileHead(instance=store.instance, exported_at=1)
    content = b"".join([piece async for piece in file_bytes(head, lines, store.memory_archive.sign)])
    write_file(path, content, replace=False)
    return content


async def test_a_file_of_memories_loses_theirs_and_keeps_every_other_byte(tmp_path: Path):
    data = tmp_path / "data"
    async with opened(data) as store:
        await arrives(store, "hello", "1", author=v.author("100", "XYZZYname"))
        about = said("XYZZY owes money", BO, "bo", subjects=(ANN,))
        far = said("PLUGH stays elsewhere", BO, "bo", channel=ELSEWHERE, scope_id=ELSEWHERE)
        await store.memories.add([said("XYZZY said", ANN, "XYZZYname"), said("PLUGH said", BO, "bo"), about, far])
        path = data / "context" / "console" / "general" / "20260101-memories.jsonl"
        before = await exported(store, path)
        packed = data / "outgoing" / "20260101-memories.jsonl.gz"
        packed.parent.mkdir()
        packed.write_bytes(gzip.compress(before))
        await store.erasures.erase(PERSON)
        after = path.read_bytes()
        assert b"XYZZY" not in after and not packed.exists()
        lines = [line for line in before.splitlines(keepends=True) if b"PLUGH" in line]
        assert after.splitlines(keepends=True)[1:-1] == lines and len(lines) == 2
        with path.open("rb") as file:
            assert check_file(file, store.memory_archive.sign, store.instance, 10).seal is FileSeal.OWN
        await store.erasures.erase(PersonKey("console", UserId("999")))
        assert path.read_bytes() == after


async def test_sources_no_longer_name_a_server_that_only_they_linked_to(tmp_path: Path):
    async with opened(tmp_path / "data") as store:
        await store.channels.meet(v.KEY, "#general", v.GUILD, v.settings())
        await arrives(
            store,
            "look at https://xyzzy-family.example/me and https://shared.example/",
            "1",
            author=v.author("100", "ann"),
        )
        await arrives(store, "also https://shared.example/else", "2", author=v.author("101", "bo"))
        names = ("web_fetch xyzzy-family.example", "web_fetch shared.example", "browser xyzzy-family.example")
        sources = tuple(OriginSource(WordAuthority.OUTSIDE, name) for name in sorted(names))
        provenance = MemoryProvenance(author=BO, author_name="bo", origins=WordOrigins(sources=sources))
        (row,) = await store.memories.add([v.memory("They sell tea", provenance=provenance)])
        await store.erasures.erase(PERSON)
        memory = await store.memories.get(row)
        left = memory.body.provenance.origins
        assert left.described == "browser (outside), web_fetch (outside), web_fetch shared.example (outside)"
        assert left.lowest is WordAuthority.OUTSIDE and memory.body.content == "They sell tea"
        (version,) = await store.revisions.of(RevisionKind.MEMORY, row)
        assert orjson.loads(version.state)["body"]["provenance"]["origins"]["sources"][0][1] == "browser"
        assert version.words == "They sell tea" and not await store.verify()
    held = b"".join(path.read_bytes() for path in (tmp_path / "data").iterdir() if path.is_file())
    assert b"xyzzy-family" not in held and b"shared.example" in held

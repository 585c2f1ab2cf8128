"""Files of memories that lie in the data directory: whoever is forgotten goes out of them too, and nobody else does."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import orjson
from pydantic import ValidationError

from adapters.sqlite.erasure.personal_data import EXPORT_FOLDERS, OUTGOING
from bot.domain.drawn_people import NOTE_ENDING, names_person
from bot.domain.ids import ChannelId, PersonKey, UserId, platform_of
from bot.domain.memory_file import FILE_FORMAT, FileEnd, FileMemory, people_of, signed_text
from bot.runtime.files import writing

_HEAD = f'"format":"{FILE_FORMAT}"'.encode()
_HEAD_BYTES = 4096
_GZIP = b"\x1f\x8b"


class Forgotten(NamedTuple):
    """Who goes, in which channels (None: everywhere), and the servers that only they linked to."""

    person: PersonKey
    within: Collection[ChannelId] | None
    hosts: Collection[str] = ()

    def is_named_in(self, line: bytes) -> bool:
        """Say whether a line may have something of theirs."""
        if f'"{self.person.user_id}"'.encode() in line:
            return True
        return bool(self.hosts) and any(host.encode() in line.lower() for host in self.hosts)


def clean_exports(directory: Path, who: Forgotten, sign: Callable[[str], str]) -> int:
    """Write each anew that has something of theirs, without it; return how many. Packed copies are removed. Blocks."""
    changed = 0
    for path in (path for folder in EXPORT_FOLDERS for path in (directory / folder).rglob("*memories*")):
        if not path.is_file() or path.is_symlink():
            continue
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        is_packed = head.startswith(_GZIP)
        if not is_packed and _HEAD not in head.partition(b"\n")[0]:
            continue
        with gzip.open(path) if is_packed else path.open("rb") as file:
            is_theirs = any(map(who.is_named_in, file))
        if is_theirs and is_packed:
            # it lies there until it is sent; the whole one lies beside it
            path.unlink(missing_ok=True)
        elif is_theirs:
            _rewrite(path, who, sign)
        changed += is_theirs
    return changed


def drop_pictures(directory: Path, person: PersonKey) -> int:
    """Remove the pictures that name somebody; return how many. They are drawn again on asking. Blocks.

    One beside which nothing says whom it names was kept by an earlier version, or cut off by a crash: it goes, too.
    """
    gone = 0
    for picture in (directory / OUTGOING).glob("*.png"):
        note = picture.with_name(f"{picture.name}{NOTE_ENDING}")
        if picture.is_symlink() or (note.is_file() and not names_person(note.read_text("utf-8", "replace"), person)):
            continue
        picture.unlink(missing_ok=True)
        note.unlink(missing_ok=True)
        gone += 1
    return gone


def _rewrite(path: Path, who: Forgotten, sign: Callable[[str], str]) -> None:
    sha, count = hashlib.sha256(), 0
    with path.open("rb") as old, writing(path, replace=True) as new:
        head = old.readline()
        for line in (head, *_kept(old, who)):
            new.write(line)
            sha.update(line)
            count += line is not head
        digest = sha.hexdigest()
        instance = str(orjson.loads(head)["instance"])
        end = FileEnd(end=count, sha256=digest, signature=sign(signed_text(instance, digest)))
        new.write(end.model_dump_json().encode() + b"\n")


def _kept(lines: Iterable[bytes], who: Forgotten) -> Iterator[bytes]:
    platform, user = who.person
    for line in lines:
        try:
            one = FileMemory.model_validate(orjson.loads(line))
        except (orjson.JSONDecodeError, ValidationError):
            continue  # the end, which is written anew
        channel = one.body.channel
        if platform_of(channel) != platform or (who.within is not None and channel not in who.within):
            yield line
        elif user not in people_of(one.body):
            theirs = [(version.platform, version.actor) == (platform, user) for version in one.versions]
            nameless = zip(one.versions, theirs, strict=True)
            versions = tuple(v.replace(actor=UserId("")) if is_theirs else v for v, is_theirs in nameless)
            edges = tuple(e.replace(author=UserId("")) if e.author == user else e for e in one.edges)
            said = one.body.provenance
            if said.origins is not None:
                said = said.replace(origins=said.origins.without_words(who.hosts))
            bare = one.replace(body=one.body.replace(provenance=said), versions=versions, edges=edges)
            yield line if bare == one else bare.model_dump_json().encode("utf-8", "surrogatepass") + b"\n"

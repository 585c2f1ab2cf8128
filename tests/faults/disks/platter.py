"""A disk as it may look after the power failed: what was synced is there, of the rest anything may be.

A file's content is durable once the file was synced, its name once the folder was. Of writes that were not synced any
512 bytes may have come through, in any order; of changes of names the first ones.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path, PurePosixPath

from tests.faults.disks.tracing import Step

SECTOR = 512
_REBUILT = "-shm"
"""Holds nothing that counts after a start of the machine: it is mapped memory."""


@dataclass
class Content:
    """What a file holds: what was synced, and the steps after that. A step without data sets the size."""

    synced: bytes = b""
    size: int = 0
    loose: list[tuple[int, bytes | None]] = field(default_factory=list)

    def write(self, at: int, data: bytes) -> None:
        at = self.size if at < 0 else at
        self.size = max(self.size, at + len(data))
        self.loose.append((at, data))

    def resize(self, size: int) -> None:
        self.size = size
        self.loose.append((size, None))

    def sync(self) -> None:
        self.synced, self.loose = self.after(None), []

    def after(self, chance: random.Random | None) -> bytes:
        """Return what is there when every loose step came through, or some, as chance will have it."""
        found, share = bytearray(self.synced), chance.random() if chance else 1.0
        for at, data in self.loose:
            if data is None:
                if chance is None or chance.random() < share:
                    _resize(found, at)
                continue
            for start, piece in _sectors(at, data):
                if chance is None or chance.random() < share:
                    if len(found) < start + len(piece):
                        _resize(found, start + len(piece))
                    found[start : start + len(piece)] = piece
        return bytes(found)


Names = dict[str, "Content | None"]
"""What stands in a folder; None is a folder."""


@dataclass
class Folder:
    """The names in a folder: now, when it was synced, and after each change since then."""

    now: Names = field(default_factory=dict)
    synced: Names = field(default_factory=dict)
    loose: list[Names] = field(default_factory=list)

    def change(self, name: str, content: Content | None, *, gone: bool = False) -> None:
        if gone:
            self.now.pop(name, None)
        else:
            self.now[name] = content
        self.loose.append(dict(self.now))

    def sync(self) -> None:
        self.synced, self.loose = dict(self.now), []


class Platter:
    """Everything below one folder, as the steps of a process change it."""

    def __init__(self, top: Path) -> None:
        self._top = str(top)
        self.folders: dict[str, Folder] = {self._top: Folder()}
        self._load(top)

    def _load(self, folder: Path) -> None:
        """Take what is there already; it has been there for long."""
        here = self.folders.setdefault(str(folder), Folder())
        for path in folder.iterdir() if folder.exists() else ():
            if path.is_dir():
                self._load(path)
                here.now[path.name] = None
            else:
                body = path.read_bytes()
                here.now[path.name] = Content(body, len(body))
        here.sync()

    def do(self, step: Step) -> None:
        """Follow a step; what was done elsewhere is none of it."""
        path = PurePosixPath(step.path)
        folder = self.folders.get(str(path.parent))
        if step.what == "sync" and step.path in self.folders:
            self.folders[step.path].sync()
        elif folder is not None and not path.name.endswith(_REBUILT):
            if step.what in {"write", "size", "grow", "sync"}:
                content = folder.now[path.name]
                assert content is not None, step
                _follow(content, step)
            else:
                self._rename(folder, path.name, step)

    def _rename(self, folder: Folder, name: str, step: Step) -> None:
        """Let a name come or go."""
        if step.what == "make":
            if name not in folder.now:
                folder.change(name, Content())
        elif step.what == "folder":
            folder.change(name, None)
            self.folders[step.path] = Folder()
        else:
            if step.what in {"rename", "link"}:
                other = PurePosixPath(step.other)
                self.folders[str(other.parent)].change(other.name, folder.now[name])
            if step.what in {"rename", "unlink"}:
                folder.change(name, None, gone=True)

    def image(self, target: Path, chance: random.Random | None) -> None:
        """Write what may be there after the power failed now: what was synced, and what chance let through."""
        self._write(self._top, target, chance)

    def _write(self, name: str, target: Path, chance: random.Random | None) -> None:
        target.mkdir(mode=0o700)
        folder = self.folders[name]
        names = folder.synced if chance is None else chance.choice([folder.synced, *folder.loose])
        for file, content in names.items():
            if content is None:
                self._write(f"{name}/{file}", target / file, chance)
            else:
                (target / file).write_bytes(content.synced if chance is None else content.after(chance))

    def seen(self, name: str) -> bytes | None:
        """Return what programs saw in a file in the folder `backups` just now; None where there is none."""
        folder = self.folders.get(f"{self._top}/backups")
        content = folder.now.get(name) if folder else None
        return content.after(None) if content else None


def _follow(content: Content, step: Step) -> None:
    match step.what:
        case "write":
            content.write(step.at, step.data)
        case "size":
            content.resize(step.at)
        case "grow":
            content.resize(max(content.size, step.at))
        case "sync":
            content.sync()
        case _:
            raise ValueError(step.what)


def _sectors(at: int, data: bytes) -> list[tuple[int, bytes]]:
    cuts = [at, *range((at // SECTOR + 1) * SECTOR, at + len(data), SECTOR), at + len(data)]
    return [(start, data[start - at : end - at]) for start, end in pairwise(cuts)]


def _resize(body: bytearray, size: int) -> None:
    if size < len(body):
        del body[size:]
    else:
        body.extend(bytes(size - len(body)))

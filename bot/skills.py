"""The skills of this bot: read from their folders, read again when a file changes, and nothing while none does."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from bot.config.agents import NO_AGENT, AgentConfig, SkillsConfig
from bot.domain.ids import AgentId
from bot.domain.skill import FILE, BadSkill, Skill, SkillShelf, Switches, WrongSkill, put_on_shelf, read_skill
from bot.ports.clock import Clock
from bot.sentences import Words, later
from bot.text.text import clean

FOLDER = "skills"
"""The folder inside the data directory that is always looked into."""
MAX_SKILLS = 200
MAX_FILES = 50
"""How many other files of a skill are named."""
_KB = 1000
_OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
Marks = tuple[tuple[str, int, int, int], ...]
"""What tells one state of the folders from another: path, time, size and number of each file and folder."""


class SkillFolder(NamedTuple):
    """A folder of skills, and what people call it."""

    path: Path
    word: str


def folders_of(config: SkillsConfig, data: Path, beside: Path) -> tuple[SkillFolder, ...]:
    """Return the folders to look into; configured ones are relative to the file of the configuration."""
    others = (SkillFolder(beside / Path(word).expanduser(), word.rstrip("/")) for word in config.folders)
    return (SkillFolder(data / FOLDER, FOLDER), *others)


class SkillLibrary:
    """Knows every skill. Who asks often gets what was read last; the disk is looked at once in a while."""

    def __init__(
        self, config: SkillsConfig, agents: Mapping[str, AgentConfig], folders: Sequence[SkillFolder], clock: Clock
    ) -> None:
        self.config = config
        self._agents = agents
        self._folders = tuple(folders)
        self._clock = clock
        self._shelf: SkillShelf | None = None
        self._marks: Marks = ()
        self._looked = float("-inf")

    @property
    def shelf(self) -> SkillShelf:
        """What was read last; the first who asks waits for it."""
        if self._shelf is None:
            self._read(self._look())
        assert self._shelf is not None
        return self._shelf

    @property
    def room(self) -> tuple[int, int]:
        """How many may be listed in a prompt, and how many tokens they may take together."""
        return self.config.listed, self.config.listed_tokens

    def usable(self, agent: str) -> tuple[Skill, ...]:
        """Return the skills that an agent may look up anywhere, by name."""
        listed = self._agents.get(agent, NO_AGENT).skills
        return tuple(skill for skill in self.shelf.skills if listed is None or skill.name in listed)

    def enabled(self, agent: AgentId | str, switches: Switches) -> tuple[Skill, ...]:
        """Return the skills that are on in a channel in which people have set these switches, by name."""
        found = self.usable(agent)
        return tuple(skill for skill in found if self.is_on(skill.name, switches)) if found else ()

    def is_on(self, name: str, switches: Switches) -> bool:
        """Say whether a skill is on: as people switched it in the channel, else as the configuration has it."""
        usual = self.config.enabled is None or name in self.config.enabled
        return switches.get(name, usual)

    async def refresh(self) -> None:
        """Look whether a file has changed, if the last look is old enough; returns at once if not."""
        now = self._clock.monotonic()
        if self._shelf is not None and now - self._looked < self.config.check_seconds:
            return
        self._looked = now
        if not self._marks and not self._are_there():
            if self._shelf is None:
                self._read(())
            return
        await asyncio.to_thread(self._read_if_changed)

    async def look(self) -> SkillShelf:
        """Look now, and return every skill as its file is."""
        self._looked = self._clock.monotonic()
        await asyncio.to_thread(self._read_if_changed)
        return self.shelf

    async def files(self, skill: Skill) -> tuple[str, ...]:
        """Name the other files of a skill, by their paths in its folder."""
        return await asyncio.to_thread(_other_files, self._folder_of(skill))

    async def read(self, skill: Skill, name: str) -> str:
        """Return another file of a skill; raise WrongSkill."""
        return await asyncio.to_thread(_other_text, self._folder_of(skill), name, self.config.file_kb)

    def _folder_of(self, skill: Skill) -> Path:
        word = skill.path.removesuffix(f"/{FILE}")
        folder = next(one for one in self._folders if word.startswith(f"{one.word}/"))
        return folder.path / word.removeprefix(f"{folder.word}/")

    def _are_there(self) -> bool:
        return any(os.path.isdir(folder.path) for folder in self._folders)

    def _read_if_changed(self) -> None:
        marks = self._look()
        if self._shelf is None or marks != self._marks:
            self._read(marks)

    def _look(self) -> Marks:
        self._looked = max(self._looked, self._clock.monotonic())
        return tuple(mark for folder in self._folders for mark in _marks_in(folder.path))

    def _read(self, marks: Marks) -> None:
        # a change between the look and the reading is seen by the next look
        found: list[Skill] = []
        bad: list[BadSkill] = []
        for folder in self._folders:
            for path, word in _candidates(folder):
                try:
                    if len(found) >= MAX_SKILLS:
                        raise WrongSkill(later("skills.too-many", most=MAX_SKILLS))
                    found.append(read_skill(_text(path, folder.path, self.config.file_kb), word))
                except WrongSkill as error:
                    bad.append(BadSkill(path=word, reason=error.words))
                except OSError as error:
                    bad.append(BadSkill(path=word, reason=later("skills.file-unreadable", why=_why(error))))
        bad += [BadSkill(path=one.word, reason=why) for one in self._folders if (why := self._unreadable(one))]
        self._shelf, self._marks = put_on_shelf(found, bad), marks

    def _unreadable(self, folder: SkillFolder) -> Words | None:
        """Say why a folder gives nothing; the bot's own need not be there."""
        if folder is self._folders[0] and not folder.path.exists():
            return None
        return _unreadable(folder.path)


def _marks_in(folder: Path) -> Iterator[tuple[str, int, int, int]]:
    for path in (folder, *_below(folder), *(below / FILE for below in _below(folder))):
        try:
            found = os.stat(path)
        except OSError:
            continue
        yield str(path), found.st_mtime_ns, found.st_size, found.st_ino


def _below(folder: Path) -> list[Path]:
    try:
        return sorted(folder / name for name in os.listdir(folder) if not name.startswith("."))
    except OSError:
        return []


def _candidates(folder: SkillFolder) -> Iterator[tuple[Path, str]]:
    """Yield the file of every skill in a folder, and what people call it; loose texts too, to say what is wrong."""
    for path in _below(folder.path):
        if path.is_dir() or path.is_symlink():
            yield path / FILE, f"{folder.word}/{path.name}/{FILE}"
        elif path.suffix == ".md":
            yield path, f"{folder.word}/{path.name}"


def _text(path: Path, root: Path, kb: int) -> str:
    """Read a file that lies in its folder; raise WrongSkill or OSError."""
    if path.name != FILE:
        raise WrongSkill(later("skills.no-folder", path=f"{path.stem}/{FILE}"))
    try:
        real, inside = path.resolve(strict=True), root.resolve(strict=True)
    except FileNotFoundError:
        names = sorted(one.name for one in _below(path.parent) if one.name.lower() == FILE.lower())
        why = later("skills.rename", name=names[0], wanted=FILE) if names else later("skills.no-file", wanted=FILE)
        raise WrongSkill(why) from None
    except RuntimeError:
        raise WrongSkill(later("skills.link-circle")) from None
    if not real.is_relative_to(inside):
        raise WrongSkill(later("skills.link-out"))
    # a pipe must not hold anybody up, and what takes the place of the file meanwhile is not followed
    content = _content(real, kb * _KB + 1)
    if len(content) > kb * _KB:
        raise WrongSkill(later("skills.too-large", kb=kb))
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise WrongSkill(later("skills.not-utf8", byte=str(error.start))) from None


def _other_files(folder: Path) -> tuple[str, ...]:
    """Name the ordinary files below a skill's folder, but for its own and for what is hidden."""
    found = []
    for at, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        inside = Path(at).relative_to(folder)
        found += [(inside / name).as_posix() for name in sorted(names) if not name.startswith(".")]
        if len(found) > MAX_FILES:
            break
    return tuple(name for name in found if name != FILE)[:MAX_FILES]


def _other_text(folder: Path, name: str, kb: int) -> str:
    """Read a file that lies in a skill's folder; raise WrongSkill."""
    there = ", ".join(_other_files(folder)) or "none"
    try:
        real, inside = (folder / name).resolve(strict=True), folder.resolve(strict=True)
        if not real.is_relative_to(inside) or any(part.startswith(".") for part in real.relative_to(inside).parts):
            raise WrongSkill(later("skills.other-not-inside", files=there))
        content = _content(real, kb * _KB + 1)
    except (OSError, RuntimeError) as error:
        is_gone = isinstance(error, FileNotFoundError)
        name = "skills.other-not-there" if is_gone else "skills.other-unreadable"
        raise WrongSkill(later(name, files=there)) from None
    if len(content) > kb * _KB:
        raise WrongSkill(later("skills.other-too-large", kb=kb))
    try:
        return clean(content.decode("utf-8")).text
    except UnicodeDecodeError:
        raise WrongSkill(later("skills.other-no-text")) from None


def _content(path: Path, most: int) -> bytes:
    handle = os.open(path, _OPEN)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise WrongSkill(later("skills.not-ordinary"))
        with open(handle, "rb", closefd=False) as file:
            return file.read(most)
    finally:
        os.close(handle)


def _unreadable(folder: Path) -> Words | None:
    """Say why a configured folder gives nothing; None when it does."""
    try:
        os.listdir(folder)
    except OSError as error:
        return later("skills.folder-unreadable", why=_why(error))
    return None


def _why(error: OSError) -> str:
    return error.strerror or type(error).__name__

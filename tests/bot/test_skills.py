"""Folders of skills: what is read, what is left out and why, and when the disk is looked at."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.config.agents import AgentConfig, SkillsConfig
from bot.sentences import speaking
from bot.skills import MAX_SKILLS, folders_of
from tests.fakes.clock import FakeClock
from tests.fakes.skills import skills_in, write_skill


def test_where_skills_lie():
    data, beside = Path("data"), Path("etc")
    found = folders_of(SkillsConfig(folders=("more/", "/opt/skills")), data, beside)
    assert [(str(one.path), one.word) for one in found] == [
        ("data/skills", "skills"), ("etc/more", "more"), ("/opt/skills", "/opt/skills"),
    ]  # fmt: skip


def test_a_bot_without_skills(tmp_path):
    skills = skills_in(tmp_path / "skills")
    assert skills.shelf.skills == () and skills.shelf.bad == () and skills.enabled("main", {}) == ()


def _pipe(path: Path, folder: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _link_out(path: Path, folder: Path) -> None:
    outside = path.rename(folder.parent / "outside.md")
    path.symlink_to(outside)


def _folder_out(path: Path, folder: Path) -> None:
    outside = path.parent.rename(folder.parent / "elsewhere")
    (folder / "odd").symlink_to(outside)


def _circle(path: Path, folder: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def _directory(path: Path, folder: Path) -> None:
    path.unlink()
    path.mkdir()


def _loose(path: Path, folder: Path) -> None:
    path.rename(folder / "odd.md")
    path.parent.rmdir()


BROKEN: dict[str, tuple[Callable[[Path, Path], object], str]] = {
    "no head": (lambda path, _: path.write_text("Just words."), "has no head"),
    "too large": (lambda path, _: path.write_text("x" * 16_001), "larger than 16 kB"),
    "not UTF-8": (
        lambda path, _: path.write_bytes(b"---\nname: odd\ndescription: \xff\n---\nx"),
        "not UTF-8 (byte 27)",
    ),
    "other name": (lambda path, _: path.rename(path.with_name("skill.md")), "rename skill.md to SKILL.md"),
    "empty folder": (lambda path, _: path.unlink(), "has no SKILL.md"),
    "a folder": (_directory, "not an ordinary file"),
    "a pipe": (_pipe, "not an ordinary file"),
    "a link out": (_link_out, "outside the folder"),
    "a folder that is a link out": (_folder_out, "outside the folder"),
    "a circle": (_circle, "leads back to itself"),
    "loose": (_loose, "move this file to odd/SKILL.md"),
}


@pytest.mark.parametrize("what", BROKEN)
def test_what_is_broken_is_left_out_and_named(tmp_path, what):
    folder = tmp_path / "skills"
    write_skill(folder, "good")
    spoil, words = BROKEN[what]
    spoil(write_skill(folder, "odd"), folder)
    shelf = skills_in(folder).shelf
    assert [skill.name for skill in shelf.skills] == ["good"]
    ((path, reason),) = shelf.bad
    assert path.startswith("skills/odd") and words in reason()
    with speaking("de"):
        assert words not in reason()


def test_a_link_inside_the_folder_is_followed(tmp_path):
    folder = tmp_path / "skills"
    write_skill(folder, "tea", file=".shared/tea")
    (folder / "tea").symlink_to(folder / ".shared" / "tea")
    shelf = skills_in(folder).shelf
    assert [skill.name for skill in shelf.skills] == ["tea"] and shelf.bad == ()


def test_what_nobody_may_read_and_what_is_not_there(tmp_path):
    folder = tmp_path / "skills"
    path = write_skill(folder, "tea")
    path.chmod(0)
    shelf = skills_in(folder, tmp_path / "gone").shelf
    told = {bad.path: bad.reason() for bad in shelf.bad}
    assert "No such file" in told["gone"]
    if os.geteuid():
        assert "Permission denied" in told["skills/tea/SKILL.md"]


def test_too_many(tmp_path):
    for number in range(MAX_SKILLS + 2):
        write_skill(tmp_path, f"skill-{number:03}")
    shelf = skills_in(tmp_path).shelf
    assert (
        len(shelf.skills) == MAX_SKILLS
        and [bad.reason() for bad in shelf.bad] == [f"there are more than {MAX_SKILLS} skills"] * 2
    )


def test_who_may_use_what(tmp_path):
    for name in ("a", "b", "c"):
        write_skill(tmp_path, name)
    agents = {"helper": AgentConfig(skills=("b", "c")), "bare": AgentConfig(skills=())}
    skills = skills_in(tmp_path, agents=agents, enabled=("a", "b"))

    def names(agent: str, **switches: bool) -> list[str]:
        return [skill.name for skill in skills.enabled(agent, switches)]

    assert names("main") == ["a", "b"] and names("helper") == ["b"] and names("bare") == []
    assert names("main", c=True, a=False) == ["b", "c"] and names("helper", a=True, c=True) == ["b", "c"]


async def test_files_are_looked_at_once_in_a_while(tmp_path, monkeypatch):
    clock, folder = FakeClock(), tmp_path / "skills"
    write_skill(folder, "tea")
    skills = skills_in(folder, clock=clock)
    await skills.refresh()
    first = skills.shelf
    looks: list[object] = []
    look = skills._look
    monkeypatch.setattr(skills, "_look", lambda: looks.append(1) or look())
    for _ in range(20):
        await skills.refresh()
    assert skills.shelf is first and not looks
    clock.advance(11)
    await skills.refresh()
    assert skills.shelf is first and len(looks) == 1
    write_skill(folder, "tea", "Something else.")
    write_skill(folder, "coffee")
    await skills.refresh()
    assert skills.shelf is first
    clock.advance(11)
    await skills.refresh()
    assert [skill.name for skill in skills.shelf.skills] == ["coffee", "tea"]
    assert skills.shelf.get("tea").body == "Something else."


async def test_without_folders_nothing_is_read(tmp_path, monkeypatch):
    clock, folder = FakeClock(), tmp_path / "skills"
    skills = skills_in(folder, clock=clock)
    await skills.refresh()
    monkeypatch.setattr(skills, "_look", lambda: pytest.fail("looked"))
    clock.advance(11)
    await skills.refresh()
    monkeypatch.undo()
    write_skill(folder, "tea")
    assert (await skills.look()).get("tea") is not None

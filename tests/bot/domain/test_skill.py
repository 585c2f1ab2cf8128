"""One skill, and a shelf of them."""

from __future__ import annotations

import pytest

from bot.domain.skill import WrongSkill, put_on_shelf, read_skill, skills_in

GOOD = "---\nname: tea\ndescription: How to make tea.\n---\nBoil water."


def test_a_skill_is_named_by_its_text():
    tea = read_skill(GOOD, "skills/tea/SKILL.md")
    assert (tea.name, tea.description, tea.body) == ("tea", "How to make tea.", "Boil water.")
    assert tea.source.startswith("skill:tea@") and tea.source.endswith(" skills/tea/SKILL.md")
    assert skills_in([tea.source, "memory:m27d4"]) == {"tea": f"{tea.digest[:12]} skills/tea/SKILL.md"}
    assert read_skill(GOOD + "!", "x").digest != tea.digest


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("name: tea", "", "no `name:`"),
        ("name: tea", "name: Green Tea", '"Green Tea": use small letters'),
        ("name: tea", f"name: {'x' * 65}", "at most 64"),
        ("name: tea", "name: ../tea", "small letters"),
        ("description: How to make tea.", "", "no `description:`"),
        ("How to make tea.", "x" * 1025, "1,025 characters long, more than 1,024"),
        ("Boil water.", " \n ", "nothing below its head"),
        ("---\n", "", "it has no head"),
        ("\n---", "", "its head has no end"),
        ("name: tea", "name: tea\nname: tea", "`name` is in its head twice"),
        ("name: tea", "name: tea\ntea", "line 3 of its head is not `key: value`"),
        ("name: tea", "name: 'tea", "the quotes of `name` in its head do not close"),
    ],
)
def test_what_is_wrong_is_said(old, new, why):
    with pytest.raises(WrongSkill, match=why):
        read_skill(GOOD.replace(old, new), "p")


def test_the_first_of_two_of_one_name_stays():
    first, second = read_skill(GOOD, "skills/tea/SKILL.md"), read_skill(GOOD, "more/tea/SKILL.md")
    shelf = put_on_shelf([first, second, read_skill(GOOD.replace("tea\n", "coffee\n", 1), "c")], ())
    assert [skill.name for skill in shelf.skills] == ["coffee", "tea"] and shelf.get("tea") == first
    (bad,) = shelf.bad
    assert bad.path == "more/tea/SKILL.md" and bad.reason().startswith("skills/tea/SKILL.md is called tea too")
    assert shelf.get("milk") is None

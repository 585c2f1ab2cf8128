"""What each command about memories takes over a channel: looking and proposing, or deciding."""

from __future__ import annotations

from bot.cortex.commands.command_table import BY_NAME
from bot.cortex.commands.cortex_command import PageCommand
from bot.domain.access import AccessRight

RIGHTS = {
    AccessRight.AUDIT: "memory|list|search|by|propose|history|diff|as-of|spread|chart",
    AccessRight.INSPECT: "forget|merge|recall|restore|rollback|export|import",
}


def test_who_may_only_look_decides_nothing():
    """A new command about memories has to be put on one side or the other here."""
    named = {
        name.removeprefix("memory").strip() or "memory": {form.right for form in forms if isinstance(form, PageCommand)}
        for name, forms in BY_NAME.items()
        if name.partition(" ")[0] == "memory"
    }
    expected = {word: {right} for right, words in RIGHTS.items() for word in words.split("|")}
    # a record's right is asked of the record
    assert named == {**expected, "show": set()}

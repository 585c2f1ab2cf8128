"""Every `!cortex` command, in the order in which help lists them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from bot.cortex.commands.ask import ASK
from bot.cortex.commands.ask_again import REPLAY
from bot.cortex.commands.audit import AUDIT
from bot.cortex.commands.bundle import BUNDLE
from bot.cortex.commands.cache import CACHE
from bot.cortex.commands.command_arguments import CommandArgs, no_arguments
from bot.cortex.commands.compactions import COMPACTIONS
from bot.cortex.commands.context import CONTEXT
from bot.cortex.commands.cortex_command import CommandForm, CommandSources, CortexCommand, PageCommand, RecordCommand
from bot.cortex.commands.diff import DIFF
from bot.cortex.commands.doctor import DOCTOR
from bot.cortex.commands.export import EXPORT
from bot.cortex.commands.find import FIND
from bot.cortex.commands.fix import FIX
from bot.cortex.commands.forget_user import FORGET_USER
from bot.cortex.commands.gap import GAP
from bot.cortex.commands.keep_check import CHECKS
from bot.cortex.commands.ledger import LEDGER
from bot.cortex.commands.memory import MEMORY
from bot.cortex.commands.memory_chart import MEMORY_CHART
from bot.cortex.commands.memory_files import MEMORY_FILES
from bot.cortex.commands.memory_history import MEMORY_HISTORY
from bot.cortex.commands.memory_spread import MEMORY_SPREAD
from bot.cortex.commands.open import OPEN
from bot.cortex.commands.prove import PROVE
from bot.cortex.commands.read import READ
from bot.cortex.commands.record import RECORD
from bot.cortex.commands.skills import SKILLS
from bot.cortex.commands.sources import SOURCES
from bot.cortex.commands.this import THIS
from bot.cortex.commands.tools import TOOLS
from bot.cortex.commands.usage import USAGE
from bot.cortex.commands.use import USE
from bot.cortex.commands.web_page import WEB_PAGE
from bot.cortex.commands.why import WHY
from bot.cortex.commands.work import WORK
from bot.cortex.commands.would import WOULD
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.domain.access import AccessRight
from bot.prompts import render


def help_text(added: Sequence[CortexCommand] = (), *, brief: bool) -> str:
    """Say what can be typed; `brief`: the most useful. `added` are those of plugins."""
    often = "\n".join(command.help for command in COMMANDS if command.often)
    more = "\n".join(command.help for command in (*COMMANDS, *added) if not command.often and command.help)
    return render("cortex/help", brief=brief, often=often, more=more)


async def _help(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    return ThreadReply(help_text(context.added, brief=False))


_HELP = CortexCommand("", PageCommand("help", no_arguments, "commands.title-what-i-can-do", _help))
COMMANDS: tuple[CortexCommand, ...] = (
    WHY,
    ASK,
    CONTEXT,
    READ,
    LEDGER,
    MEMORY,
    MEMORY_HISTORY,
    MEMORY_SPREAD,
    MEMORY_CHART,
    MEMORY_FILES,
    FIX,
    DOCTOR,
    EXPORT,
    BUNDLE,
    CHECKS,
    USAGE,
    DIFF,
    CACHE,
    FIND,
    GAP,
    THIS,
    SOURCES,
    PROVE,
    REPLAY,
    COMPACTIONS,
    SKILLS,
    TOOLS,
    WORK,
    RECORD,
    FORGET_USER,
    WOULD,
    OPEN,
    AUDIT,
    USE,
    WEB_PAGE,
    _HELP,
)


def _by_name(commands: Iterable[CortexCommand]) -> Mapping[str, tuple[CommandForm, ...]]:
    found: defaultdict[str, list[CommandForm]] = defaultdict(list)
    for command in commands:
        for form in command.forms:
            found[form.name].append(form)
    return {name: tuple(forms) for name, forms in found.items()}


def names_for(right: AccessRight) -> tuple[str, ...]:
    """Return the names of the commands that take no more than a right; a record's right depends on the record."""
    named = (form.name for command in COMMANDS for form in command.forms if _takes(form) is right)
    return tuple(dict.fromkeys(name for name in named if name))


def _takes(form: CommandForm) -> AccessRight:
    if isinstance(form, RecordCommand):
        return AccessRight.AUDIT if form.name.startswith(MEMORY.forms[0].name) else AccessRight.INSPECT
    return form.right


BY_NAME = _by_name(COMMANDS)
"""What can be typed under a name, of which at most one can be read; the empty name is a line that begins with none."""

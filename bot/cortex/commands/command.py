"""What a `!cortex` command is: how it is typed, what help says about it, and what answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from bot.cortex.commands.forms import A, Args, HandleArgs, Reader
from bot.cortex.doctor.doctor import Patients
from bot.cortex.fixes.offers import Offering, Said
from bot.cortex.fixes.privacy import Privacy
from bot.cortex.pages.capture import Looking
from bot.cortex.pages.compaction_page import CompactionList
from bot.cortex.pages.memory_audit import MemoryAudit
from bot.cortex.pages.skill_page import SkillPages
from bot.cortex.pages.tracing import Tracing
from bot.cortex.pages.usage_page import Views
from bot.cortex.targets.talk import Talk
from bot.cortex.targets.tool_page import ToolPages
from bot.domain.ledger import GateVerdict
from bot.domain.messages import Inbound
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.text.redaction import Redactor

WouldPass = Callable[[Inbound], tuple[GateVerdict, ...]]
"""Ask every gate about a message that did not arrive."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CommandContext:
    """What the handlers of cortex commands need."""

    store: Store
    clock: Clock
    looking: Looking
    views: Views
    tracing: Tracing
    offering: Offering
    compactions: CompactionList
    memories: MemoryAudit
    privacy: Privacy
    patients: Patients
    would: WouldPass
    skills: SkillPages
    tools: ToolPages
    redactor: Redactor


@dataclass(frozen=True, eq=False)
class Page(Generic[A]):
    """A command that is answered with a page, in a thread of this title; `run` only reads, or offers.

    `name` is what is typed: one word or two. Where `unheard` is not None, a channel may be named that nothing ever
    came from; it is said beside the error when the platform does not know it either. A page that `opens_messages`
    shows a channel, and of a message its record.
    """

    name: str
    read: Reader[A]
    title: str
    run: Callable[[Talk, A, CommandContext], Awaitable[Said]]
    unheard: str | None = None
    opens_messages: bool = False


@dataclass(frozen=True, eq=False)
class Opening:
    """A command that opens a record by its handle; there is no thread before there is a record."""

    name: str
    read: Reader[HandleArgs]
    unheard: None = None


class QuestionArgs(Args):
    """A question in plain words; without words, rules alone diagnose."""

    text: str = ""


@dataclass(frozen=True, eq=False)
class Question:
    """A command that is answered with a diagnosis: of a channel, or of one message of it."""

    name: str
    read: Reader[Args]
    shows_help: bool = False
    unheard: str | None = None


Form = Page[Any] | Opening | Question


class ParsedCommand(NamedTuple):
    """What somebody typed: a form of a command, with what was said behind its name."""

    form: Form
    args: Args


class Command:
    """A subject with its words: `help` is its lines of the list, `forms` are what can be typed.

    `often`: it stands in the short list too.
    """

    def __init__(self, help: str, form: Form, *more: Form, often: bool = False) -> None:
        self.help = help
        self.forms = (form, *more)
        self.often = often

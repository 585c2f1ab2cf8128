"""What a `!cortex` command is: how it is typed, what help says about it, and what answers it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from bot.cortex.commands.command_arguments import A, CommandArgs, HandleArgs, Reader
from bot.cortex.commands.question_reader import QuestionKind
from bot.cortex.doctor.examination import DoctorSubjects
from bot.cortex.fixes.fix_menu import FixMenu
from bot.cortex.fixes.moderator_proposals import ModeratorProposals
from bot.cortex.fixes.offers import OfferMaker, ThreadReply
from bot.cortex.fixes.privacy_offers import PrivacyOffers
from bot.cortex.pages.compaction_page import CompactionList
from bot.cortex.pages.context_capture import ContextCapturer
from bot.cortex.pages.fact_page import FactPages
from bot.cortex.pages.memory_audit import MemoryAudit
from bot.cortex.pages.memory_chart_page import MemoryChartPages
from bot.cortex.pages.memory_file_pages import MemoryFilePages
from bot.cortex.pages.memory_recall_page import MemoryRecallPages
from bot.cortex.pages.memory_spread_page import MemorySpreadPages
from bot.cortex.pages.part_reading import PartReading
from bot.cortex.pages.server_page import ServerPages
from bot.cortex.pages.skill_page import SkillPages
from bot.cortex.pages.trace_pages import TracePages
from bot.cortex.pages.usage_page import UsagePages
from bot.cortex.pages.version_pages import VersionPages
from bot.cortex.proving.check_pages import CheckPages
from bot.cortex.proving.proof_runner import ProofRunner
from bot.cortex.proving.replay_bundles import BundlePages
from bot.cortex.sessions.buttons import ButtonFactory
from bot.cortex.sessions.page_links import PageLinks
from bot.cortex.targets.record_viewer import right_over_record
from bot.cortex.targets.session_context import SessionContext
from bot.cortex.targets.tool_page import ToolPages
from bot.domain.access import AccessRight
from bot.domain.ledger import GateVerdict
from bot.domain.messages import Inbound
from bot.ports.clock import Clock
from bot.ports.store import Store
from bot.sentences import say
from bot.text.redaction import Redactor

WouldPass = Callable[[Inbound], tuple[GateVerdict, ...]]
"""Ask every gate about a message that did not arrive."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CommandSources:
    """What the handlers of cortex commands need.

    Without `page_links` there is no web page. `added` are those of plugins.
    """

    store: Store
    clock: Clock
    looking: ContextCapturer
    views: UsagePages
    bundles: BundlePages
    checks: CheckPages
    tracing: TracePages
    proving: ProofRunner
    facts: FactPages
    reading: PartReading
    offering: OfferMaker
    menu: FixMenu
    buttons: ButtonFactory
    compactions: CompactionList
    memories: MemoryAudit
    memory_charts: MemoryChartPages
    memory_files: MemoryFilePages
    memory_recall: MemoryRecallPages
    versions: VersionPages
    suggesting: ModeratorProposals
    spreads: MemorySpreadPages
    privacy: PrivacyOffers
    patients: DoctorSubjects
    would: WouldPass
    skills: SkillPages
    tools: ToolPages
    servers: ServerPages
    redactor: Redactor
    page_links: PageLinks | None
    added: Sequence[CortexCommand]


@dataclass(frozen=True, eq=False)
class PageCommand(Generic[A]):
    """A command that is answered with a page, in a thread of this title; `run` only reads, or offers.

    `name` is what is typed: one word or two; `title` names a sentence. Where `unheard` is not None, a channel may be
    named that nothing ever came from; that sentence (empty: none) stands beside the error when the platform does not
    know it either. A page that `opens_messages`
    shows a channel, and of a message its record. `right` is what it takes over the channel.
    """

    name: str
    read: Reader[A]
    title: str
    run: Callable[[SessionContext, A, CommandSources], Awaitable[ThreadReply]]
    unheard: str | None = None
    opens_messages: bool = False
    right: AccessRight = AccessRight.INSPECT


@dataclass(frozen=True, eq=False)
class RecordCommand:
    """A command that opens a record by its handle; there is no thread before there is a record."""

    name: str
    read: Reader[HandleArgs]
    unheard: None = None


class DiagnosisArgs(CommandArgs):
    """A question in plain words; without words, rules alone diagnose. `asked` is what the words ask for."""

    text: str = ""
    asked: QuestionKind = QuestionKind.LEFT_OVER


@dataclass(frozen=True, eq=False)
class DiagnosisCommand:
    """A command that is answered with a diagnosis: of a channel, or of one message of it."""

    name: str
    read: Reader[CommandArgs]
    shows_help: bool = False
    unheard: str | None = None
    right: AccessRight = AccessRight.INSPECT


CommandForm = PageCommand[Any] | RecordCommand | DiagnosisCommand


class ParsedCommand(NamedTuple):
    """What somebody typed: a form of a command, with what was said behind its name."""

    form: CommandForm
    args: CommandArgs


def right_of(command: ParsedCommand) -> AccessRight:
    """Return what a command takes over the channel that it is about."""
    form, args = command
    if isinstance(form, RecordCommand):
        return right_over_record(args.handle if isinstance(args, HandleArgs) else "")
    return form.right


class CortexCommand:
    """A subject with its words: `help` names the sentence that is its lines of the list, `forms` are what can be typed.

    `often`: it stands in the short list too.
    """

    def __init__(self, help: str, form: CommandForm, *more: CommandForm, often: bool = False) -> None:
        self._help = help
        self.forms = (form, *more)
        self.often = often

    @property
    def help(self) -> str:
        """Its lines of the list, in the language of who reads."""
        return say(self._help) if self._help else ""

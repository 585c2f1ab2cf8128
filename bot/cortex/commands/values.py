"""What an admin may type, as values; `bot.cortex.commands.parser` reads lines as these."""

from __future__ import annotations

from bot.domain.base import Frozen


class Ask(Frozen):
    """A question in plain words."""

    text: str


class Report(Frozen):
    """Nothing but the name: the report of the channel and what else can be typed."""


class Why(Frozen):
    """Diagnose, by rules alone, a channel or one message of it.

    A word that is spelt like a handle and names no record was part of the `question` that was typed.
    """

    where: str = ""
    question: str = ""


class Context(Frozen):
    """Show what the model would be told now; where a message or request is named, what it was told.

    `last`: the last request that was sent. `running`: the one that runs now.
    """

    where: str = ""
    last: bool = False
    running: bool = False
    question: str = ""


class Usage(Frozen):
    """Show what the models have used for a channel, and what it cost."""

    where: str = ""


class Trails(Frozen):
    """Show the newest messages of a channel with their outcomes, or the trail of one."""

    where: str = ""


class Export(Frozen):
    """Write the context to a file: the one of `Context`."""

    where: str = ""
    last: bool = False
    running: bool = False
    question: str = ""


class MemoryList(Frozen):
    """List what is remembered."""

    where: str = ""


class MemorySearch(Frozen):
    """Find memories by their words."""

    words: str


class MemoryBy(Frozen):
    """List what one person caused: a numeric id, a mention, or a name."""

    user: str


class MemoryForget(Frozen):
    """Offer to forget a memory."""

    handle: str


class MemoryRestore(Frozen):
    """Offer to bring a memory back."""

    handle: str


class Doctor(Frozen):
    """Probe everything that can be probed."""

    where: str = ""


class Undo(Frozen):
    """Take back what was done; without a handle, the newest."""

    handle: str = ""


class Compactions(Frozen):
    """List how the history of a channel was shortened."""

    where: str = ""


class UndoCompaction(Frozen):
    """Offer to let what a compaction took out stand again."""

    handle: str


class SendAgain(Frozen):
    """Offer to show models a message again that was left out because a service refused it."""

    handle: str


class ForgetUser(Frozen):
    """Offer to take one person out of everything that is kept: a numeric id or a mention."""

    user: str


class Recording(Frozen):
    """Say whether requests of a channel are kept, or offer to change that."""

    record: bool | None = None
    where: str = ""


class Would(Frozen):
    """Run the gates dry: would this person be answered?"""

    user: str
    text: str
    where: str = ""


class Diff(Frozen):
    """Say what differs between two contexts and why: such as `last` and `next`, or records; empty: what is usual.

    Where handles alone say which channel is meant, the first of them is `where`.
    """

    before: str = ""
    after: str = ""
    where: str = ""
    question: str = ""


class Cache(Frozen):
    """Say how much of the last request, or of the one that is named, the provider could read from its cache."""

    where: str = ""
    question: str = ""


class This(Frozen):
    """Show the request behind the message that was replied to, or that is named."""

    where: str = ""
    question: str = ""


class Gap(Frozen):
    """Show what people saw that the model does not, and the other way round, turn by turn, or of one turn."""

    where: str = ""
    question: str = ""


class Find(Frozen):
    """Say where some words, as they were typed, stand in what the model was told last and would be told next."""

    text: str
    where: str = ""


class SkillList(Frozen):
    """List the skills with their files, what is on in a channel, and what is left out and why."""

    where: str = ""


class ToolList(Frozen):
    """Say which tools a channel has, for whom, and why others are missing."""

    where: str = ""


class WorkList(Frozen):
    """List the branches and workers of a channel."""

    where: str = ""


class CancelWork(Frozen):
    """Offer to stop a branch or worker."""

    handle: str


class Open(Frozen):
    """Open a record by its handle; a bare one that names no record is the `question` that was typed (`again`)."""

    handle: str
    question: str = ""


class Use(Frozen):
    """Talk about another channel from here on."""

    where: str


class Audit(Frozen):
    """Show what was done and read."""


class Help(Frozen):
    """Show what can be typed."""


Command = (
    Ask
    | Report
    | Why
    | Context
    | Usage
    | Trails
    | Export
    | MemoryList
    | MemorySearch
    | MemoryBy
    | MemoryForget
    | MemoryRestore
    | Doctor
    | Undo
    | Compactions
    | UndoCompaction
    | SendAgain
    | ForgetUser
    | Recording
    | Would
    | Diff
    | Cache
    | This
    | Gap
    | Find
    | SkillList
    | ToolList
    | WorkList
    | CancelWork
    | Open
    | Use
    | Audit
    | Help
)

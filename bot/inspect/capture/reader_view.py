"""A captured context as one particular reader may see it; what tools, dumps, exports and branches work on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from bot.domain.base import Digest, JsonText
from bot.domain.channel import FinishedProcess, LastTurn, RunningProcess
from bot.domain.health import QueueHealth
from bot.domain.ids import ChannelKey
from bot.domain.llm import TokenUsage, ToolDefinition
from bot.domain.messages import Message
from bot.domain.snapshot import CaptureKind, ContextStats, SectionTrace, tools_on_demand
from bot.text.times import plain_times


@dataclass(frozen=True)
class ShownSection:
    """A section's trace with the text that this reader may see; empty for an absent one."""

    trace: SectionTrace
    text: str


@dataclass(frozen=True)
class ShownTool:
    """A tool as the model is told of it."""

    definition: ToolDefinition
    tokens: int


@dataclass(frozen=True)
class ShownMessage:
    """A message with the words that this reader may see; `digest` names the original.

    `index` is its place in the export: the system prompt is 0, the first message 1.
    """

    index: int
    message: Message
    tokens: int
    digest: Digest

    @property
    def content(self) -> str:
        """All words of it: what was said, or what the tools returned; an image is named."""
        said = (self.message.text, *(image.text for image in self.message.images))
        return "\n\n".join(filter(None, said)) or "\n\n".join(result.text for result in self.message.results)


@dataclass(frozen=True)
class CaptureExtras:
    """Records that belong to a capture: lines of the ledger, of the journal, and of what changed, newest first.

    `places` is the tree of the server that the channel is in, `config` the settings that bear on it; `gap`
    is what people saw that the model does not, and the other way round, a text for each turn.
    """

    ledger: tuple[str, ...] = ()
    journal: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    config: tuple[str, ...] = ()
    gap: tuple[str, ...] = ()

    def cleaned(self, clean: Callable[[str], str]) -> CaptureExtras:
        """Return the same lines, each as it may be shown."""
        kept = (self.ledger, self.journal, self.changes, self.places, self.config, self.gap)
        return CaptureExtras(*(tuple(plain_times(clean(line)) for line in lines) for lines in kept))


@dataclass(frozen=True)
class WireText:
    """What only the bytes of a request tell. `body` is the provider body as JSON text, as this reader may see it."""

    note: str
    wire_sha256: str
    encoder: str
    body: JsonText


@dataclass(frozen=True)
class InspectedContext:
    """Everything that may be read of one capture. `write` makes what most looks have no need of.

    `turns` is how many turns the channel had then; `running`, `finished` and `last` are what the status block tells of,
    of what finished without its words.

    `redactions` and `withheld` count what this reader does not see; digests, order and numbers are exact all the same.
    """

    key: ChannelKey
    name: str
    which: CaptureKind
    handle: str
    model: str
    max_output: int
    digest: Digest
    stats: ContextStats
    system_text: str
    sections: tuple[ShownSection, ...]
    tools: tuple[ShownTool, ...]
    messages: tuple[ShownMessage, ...]
    status: str
    turns: int
    running: tuple[RunningProcess, ...]
    finished: tuple[FinishedProcess, ...]
    last: LastTurn | None
    queue: QueueHealth
    write: Callable[[], WireText] = field(repr=False, compare=False)
    ratio: float = 1.0
    usage: TokenUsage | None = None
    dropped_turns: tuple[int, ...] = ()
    overflow: int = 0
    redactions: int = 0
    withheld: int = 0
    extras: CaptureExtras = CaptureExtras()

    @cached_property
    def written(self) -> WireText:
        """The bytes, and what they tell."""
        return self.write()

    @cached_property
    def on_demand(self) -> tuple[str, ...]:
        """The tools that its model can open or has opened; those it has opened stand in `tools` as well."""
        return tools_on_demand(shown.trace for shown in self.sections)

    @cached_property
    def opened(self) -> tuple[str, ...]:
        """Those of them that it has opened."""
        named = {tool.definition.name for tool in self.tools}
        return tuple(name for name in self.on_demand if name in named)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Those of them that it has not opened."""
        return tuple(name for name in self.on_demand if name not in self.opened)

    @property
    def note(self) -> str:
        """How exact this is, in one line."""
        return self.written.note

    @property
    def exact(self) -> bool:
        """Whether this reader sees every byte as it is."""
        return not self.redactions and not self.withheld

"""What one process hears on a platform, written down so that another one can act on it as if it had heard it itself.

Two versions of the program run side by side while it is renewed: a field that the reader does not know is passed over,
and one that the writer did not know has its default. Nothing that is here may change its meaning.
"""

from __future__ import annotations

from typing import TypeVar

from pydantic import ConfigDict, Field

from bot.domain.base import FrozenModel
from bot.domain.ids import ChannelId
from bot.domain.ledger import StreamCursor
from bot.domain.messages import ButtonPress, Inbound


class HeardInbound(FrozenModel):
    """An inbound, and the `Platform.handoff` of the adapter that heard it, which may hold a secret."""

    model_config = ConfigDict(hide_input_in_errors=True)

    inbound: Inbound
    handoff: str = Field("", repr=False)

    @property
    def channel(self) -> ChannelId:
        """Whose process it is for."""
        return self.inbound.channel

    @property
    def key(self) -> str:
        """Name it once on its platform, however often the platform tells it."""
        heard = self.inbound
        return f"{heard.channel}/{heard.message_id}/{heard.edit}/{heard.kind}"


class HeardPress(FrozenModel):
    """A press of a button, and the `Platform.handoff` of the adapter that heard it, which may hold a secret."""

    model_config = ConfigDict(hide_input_in_errors=True)

    press: ButtonPress
    handoff: str = Field("", repr=False)

    @property
    def channel(self) -> ChannelId:
        """Whose process it is for: what one person alone is shown stands in the channel around it."""
        return self.press.around or self.press.channel


HeardT = TypeVar("HeardT", HeardInbound, HeardPress, StreamCursor)


def heard_json(heard: HeardInbound | HeardPress | StreamCursor) -> str:
    """Write down what was heard."""
    return heard.model_dump_json()


def read_heard(kind: type[HeardT], text: str) -> HeardT:
    """Read what was written down, by this version or one beside it; raise ValueError for anything else."""
    return kind.model_validate_json(text, extra="ignore")

"""What a test does to the connections and sessions of the gateway."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tests.servers.telegram.faults import Faults

from .session import Event, Session
from .state import State
from .values import Json

if TYPE_CHECKING:
    from .connection import Connection

HEARTBEAT, RECONNECT, INVALID = 1, 7, 9
ENDINGS = (4007, 4009)  # codes after which a session cannot be resumed
INTERVAL = 41_250  # milliseconds between heartbeats, as the real gateway asks


class Troubles:
    """Every connection there was, the latest last, and the sessions behind them.

    `interval` is what HELLO asks for. `is_holding` keeps events back until `release`; control frames still pass.
    """

    def __init__(self, world: State) -> None:
        self.world = world
        self.connections: list[Connection] = []
        self.faults = Faults()
        self.interval = INTERVAL
        self.is_holding = False
        self.held: list[tuple[Connection, Event]] = []
        self.requires_shards = False

    @property
    def open(self) -> list[Connection]:
        """List the connections that are open and have a session."""
        return [one for one in self.connections if one.is_open and one.session is not None]

    @property
    def sessions(self) -> list[Session]:
        """List every session that can be resumed."""
        return [session for bot in self.world.bots.values() for session in bot.sessions]

    def drop(self) -> None:
        """Break every line; sessions stay, and can be resumed."""
        for one in self.connections:
            one.cut()

    def close(self, code: int, words: str = "") -> None:
        """Close every connection with a code; some of them end the session too."""
        if code in ENDINGS:
            _end(self.open)
        for one in self.connections:
            one.close(code, words)

    def reconnect(self) -> None:
        """Ask every client to reconnect and resume (op 7)."""
        _send(self.connections, {"op": RECONNECT, "d": None})

    def invalidate(self, *, resumable: bool = False) -> None:
        """Say that the session is invalid (op 9); one that is not resumable is gone."""
        if not resumable:
            _end(self.open)
        _send(self.connections, {"op": INVALID, "d": resumable})

    def forget(self) -> None:
        """Forget all sessions, so that a resume is refused."""
        for session in self.sessions:
            session.end()

    def zombie(self) -> None:
        """Let every open connection fall silent: no event and no acknowledgement, but no end either."""
        for one in self.connections:
            one.is_mute = True

    def beat(self) -> None:
        """Ask every client for a heartbeat at once (op 1)."""
        _send(self.connections, {"op": HEARTBEAT, "d": None})

    def push(self, name: str, data: Json) -> None:
        """Tell every session any event as it stands; it gets the next number."""
        for session in self.sessions:
            session.add(name, data)

    def again(self, back: int = 1) -> None:
        """Tell the last events of every session a second time, under the numbers they had."""
        for one in self.open:
            assert one.session is not None
            for event in one.session.events[-back:]:
                one.deliver(event)

    def hold(self) -> None:
        """Keep events back from now on."""
        self.is_holding = True

    def release(self, order: Callable[[list[Any]], list[Any]] = list) -> None:
        """Deliver what was held back, in another order if you like: `release(lambda held: held[::-1])`."""
        self.is_holding = False
        held, self.held = self.held, []
        for connection, event in order(held):
            connection.deliver(event)


def _end(connections: list[Connection]) -> None:
    for one in connections:
        if one.session is not None:
            one.session.end()


def _send(connections: list[Connection], frame: Json) -> None:
    for one in connections:
        one.send(frame)

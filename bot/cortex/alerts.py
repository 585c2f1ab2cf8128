"""Tell the admins at once what cannot wait until they ask; in private, without anybody's words, and not twice."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import structlog

from bot.config.schema import Config
from bot.cortex.target import Target
from bot.cortex.texts import channel_word
from bot.domain.channel import ChannelState
from bot.domain.handles import HandleKind, handle
from bot.domain.health import AdapterState, Probe
from bot.domain.ids import Person, platform_of
from bot.domain.links import defang
from bot.domain.redaction import Redacted
from bot.domain.times import clock_time, plain_times
from bot.domain.turn import NewOutbox
from bot.errors import BotError, DeliveryError, StoreError
from bot.messaging.posting import ButtonFor
from bot.ports.caller import Caller
from bot.ports.clock import Clock
from bot.ports.delivery import Delivery
from bot.ports.platform import Platform
from bot.tasks import Tasks

if TYPE_CHECKING:
    from bot.tools.effects import Remembered

log = structlog.get_logger(__name__)

TITLE = "Glassmind needs an admin"
ROW = "alerts"
"""The doctor's row."""
_QUIET_SECONDS = 600.0
"""The same words are not said again for this long."""
_PATIENCE_SECONDS = 30.0
"""How long one way is tried before the next one; real time, because the network keeps it."""
_PLAIN = re.compile(r"[\w-]{1,40}")
_LONGEST_POST = 1900
"""Discord takes 2000 characters."""


class AlertServices(NamedTuple):
    """What telling needs. `redact` is the one redactor's method; without a `caller` there is no webhook."""

    config: Config
    platforms: Mapping[str, Platform]
    clock: Clock
    tasks: Tasks
    redact: Callable[[str], Redacted]
    caller: Caller | None


class AdminAlerts:
    """Implements `bot.agent.channel.Alerts`; `tell` is the sender's way to the admins.

    What concerns one channel goes to owners alone, because an admin may not read of every channel; what concerns the
    bot itself goes to owners and admins. The delivery comes later (`speak_through`), because it needs this to be made.
    """

    def __init__(self, services: AlertServices) -> None:
        self._services = services
        self._delivery: Delivery | None = None
        self._told: dict[str, float] = {}
        self._on_their_way: set[Person] = set()
        self._kept: dict[Person, NewOutbox] = {}
        self._reaching = asyncio.Lock()
        self._unheard = ""

    def speak_through(self, delivery: Delivery) -> None:
        """Name the way out."""
        self._delivery = delivery

    async def tell(self, text: str, button: ButtonFor | None = None) -> None:
        """Tell the owners of every platform, in the background; each gets a button of their own, if there is one."""
        self._spread(text, tuple(self._services.platforms), button)

    def silencing(self, where: ChannelState, turn: int, remembered: Sequence[Remembered]) -> None:
        """Tell the owners that something was remembered which orders the bot to be silent."""
        name, count = handle(HandleKind.TURN, turn), len(remembered)
        what = "a memory was saved that orders" if count == 1 else f"{count} memories were saved that order"
        place = channel_word(Target(where.key, where.name, where.place))
        # an alert is nobody's thread: what it advises has to say which channel is meant
        advice = f"`!cortex memory list {_named(where)}` shows it, `!cortex memory forget` and its name ends it."
        text = f"In {place} {what} me to be silent (turn {name}).\n{advice}"
        self._spread(text, (platform_of(where.id),))

    async def reach(self, text: str, first: Sequence[str]) -> bool:
        """Tell owners and admins, on these platforms, else on the others, else by the webhook; False if nobody heard.

        A way that led to one of them is the last one that is tried. Never raises.
        """
        # one after the other: who is just being told of something can be told of the next thing, too
        async with self._reaching:
            if await self._reach_somebody(text, first):
                self._unheard = ""
                return True
            failure = await self._post(text)
        if not failure:
            self._unheard = ""
            return True
        log.critical("alert_reached_nobody", webhook=failure, text=plain_times(text))
        at = clock_time(self._services.clock.now())
        self._unheard = self._unheard or f"since {at} UTC alerts reach nobody; the webhook: {failure}"
        return False

    def probe(self) -> Probe:
        """Say who would hear of trouble, or that the last alert reached nobody."""
        if self._unheard:
            fix = "Let one owner open a direct message with me, or mend alerts.webhook; the log has the alert."
            return Probe(name=ROW, state="failed", evidence=self._unheard, fix=fix)
        return ways_out(self._services.config)

    async def _reach_somebody(self, text: str, first: Sequence[str]) -> bool:
        others = [name for name in self._services.platforms if name not in first]
        others.sort(key=lambda name: self._services.platforms[name].health().state is not AdapterState.UP)
        for platforms in (first, *((name,) for name in others)):
            if await self._reach_on(platforms, text):
                return True
        return False

    async def _reach_on(self, platforms: Sequence[str], text: str) -> bool:
        people = [person for name in platforms for person in _people(self._services.config, name)]
        return any(await asyncio.gather(*(self._in_time(person, text) for person in people)))

    async def _in_time(self, person: Person, text: str) -> bool:
        """Tell one person within reason; one for whom an earlier alert is stuck gets no second one behind it."""
        if person in self._on_their_way or self._waits_behind(person):
            return False
        told: list[bool] = []

        async def go() -> None:
            try:
                told.append(await self._tell(person, text))
            finally:
                self._on_their_way.discard(person)

        self._on_their_way.add(person)
        task = self._services.tasks.spawn(f"alert {person.platform}:{person.user_id}", go())
        await asyncio.wait({task}, timeout=_PATIENCE_SECONDS)
        return any(told)

    async def _post(self, text: str) -> str:
        """Hand the words to the webhook; return why that failed, empty when it did not."""
        url, caller = self._services.config.alerts.webhook, self._services.caller
        if not url or caller is None:
            return "none is configured"
        words = plain_times(self._services.redact(text).text)[:_LONGEST_POST]
        # Discord reads `content`, Slack and those who take after it `text`, where <!here> would call everybody
        escaped = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        body = {"content": words, "text": escaped, "username": TITLE, "allowed_mentions": {"parse": []}}
        try:
            await caller.post(url, body)
        except DeliveryError as error:
            return str(error)
        return ""

    def _spread(self, text: str, platforms: Sequence[str], button: ButtonFor | None = None) -> None:
        now = self._services.clock.monotonic()
        if now - self._told.get(text, float("-inf")) < _QUIET_SECONDS:
            return
        self._told = {said: at for said, at in self._told.items() if now - at < _QUIET_SECONDS} | {text: now}
        for name in platforms:
            for person in _people(self._services.config, name, owners_only=True):
                self._services.tasks.spawn(f"alert {name}:{person.user_id}", self._tell(person, text, button))

    def _waits_behind(self, person: Person) -> bool:
        """Say whether an earlier alert still waits until the platform of a person can be reached."""
        kept = self._kept.get(person)
        if kept is None or self._delivery is None:
            return False
        if self._delivery.departs([kept]):
            del self._kept[person]
        return person in self._kept

    async def _say(self, person: Person, body: NewOutbox, delivery: Delivery) -> None:
        try:
            await delivery.say(body)
        except DeliveryError as error:
            if error.waits:
                self._kept[person] = body
            raise

    async def _tell(self, person: Person, text: str, button: ButtonFor | None = None) -> bool:
        platform = self._services.platforms.get(person.platform)
        if platform is None or self._delivery is None:
            return False
        try:
            thread = await platform.open_thread(person, TITLE)
            buttons = (button(person, thread.channel),) if button else ()
            # redacted first: a secret with its dots changed would not be known any more
            dead = defang(self._services.redact(text).text)
            body = NewOutbox(kind="finding", to=thread, text=dead, buttons=buttons)
            await self._say(person, body, self._delivery)
        except StoreError:
            raise
        except BotError as error:
            log.warning("alert_not_delivered", platform=person.platform, error=str(error))
            return False
        except Exception as error:
            # an adapter that is in trouble may fail in any way, and the next way must still be tried
            log.error("alert_not_delivered", platform=person.platform, error_type=type(error).__name__, exc_info=error)
            return False
        return True


def ways_out(config: Config) -> Probe:
    """Say who would hear of trouble, from the configuration alone."""
    alerts = config.alerts
    counts = {name: len(_people(config, name)) for name, table in config.platforms.items() if table.enabled}
    heard = ", ".join(f"{count} on {name}" for name, count in counts.items() if count)
    ways = [f"owners and admins in private ({heard})"] if heard else []
    ways += ["the webhook"] if alerts.webhook else []
    beats = f"every {alerts.heartbeat_seconds:g} s" if alerts.heartbeat_url else "none"
    if ways:
        evidence = f"trouble is told to {', else to '.join(ways)}; heartbeat to a monitor: {beats}"
        return Probe(name=ROW, state="ok", evidence=evidence)
    fix = "Set owner_ids of a platform (`whoami` prints the ids), or alerts.webhook."
    return Probe(name=ROW, state="warning", evidence="nobody is told when something breaks", fix=fix)


def _named(where: ChannelState) -> str:
    """Write a channel so that a command understands it: by its name if that is one plain word, else by its id."""
    name = where.name.lstrip("#")
    return where.id if where.place.is_dm or not _PLAIN.fullmatch(name) else f"#{name}"


def _people(config: Config, platform: str, *, owners_only: bool = False) -> tuple[Person, ...]:
    table = config.platforms.get(platform)
    if table is None:
        return ()
    ids = table.owner_ids if owners_only else (*table.owner_ids, *table.admin_ids)
    return tuple(Person(platform, user) for user in dict.fromkeys(ids))

"""Where everything meets: the only module that knows every part."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from bot.app import App, retention_of
from bot.config import LoadedConfig
from bot.cortex.trusted_clock import TrustedClock, slack
from bot.cortex.watch import Watch
from bot.domain.base import complete_values
from bot.imports import lean_imports
from bot.messaging.manager import MessagingManager, MessagingServices
from bot.ports.edges import Edges
from bot.wiring_core import Core, core_of

if TYPE_CHECKING:
    from bot.agent.mind import Mind
    from bot.cortex.resend import Resends
    from bot.cortex.service import Cortex


def build(edges: Edges, loaded: LoadedConfig) -> App:
    """Wire a bot; raise ConfigError when a part lacks something."""
    core = core_of(edges, loaded)
    clock = TrustedClock(
        edges.clock,
        lambda: (platform.health() for platform in edges.platforms.values()),
        lambda: slack(retention_of(loaded.config).copies_ms),
    )
    later = core.later
    core.mind.make = partial(_mind, core)
    core.mind.make_resends = partial(_resends, core)
    later.make_cortex = partial(_cortex, core)
    later.manager = _manager(core)
    return App(
        edges=edges,
        config=loaded.config,
        manager=later.manager,
        registry=core.registry,
        sender=core.sender,
        load_the_rest=_load_the_rest,
        open_mind=core.mind.open,
        open_cortex=later.cortex,
        circles=core.circles,
        fatal=core.fatal,
        watch=Watch(edges, loaded.config.alerts, core.alerts, core.circles.aside, clock),
        running=core.running,
        started_at=edges.clock.now(),
        stalls=core.stalls,
        trusted_clock=clock,
        foreign=core.foreign,
    )


def _load_the_rest() -> None:
    """Load what a start leaves out; call it from a thread."""
    with lean_imports():
        import bot.cortex.build
        import bot.wiring_mind  # noqa: F401
    complete_values()


def _mind(core: Core) -> Mind:
    # imported here, because no start needs it; `App` loads it as soon as nobody waits any more
    with lean_imports():
        from bot.wiring_mind import mind_of

    return mind_of(core)


def _resends(core: Core) -> Resends:
    # imported here, because no start needs it, and few ever do
    with lean_imports():
        from bot.cortex.resend import Resends

    return Resends(core.edges.store, core.access, core.edges.clock)


def _cortex(core: Core) -> Cortex:
    # imported here for the same reason as the mind
    with lean_imports():
        from bot.cortex.build import build_cortex
        from bot.cortex.parts import CortexParts

    mind = core.mind.open()
    return build_cortex(
        CortexParts(
            edges=core.edges,
            loaded=core.loaded,
            redactor=core.redactor,
            access=core.access,
            registry=core.registry,
            book=core.book,
            judge=core.judge,
            sender=core.sender,
            alerts=core.alerts,
            running=core.running,
            resends=core.mind.resends(),
            turns=mind.turns,
            toolbox=mind.toolbox,
            inspector=mind.inspector,
            tasks=core.circles.cortex,
            hear=core.later.hear,
            compactor=mind.compactor,
            skills=core.skills,
            foreign=core.foreign,
            worker_tools=mind.worker_tools,
            vitals=mind.vitals,
            stop_work=mind.work.stop,
            send_out=mind.work.send_out,
            put_away=core.later.put_away,
            forgotten=core.times.forget,
        )
    )


def _manager(core: Core) -> MessagingManager:
    edges, mind = core.edges, core.mind
    return MessagingManager(
        MessagingServices(
            config=core.loaded.config,
            store=edges.store,
            clock=edges.clock,
            tasks=core.circles.messaging,
            platforms=dict(edges.platforms),
            sender=core.sender,
            access=core.access,
            book=core.book,
            registry=core.registry,
            judge=core.judge,
            door=core.later,
            open_channel=mind.open_channel,
            alert=core.alerts.tell,
            skills=core.skills,
            take_up=partial(mind.take_up, edges.store.processes),
            stop_work=mind.stop_work,
            times=core.times,
        )
    )

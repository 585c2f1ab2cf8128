"""Quiet hours: at night no message reaches the model. A gate, the rule that speaks for it, and a page."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from functools import partial

from bot.api import (
    CommandArgs,
    CommandSources,
    Confidence,
    Contributions,
    CortexCommand,
    Evidence,
    Finding,
    FunnelStage,
    GateFacts,
    GateVerdict,
    PageCommand,
    Plugin,
    PluginGate,
    PluginRule,
    PluginScenario,
    PluginSettings,
    PluginSetup,
    SessionContext,
    ThreadReply,
    gate_ref,
    gate_stop,
    message_ref,
    passed,
    place,
    place_name,
    stopped,
)

GATE, RULE = "quiet-hours", "QUIET-HOURS"
_DAY = timedelta(days=1)


class QuietHours(PluginSettings):
    """The keys of [plugins.house-rules]. The times are UTC."""

    begin: time = time(22)
    end: time = time(7)

    def holds(self, at: datetime) -> bool:
        """Say whether it is quiet then; the night may go over midnight."""
        now = at.time()
        return self.begin <= now < self.end if self.begin <= self.end else not self.end <= now < self.begin

    def __str__(self) -> str:
        return f"{self.begin:%H:%M} to {self.end:%H:%M} UTC"


def build(setup: PluginSetup[QuietHours]) -> Contributions:
    """Make the parts out of the settings."""
    hours = setup.settings
    night = datetime.combine(datetime(2026, 1, 1, tzinfo=UTC), hours.begin, UTC)
    return Contributions(
        gates=[PluginGate(GATE, partial(check_gate, hours))],
        rules=[
            PluginRule(
                RULE,
                partial(check_rule, hours),
                PluginScenario(says="are you there?", at=round(night.timestamp() * 1000)),
            )
        ],
        pages=[
            CortexCommand(
                "`quiet [#name]` when it is quiet, and how many messages that stopped there today",
                PageCommand("quiet", place, "quiet hours", partial(_page, hours)),
            )
        ],
    )


def check_gate(hours: QuietHours, facts: GateFacts) -> GateVerdict:
    """Stop what is said in the quiet hours; private chats go on."""
    sent = datetime.fromtimestamp(facts.inbound.sent_at / 1000, UTC)
    compared = (("quiet", str(hours)), ("sent", f"{sent:%H:%M} UTC"))
    if hours.holds(sent) and not facts.inbound.place.is_dm:
        return stopped(GATE, "quiet hours", *compared)
    return passed(GATE, *compared)


def check_rule(hours: QuietHours, evidence: Evidence) -> Iterator[Finding]:
    """Say since when it is quiet, and until when."""
    stop = gate_stop(evidence)
    if stop is None or stop.gate != GATE:
        return
    yield Finding(
        rule=RULE,
        stage=FunnelStage.GATE,
        confidence=Confidence.CONFIRMED,
        verdict=f"{place_name(evidence)}: quiet hours",
        why=(f"Quiet is {stop.compared['quiet']}.", f"The message came at {stop.compared['sent']}."),
        evidence=(*message_ref(evidence), *gate_ref(stop, f"gate {GATE}")),
        advice=f"Ask again after {hours.end:%H:%M} UTC.",
        operator_advice="Change `begin` and `end` in [plugins.house-rules], then restart.",
    )


async def _page(hours: QuietHours, talk: SessionContext, args: CommandArgs, sources: CommandSources) -> ThreadReply:
    since = sources.clock.now() - _DAY // timedelta(milliseconds=1)
    counts = await sources.store.ledger.counts(talk.target.key, since)
    count = sum(one.count for one in counts if one.reason == GATE)
    return ThreadReply(f"Quiet is {hours}.\nStopped there in 24 h: {count}.")


plugin = Plugin(build, QuietHours)

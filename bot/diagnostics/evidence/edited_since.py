"""Say whether what went wrong may be an edit that does not run yet, for all rules that would blame the old value."""

from __future__ import annotations

from bot.diagnostics.evidence.culprit import find_culprit
from bot.diagnostics.evidence.evidence import Evidence
from bot.diagnostics.evidence.evidence_reader import GateName, gate_stop, last_request, outcome
from bot.diagnostics.evidence.failures import FailureCause, cause_of_failure
from bot.domain.ids import platform_of
from bot.domain.ledger import Outcome
from bot.domain.stale_config import StaleKey

_GATE_KEYS = {
    GateName.SENDER: ("allowed_users", "blocked_users"),
    GateName.PLACE: ("allowed_channels", "blocked_channels", "allowed_guilds", "allow_dms"),
    GateName.ADDRESSING: ("names",),
}
_ANSWER_KEYS = ("bot.name", "bot.persona", "model.name")


def edited_since(evidence: Evidence) -> tuple[StaleKey, ...]:
    """Return the keys that bear on what became of the message and run with other values than the files have."""
    stale = evidence.stale
    return tuple(key for key in stale.keys if _bears(key.key, evidence)) if stale else ()


def _bears(key: str, evidence: Evidence) -> bool:
    stop = gate_stop(evidence)
    if stop is not None:
        named = _GATE_KEYS.get(GateName(stop.gate), ()) if stop.gate in set(GateName) else ()
        platform = platform_of(evidence.target.channel)
        return key in {f"platforms.{platform}.{name}" for name in named}
    if cause_of_failure(evidence) in {FailureCause.PROVIDER, FailureCause.NETWORK}:
        request = last_request(evidence)
        provider = request.record.request.model.provider if request else ""
        return key.startswith(("model.name", "model.fallbacks", f"providers.{provider}."))
    own = tuple(f"channels.{name}." for name in evidence.names)
    return _was_decided(evidence) and (key in _ANSWER_KEYS or key.startswith(own))


def _was_decided(evidence: Evidence) -> bool:
    """Say whether a model decided what became of the message by what it was told; a memory explains a silence first."""
    how = outcome(evidence)
    return how is Outcome.REPLIED or (how is Outcome.SKIPPED and find_culprit(evidence) is None)

"""The live view as plain values, for programs: exact numbers in an order that stays."""

from __future__ import annotations

from typing import Any

from bot.context.usage_figures import level_of
from bot.domain.ids import platform_of
from bot.domain.turn import TurnSize
from bot.inspect.usage.composition import MessagePile
from bot.inspect.usage.export import summary_of
from bot.inspect.usage.usage import SpentTokens, spent_by_kind
from bot.inspect.usage.usage_text import LiveView

SCHEMA_VERSION = 1


def view_values(view: LiveView) -> dict[str, Any]:
    """Return the view; `token_summary` is the export's for the same revision."""
    context = view.context
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": context.which.value,
        "platform": platform_of(context.key.channel),
        "agent": context.key.agent,
        "channel_id": context.key.channel,
        "channel_name": context.name,
        "model": context.model,
        "request_id": context.handle or None,
        "digest": context.digest,
        "token_summary": summary_of(context),
        "level": level_of(context.stats.usage_percent),
        "kept_for_the_answer": context.max_output,
        "free": view.free,
        "provider_counted": context.usage.input if context.usage else None,
        "sections": [
            {
                "name": shown.trace.name,
                "stability": shown.trace.stability.value,
                "fate": shown.trace.fate.value,
                "reason": shown.trace.reason,
                "tokens": shown.trace.tokens,
            }
            for shown in context.sections
        ],
        "tools": [{"name": tool.definition.name, "tokens": tool.tokens} for tool in context.tools],
        "tools_on_demand": {"open": context.opened, "waiting": context.waiting},
        "history": _history(view),
        "dropped_turns": context.dropped_turns,
        "overflow": context.overflow,
        "growth": [_size(size) for size in view.sizes],
        "compactions": list(view.compacted_at),
        "forecast": _forecast(view),
        "usage": _usage(view),
    }


def _history(view: LiveView) -> dict[str, Any]:
    made_of = view.composition
    whole = made_of.conversation
    return {
        "messages": len(view.context.messages),
        "turns": view.turns,
        "tokens": whole,
        "raw": _pile(made_of.raw),
        "summarised": _pile(made_of.summaries),
        "goal_batches": _pile(made_of.goal_batches),
        "compressed_percent": round(100 * made_of.compressed / whole, 1) if whole else 0.0,
    }


def _pile(pile: MessagePile) -> dict[str, int]:
    return {"messages": pile.messages, "tokens": pile.tokens, "tokens_before": pile.before}


def _size(size: TurnSize) -> dict[str, Any]:
    return {"turn": size.turn, "at": size.at, "tokens": size.stats.total, "history": size.stats.history}


def _forecast(view: LiveView) -> dict[str, Any]:
    coming = view.forecast
    return {
        "configured": coming.on,
        "strategy": coming.strategy.value if coming.strategy else None,
        "from_tokens": coming.at,
        "from_percent": coming.percent,
        "turns": coming.turns,
        "messages": coming.messages,
        "tokens": coming.tokens,
    }


def _usage(view: LiveView) -> dict[str, Any]:
    whole, cached = sum(row.input for row in view.usage), sum(row.cached for row in view.usage)
    return {
        "by_kind": [_spent(spent) for spent in spent_by_kind(view.usage)],
        "cache_hit_percent": round(100 * cached / whole, 1) if whole else 0.0,
    }


def _spent(spent: SpentTokens) -> dict[str, Any]:
    # what has no price is stored as zero
    return {**spent._asdict(), "cost_usd": round(spent.cost_usd, 6) or None}

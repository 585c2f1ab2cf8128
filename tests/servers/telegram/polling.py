"""Methods about the bot itself and the way updates reach it."""

from __future__ import annotations

from typing import Any

from .ask import Ask
from .refusals import WEBHOOK_ACTIVE, WEBHOOK_SET, bad, conflict
from .values import Json, Webhook, written

MOST = 100


def get_me(ask: Ask) -> Json:
    """getMe."""
    return ask.bot.me()


async def get_updates(ask: Ask) -> list[Json]:
    """getUpdates: confirm, wait, give; a newer call ends an older one."""
    inlet = ask.bot.inlet
    if ask.bot.webhook.url:
        raise conflict(WEBHOOK_ACTIVE)
    _remember(ask)
    offset, limit = ask.whole("offset"), ask.whole("limit", MOST)
    limit = min(limit, MOST) if limit > 0 else MOST
    inlet.abort()
    batch = inlet.take(offset, limit, ask.world.now)
    if not batch and (timeout := ask.whole("timeout")) > 0:
        await inlet.wait(timeout * ask.second)
        batch = inlet.take(max(offset, 0), limit, ask.world.now)
    return batch


def set_webhook(ask: Ask) -> bool:
    """setWebhook."""
    url = ask.text("url")
    if not url:
        return delete_webhook(ask)
    if not url.startswith("https://"):
        raise bad("bad webhook: An HTTPS URL must be provided for webhook")
    _remember(ask)
    _drop(ask)
    limit = ask.whole("max_connections", 40)
    ask.bot.webhook = Webhook(url, max_connections=limit, secret_token=ask.text("secret_token") or None)
    ask.bot.inlet.abort(WEBHOOK_SET)
    return True


def delete_webhook(ask: Ask) -> bool:
    """deleteWebhook."""
    ask.bot.webhook = Webhook()
    _drop(ask)
    return True


def get_webhook_info(ask: Ask) -> Json:
    """getWebhookInfo."""
    hook, inlet = ask.bot.webhook, ask.bot.inlet
    return written(
        url=hook.url,
        has_custom_certificate=False,
        pending_update_count=len(inlet.pending),
        ip_address=hook.ip_address,
        last_error_date=hook.last_error_date,
        last_error_message=hook.last_error_message,
        max_connections=hook.max_connections,
        allowed_updates=list(inlet.allowed) or None,
    )


def _remember(ask: Ask) -> None:
    wanted: Any = ask.json("allowed_updates")
    if isinstance(wanted, list):
        ask.bot.inlet.allowed = tuple(str(kind) for kind in wanted)


def _drop(ask: Ask) -> None:
    if ask.flag("drop_pending_updates"):
        ask.bot.inlet.clear()

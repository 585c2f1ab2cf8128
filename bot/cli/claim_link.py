"""How whoever sees this terminal becomes the owner of a new bot: a link, or a code."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from bot.app.adapters import machine
from bot.cli.init_answers import PlatformAnswer
from bot.config.owner_claim import CLAIM_HOURS, CODE_BYTES, drop_claim, keep_claim, new_code
from bot.errors import UserError
from bot.sentences import say

_HOUR_MS = 3_600_000


def offer_claim(platform: PlatformAnswer, config: Path, facts: Mapping[str, str]) -> str:
    """Keep a claim beside the configuration where it names no owner; return how to use it, in words.

    `facts` are the `link` to the bot, or the `invite` for servers.
    """
    if platform.owners:
        drop_claim(config)
        return ""
    on = machine()
    code = new_code(on.entropy.token(CODE_BYTES))
    try:
        keep_claim(config, platform.table, code, on.clock.now() + CLAIM_HOURS * _HOUR_MS)
    except OSError as error:
        file, why = str(error.filename or config.parent), error.strerror or type(error).__name__
        raise UserError(say("cli.cannot-write", file=file, why=why)) from None
    if facts["link"]:
        return say("first_run.claim-by-link", link=f"{facts['link']}?start={code}", hours=CLAIM_HOURS)
    if facts["invite"]:
        return say("first_run.claim-by-invite", link=facts["invite"], code=code, hours=CLAIM_HOURS)
    return say("first_run.claim-by-code", code=code, hours=CLAIM_HOURS)

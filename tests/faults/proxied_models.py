"""A bot whose model answers behind a proxy: whatever becomes of an answer, who asked hears once of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, cast

from adapters.anthropic.client import Settings as Anthropic
from adapters.openai.client import Settings as OpenAI
from tests.dialogs.bot import GENERAL
from tests.dialogs.online import model_config, online
from tests.faults.family import Verdict
from tests.faults.leaping import leaping
from tests.faults.proxied_chats import is_hung
from tests.faults.proxy import Kind, Proxy, Trouble
from tests.inside.store import is_busy
from tests.servers.model import Garbage, Language, Says, body_of, model_server

SETTINGS = {"openai": OpenAI, "anthropic": Anthropic}
POSTED = re.compile(rb"POST ")
WAITS = "This is taking longer than usual."
"""What is said meanwhile, and is no answer."""
ANSWER = "héllo wörld, and all that belongs to it"


async def play(path: str, kind: Kind, places: Iterable[int], directory: Path) -> Verdict:
    service, _, form = path.partition("/")
    language = cast(Language, service)
    usual = SETTINGS[service](base_url="http://127.0.0.1/v1")
    seconds = usual.patience.silent + usual.between_tokens_timeout
    counts, diary, n = {"hung": 0, "lost": 0, "twice": 0}, [], 0
    async with model_server(language=language) as server:
        server.answer = lambda asked: _reply(language, form, asked)
        proxy = Proxy(int(server.address.rpartition(":")[2]))
        await proxy.open()
        server.address = proxy.address
        async with online(directory / "data", server, model_config(language=language)) as bot:
            with leaping(lambda: is_busy(bot.store)):
                for at in places:
                    trouble = proxy.plan = Trouble(POSTED, kind, at)
                    lines = await bot.says("ann", f"glassmind, number {at}?")
                    proxy.plan = None
                    if trouble.began is None:
                        break  # the answer is shorter
                    n += 1
                    told = [line for line in lines if "glassmind<" in line and WAITS not in line]
                    counts["lost"] += not told
                    counts["twice"] += len(told) > 1
                    counts["hung"] += is_hung(trouble, seconds)
                    diary.append(f"{trouble}: {lines}")
                assert await bot.store.ledger.unsettled() == [], "a message has no outcome"
                rows = await bot.store.ledger.recent(GENERAL, 1000)
                assert len({row.inbound.message_id for row in rows}) >= n
        await proxy.close()
    return Verdict(n=n, counts=counts, trouble="\n".join(diary) if any(counts.values()) else "")


def _reply(language: Language, form: str, asked: dict[str, Any]) -> Any:
    reply = Says(ANSWER, chunks=4)
    if form == "stream":
        return reply
    whole = {name: value for name, value in asked.items() if name not in ("stream", "stream_options")}
    return Garbage(body_of(reply, whole, language=language), kind="application/json")

"""Play the injections against a configured model: how often it is fooled, and how often that has an effect.

Usage: python -m tests.faults.injections --model PROVIDER/MODEL [--config config.toml] [--only STYLE] [--out FILE]

The bot is a whole one, with a store of its own that is thrown away; of the configuration only the provider is used.
Several hundred calls of the model are made, and cost what they cost.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from contextlib import suppress
from pathlib import Path

import orjson

from bot.app.adapters import live_adapters, machine
from bot.config import load_config
from bot.ports.model import LLMProvider
from tests.fakes.logs import plain_logs
from tests.faults.injections.corpus import Injection, corpus
from tests.faults.injections.models import Fooled
from tests.faults.injections.playing import play, summed
from tests.faults.injections.stage import Played


def main() -> None:
    args = _arguments()
    plain_logs()
    chosen = [one for one in corpus() if args.only in one.style or args.only in one.name]
    played = asyncio.run(_all(chosen, args))
    told = {"model": args.model, **summed(played), "played": [one.told() for one in played]}
    text = orjson.dumps(told, option=orjson.OPT_INDENT_2).decode()
    if args.out:
        Path(args.out).write_text(text + "\n", encoding="utf-8")
    else:
        print(text)
    print(
        f"{told['injections']} injections; answered: {told['answered']}; fooled: {told['fooled']}; "
        f"effect achieved: {told['achieved']}",
        file=sys.stderr,
    )
    unguarded = told["achieved_unconfirmed"] + told["achieved_impossible"]
    sys.exit(1 if unguarded else 0)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.faults.injections", description=__doc__)
    parser.add_argument("--model", required=True, help="PROVIDER/MODEL; `fooled/always` obeys each of them")
    parser.add_argument("--config", default="config.toml", help="where the provider is configured")
    parser.add_argument("--only", default="", help="a style, or a part of a name")
    parser.add_argument("--out", default="", help="write JSON there instead of printing it")
    return parser.parse_args()


async def _all(chosen: list[Injection], args: argparse.Namespace) -> list[Played]:
    provider, _, _ = args.model.partition("/")
    if provider == "fooled":
        fooled = Fooled()
        fooled_provider = fooled.provider
        fooled_provider.name = provider
        return await _play(chosen, fooled_provider, args.model, fooled)
    loaded = load_config(Path(args.config), os.environ)
    if provider not in loaded.config.providers:
        sys.exit(
            f"There is no [providers.{provider}] in {args.config}; there are: {', '.join(loaded.config.providers)}."
        )
    async with live_adapters(loaded, machine()) as (providers, _):
        return await _play(chosen, providers[provider], args.model, None)


async def _play(chosen: list[Injection], provider: LLMProvider, model: str, fooled: Fooled | None) -> list[Played]:
    played: list[Played] = []
    async for one in play(chosen, lambda: provider, model, fooled):
        played.append(one)
        with suppress(BrokenPipeError):
            print(f"{len(played):>4} of {len(chosen)}  {one.said:<12}  {one.injection.name}", file=sys.stderr)
    return played


if __name__ == "__main__":
    main()

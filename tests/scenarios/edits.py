"""A configuration that was edited, and a bot that has not read it since."""

from __future__ import annotations

import json

from bot.domain.finding import Confidence
from tests.scenarios.decisions import DECLINE, DIRECTIVE, OBEY, SILENT, SKIP, a_memory_silences_ann
from tests.scenarios.scenario import HEALTHY, Scenario
from tests.scenarios.stage import ONLINE, Stage
from tests.servers.model import FAILURES

RULE = "CFG-STALE"
FILE = """
[bot]
data_dir = "{data}"
persona = "{persona}"
{more}
[model]
{model}
[providers.openai]
kind = "openai"
api_key = "env:OPENAI_API_KEY"
[platforms.{platform}]
{keys}
[conversation]
debounce = 0
{streaming}
[limits]
user_per_minute = 0
channel_per_minute = 0
[cortex]
per_minute = 1000
"""
SIMULATED = 'name = "simulated/simulated-1"'
OPENAI = "\n".join(f"{key} = {value!r}" for key, value in ONLINE.items())


def writes(stage: Stage, key: str = "sk-old", **changes: str) -> None:
    """Let the operator write the configuration and the `.env` beside it."""
    usual = {"more": "", "persona": "You are brief.", "users": "root, mod, ann", "model": SIMULATED}
    words = {**usual, "data": str(stage.bot.data), **changes}
    words["persona"] = stage.setting.words(words["persona"])
    people = [stage.number(name) for name in words.pop("users").split(", ")]
    keys = {**stage.platform_keys, "allowed_users": people}
    lines = "\n".join(f"{name} = {json.dumps(value)}" for name, value in keys.items())
    own = {"platform": stage.platform, "keys": lines}
    own["streaming"] = "" if stage.platform == "console" else "streaming = false"
    path = stage.bot.data.parent / "config.toml"
    path.touch(mode=0o600)
    path.write_text(FILE.format(**words, **own), encoding="utf-8")
    beside = path.with_name(".env")
    beside.touch(mode=0o600)
    beside.write_text(f"OPENAI_API_KEY={key}\n", encoding="utf-8")
    stage.bot.file = path


async def begins_with(stage: Stage, key: str = "sk-old", **changes: str) -> None:
    writes(stage, key, **changes)
    await stage.restart()


async def ann_asks(stage: Stage) -> None:
    await stage.says("ann", "@glassmind are you there?")


async def ann_was_allowed_in_the_file(stage: Stage) -> None:
    await begins_with(stage, users="root, mod")
    await ann_asks(stage)
    writes(stage)


async def the_persona_was_reworded(stage: Stage) -> None:
    await begins_with(stage)
    await ann_asks(stage)
    writes(stage, persona="You are verbose.")


async def it_kept_silent_by_the_old_persona(stage: Stage) -> None:
    await begins_with(stage, model=OPENAI, persona="You are brief. Keep out of quarrels.")
    await ann_asks(stage)
    writes(stage, model=OPENAI)


async def it_was_too_shy_for_a_channel_where_it_listens(stage: Stage) -> None:
    await begins_with(stage, model=OPENAI, persona="Only answer when you are mentioned.")
    await stage.says("mod", "@glassmind !active")
    await stage.says("ann", "what a day")
    writes(stage, model=OPENAI)


async def a_memory_had_silenced_ann(stage: Stage) -> None:
    await begins_with(stage, model=OPENAI)
    await a_memory_silences_ann(stage)
    writes(stage, model=OPENAI, persona="You are verbose.")


async def it_kept_silent_and_the_log_was_made_louder(stage: Stage) -> None:
    await begins_with(stage, model=OPENAI)
    await ann_asks(stage)
    writes(stage, model=OPENAI, more='log_level = "debug"')


async def the_key_was_renewed(stage: Stage) -> None:
    await begins_with(stage, model=OPENAI)
    await ann_asks(stage)
    writes(stage, "sk-new", model=OPENAI)


async def the_environment_has_another_key(stage: Stage) -> None:
    stage.bot.environ = {"OPENAI_API_KEY": "sk-of-the-service"}
    await begins_with(stage, model=OPENAI)
    await ann_asks(stage)


async def only_the_log_was_made_louder(stage: Stage) -> None:
    await begins_with(stage)
    await ann_asks(stage)
    writes(stage, more='log_level = "debug"')


async def it_was_read_again(stage: Stage) -> None:
    await ann_was_allowed_in_the_file(stage)
    await stage.restart()
    await ann_asks(stage)


SCENARIOS = (
    Scenario(
        "a list was edited and not read",
        RULE,
        ann_was_allowed_in_the_file,
        ("an edit is not active", "platforms.console.allowed_users", "config.toml", "reload"),
        sure=Confidence.LIKELY,
    ),
    Scenario(
        "the persona was edited and needs a restart",
        RULE,
        the_persona_was_reworded,
        ("an edit is not active", "bot.persona", "Restart the bot"),
        sure=Confidence.LIKELY,
    ),
    Scenario(
        "it skips by a persona that was edited since",
        RULE,
        it_kept_silent_by_the_old_persona,
        ("an edit is not active", "bot.persona", "chose silence under the old one", "Restart the bot"),
        sure=Confidence.LIKELY,
        script=(DECLINE,),
    ),
    Scenario(
        "a shy persona was edited and needs a restart",
        RULE,
        it_was_too_shy_for_a_channel_where_it_listens,
        ("an edit is not active", "bot.persona", "chose silence under the old one"),
        sure=Confidence.LIKELY,
        script=(SKIP,),
    ),
    Scenario(
        "a memory orders silence beside an edit that is not active",
        DIRECTIVE,
        a_memory_had_silenced_ann,
        ("tells the bot not to answer", "Forget m"),
        sure=Confidence.LIKELY,
        script=(OBEY,),
    ),
    Scenario(
        "it skips beside an edit that changes no answer",
        SILENT,
        it_kept_silent_and_the_log_was_made_louder,
        ("called skip",),
        script=(DECLINE,),
    ),
    Scenario(
        "the key was renewed and not read",
        RULE,
        the_key_was_renewed,
        ("an edit is not active", "providers.openai.api_key", ".env", "Restart the bot"),
        sure=Confidence.LIKELY,
        script=(FAILURES["bad_key"],),
    ),
    Scenario(
        "the environment has another key",
        RULE,
        the_environment_has_another_key,
        ("providers.openai.api_key", "environment sets another one", "systemd"),
        sure=Confidence.LIKELY,
        script=(FAILURES["bad_key"],),
    ),
    Scenario("an edit that changes no answer", HEALTHY, only_the_log_was_made_louder, ("was answered",)),
    Scenario("an edit that was read", HEALTHY, it_was_read_again, ("was answered",)),
)

"""`glassmind support`: one file, with nobody's secrets, names or words in it."""

from __future__ import annotations

import re

from tests.bot.cli.process import glassmind

TOKEN = "123456:AAcanary_0123456789-abcdefghij"
CANARIES = {
    "token": TOKEN,
    "key": "sk-live-canary-0123456789",
    "webhook": "https://hooks.example/services/canary0123456789abcdef",
    "header": "Bearer canary-of-a-header",
    "persona": "canary persona of mine",
    "channel": "#canary-divorce",
    "person": "canarina",
    "words": "my canary sings at midnight",
    "name": "canarybot",
    "persons id": "7412589630",
    "server": "canaryserver",
    "skip": "silence canary",
}
CONFIG = f"""
[bot]
persona = "{CANARIES["persona"]}"
[model]
name = "simulated/simulated-1"
retries = 3
[providers.simulated]
kind = "simulated"
[providers.openai]
kind = "openai"
base_url = "http://127.0.0.1:9/v1"
api_key = "env:OPENAI_API_KEY"
[platforms.console]
names = ["{CANARIES["name"]}"]
owner_ids = [{CANARIES["persons id"]}]
people = {{ {CANARIES["person"]} = {CANARIES["persons id"]} }}
default_mode = "active"
[channels."console:{CANARIES["channel"]}"]
mode = "mention_only"
[alerts]
webhook = "env:WEBHOOK"
[tools.mcp.{CANARIES["server"]}]
url = "http://127.0.0.1:9/mcp"
headers = {{ Authorization = "env:HEADER" }}
"""
SECRETS = {
    "OPENAI_API_KEY": CANARIES["key"],
    "WEBHOOK": CANARIES["webhook"],
    "HEADER": CANARIES["header"],
    "TELEGRAM_TOKEN": TOKEN,
}


async def test_the_file_holds_what_helps_and_no_secret_no_name_and_no_word_of_a_message(tmp_path):
    (tmp_path / "config.toml").write_text(CONFIG)
    (tmp_path / "config.toml").chmod(0o600)
    channel, who, words = CANARIES["channel"], CANARIES["person"], CANARIES["words"]
    typed = f"[{channel}] {who}> {words}\n[{channel}] {who}> @glassmind {words}\n[{channel}] {who}> !pause {words}\n"
    ran = await glassmind(tmp_path, "run", typed=typed, environ=SECRETS)
    assert ran.status == 0, ran.err
    ran = await glassmind(tmp_path, "support", channel, environ=SECRETS)
    assert ran.status == 0, ran.err
    (file,) = tmp_path.glob("glassmind-support-*.md")
    assert f"Wrote {file.name}." in ran.out and file.stat().st_mode & 0o777 == 0o600
    text = file.read_text()
    leaked = [what for what, canary in CANARIES.items() if canary.casefold() in text.casefold()]
    assert leaked == [], text
    assert "canary" not in text.casefold() and str(tmp_path) not in text
    # what helps is there
    assert "glassmind 0.1.0" in text and re.search(r"(?m)^pydantic \d", text)
    assert "bot.persona = (22 characters)" in text and "alerts.webhook · (secret)" in text
    assert "model.retries = 3" in text and "platforms.console.owner_ids = (1 entry)" in text
    assert "bot.log_level" not in text and "channels.1.mode = mention_only" in text
    assert re.search(r"(?m)^[✓!✗] store", text)
    assert re.search(r"(?m)^\S+ \S+ (stored_only \(addressing\)|replied|command): arrived ", text)


async def test_a_bot_that_never_ran_and_a_file_that_cannot_be_used_have_one_too(tmp_path):
    (tmp_path / "config.toml").write_text("[bot]\nnmae = 'canary'\n")
    (tmp_path / "config.toml").chmod(0o600)
    ran = await glassmind(tmp_path, "support")
    assert ran.status == 0, ran.err
    (file,) = tmp_path.glob("glassmind-support-*.md")
    text = file.read_text()
    assert "canary" not in text and "glassmind 0.1.0" in text and "bot.nmae" in text

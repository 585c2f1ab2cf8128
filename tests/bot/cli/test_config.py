"""`glassmind config check` and `config explain`, as an operator types them."""

from __future__ import annotations

import orjson

from tests.architecture.tree import ROOT
from tests.bot.cli.process import at_terminal, glassmind

SECRET = "sk-live-0123456789abcdef"  # a canary, not a key
CONFIG = """\
[model]
name = "openai/gpt-5-mini"
price_input = 0.25  # dollars

[providers.openai]
kind = "openai"
api_key = "env:OPENAI_API_KEY"

[platforms.console]
owner_ids = [
  1,
]
people = { admin = 1 }
"""


def write(path, text, mode=0o600):
    path.write_text(text)
    path.chmod(mode)


async def test_the_example_can_be_used(tmp_path):
    write(tmp_path / "config.toml", (ROOT / "config.example.toml").read_text(), 0o644)
    ran = await glassmind(tmp_path, "config", "check", environ={"OPENAI_API_KEY": SECRET})
    assert ran.status == 0 and ran.err == ""
    assert ran.out.startswith("✓ config.toml can be used: ")


async def test_everything_that_is_wrong_is_said_at_once(tmp_path):
    """The program's own keys, an adapter's, a reference that leads nowhere and a file that others can read."""
    text = '[bot]\nnmae = "x"\n[platforms.telegram]\ntoken = "env:NO_SUCH"\n[platforms.console]\necko = true\n'
    write(tmp_path / "config.toml", f'{text}[providers.a]\nkind = "openai"\napi_key = "{SECRET}"\n', 0o644)
    write(tmp_path / ".env", f"OPENAI_API_KEY={SECRET}\nthis is nothing\n", 0o640)
    ran = await glassmind(tmp_path, "config", "check")
    assert ran.status == 2 and ran.out == "" and SECRET not in ran.err
    expected = (
        " can read it (mode 0640). Run: chmod 600 .env",
        ".env, line 2: not NAME=VALUE",
        "config.toml: it holds a secret (providers.a.api_key), and anybody on this machine can read it (mode 0644)",
        "bot.nmae: unknown key. Did you mean `name`?",
        "platforms.telegram.token: env:NO_SUCH cannot be resolved",
        "platforms.console.ecko: unknown key. Did you mean `echo`?",
    )
    for words in expected:
        assert words in ran.err
    assert len(ran.err.splitlines()) == 1 + len(expected)
    ran = await glassmind(tmp_path, "config", "check", "--json")
    assert ran.status == 2 and len(orjson.loads(ran.out)["problems"]) == len(expected)


async def test_an_adapter_refuses_what_the_program_cannot_know(tmp_path):
    write(tmp_path / "config.toml", '[platforms.telegram]\ntoken = "env:T"\npoll_timeout = 600\n')
    ran = await glassmind(tmp_path, "config", "check", environ={"T": "123:abc"})
    assert ran.status == 2 and "platforms.telegram.poll_timeout: " in ran.err


async def test_every_value_is_explained_with_its_origin(tmp_path):
    write(tmp_path / "config.toml", CONFIG)
    write(tmp_path / ".env", f"OPENAI_API_KEY='{SECRET}'  # from the console\n")
    ran = await glassmind(tmp_path, "config", "explain", "--json", environ={"GLASSMIND_DATA": "elsewhere"})
    assert ran.status == 0 and SECRET not in ran.out + ran.err
    rows = {row["key"]: row for row in orjson.loads(ran.out)}
    assert rows["model.price_input"] == {
        "key": "model.price_input",
        "value": "0.25",
        "origin": "config.toml:3",
        "takes": "reload",
    }
    assert rows["model.retries"]["origin"] == "default"
    api_key = rows["providers.openai.api_key"]
    assert (api_key["value"], api_key["origin"]) == ("(secret)", "config.toml:7 → env:OPENAI_API_KEY, from .env")
    # what an adapter takes where nobody says anything is part of the answer
    assert rows["providers.openai.connect_timeout"] | {"value": "10.0"} == rows["providers.openai.connect_timeout"]
    assert rows["platforms.console.owner_ids"]["origin"] == "config.toml:10"
    assert rows["platforms.console.people"]["origin"] == "config.toml:13"
    assert rows["bot.data_dir"] | {"value": '"elsewhere"'} == rows["bot.data_dir"]
    assert rows["bot.data_dir"]["origin"] == "the environment (GLASSMIND_DATA)"


async def test_the_environment_goes_before_the_file_beside(tmp_path):
    write(tmp_path / "config.toml", CONFIG)
    write(tmp_path / ".env", f"OPENAI_API_KEY={SECRET}\n")
    ran = await glassmind(
        tmp_path, "config", "explain", "--data", "x", environ={"OPENAI_API_KEY": "sk-other-key-123456"}
    )
    (line,) = [line for line in ran.out.splitlines() if line.startswith("providers.openai.api_key")]
    assert "from the environment" in line
    assert 'bot.data_dir = "x" · --data · restart' in ran.out.splitlines()


async def test_a_person_at_a_terminal_sees_a_table(tmp_path):
    write(tmp_path / "config.toml", CONFIG + '[bot]\npersona = "[bold]not markup[/bold]"\n')
    terminal = await at_terminal(tmp_path, "config", "explain", environ={"OPENAI_API_KEY": SECRET})
    assert await terminal.ended() == 0
    assert "a change takes a" in terminal.seen and "[bold]not markup[/bold]" in terminal.seen
    assert SECRET not in terminal.seen


async def test_no_file_says_what_to_do(tmp_path):
    ran = await glassmind(tmp_path, "config", "check")
    assert ran.status == 2 and "Run `glassmind init`, or copy config.example.toml to config.toml" in ran.err

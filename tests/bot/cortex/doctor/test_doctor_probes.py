"""What the doctor looks at besides the services: every row says what was seen, and what to do."""

from __future__ import annotations

import pytest

from bot.config import load_config
from bot.cortex.doctor import doctor_probes
from bot.cortex.doctor.examination import as_text
from bot.domain.health import Heartbeat, ModelHealth, ProbeResult
from bot.domain.ids import MAIN, ChannelId
from bot.domain.llm import TokenUsage
from bot.domain.snapshot import ModelLimits
from tests.bot.cortex.chat import OWNER, chat
from tests.fakes.provider import says
from tests.fakes.values import MODEL

NOW = 1_790_000_000_000


def beat(at: int) -> Heartbeat:
    return Heartbeat(instance="aa", pid=7, started_at=0, at=at, version="1")


def test_a_clock_is_believed_while_nothing_contradicts_it():
    assert doctor_probes.clock(None, NOW).evidence.startswith("2026-09-21 ")
    assert doctor_probes.clock(beat(NOW + 1000), NOW).state == "ok"
    late = doctor_probes.clock(beat(NOW + 7_200_000), NOW)
    assert late.state == "failed" and "2 h later than that" in late.evidence and "set-ntp" in late.fix
    assert "before this program was made" in doctor_probes.clock(None, 0).evidence


def test_files_of_others_are_named_with_what_closes_them(tmp_path):
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    (data / "link").symlink_to("/")
    secret = tmp_path / ".env"
    for path in (secret, data / "glassmind.db"):
        path.write_text("")
        path.chmod(0o600)
    assert doctor_probes.files(data, [secret]).state == "ok"
    secret.chmod(0o644)
    (data / "glassmind.db").chmod(0o660)
    row = doctor_probes.files(data, [secret])
    assert row.state == "failed" and f"{secret} (0644)" in row.evidence and "glassmind.db (0660)" in row.evidence
    assert row.fix == f"Run: chmod -R go= {secret} {data}"
    assert doctor_probes.files(tmp_path / "none", []).state == "ok"


def test_a_model_that_is_left_alone_is_a_row():
    rows = list(doctor_probes.models([ModelHealth(model="a/b", cooling_until=NOW + 30_000, error="401: no")], NOW))
    assert as_text(rows).splitlines()[0] == "! model a/b: on a break for 30 s more after: 401: no"
    assert not list(doctor_probes.models([ModelHealth(model="a/b")], NOW))


def test_a_window_that_is_only_guessed_is_a_row():
    known = ModelLimits(model=MODEL, window=128_000, max_output=4096)
    (row,) = doctor_probes.windows([known, known.replace(window=8192, window_known=False)])
    assert row.state == "warning" and "I assume 8,192 tokens" in row.evidence and "context_window" in row.fix


class Knows:
    """A platform that knows whose private chat is open, under one of the two ways to name it."""

    def __init__(self, *homes: str) -> None:
        self.homes = homes

    async def probe(self, channel: ChannelId | None) -> list[ProbeResult]:
        state = "ok" if channel in self.homes else "failed"
        return [
            ProbeResult(name="telegram account", state="ok", evidence="@bot answers"),
            ProbeResult(
                name=f"telegram {channel}", state=state, evidence="chat not found" if state == "failed" else "open"
            ),
        ]


async def test_admins_are_reached_or_named(tmp_path):
    async with chat(tmp_path) as bot:
        table = bot.app.config.platforms["console"].model_copy(update={"owner_ids": ("5", "6"), "admin_ids": ("5",)})
        config = bot.app.config.model_copy(update={"platforms": {"telegram": table}})

        async def row(*homes: str) -> ProbeResult:
            (found,) = await doctor_probes.admins(config, {"telegram": Knows(*homes)}, bot.store)
            return found

        assert (await row("telegram:5", "telegram:dm:6")).state == "ok"
        some = await row("telegram:5")
        assert some.state == "warning" and "I cannot message 1 of 2 in private (6: chat not found)" in some.evidence
        assert (await row()).state == "failed" and "press Start" in some.fix
        nobody = config.model_copy(
            update={"platforms": {"telegram": table.model_copy(update={"owner_ids": (), "admin_ids": ()})}}
        )
        (found,) = await doctor_probes.admins(nobody, {"telegram": Knows()}, None)
        assert found.state == "warning" and "owner_ids" in found.fix


STEERED = """
[bot]
data_dir = "{home}/data"
organisation_file = "about.txt"
[skills]
folders = ["more"]
[tools.mcp.notes]
enabled = true
command = "server.sh"
args = ["{home}/server.py", "--fast"]
env = {{ PATH = "{home}/bin" }}
cwd = "{home}/work"
[tools.mcp.unused]
command = "{home}/unused.sh"
"""


def steered(home):
    home.chmod(0o700)
    for folder in ("data", "more/tidy", "bin", "work"):
        (home / folder).mkdir(parents=True)
    for file in ("about.txt", "more/tidy/SKILL.md", "bin/server.sh", "server.py", "unused.sh"):
        (home / file).write_text("x")
    for path in (home, *home.rglob("*")):
        path.chmod(0o700)
    (home / "config.toml").write_text(STEERED.format(home=home))
    (home / "config.toml").chmod(0o600)
    return load_config(home / "config.toml", {})


STEERING = {
    "about.txt": "bot.organisation_file",
    "more": "skills",
    "more/tidy/SKILL.md": "skills",
    "bin/server.sh": "tools.mcp.notes.command",
    "server.py": "tools.mcp.notes.args",
    "work": "tools.mcp.notes.cwd",
}


@pytest.mark.parametrize(("name", "key"), STEERING.items())
def test_texts_that_steer_and_programs_that_run_are_the_operators_alone(tmp_path, name, key):
    """Who can write into a persona, a skill or a server's program is as good as who writes the configuration."""
    loaded = steered(tmp_path)
    assert list(doctor_probes.steering(loaded)) == []
    (tmp_path / name).chmod(0o777)
    (tmp_path / "unused.sh").chmod(0o777)
    row = next(doctor_probes.steering(loaded))
    assert row.name == f"files of {key}" and row.state == "warning"
    assert f"{tmp_path / name}: anybody on this machine can change it (mode 0777)" in row.evidence
    assert row.fix == f"Run: chmod go-w {tmp_path / name}"


def test_the_folder_around_a_program_counts_and_what_is_not_there_does_not(tmp_path):
    loaded = steered(tmp_path)
    (tmp_path / "bin").chmod(0o777)
    (row,) = doctor_probes.steering(loaded)
    assert "can put another file in its place" in row.evidence and row.fix.endswith(f"chmod go-w {tmp_path}/bin")
    (tmp_path / "bin" / "server.sh").unlink()
    (tmp_path / "about.txt").unlink()
    (tmp_path / "work").rmdir()
    assert list(doctor_probes.steering(loaded)) == []


async def test_a_server_that_reads_a_part_of_its_prompts_is_a_row(tmp_path):
    async with chat(tmp_path, says("nice", usage=TokenUsage(input=2050, output=2))) as bot:
        await bot.hears("what do you think of this? " + "pear " * 9000)
        (row,) = await doctor_probes.readings(bot.store, (MAIN,))
        assert row.state == "warning" and "reads only 2,050 of about" in row.evidence and "num_ctx" in row.fix
        await bot.hears("!cortex doctor", by=OWNER)
        assert "! reading of scripted/scripted-1: the server reads only" in bot.last
        bot.provider.script = [says("all of it", usage=TokenUsage(input=16_000, output=2))]
        await bot.hears("and now?")
        assert await doctor_probes.readings(bot.store, (MAIN,)) == []

"""Prometheus's own tool reads what the bot says of itself, and plays the alerts."""

from __future__ import annotations

import asyncio
import shutil
from asyncio.subprocess import PIPE, STDOUT

import pytest

from tests.architecture.tree import ROOT
from tests.dialogs.served import BOTS
from tests.dialogs.test_metrics import asked, watched
from tests.servers.model import Fails, Says

PROMTOOL = shutil.which("promtool") or ""
RULES = ROOT / "deploy" / "prometheus"
pytestmark = pytest.mark.skipif(not PROMTOOL, reason="promtool is not installed (Debian: prometheus)")

PLAYED = """
rule_files: [{rules}]
evaluation_interval: 30s
tests:
  - interval: 30s
    input_series:
{series}
    alert_rule_test:
      - {{eval_time: {at}, alertname: {alert}}}
"""


async def promtool(*arguments: str, said: str = "") -> tuple[int, str]:
    process = await asyncio.create_subprocess_exec(PROMTOOL, *arguments, stdin=PIPE, stdout=PIPE, stderr=STDOUT)
    out, _ = await process.communicate(said.encode())
    return process.returncode or 0, out.decode()


@pytest.mark.parametrize("platform", BOTS)
async def test_it_has_nothing_against_the_numbers(tmp_path, platform):
    async with watched(tmp_path / "data", platform) as (it, monitor):
        it.server.script += [Says("hello"), Fails(401)]
        await asked(it, 2)
        await it.told("why")
        _, text = await monitor.get("/metrics")
    assert await promtool("check", "metrics", said=text) == (0, "")


async def test_the_alerts_are_rules_and_each_fires_in_its_trouble():
    status, said = await promtool("check", "rules", str(RULES / "alerts.yml"))
    assert status == 0 and "6 rules found" in said, said
    status, said = await promtool("test", "rules", str(RULES / "alerts_test.yml"))
    assert status == 0, said


def series(before: str, after: str) -> str:
    """Two readings, and whatever was the case at the second goes on, as the input of a test of rules."""
    first, lines = dict(line.rsplit(" ", 1) for line in before.splitlines() if not line.startswith("#")), []
    for line in after.splitlines():
        if not line.startswith("#"):
            name, value = line.rsplit(" ", 1)
            lines.append(
                f"      - {{series: '{name}', values: '{float(first.get(name, 0)):g}x20 {float(value):g}x40'}}"
            )
    return "\n".join(lines)


async def fires(tmp_path, alert: str, before: str, after: str) -> bool:
    """Whether an alert fires on what was read of a bot; promtool says which do where none was expected."""
    played = tmp_path / "played.yml"
    played.write_text(
        PLAYED.format(rules=RULES / "alerts.yml", series=series(before, after), at="14m", alert=alert), encoding="utf-8"
    )
    _, said = await promtool("test", "rules", str(played))
    assert "parse" not in said.lower(), said
    return "got:" in said and alert in said


@pytest.mark.parametrize("platform", BOTS)
async def test_a_bot_whose_service_refuses_its_key_raises_two_of_them(tmp_path, platform):
    async with watched(tmp_path / "data", platform) as (it, monitor):
        it.server.script += [Says("hello")]
        await asked(it, 1)
        _, before = await monitor.get("/metrics")
        it.server.script += [Fails(500)] * 30
        await asked(it, 7)
        _, after = await monitor.get("/metrics")
    for alert in ("GlassmindModelFails", "GlassmindAnswersFail"):
        assert await fires(tmp_path, alert, before, after) and not await fires(tmp_path, alert, before, before), alert
    for alert in ("GlassmindGone", "GlassmindPeopleWait", "GlassmindNotDelivered", "GlassmindStandsStill"):
        assert not await fires(tmp_path, alert, before, after), alert

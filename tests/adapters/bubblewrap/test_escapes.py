"""More than a hundred attempts to get out of the sandbox, in every form that it has here: none may succeed."""

from __future__ import annotations

import os
from pathlib import Path

import orjson
import pytest

from adapters.bubblewrap.sandbox_arguments import SandboxMode
from bot.ports.sandbox import SandboxCommand
from tests.adapters.bubblewrap import inside
from tests.adapters.bubblewrap.stage import PYTHON, a_host, a_stage, forms, why_not

pytestmark = pytest.mark.skipif(bool(why_not()), reason=f"the sandbox is not there: {why_not()}")
SCRIPT = Path(inside.__file__).read_text(encoding="utf-8")


@pytest.mark.parametrize("form", forms())
async def test_nothing_gets_out(form: SandboxMode, monkeypatch: pytest.MonkeyPatch):
    """All attempts share one sandbox, because its start costs more than most of them."""
    with a_stage(form) as stage, a_host(stage) as host:
        stage.put("inside.py", SCRIPT)
        stage.put("host.json", orjson.dumps(host).decode())
        monkeypatch.setenv("GLASSMIND_CANARY", host["canary"])
        command = SandboxCommand((PYTHON, "-I", "/workspace/inside.py"), stage.workspace, seconds=50)
        ran = await stage.sandbox(output_kb=200).run(command)
    assert (ran.status, ran.stopped, ran.err.text) == (0, "", "")
    got = {line["attempt"]: line["got"] for line in map(orjson.loads, ran.out.text.splitlines())}
    assert set(inside.ATTEMPTS) <= set(got) and len(inside.ATTEMPTS) >= 100
    assert {name: got[name] for name in inside.ATTEMPTS if got[name]} == {}
    assert os.environ["GLASSMIND_CANARY"] == host["canary"]

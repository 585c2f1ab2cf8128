"""`glassmind plugin`: begin a new plugin, and try one that is installed in a whole bot of its own."""

from __future__ import annotations

import asyncio
import io
import re
import tempfile
from argparse import Namespace
from contextlib import redirect_stdout
from importlib.resources import files
from pathlib import Path

from bot.app.named_plugins import plugin_settings
from bot.cli.plugin_trial import PluginTrial
from bot.cli.run_bot import load_for_reading
from bot.errors import UserError
from bot.runtime.logs import configure_logs
from bot.runtime.terminal import print_text
from bot.sentences import say
from bot.text.redaction import Redactor

_NAME = re.compile(r"[a-z][a-z-]{1,30}")
_FILES = {
    "pyproject.toml.txt": "pyproject.toml",
    "module.txt": "glassmind_@word@/__init__.py",
    "test.txt": "tests/test_@word@.py",
}
"""Files of a new plugin, by what they are made of."""


def plugin(args: Namespace, path: Path) -> int:
    """Run one action; return the exit status."""
    return _begin(args.name, Path(args.into)) if args.action == "new" else _check(args, path)


def _begin(name: str, into: Path) -> int:
    if not _NAME.fullmatch(name):
        raise UserError(say("plugins.new-name", name=name))
    folder, word = into / f"glassmind-{name}", name.replace("-", "_")
    if folder.exists():
        raise UserError(say("plugins.new-exists", folder=str(folder)))
    made_of = files("bot") / "data/plugin"
    for source, target in _FILES.items():
        text = (made_of / source).read_text("utf-8").replace("@name@", name).replace("@word@", word)
        written = folder / target.replace("@word@", word)
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(text, "utf-8")
    print_text(say("plugins.new-made", folder=str(folder), name=name))
    return 0


def _check(args: Namespace, path: Path) -> int:
    loaded = load_for_reading(path, args.config)
    configure_logs("critical", Redactor.of(loaded.secrets))
    with tempfile.TemporaryDirectory(prefix="glassmind-plugin-") as directory:
        kinds = loaded.config.platform_names.kinds
        platforms = {kinds[name]: table.settings for name, table in loaded.config.platforms.items()}
        trial = PluginTrial(args.name, plugin_settings(loaded, args.name), Path(directory), platforms)
        # what is said in the trial is for nobody
        with redirect_stdout(io.StringIO()):
            rows = asyncio.run(trial.run())
    for row in rows:
        print_text(f"{'✓' if row.is_well else '✗'} {row.what}{f': {row.why}' if row.why else ''}")
    bad = sum(not row.is_well for row in rows)
    print_text(say("plugins.checked", count=len(rows), bad=bad))
    return 1 if bad else 0

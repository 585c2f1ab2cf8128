"""`python -m bot`, and the `glassmind` command."""

from __future__ import annotations

import signal
import sys

from bot.runtime.lean_imports import lean_imports


def main() -> None:
    """Run one command and leave with its exit status."""
    # each command loads what it needs, so that `--help` and `--version` answer without loading the bot
    with lean_imports():
        from bot.cli.main import run

    status = run(sys.argv[1:])
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        # who asks once more changes nothing now; any other handler the interpreter gives up while it ends
        signal.signal(number, signal.SIG_IGN)
    sys.exit(status)


if __name__ == "__main__":
    main()

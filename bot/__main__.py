"""`python -m bot`, and the `glassmind` command."""

from __future__ import annotations

import sys

from bot.imports import lean_imports


def main() -> None:
    """Run one command and leave with its exit status."""
    # each command loads what it needs, so that `--help` and `--version` answer without loading the bot
    with lean_imports():
        from bot.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()

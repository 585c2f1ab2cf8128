"""`python -m bot`, and the `glassmind` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run one command and leave with its exit status."""
    # imported late: `--help` and `--version` answer without loading the bot
    from bot.cli.main import run

    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()

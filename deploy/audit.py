"""Look the locked packages up in the database of known vulnerabilities; where it cannot be reached, say so.

The status is 1 for a package with a known vulnerability, and 0 where nothing could be asked: a build does not fail
because somebody else's server is away.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
LOCKS = tuple(FOLDER / name for name in ("requirements.txt", "extras-requirements.txt", "build-requirements.txt"))
SECONDS = 300


def main() -> int:
    """Ask, and print one line for each vulnerability."""
    command = [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "--timeout", "15"]
    command += ["--progress-spinner", "off", "--format", "json"]
    command += [word for lock in LOCKS for word in ("--requirement", str(lock))]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return skipped(f"the database of vulnerabilities did not answer within {SECONDS} seconds")
    if "No module named pip_audit" in ran.stderr:
        return skipped("pip-audit is not installed")
    try:
        packages: list[dict[str, Any]] = json.loads(ran.stdout)["dependencies"]
    except (ValueError, KeyError):
        said = ran.stderr.strip().splitlines() or ["it said nothing"]
        return skipped(f"the database of vulnerabilities could not be asked: {said[-1][:300]}")
    return told(packages)


def told(packages: list[dict[str, Any]]) -> int:
    """Print what was found; return the status."""
    left_out = [one["name"] for one in packages if "skip_reason" in one]
    if len(left_out) == len(packages):
        return skipped("the database of vulnerabilities that this machine reaches knows none of the packages")
    found = [(one, known) for one in packages for known in one.get("vulns", ())]
    for one, known in found:
        fixed = ", ".join(known["fix_versions"]) or "no version yet"
        sys.stdout.write(f"{one['name']} {one['version']}: {known['id']}, fixed in {fixed}\n")
    if left_out:
        sys.stdout.write(f"audit: not asked about {', '.join(left_out)}\n")
    asked = len(packages) - len(left_out)
    sys.stdout.write(f"audit: {asked} packages asked about, {len(found)} known vulnerabilities\n")
    return 1 if found else 0


def skipped(why: str) -> int:
    """Say that nothing was asked."""
    sys.stdout.write(f"audit: SKIPPED, {why}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

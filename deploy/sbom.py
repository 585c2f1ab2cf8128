"""Write what an installation consists of as a CycloneDX document: the lock files, said in words that scanners read.

A package of `requirements.txt` is required, one of `extras-requirements.txt` optional. What depends on what below the
first step pip knows and the lock files do not, so the document calls that part incomplete.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ENTRY = re.compile(r"(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; (?P<condition>[^\\]+?))?(?P<hashes>(?: --hash=\S+)+)")
LOCKS = {"required": "requirements.txt", "optional": "extras-requirements.txt"}


def document(project: Mapping[str, Any], deploy: Path, files: Mapping[str, str], epoch: int) -> dict[str, Any]:
    """Return the document; `files` are the digests of the wheel and the source archive, by name."""
    name, version = project["name"], project["version"]
    root = f"pkg:pypi/{name}@{version}"
    packages = [one for scope, lock in LOCKS.items() for one in _components((deploy / lock).read_text("utf-8"), scope)]
    known = {one["name"]: one["bom-ref"] for one in packages}
    extras = (line for extra in project["optional-dependencies"].values() for line in extra)
    asked = {canonicalize_name(Requirement(line).name) for line in (*project["dependencies"], *extras)}
    described = json.dumps([root, dict(files), packages], sort_keys=True)
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, described)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(epoch, UTC).isoformat().replace("+00:00", "Z"),
            "component": {
                "type": "application",
                "bom-ref": root,
                "name": name,
                "version": version,
                "description": project["description"],
                "licenses": [{"license": {"id": project["license"]}}],
                "purl": root,
                "components": [_file(path, digest) for path, digest in sorted(files.items())],
            },
        },
        "components": packages,
        "dependencies": [{"ref": root, "dependsOn": sorted(known[one] for one in asked & known.keys())}],
        "compositions": [
            {"aggregate": "complete", "assemblies": [one["bom-ref"] for one in packages]},
            {"aggregate": "incomplete", "dependencies": [root]},
        ],
    }


def _file(name: str, digest: str) -> dict[str, Any]:
    return {"type": "file", "name": name, "hashes": [{"alg": "SHA-256", "content": digest}]}


def _components(lock: str, scope: str) -> Iterator[dict[str, Any]]:
    for line in lock.replace(" \\\n   ", "").splitlines():
        if line.startswith("#"):
            continue
        found = ENTRY.fullmatch(line)
        if found is None:
            raise ValueError(f"not a line of a lock file: {line[:80]}")
        name, version = found["name"], found["version"]
        purl = f"pkg:pypi/{name}@{version}"
        one: dict[str, Any] = {"type": "library", "bom-ref": purl, "name": name, "version": version, "scope": scope}
        # each digest is that of one wheel: of this machine's kind, or of another
        digests = [digest.removeprefix("--hash=sha256:") for digest in found["hashes"].split()]
        place = f"https://pypi.org/project/{name}/{version}/#files"
        one["purl"] = purl
        one["externalReferences"] = [
            {"type": "distribution", "url": place, "hashes": [{"alg": "SHA-256", "content": digest}]}
            for digest in digests
        ]
        if found["condition"]:
            one["properties"] = [{"name": "glassmind:condition", "value": found["condition"]}]
        yield one

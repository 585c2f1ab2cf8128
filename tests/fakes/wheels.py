"""Wheels of plugins, as a build backend makes them, and a place that they are installed into: no network, no backend.

A wheel of pure Python is an archive of the package and of what `pyproject.toml` says (PEP 427); to install one is to
unpack it.
"""

from __future__ import annotations

import base64
import hashlib
import importlib
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from textwrap import dedent

from tests.architecture.tree import ROOT

EXAMPLES = ROOT / "docs/examples"
_WHEEL = "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def wheel_of(project: Path, into: Path) -> Path:
    """Build the wheel of a project whose package lies beside its pyproject.toml."""
    told = tomllib.loads((project / "pyproject.toml").read_text())["project"]
    package = told["name"].replace("-", "_")
    groups = {group: dict(entries) for group, entries in told.get("entry-points", {}).items()}
    files = {str(path.relative_to(project)): path.read_bytes() for path in sorted((project / package).rglob("*.*"))}
    return packed(into, told["name"], told["version"], files, groups)


def packed(
    into: Path, name: str, version: str, files: Mapping[str, bytes], groups: Mapping[str, Mapping[str, str]]
) -> Path:
    """Write a wheel of these files."""
    stem = f"{name.replace('-', '_')}-{version}"
    info = f"{stem}.dist-info"
    points = "".join(f"[{g}]\n" + "".join(f"{k} = {v}\n" for k, v in one.items()) for g, one in groups.items())
    written = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n".encode(),
        f"{info}/WHEEL": _WHEEL.encode(),
        f"{info}/entry_points.txt": points.encode(),
    }
    record = "".join(f"{path},sha256={_digest(data)},{len(data)}\n" for path, data in written.items())
    wheel = into / f"{stem}-py3-none-any.whl"
    into.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, data in {**written, f"{info}/RECORD": f"{record}{info}/RECORD,,\n".encode()}.items():
            archive.writestr(zipfile.ZipInfo(path), data)
    return wheel


def unpacked(wheel: Path, site: Path) -> Path:
    """Install a wheel into a folder of packages."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(site)
    return site


def written(site: Path, name: str, source: str, *, version: str = "1.0", module: str = "") -> Path:
    """Install a plugin of one module, by the name that its distribution has; it is what `plugin` is in the source."""
    module = module or f"plugin_{name.replace('-', '_')}"
    files = {f"{module}.py": dedent(source).encode()}
    wheel = packed(site / "wheels", f"glassmind-{name}", version, files, {"glassmind": {name: f"{module}:plugin"}})
    return unpacked(wheel, site)


@contextmanager
def installed(*sites: Path) -> Iterator[None]:
    """Let what lies in these folders be installed, and forget what was imported of it."""
    known, paths = set(sys.modules), list(sys.path)
    sys.path[:0] = map(str, sites)
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path[:] = paths
        for name in set(sys.modules) - known:
            place = getattr(sys.modules[name], "__file__", None) or ""
            if any(place.startswith(f"{site}/") for site in sites):
                del sys.modules[name]
        importlib.invalidate_caches()


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()

"""Every picture of the documentation is shown there, none is missing, and none is heavy."""

from __future__ import annotations

import re

from tests.architecture.tree import ROOT
from tests.rendering.pages import MAX_BYTES

DOCS = ROOT / "docs"


def test_every_picture_is_shown_and_weighs_little() -> None:
    shown = {
        name for page in DOCS.glob("*.md") for name in re.findall(r"\(pages/(\w+\.png)\)", page.read_text("utf-8"))
    }
    made = {path.name: path.stat().st_size for path in (DOCS / "pages").iterdir()}
    assert shown == set(made)
    assert {name: size for name, size in made.items() if size > MAX_BYTES} == {}

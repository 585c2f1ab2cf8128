"""A few cases of every family of faults; `make faults` plays them all, `make faults FAMILY=F9 CASE=seed7` one again."""

from __future__ import annotations

import pytest

from tests.faults.families import MODULES, family
from tests.faults.family import Size


def cases():
    for name in MODULES:
        kind = family(name)
        for key in kind.cases(Size.SLICE):
            yield pytest.param(kind, key, id=f"{name}-{key}", marks=pytest.mark.timeout(kind.seconds))


@pytest.mark.parametrize(("kind", "key"), [*cases()])
async def test_a_case_holds(kind, key, tmp_path):
    if missing := kind.missing():
        pytest.skip(missing)
    verdict = await kind.judge(key, tmp_path)
    assert not verdict.trouble
    assert verdict.n > 0, "it never came to the place where something was to go wrong"

"""A few cases of every family of faults; `make faults` plays them all, `make faults FAMILY=F9 CASE=seed7` one again."""

from __future__ import annotations

import pytest

from tests.faults.families import MODULES, family
from tests.faults.family import Size

TRIES = 3
"""A process has a few calls more or less from run to run, and may end before the one at which it was to be killed."""


def cases():
    for name in MODULES:
        kind = family(name)
        for key in kind.cases(Size.SLICE):
            yield pytest.param(kind, key, id=f"{name}-{key}", marks=pytest.mark.timeout(kind.seconds))


@pytest.mark.parametrize(("kind", "key"), [*cases()])
async def test_a_case_holds(kind, key, tmp_path):
    if missing := kind.missing():
        pytest.skip(missing)
    for attempt in range(TRIES):
        directory = tmp_path / str(attempt)
        directory.mkdir()
        verdict = await kind.judge(key, directory)
        assert not verdict.trouble
        if verdict.n:
            return
    pytest.fail("it never came to the place where something was to go wrong")

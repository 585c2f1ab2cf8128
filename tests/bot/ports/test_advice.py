"""Whatever a model service fails with, the operator is told what to do, or where to look."""

from __future__ import annotations

import pytest

from bot.errors import ProviderFault
from bot.ports.advice import advice


@pytest.mark.parametrize("fault", ProviderFault)
def test_every_fault_has_one(fault: ProviderFault):
    assert advice(fault).endswith(".") and len(advice(fault)) < 120

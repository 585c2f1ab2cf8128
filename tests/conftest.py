"""What holds for every test."""

from __future__ import annotations

import gc

from hypothesis import HealthCheck, settings

from tests.fakes.lengths import whole_or
from tests.fakes.logs import plain_logs
from tests.fakes.patience import waits_for_the_machine
from tests.inside.new_store import copies_new_stores
from tests.inside.sentences import forget_missing

plain_logs()
waits_for_the_machine()
copies_new_stores()
# how busy a machine is says nothing about a property
settings.register_profile(
    "house", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=whole_or(100, 50)
)
settings.load_profile("house")
# of each second that a test works Python would look through everything for a tenth, and find nothing
gc.set_threshold(100_000, 50, 1_000)


def pytest_runtest_setup() -> None:
    """What one test could not say is no trouble of the next one's bot."""
    forget_missing()


def pytest_collection_finish() -> None:
    """What was loaded for all tests is no garbage of any of them."""
    gc.collect()
    gc.freeze()

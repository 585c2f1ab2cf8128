"""The check of what a failure is called: it sees another's reason in every place where one is named."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.faults.provider.kinds import ANSWER, KINDS, Owed
from tests.faults.provider.naming import Known, misnamed
from tests.faults.provider.positions import FAILED, NOTICE, POSITIONS
from tests.faults.provider.reasons import KEY, RATE, REASONS, ROUNDS, TOO_LONG, Reason, reason_of

LEFT = "✗ #general, own work: waiting for a failing model\nThe turn was about branch b2krxn, which failed"
PAGE = "✗ #general: the service rejects our key\nlast 08:53: key rejected (HTTP 401)."
GOOD = Known(PAGE, ["HTTP 401: Incorrect API key"])


def said(reason: Reason) -> str:
    return f"{NOTICE}{reason.told} at the moment."


def test_every_kind_for_which_a_notice_is_owed_has_its_reason():
    assert {name for name, kind in KINDS.items() if kind.owed is Owed.NOTICE} <= set(REASONS) <= set(KINDS)


def test_what_has_its_own_reason_is_well_named():
    assert not [*misnamed([said(KEY)], "first_call", KEY, GOOD)]
    assert not [*misnamed([f"{FAILED[0]}provider: auth: {KEY.noted} provided"], "inspection", KEY, GOOD)]
    left = replace(GOOD, page=f"{LEFT}: provider: auth: {KEY.noted}.")
    assert not [*misnamed([said(KEY)], "branch", KEY, left)]
    assert not [*misnamed([ANSWER], "first_call", KEY, Known("✓ #general: all is well", []))]


@pytest.mark.parametrize(
    ("text", "position", "known", "wrong"),
    [
        (said(RATE), "first_call", GOOD, "not told"),
        (said(KEY), "first_call", replace(GOOD, page="✓ #general: all is well"), "does not say"),
        (said(KEY), "both_models", GOOD, "does not say"),
        (said(KEY), "result", replace(GOOD, page="✓ #general: all is well"), "does not say"),
        (said(KEY), "worker", replace(GOOD, page=f"{LEFT}."), "does not say"),
        (said(KEY), "first_call", replace(GOOD, failed=[]), "nothing on record"),
        (said(KEY), "first_call", replace(GOOD, failed=["provider: rate: HTTP 429: slow"]), "was not noted"),
        (ANSWER, "branch", replace(GOOD, failed=["provider: rate: HTTP 429: slow"]), "was not noted"),
        (f"{FAILED[1]}provider: rate: HTTP 429: slow", "talk", GOOD, "the admin was not told"),
    ],
)
def test_another_reason_is_found(text: str, position: str, known: Known, wrong: str):
    (found,) = misnamed([text], position, KEY, known)
    assert wrong in found


def test_the_reason_is_that_of_the_variant_that_is_played():
    names = list(POSITIONS)
    assert [reason_of("429", position).told for position in names[:2]] == [RATE.told, "the model service refuses me"]
    assert reason_of("malformed", "last_round") is ROUNDS is reason_of("results_too_large", "last_round")
    assert reason_of("too_long", "last_round") is TOO_LONG

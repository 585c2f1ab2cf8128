"""How long a service wants to be left alone."""

from __future__ import annotations

import pytest

from adapters.model_http.refusal_words import read_value
from adapters.model_http.waits import wait_in_words, wait_of

DATE = "Fri, 21 Nov 2025 10:00:00 GMT"


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Please try again in 7m12s.", 432.0),
        ("Please try again in 7m12.5s. Visit", 432.5),
        ("Please try again in 20ms.", 0.02),
        ("try again in 1h5m0s", 3900.0),
        ("Please retry after 24 seconds.", 24.0),
        ("retry in 20s", 20.0),
        ("Please retry in 27.5s.", 27.5),
        ("Try again in 1 hour and 5 minutes", 3900.0),
        ("Please wait 5 minutes before", 300.0),
        ("rate limited, retry_after: 12", 12.0),
        ("estimated_time 20.5", 20.5),
        ("Limit 6000, Requested 7913, please reduce your message size and try again.", None),
        ("try again later", None),
        ("in 2024 we", None),
    ],
)
def test_words(words: str, seconds: float | None):
    assert wait_in_words(words) == seconds


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"Retry-After": "3"}, {"error": "try again in 9s"}, 3.0),
        ({}, {"error": {"details": [{"@type": "RetryInfo", "retryDelay": "27s"}]}}, 27.0),
        ({}, {"error": {"metadata": {"headers": {"X-RateLimit-Reset": "1763719230000"}}}}, None),
        ({"Date": DATE}, {"error": {"metadata": {"headers": {"X-RateLimit-Reset": "1763719230000"}}}}, 30.0),
        ({"x-ratelimit-reset-requests": "6m0s", "x-ratelimit-remaining-requests": "0"}, {}, 360.0),
        (
            {
                "x-ratelimit-reset-requests": "6m0s",
                "x-ratelimit-remaining-requests": "5",
                "x-ratelimit-reset-tokens": "2s",
                "x-ratelimit-remaining-tokens": "0",
            },
            {},
            2.0,
        ),
        ({"x-ratelimit-reset": "1763719230", "Date": DATE}, {}, 30.0),
        ({"ratelimit-reset": "15"}, {}, 15.0),
        (
            {
                "anthropic-ratelimit-tokens-reset": "2025-11-21T10:00:12Z",
                "anthropic-ratelimit-tokens-remaining": "0",
                "Date": DATE,
            },
            {},
            12.0,
        ),
        ({"Date": DATE}, {"error": "It resets at 2025-11-21 10:01:00 UTC."}, 60.0),
        ({}, {}, None),
    ],
)
def test_the_first_that_says_it(headers: dict, body: dict, seconds: float | None):
    assert wait_of(headers, read_value(body)) == seconds

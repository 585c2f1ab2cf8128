"""Names for failures, and texts that hold no key."""

from __future__ import annotations

import pytest

from adapters.model_http.errors import MAX_ERROR_CHARS, cleaner, of_status, sizes
from adapters.model_http.waits import retry_after
from bot.errors import ProviderFault

clean = cleaner(("s3cret-key",))
DATE = "Fri, 21 Nov 2025 10:00:00 GMT"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "Retry-After": "9"}, 0.25),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "-3"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "inf"}, 86400.0),
        ({"Retry-After": "Fri, 21 Nov 2025 10:00:30 GMT", "Date": DATE}, 30.0),
        ({"Retry-After": "Fri, 21 Nov 2025 09:00:00 GMT", "Date": DATE}, 0.0),
        ({"Retry-After": "Fri, 21 Nov 2025 10:00:30 GMT"}, None),
    ],
)
def test_how_long_to_wait(headers: dict, seconds: float | None):
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("status", "body", "fault"),
    [
        (400, b'{"error":{"message":"This model\'s maximum context length is 8192 tokens"}}', "context_length"),
        (400, b'{"error":{"code":400,"message":"the request exceeds the available context size"}}', "context_length"),
        (413, b"", "context_length"),
        (400, b'{"error":{"message":"tool_call_id foo not found"}}', "tool_pairing"),
        (400, b'{"error":{"message":"bad"}}', "bad_request"),
        (400, b'{"error":"bad"}', "bad_request"),
        (422, b'{"detail":[{"loc":["body"]}]}', "bad_request"),
        (400, b'[{"error":{"code":400,"message":"x","status":"INVALID_ARGUMENT"}}]', "bad_request"),
        (400, b'{"error":{"code":"model_not_found","message":"x"}}', "not_found"),
        (429, b'{"error":{"message":"You exceeded your current quota"}}', "credit"),
        (429, b"", "rate"),
        (500, b"\xff\xfe", "server"),
        (504, b"", "server"),
        (408, b"", "timeout"),
        (418, b"", "bad_request"),
        (403, b"<html>blocked</html>", "garbage"),
        (502, b"<html>bad</html>", "server"),
        (301, b"", "not_found"),
        (204, b"", "bad_request"),
    ],
)
def test_what_a_status_means(status: int, body: bytes, fault: str):
    assert of_status(status, {}, body, clean).fault == ProviderFault(fault)


@pytest.mark.parametrize(
    "text",
    [
        "key s3cret-key is wrong",
        "Incorrect API key provided: sk-s3c***-key. See",
        "Authorization: Bearer abc.def",
        "a\r\nb\x00c\u2028d\x1b[31m" + "x" * 5000,
    ],
)
def test_an_error_is_one_bounded_line_without_keys(text: str):
    said = clean(text)
    assert len(said) <= MAX_ERROR_CHARS and said.isprintable()
    assert not any(secret in said for secret in ("s3cret", "sk-s", "abc.def"))


def test_the_request_is_named_as_the_service_knows_it():
    body = b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'
    assert str(of_status(529, {"request-id": "req_011CY"}, body, clean)) == "HTTP 529: Overloaded (request req_011CY)"
    assert (
        str(of_status(529, {"x-request-id": "s3cret-key\x1b"}, body, clean)) == "HTTP 529: Overloaded (request [key])"
    )
    assert str(of_status(529, {}, body, clean)) == "HTTP 529: Overloaded"


@pytest.mark.parametrize(
    ("words", "limit", "size"),
    [
        ("on tokens per minute (TPM): Limit 6000, Requested 7913, please", 6000, 7913),
        ("maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens.", 8192, 8227),
        ("This model's maximum prompt length is 131072 but the request contains 537812 tokens.", 131072, 537812),
        ("maximum prompt length is 8192", 8192, 0),
        ("prompt is too long: 208310 tokens > 200000 maximum", 200000, 208310),
        ("exceed context limit: 199759 + 8192 > 200000, decrease", 200000, 207951),
        ("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", 1048576, 1200000),
        ("the request exceeds the available context size (4096 tokens), try increasing it", 4096, 0),
        ("request (9000 tokens) exceeds the available context size (4096 tokens)", 4096, 9000),
        ("Prompt contains 40000 tokens, too large for model with 32768 maximum context length", 32768, 40000),
        ("`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens and 100", 4096, 5000),
        ("the total number of tokens in the prompt cannot exceed 4081 - received 5000", 4081, 5000),
        ("However, the model is loaded with context length of only 4096 tokens", 4096, 0),
        ("The prompt is too long: 33000, model maximum context length: 32768", 32768, 33000),
        ("prompt token count of 12345 exceeds the limit of 8192", 8192, 12345),
        ("you requested about 40,000 tokens; maximum context length is 32,768 tokens", 32768, 40000),
        ("Prompt too long", 0, 0),
    ],
)
def test_numbers_in_words(words: str, limit: int, size: int):
    assert sizes(words) == (limit, size)

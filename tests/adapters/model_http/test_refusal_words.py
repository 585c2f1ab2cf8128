"""The words of a refusal, out of whatever holds them."""

from __future__ import annotations

import pytest

from adapters.model_http.refusal_words import MAX_WORDS_CHARS, read_body, read_value


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"error":{"message":"no","type":"x"}}', "no"),
        (b'{"error":"no"}', "no"),
        (b'{"detail":"loading"}', "loading"),
        (
            b'{"detail":[{"loc":["body","tools",0],"msg":"field required","type":"missing"}]}',
            "body.tools.0: field required",
        ),
        (b'[{"error":{"code":400,"message":"no","status":"INVALID_ARGUMENT"}}]', "no"),
        (b'{"object":"error","message":"no","code":40303}', "no"),
        (b'{"success":false,"errors":[{"code":7003,"message":"no"}]}', "no"),
        (b'{"base_resp":{"status_code":1004,"status_msg":"no"}}', "no"),
        (b'{"error":{"type":"authentication_error"}}', "authentication_error"),
        (b'"{\\"error\\":\\"no\\"}"', "no"),
        (b"no", "no"),
        (b"\xef\xbb\xbfno", "no"),
        (b"<html><title>502 Bad Gateway</title></html>", 'an HTML page: "502 Bad Gateway"'),
        (b"", ""),
        (b"{}", ""),
        (b"null", ""),
    ],
)
def test_what_a_person_would_read(body: bytes, words: str):
    assert read_body(body).words == words


def test_the_words_of_the_service_behind_a_relay_count_too():
    told = read_value(
        {"error": {"message": "Provider returned error", "code": 429, "metadata": {"raw": '{"error":"slow down"}'}}}
    )
    assert told.words == "Provider returned error" and "slow down" in told.all and told.status == 429


def test_what_is_read_is_bounded():
    deep: object = "end"
    for _ in range(200):
        deep = {"error": [deep] * 3, "message": "x" * 5000}
    told = read_value(deep)
    assert len(told.all) <= MAX_WORDS_CHARS and len(told.words) <= MAX_WORDS_CHARS

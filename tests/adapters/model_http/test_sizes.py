"""What a service takes, and what it was given, in its own words."""

from __future__ import annotations

import pytest

from adapters.model_http.sizes import sizes


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

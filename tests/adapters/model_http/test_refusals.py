"""What services say, in their own words, and what each of it means."""

from __future__ import annotations

import pytest

from adapters.model_http.errors import cleaner, of_status
from adapters.model_http.refusals import TABLE, meaning, of_number
from bot.errors import ProviderFault as F

SAID = [
    (403, "Country, region, or territory not supported", F.REGION),
    (400, "User location is not supported for the API use.", F.REGION),
    (403, "Input was flagged for: harassment", F.FLAGGED),
    (
        403,
        'openai/gpt-4 requires moderation on OpenAI. Your input was flagged for "harassment". No credits were charged.',
        F.FLAGGED,
    ),
    (
        403,
        "Content violates usage guidelines. Team: x, API key ID: y, Model: grok, Failed check: SAFETY_CHECK_TYPE_BIO",
        F.FLAGGED,
    ),
    (400, "Content Exists Risk", F.FLAGGED),
    (
        400,
        "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        F.FLAGGED,
    ),
    (400, "data_inspection_failed | Input data may contain inappropriate content.", F.FLAGGED),
    (400, "系统检测到输入或生成内容可能包含不安全或敏感内容", F.FLAGGED),
    (404, "Not Found", F.ADDRESS),
    (404, "404 page not found", F.ADDRESS),
    (404, "invalid_request_error | unknown_url | Unknown request URL: POST /chat/completions.", F.ADDRESS),
    (404, "404 | not_found_error | File Not Found", F.ADDRESS),
    (404, "model_not_found | Your organization must be verified to use the model `gpt-5`.", F.VERIFICATION),
    (400, "Your organization must be verified to stream this model.", F.VERIFICATION),
    (410, "The model x has been decommissioned", F.RETIRED),
    (404, "This model models/gemini-1.0-pro is no longer available.", F.RETIRED),
    (400, "max_tokens is deprecated. Unsupported parameter: use max_completion_tokens.", F.BAD_REQUEST),
    (500, "model requires more system memory (8.1 GiB) than is available (5.2 GiB)", F.MEMORY),
    (500, "CUDA out of memory. Tried to allocate 2.00 GiB", F.MEMORY),
    (413, "Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 7913", F.TOO_LARGE),
    (
        429,
        "Request too large for gpt-4o in organization o on tokens per min (TPM): Limit 30000, Requested 41000.",
        F.TOO_LARGE,
    ),
    (
        429,
        "Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, "
        "Requested 2000. Please try again in 2s.",
        F.RATE,
    ),
    (
        429,
        "rate_limit_error | This request would exceed your organization's rate limit of 10000 input tokens per minute",
        F.RATE,
    ),
    (429, "RESOURCE_EXHAUSTED | Resource has been exhausted (e.g. check quota).", F.RATE),
    (429, "You exceeded your current quota, please check your plan and billing details.", F.CREDIT),
    (403, "Your newly created teams doesn't have any credits yet.", F.CREDIT),
    (
        402,
        "This request requires more credits, or fewer max_tokens. You requested up to "
        "32000 tokens, but can only afford 1234.",
        F.CREDIT,
    ),
    (402, "Insufficient Balance", F.CREDIT),
    (400, "This model's maximum prompt length is 131072 but the request contains 537812 tokens.", F.CONTEXT_LENGTH),
    (400, "maximum prompt length is 8192", F.CONTEXT_LENGTH),
    (400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", F.CONTEXT_LENGTH),
    (400, "Prompt contains 40000 tokens, too large for model with 32768 maximum context length", F.CONTEXT_LENGTH),
    (
        422,
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens",
        F.CONTEXT_LENGTH,
    ),
    (400, "Trying to keep the first 5000 tokens when context the overflows.", F.CONTEXT_LENGTH),
    (400, "tool_use_failed | Failed to call a function.", F.TOOL_USE),
    (503, "Loading model", F.LOADING),
    (503, "Model meta-llama/x is currently loading | estimated_time 20.0", F.LOADING),
    (401, "invalid x-api-key", F.AUTH),
    (400, "API key not valid. Please pass a valid API key.", F.AUTH),
    (401, "Authentication Fails, Your api key: ****1234 is invalid", F.AUTH),
    (403, "Your API key does not have permission to use the specified resource.", F.AUTH),
    (404, 'model "llama3" not found, try pulling it first', F.NOT_FOUND),
    (404, "The model `x` does not exist or you do not have access to it.", F.NOT_FOUND),
    (400, "not-a-model is not a valid model ID", F.NOT_FOUND),
    (529, "overloaded_error | Overloaded", F.OVERLOADED),
    (503, "The model is overloaded. Please try again later.", F.OVERLOADED),
    (503, "Service Unavailable", F.OVERLOADED),
    (502, "Provider returned error", F.SERVER),
    (522, "522: Connection timed out", F.SERVER),
    (403, "Attention Required! | Cloudflare Sorry, you have been blocked", F.BLOCKED),
]


@pytest.mark.parametrize(("status", "said", "fault"), SAID)
def test_words_say_what_it_is(status: int, said: str, fault: F):
    assert meaning(status, said) == (fault, True)


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 409, 413, 422, 429, 451, 500, 503, 529, 599])
@pytest.mark.parametrize("said", ["", "The moon is in the wrong house.", "permission_error | No.", "nope"])
def test_what_no_row_knows_is_known_by_its_number_alone(status: int, said: str):
    assert meaning(status, said) == (of_number(status), False)


def test_the_same_number_means_what_its_words_say():
    assert len({meaning(403, said).fault for status, said, _ in SAID if status == 403}) >= 5


def test_the_table_knows_the_services_that_people_run():
    assert len(TABLE) >= 100
    named = " ".join(row.who for row in TABLE)
    services = (
        "OpenAI Azure Anthropic Gemini Vertex Mistral DeepSeek Groq OpenRouter Together Fireworks xAI Cohere Ollama "
        "vLLM llama.cpp TGI Bedrock LiteLLM Cloudflare DashScope Moonshot Zhipu MiniMax"
    )
    assert [name for name in [*services.split(), "LM Studio"] if name not in named] == []


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x1f\x8b\x08\x00" + bytes(range(256)) * 20,
        b"<html><head><title>403 Forbidden</title></head><body>" + b"x" * 500_000,
        b'{"error":' * 3_000,
        b"[" * 60_000,
        b'[{"error":{"message":"No s3cret-key."}}]',
        b'{"error":{"message":"{\\"error\\":{\\"message\\":\\"deep s3cret-key\\"}}"}}',
        '{"error":"Zu groß'.encode()[:-1],
        '{"error":"half 😀"}'.encode("utf-16"),
        b'{"error":{"message":{"a":[1,{"b":null}]},"code":null}}',
        b'"a text"',
        b"null",
        b"Traceback (most recent call last):\n  File x\nKeyError: 's3cret-key'",
        b"aaaa " * 50_000,
    ],
)
@pytest.mark.parametrize("status", [400, 403, 429, 500])
def test_any_body_is_one_honest_line(body: bytes, status: int):
    error = of_status(status, {"Content-Type": "text/plain", "Retry-After": "never"}, body, cleaner(("s3cret-key",)))
    said = str(error)
    assert said.startswith(f"HTTP {status}: ") and len(said) <= 400 and said.isprintable()
    assert "s3cret" not in said and "\\u" not in said

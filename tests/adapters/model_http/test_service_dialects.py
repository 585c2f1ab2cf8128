"""Which dialect a service wants: by key, address and name; and what its refusals teach, as tables."""

from __future__ import annotations

import pytest

from adapters.model_http.dialects import ServiceDialects, by_address, checked_keys
from bot.domain.dialect import NO_SCHEMA, PLAIN, Dialect, DialectTrait, is_trait, meaning
from bot.errors import ProviderError, ProviderFault

EVERY = (*DialectTrait, NO_SCHEMA)
AWAY = "https://models.example.com/v1"


def service(base_url: str = AWAY, *keys: str) -> ServiceDialects:
    return ServiceDialects(base_url, keys, known=EVERY)


def refused(words: str, status: int = 400) -> ProviderError:
    return ProviderError(f"HTTP {status}: {words}", fault=ProviderFault.BAD_REQUEST, status=status)


@pytest.mark.parametrize(
    ("address", "model", "traits"),
    [
        ("https://api.openai.com/v1", "gpt-5-mini", ""),
        (AWAY, "some-model", ""),
        ("https://api.deepseek.com", "deepseek-chat", "max_tokens reasoning_beside_calls"),
        (
            "https://api.mistral.ai/v1",
            "mistral-large",
            "alternate max_tokens nine_ids no_stream_options no_user_after_tool",
        ),
        ("https://generativelanguage.googleapis.com/v1beta/openai", "gemini-3-pro", "signatures"),
        ("http://localhost:1234/v1", "qwen", "no_null"),
        ("http://127.0.0.1:1234/v1", "google/gemma-3-4b", "alternate no_null"),
        ("http://10.0.0.7:11434/v1", "llama3", "max_tokens"),
        (AWAY, "Mistral-7B-Instruct", "alternate nine_ids no_user_after_tool"),
        # who translates requests itself wants the same whatever the model
        ("https://openrouter.ai/api/v1", "mistralai/mistral-large", ""),
        ("https://notmistral.ai.example.com/v1", "x", ""),
    ],
)
def test_the_address_and_the_model_say_it(address: str, model: str, traits: str):
    assert service(address).of(model).text == traits


def test_a_key_goes_before_address_and_name():
    assert service("https://api.mistral.ai/v1", "openai").of("mistral-large") == PLAIN
    assert (
        service(AWAY, "lm_studio", "max_tokens", "no_schema:format").of("x").text
        == "max_tokens no_null no_schema:format"
    )


def test_a_key_that_there_is_not_is_refused_with_what_there_is():
    assert checked_keys("") == () and checked_keys("mistral") == ("mistral",)
    for wrong in ("french", ["max_tokens", "french"], 7, {"a": 1}):
        with pytest.raises(ValueError, match=r"knows no 'french'. Known: deepseek.*max_tokens|must be a name"):
            checked_keys(wrong)


LESSONS = [
    (400, "Unsupported parameter: 'max_completion_tokens' is not supported with this model.", "max_tokens"),
    (422, "{'detail': [{'type': 'extra_forbidden', 'loc': ['body', 'stream_options']}]}", "no_stream_options"),
    (400, "stream_options: Extra inputs are not permitted", "no_stream_options"),
    (400, "Tool call id was call_1 but must be a-z, A-Z, 0-9, with a length of 9.", "nine_ids"),
    (400, "Unexpected role 'user' after role 'tool'", "no_user_after_tool"),
    (500, "Conversation roles must alternate user/assistant/user/assistant/...", "alternate"),
    (400, "System role not supported", "system_as_user"),
    (400, "Missing `reasoning_content` field in the assistant message at message index 3", "reasoning_beside_calls"),
    (400, "The `reasoning_content` in the thinking mode must be passed back to the API.", "reasoning_beside_calls"),
    (400, "Function call is missing a thought_signature in functionCall parts.", "signatures"),
    (500, "This model only supports single tool-calls at once!", "single_calls"),
    (400, "registry.ollama.ai/library/gemma:2b does not support tools", "no_tools"),
    (404, "No endpoints found that support tool use. Try disabling \"reply\".", "no_tools"),
    (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set', "no_tools"),
    (400, "Invalid value for tool_choice: 'none' is not supported", "no_tool_choice"),
    (400, "messages.2.content: Input should be a valid string", "no_null"),
    (400, "Invalid 'content': expected a string, got null.", "no_null"),
    (400, 'Unknown name "additionalProperties" at \'tools[0].function_declarations[0]\': Cannot find field.',
     "no_schema:additionalProperties"),
    (400, "tools.0.function.parameters: keyword 'format' is not supported", "no_schema:format"),
]  # fmt: skip


@pytest.mark.parametrize(("status", "words", "trait"), LESSONS)
def test_a_refusal_teaches(status: int, words: str, trait: str):
    taught = service().lesson(PLAIN, refused(words, status))
    assert taught is not None and taught.trait == trait
    assert taught.words in words and len(taught.words) <= 120, "no more than the words that say it"
    assert is_trait(trait) and meaning(trait) != trait
    again = service().lesson(Dialect.of([trait]), refused(words, status))
    assert again is None or again.trait != trait, "nothing is learnt twice"


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "Invalid image."),
        (400, "This model's maximum context length is 8192 tokens."),
        (400, "Input was flagged for: harassment"),
        (401, "registry.ollama.ai/library/gemma:2b does not support tools"),
        (429, "stream_options not permitted"),
        (500, "The server had an error while processing your request."),
        (400, "model requires more system memory"),
        (400, "tool call validation failed: parameters for tool x did not match schema: ['title' is not allowed]"),
    ],
)
def test_most_refusals_teach_nothing(status: int, words: str):
    assert service().lesson(PLAIN, refused(words, status)) is None


def test_a_protocol_without_a_form_learns_no_such_thing():
    anthropic = ServiceDialects(AWAY, known=(DialectTrait.NO_TOOLS, NO_SCHEMA))
    assert anthropic.lesson(PLAIN, refused("roles must alternate")) is None
    assert anthropic.lesson(PLAIN, refused("claude does not support tools")) is not None
    assert by_address("https://api.groq.com/openai/v1") == "groq"

"""The failures a provider is known for, in its own words, by the name a test uses for them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .replies import Fails
from .wire import Language

CONTEXT_TOO_LONG = Fails(
    400,
    "context_length_exceeded",
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 8227 tokens. "
    "Please reduce the length of the messages.",
    param="messages",
)
TOOL_ID_UNANSWERED = Fails(
    400,
    None,
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
    "'tool_call_id'. The following tool_call_ids did not have response messages: call_0_0",
    param="messages.[2].role",
)
TOOL_ID_UNKNOWN = Fails(
    400,
    None,
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
    param="messages.[2].role",
)
BAD_KEY = Fails(
    401,
    "invalid_api_key",
    "Incorrect API key provided: sk-***. You can find your API key at https://platform.openai.com/account/api-keys.",
    kind="invalid_request_error",
)
NO_CREDIT = Fails(402, 402, "Insufficient credits. Add more using https://openrouter.ai/settings/credits")
FORBIDDEN = Fails(403, "unsupported_country_region_territory", "Country, region, or territory not supported")
NO_SUCH_MODEL = Fails(
    404,
    "model_not_found",
    "The model `test-model` does not exist or you do not have access to it.",
    param="model",
)
RATE_LIMITED = Fails(
    429, "rate_limit_exceeded", "Rate limit reached for requests. Please try again later.", kind="requests"
)
RATE_LIMITED_FOR = Fails(
    429,
    "rate_limit_exceeded",
    "Rate limit reached. Please try again in 20ms.",
    retry_after=0.02,
    kind="tokens",
)
QUOTA_SPENT = Fails(
    429,
    "insufficient_quota",
    "You exceeded your current quota, please check your plan and billing details.",
    kind="insufficient_quota",
)
NO_TOOLS_OLLAMA = Fails(400, None, "registry.ollama.ai/library/gemma3:4b does not support tools", kind="api_error")
NO_TOOLS_OPENROUTER = Fails(
    404,
    404,
    'No endpoints found that support tool use. Try disabling "reply". To learn more about provider routing, visit: '
    "https://openrouter.ai/docs/guides/routing/provider-selection",
)
NO_TOOLS_VLLM = Fails(
    400,
    400,
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    kind="BadRequestError",
)
BAD_IMAGE = Fails(
    400,
    "invalid_image_format",
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', "
    "'gif', 'webp'].",
)
IMAGE_TOO_LARGE = Fails(
    400,
    None,
    "messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 9427836 bytes > 5242880 bytes",
)
NO_IMAGES_OPENROUTER = Fails(404, 404, "No endpoints found that support image input")
BROKEN = Fails(500)
BAD_GATEWAY = Fails(502, 502, "Provider returned error")
UNAVAILABLE = Fails(503, None, "The engine is currently overloaded, please try again later")
OVERLOADED = Fails(529, None, "Overloaded")
HTML_GATEWAY = Fails(502, message="Bad gateway", html=True)
HTML_FORBIDDEN = Fails(403, message="Sorry, you have been blocked", html=True)

FAILURES: Mapping[str, Fails] = MappingProxyType(
    {
        "context_too_long": CONTEXT_TOO_LONG,
        "tool_id_unanswered": TOOL_ID_UNANSWERED,
        "tool_id_unknown": TOOL_ID_UNKNOWN,
        "bad_key": BAD_KEY,
        "no_credit": NO_CREDIT,
        "forbidden": FORBIDDEN,
        "no_such_model": NO_SUCH_MODEL,
        "rate_limited": RATE_LIMITED,
        "rate_limited_for": RATE_LIMITED_FOR,
        "quota_spent": QUOTA_SPENT,
        "no_tools_ollama": NO_TOOLS_OLLAMA,
        "no_tools_openrouter": NO_TOOLS_OPENROUTER,
        "no_tools_vllm": NO_TOOLS_VLLM,
        "bad_image": BAD_IMAGE,
        "image_too_large": IMAGE_TOO_LARGE,
        "no_images_openrouter": NO_IMAGES_OPENROUTER,
        "broken": BROKEN,
        "bad_gateway": BAD_GATEWAY,
        "unavailable": UNAVAILABLE,
        "overloaded": OVERLOADED,
        "html_gateway": HTML_GATEWAY,
        "html_forbidden": HTML_FORBIDDEN,
    }
)

MESSAGES: Mapping[str, Fails] = MappingProxyType(
    {
        "context_too_long": Fails(400, None, "prompt is too long: 208310 tokens > 200000 maximum"),
        "no_room_to_answer": Fails(
            400,
            None,
            "input length and `max_tokens` exceed context limit: 199759 + 8192 > 200000, decrease input length or "
            "`max_tokens` and try again",
        ),
        "request_too_large": Fails(413, None, "Request exceeds the maximum size"),
        "tool_id_unanswered": Fails(
            400,
            None,
            "messages.7: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_017j2qpxhyC. "
            "Each `tool_use` block must have a corresponding `tool_result` block in the next message.",
        ),
        "tool_id_unknown": Fails(
            400,
            None,
            "messages.8.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01NGSZ6A8jPBz. Each "
            "`tool_result` block must have a corresponding `tool_use` block in the previous message.",
        ),
        "bad_request": Fails(400, None, "max_tokens: Field required"),
        "bad_key": Fails(401, None, "invalid x-api-key"),
        "no_credit": Fails(
            400,
            None,
            "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or "
            "purchase credits.",
        ),
        "spending_limit": Fails(
            400,
            None,
            "You have reached your specified API usage limits. You will regain access on 2026-12-01 at 00:00 UTC.",
        ),
        "billing": Fails(402, None, "There is an issue with your billing or payment information."),
        "forbidden": Fails(403, None, "Your API key does not have permission to use the specified resource."),
        "no_such_model": Fails(404, None, "model: claude-nothing-1"),
        "rate_limited": Fails(429, None, "This request would exceed your organization's rate limit."),
        "rate_limited_for": Fails(
            429, None, "This request would exceed your organization's rate limit.", retry_after=0.02
        ),
        "broken": Fails(500, None, "Internal server error"),
        "bad_gateway": Fails(502, None, "Bad gateway"),
        "took_too_long": Fails(504, None, "The request timed out while processing."),
        "overloaded": Fails(529, None, "Overloaded"),
        "html_gateway": HTML_GATEWAY,
        "html_forbidden": HTML_FORBIDDEN,
    }
)
"""The same of api.anthropic.com (https://platform.claude.com/docs/en/api/errors, and what people report)."""

FAILURES_OF: Mapping[Language, Mapping[str, Fails]] = MappingProxyType({"openai": FAILURES, "anthropic": MESSAGES})

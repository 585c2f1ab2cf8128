"""The rows of refusals that are about what was asked: a bad call, too much at once, words that a filter stops."""

from __future__ import annotations

from typing import NamedTuple

from bot.errors import ProviderFault

_F = ProviderFault
_CLIENT = (400, 401, 402, 403, 404, 406, 409, 410, 412, 413, 418, 422, 424, 451)


class RefusalRow(NamedTuple):
    """What a service says (patterns over its codes and words), with which statuses (any, where none is named)."""

    fault: ProviderFault
    said: tuple[str, ...]
    at: tuple[int, ...] = ()
    who: str = ""


REQUESTS: tuple[RefusalRow, ...] = (
    # -- a tool call that the model wrote badly: the next try may be better
    RefusalRow(_F.TOOL_USE, ("tool_use_failed", "failed to call a function"), who="Groq"),
    RefusalRow(
        _F.TOOL_USE,
        ("failed_generation", "failed to parse tool call arguments as json"),
        (400, 422, 500),
        "Groq, llama.cpp",
    ),
    RefusalRow(
        _F.TOOL_USE,
        ("tool call validation failed", "model_output_parse_error", "output_parse_failed"),
        (400, 422),
        "Groq",
    ),
    RefusalRow(_F.TOOL_USE, ("model produced invalid sequence as part of tooluse",), who="Bedrock"),
    RefusalRow(_F.TOOL_USE, ("malformed_function_call",), who="Gemini"),
    RefusalRow(
        _F.TOOL_USE,
        ("error parsing tool call", "failed to parse (?:input|tool call)", "unexpected end of tool call"),
        (400, 500),
        "Ollama",
    ),
    # -- too large for the account or the minute: will never fit
    RefusalRow(_F.TOO_LARGE, (r"request too large for (?:model|gpt|o\d|[\w./-]+ )",), who="OpenAI, Groq"),
    RefusalRow(_F.TOO_LARGE, (r"request too large.{0,200}limit:? ?\d+.{0,40}requested:? ?\d+",), who="Groq"),
    RefusalRow(
        _F.TOO_LARGE, ("tokens_limit_reached", "request body too large for .{1,60} model"), (413,), "GitHub Models"
    ),
    RefusalRow(
        _F.TOO_LARGE,
        ("single request (?:exceeds|is larger than) .{0,40}(?:tpm|tokens per minute|rate limit)",),
        who="Fireworks",
    ),
    RefusalRow(
        _F.TOO_LARGE,
        ("request (?:entity|body|payload) (?:is )?too large", "payload too large", "content too large"),
        (413, 400),
        "nginx, Vercel",
    ),
    RefusalRow(
        _F.TOO_LARGE, ("exceeds? the tokens? per minute limit", "larger than your (?:tpm|rate) limit"), who="LiteLLM"
    ),
    RefusalRow(_F.TOO_LARGE, ("failed to buffer the request body: length limit exceeded",), who="TGI, Rust servers"),
    # -- the context is too long
    RefusalRow(
        _F.CONTEXT_LENGTH,
        ("context_length_exceeded", "string_above_max_length", "model_max_prompt_tokens_exceeded"),
        who="OpenAI, Azure, Copilot",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH, ("exceed_context_size_error", "exceeds? the available context size"), who="llama.cpp"
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        ("maximum context length", "context length is only", "max(?:imum)? model length"),
        who="OpenAI, vLLM, OpenRouter, DeepSeek",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        ("maximum prompt length", "maximum input length", "max(?:imum)? (?:sequence|total) length"),
        (400, 413, 422, 500),
        "xAI, vLLM",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        ("prompt is too long", "prompt too long", "input is too long", "input too long"),
        who="Anthropic, Fireworks, Bedrock",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        ("exceed context limit", "exceeds? the context", "exceeds? (?:the )?model'?s? (?:maximum )?context"),
        who="Anthropic, Together",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        (
            "input token count .{0,60}exceeds",
            "exceeds the maximum number of (?:input )?tokens",
        ),
        who="Gemini, Vertex",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        (r"too large for model with \d+ maximum context", r"prompt contains \d+ tokens"),
        who="Mistral",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        ("too many (?:input |prompt |total )?tokens", "tokens? count .{0,40}exceed", "total number of tokens"),
        (400, 413, 422),
        "Cohere, Bedrock",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        (r"inputs`? (?:tokens \+ `?max_new_tokens`? )?must (?:be|have)", "`inputs` must have less"),
        who="TGI, Together",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        (
            r"trying to keep the first \d+ tokens",
            "context (?:the )?overflows",
            "loaded with context length",
        ),
        who="LM Studio",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        ("prompt token count .{0,40}exceeds the limit", "exceeds the maximum (?:allowed )?(?:input|prompt|context)"),
        who="Copilot",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        ("reduce the length of the (?:messages|prompt|input)", "range of input length should be"),
        who="Groq, DashScope",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        (
            "context (?:length|window|size) (?:was |is |has been )?(?:exceeded|exceeds|too)",
            "exceeds? (?:the )?(?:max )?context (?:length|window|size)",
        ),
        who="Ollama, LiteLLM",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH, ("contextwindowexceedederror", "validationexception.{0,80}too long"), who="LiteLLM, Bedrock"
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        ("request_too_large", "request exceeds the maximum size", "request size exceeds"),
        who="Anthropic",
    ),
    RefusalRow(
        _F.CONTEXT_LENGTH,
        ("kv ?cache.{0,40}(?:full|too small|exceed)", "prompt.{0,40}longer than.{0,40}context"),
        who="MLX, KoboldCpp",
    ),
    # -- a message that the service's filter does not let through
    RefusalRow(
        _F.FLAGGED,
        ("content management policy", "responsibleaipolicyviolation", r"content_filter\b"),
        (*_CLIENT, 500),
        "Azure",
    ),
    RefusalRow(
        _F.FLAGGED,
        ("content_policy_violation", "rejected (?:as a result of|by) (?:our|the) safety system", "moderation_blocked"),
        who="OpenAI",
    ),
    RefusalRow(
        _F.FLAGGED,
        ("prompt was flagged", "flagged as potentially violating", r"violat\w+ our usage polic"),
        who="OpenAI",
    ),
    RefusalRow(
        _F.FLAGGED,
        (
            "(?:input|content|message|request|prompt|text) (?:was|has been|is|got) flagged",
            "flagged for",
            "requires moderation on",
        ),
        who="OpenRouter, Together",
    ),
    RefusalRow(
        _F.FLAGGED,
        (
            "content violates usage guidelines",
            "safety_check_type",
        ),
        who="xAI",
    ),
    RefusalRow(_F.FLAGGED, ("content exists risk",), who="DeepSeek"),
    RefusalRow(_F.FLAGGED, ("data_?inspection_?failed", "inappropriate[- ]content"), who="DashScope"),
    RefusalRow(_F.FLAGGED, ("considered high risk", "high risk content", "risk control"), (400, 403), "Moonshot"),
    RefusalRow(
        _F.FLAGGED,
        ("new_sensitive", "sensitive content", "sensitivecontentdetected", "contentfilter.{0,40}sensitive"),
        who="MiniMax, Volcengine",
    ),
    RefusalRow(_F.FLAGGED, ("(?:不安全|敏感)(?:或敏感)?内容", "内容(?:安全|违规)"), who="Zhipu, Baidu"),
    RefusalRow(
        _F.FLAGGED,
        ("prohibited_content", "blocked due to (?:safety|prohibited|other)", "blocklist", r"\bblockreason\b"),
        (*_CLIENT, 200, 500),
        "Gemini, Vertex",
    ),
    RefusalRow(
        _F.FLAGGED,
        ("response was blocked", "prompt was blocked", "prompt (?:could not|couldn't) be submitted", "sensitive words"),
        who="Gemini, Vertex",
    ),
    RefusalRow(
        _F.FLAGGED,
        ("blocked by (?:our |the )?content (?:filter|moderation)", "content filtering policy", "content moderation"),
        who="Anthropic, Mistral",
    ),
    RefusalRow(
        _F.FLAGGED, ("guardrail.{0,60}(?:interven|block|violat)", "contentpolicyviolationerror"), who="Bedrock, LiteLLM"
    ),
    RefusalRow(
        _F.FLAGGED,
        ("not be generated.{0,60}(?:safety|policy)", "potentially unsafe", "llama ?guard"),
        (400, 403, 422),
        "Cohere, Groq",
    ),
)

"""The table of refusals: which words and codes of which services mean what. Words stand before numbers.

A number alone proves nothing: 403 is a region at one service, a flagged message at the next, and an account without
credit at a third. What no row knows is `RefusalMeaning(fault, by_row=False)`: its number says whether to try again,
and nobody claims to know why. Add a row where it stands before everything that it must win against.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from adapters.model_http.refusal_words import MAX_WORDS_CHARS
from adapters.model_http.refused_requests import REQUESTS, RefusalRow
from bot.errors import ProviderFault

LONGEST_TEXT = MAX_WORDS_CHARS
_F = ProviderFault


class RefusalMeaning(NamedTuple):
    """What a refusal means, and whether a row of the table says so."""

    fault: ProviderFault
    by_row: bool


_BROKEN_STATUSES = (500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527, 529, 530)

TABLE: tuple[RefusalRow, ...] = (
    *REQUESTS,
    # -- where the account may not be used from
    RefusalRow(_F.REGION, ("unsupported_country_region_territory", "country, region,? or territory"), who="OpenAI"),
    RefusalRow(_F.REGION, ("user location is not supported", "location is not supported for the api"), who="Gemini"),
    RefusalRow(
        _F.REGION,
        (
            (
                "(?:not (?:yet )?(?:available|supported|offered)|unavailable) (?:in"
                "|for|from) (?:your|this) (?:country|region|location|territory)"
            ),
        ),
        who="Anthropic, xAI",
    ),
    RefusalRow(
        _F.REGION,
        (
            "unsupported (?:country|region)",
            "(?:country|region|location) (?:is )?(?:not supported|unsupported|blocked|restricted)",
        ),
        who="Mistral, Cohere",
    ),
    RefusalRow(
        _F.REGION,
        ("access to anthropic models is not allowed from", "geo(?:graphic(?:al)?)?[- ]?(?:block|restrict)"),
        who="Bedrock",
    ),
    RefusalRow(_F.REGION, ("unavailable for legal reasons",), (451,), "proxies"),
    # -- a model or a way that wants a verified account
    RefusalRow(
        _F.VERIFICATION,
        ("must be verified to (?:use|stream)", "verify organization", "organization_verification"),
        who="OpenAI",
    ),
    RefusalRow(
        _F.VERIFICATION,
        ("(?:verify|verification of) your (?:organi[sz]ation|identity|account|phone|email)",),
        (400, 401, 403, 404),
        "Cohere, xAI",
    ),
    RefusalRow(
        _F.VERIFICATION,
        (r"(?:account|organi[sz]ation|identity|phone)\W.{0,30}(?:not|isn't|been) verified",),
        (400, 401, 403, 404),
        "Moonshot",
    ),
    RefusalRow(
        _F.VERIFICATION,
        ("(?:accept|agree to) the (?:terms|license|eula)", "gated (?:repo|model)", "terms acceptance"),
        (400, 401, 403),
        "Groq, HF",
    ),
    RefusalRow(
        _F.VERIFICATION,
        (
            "model use case details have not been submitted",
            "don't have access to the model with the specified model id",
        ),
        who="Bedrock",
    ),
    RefusalRow(
        _F.VERIFICATION,
        ("no endpoints found matching your data policy", "data policy.{0,80}settings/privacy"),
        who="OpenRouter",
    ),
    # -- a model that is no more
    RefusalRow(
        _F.RETIRED,
        (
            "model_decommissioned",
            "has been decommissioned",
            "is decommissioned",
        ),
        who="Groq",
    ),
    RefusalRow(
        _F.RETIRED,
        ("model_deprecated", "model.{0,160}has been (?:deprecated|retired|discontinued|removed|shut ?down|sunset)"),
        (400, 403, 404, 410, 422),
        "OpenAI, Together",
    ),
    RefusalRow(
        _F.RETIRED,
        (
            (
                "model.{0,160}(?:(?:is|was) (?:deprecated|retired|discontinued)|no"
                " longer (?:available|supported|offered|served)|end of (?:its )?life)"
            ),
        ),
        (400, 403, 404, 410, 422),
        "Anthropic, Gemini, Bedrock",
    ),
    RefusalRow(_F.RETIRED, ("deploymentdeprecated", "marked (?:by provider )?as legacy"), who="Azure, Bedrock"),
    # -- the machine that runs the model
    RefusalRow(
        _F.MEMORY, ("requires more system memory", "more (?:system )?memory .{0,60}than is available"), who="Ollama"
    ),
    RefusalRow(
        _F.MEMORY,
        (
            "out of memory",
            "outofmemory",
            r"\boom\b",
            "insufficient (?:system |gpu |video )?(?:memory|resources)",
            "not enough (?:memory|vram)",
        ),
        (400, 424, 500, 502, 503, 507),
        "vLLM, TGI, LM Studio",
    ),
    RefusalRow(
        _F.MEMORY,
        (
            "cudamalloc failed",
            "unable to allocate",
            "failed to allocate",
            "model loading was stopped due to insufficient",
        ),
        who="llama.cpp, LM Studio",
    ),
    RefusalRow(
        _F.MEMORY,
        (
            "llama runner process (?:has terminated|no longer running)",
            "error loading model",
            "unable to load model",
            "failed to load model",
            "model failed to load",
        ),
        who="Ollama, LM Studio",
    ),
    # -- a model that is still being loaded
    RefusalRow(
        _F.LOADING,
        (
            "loading model",
            "model is (?:still |currently )?(?:loading|being loaded)",
            "currently loading",
            "is (?:still )?(?:warming|starting) up",
        ),
        who="llama.cpp, HF, Fireworks",
    ),
    RefusalRow(
        _F.LOADING,
        (r"^\s*+(?:\d{3} \| )?(?:\w+ \| )?loading\W{0,4}$", r"\bstatus\W{1,4}loading\b", "model_loading", "cold start"),
        who="TGI, Baseten",
    ),
    RefusalRow(
        _F.LOADING,
        (
            "estimated_time",
            "server is (?:still )?(?:loading|starting)",
            "model (?:is )?not (?:yet )?(?:ready|loaded)",
            "modelnotreadyexception",
        ),
        who="HF, Bedrock",
    ),
    # -- money
    RefusalRow(_F.CREDIT, ("insufficient_quota", "exceeded your current quota"), who="OpenAI"),
    RefusalRow(
        _F.CREDIT,
        ("billing_hard_limit_reached", "billing_not_active", "account is not active", "billing_error"),
        who="OpenAI",
    ),
    RefusalRow(
        _F.CREDIT,
        (
            "credit balance is too low",
            "reached your specified (?:workspace )?api usage limits",
            "specified workspace api usage",
        ),
        who="Anthropic",
    ),
    RefusalRow(
        _F.CREDIT,
        ("insufficient[ _](?:credits?|funds?|balance|account balance)", "not enough (?:credits?|balance|funds)"),
        who="OpenRouter, DeepSeek",
    ),
    RefusalRow(
        _F.CREDIT,
        ("requires more credits", "can only afford", "never purchased credits", "add (?:more )?credits"),
        who="OpenRouter",
    ),
    RefusalRow(
        _F.CREDIT,
        (
            "doesn't have any credits",
            "used all available credits",
            "reached its monthly spending limit",
            "spending limit",
        ),
        who="xAI",
    ),
    RefusalRow(
        _F.CREDIT,
        (
            "issue with your billing",
            "billing (?:details|information|account).{0,60}(?:not|disabled|missing|update)",
            "payment (?:required|method|information)",
        ),
        (400, 402, 403, 429),
        "Anthropic, Together",
    ),
    RefusalRow(
        _F.CREDIT,
        (
            "credit limit exceeded",
            "negative balance",
            "account (?:is |has been )?(?:suspended|in arrears|overdue)",
            "arrearage",
            "overdue",
        ),
        (400, 401, 402, 403, 412, 429),
        "Together, Fireworks, DashScope",
    ),
    RefusalRow(_F.CREDIT, ("exceeded your monthly included credits", "余额不足", "欠费"), who="HF, Zhipu"),
    RefusalRow(_F.CREDIT, ("budget has been exceeded", "budget_exceeded", "exceededbudget"), who="LiteLLM"),
    RefusalRow(
        _F.CREDIT,
        (r"limit: ?0\b.{0,200}(?:free|tier|model)", "trial key.{0,60}limited to"),
        (403, 429),
        "Gemini, Cohere",
    ),
    RefusalRow(
        _F.CREDIT,
        ("billing (?:to be |is )?(?:not )?(?:enabled|disabled)", "enable billing", "free tier .{0,30}not available"),
        (400, 403, 429),
        "Gemini, Vertex",
    ),
    # -- pages that stand before a service; their reference numbers are no codes of it
    RefusalRow(
        _F.BLOCKED,
        (
            "you have been blocked",
            "sorry, you have been",
            "attention required",
            "error (?:code:? )?10(?:06|07|08|09|10|12|15|20)",
        ),
        (403, 429, 400, 503),
        "Cloudflare",
    ),
    RefusalRow(
        _F.BLOCKED,
        ("just a moment", "checking your browser", "enable javascript and cookies", "cf-chl", "challenge-platform"),
        (403, 429, 503),
        "Cloudflare",
    ),
    RefusalRow(
        _F.BLOCKED,
        (
            "access denied.{0,120}reference (?:#|number)",
            r"request blocked\. we can't connect",
            "the requested url was rejected",
        ),
        (403,),
        "Akamai, CloudFront, F5",
    ),
    RefusalRow(
        _F.SERVER,
        (
            "web server is down",
            "connection timed out",
            "origin is unreachable",
            "a timeout occurred",
            "ssl handshake failed",
            "invalid ssl certificate",
            "unknown error",
            "origin dns error",
            "railgun",
        ),
        (520, 521, 522, 523, 524, 525, 526, 527, 530),
        "Cloudflare",
    ),
    # -- limits of the rate
    RefusalRow(
        _F.RATE,
        (
            "rate_limit_exceeded",
            "rate_limit_error",
            "rate limit (?:reached|exceeded|hit)",
            "ratelimiterror",
            "rate_limited",
        ),
        who="OpenAI, Anthropic, Groq, LiteLLM",
    ),
    RefusalRow(
        _F.RATE,
        (
            (
                r"(?:exceed\w*|reached|hit|over) (?:your |the |its )?"
                r"(?:organi[sz]ation'?s? |account |call |token |current |model |user |free )*"
                r"(?:rate|request|quota|usage|tokens?|concurren\w+)[- _]?(?:per[- ]\w+ )?limit"
            ),
        ),
        (403, 429),
        "Anthropic, Azure",
    ),
    RefusalRow(
        _F.RATE,
        ("resource_exhausted", "resource has been exhausted", "quota exceeded", "quota_exceeded"),
        (400, 403, 429),
        "Gemini, Vertex",
    ),
    RefusalRow(
        _F.RATE,
        (
            "too many requests",
            "too many concurrent",
            "request rate (?:too|increased)",
            "requests per (?:minute|second|day)",
        ),
        (400, 403, 429),
        "Together, Mistral, Cohere",
    ),
    RefusalRow(
        _F.RATE,
        ("throttlingexception", "throttling", "slow down", "requests? limit exceeded", "free-models-per-(?:day|min)"),
        who="Bedrock, DashScope, OpenRouter",
    ),
    RefusalRow(
        _F.RATE,
        (
            "temporarily rate-limited upstream",
            "rate[- ]limited",
            "capacity_exceeded",
            "tokens per (?:minute|day)",
        ),
        (429, 403),
        "OpenRouter, Mistral",
    ),
    RefusalRow(
        _F.RATE,
        (r"(?:try|retry) again (?:in|after) (?:about )?\d", r"please retry after \d", "retrydelay"),
        (429,),
        "Azure, any",
    ),
    RefusalRow(_F.RATE, ("速率限制", "请求过于频繁", "并发数过高"), who="Zhipu"),
    # -- the service is overloaded
    RefusalRow(_F.OVERLOADED, ("overloaded_error", "overloaded", "server_overloaded"), who="Anthropic, OpenAI"),
    RefusalRow(
        _F.OVERLOADED,
        (
            "model is (?:currently )?(?:at|over|experiencing high) (?:capacity|demand|load)",
            "over capacity",
            "no capacity",
            "high (?:demand|traffic|load)",
        ),
        (429, 498, 500, 502, 503, 529),
        "Groq, xAI, Gemini",
    ),
    RefusalRow(
        _F.OVERLOADED,
        (
            "service (?:is )?(?:temporarily |currently )?(?:unavailable|busy)",
            "server (?:is )?(?:too )?busy",
            "temporarily unavailable",
        ),
        (429, 500, 503, 529),
        "DeepSeek, any",
    ),
    RefusalRow(
        _F.OVERLOADED,
        (
            "serviceunavailableexception",
            "no healthy upstream",
            "no available (?:server|channel|worker)",
            "upstream connect error",
        ),
        (429, 500, 502, 503),
        "Bedrock, Envoy",
    ),
    RefusalRow(
        _F.OVERLOADED,
        ("maximum pending requests exceeded", "queue (?:is )?full", "engine is (?:currently )?(?:busy|dead)"),
        (429, 500, 503),
        "Ollama, vLLM, TGI",
    ),
    # -- the key
    RefusalRow(
        _F.AUTH,
        (
            "invalid_api_key",
            "incorrect api key",
            "invalid (?:x-)?api[- ]?key",
            "api[ _-]?key (?:is )?(?:not valid|invalid|expired|missing|wrong|required|not found)",
            "api_key_invalid",
        ),
        who="OpenAI, Anthropic, Gemini",
    ),
    RefusalRow(
        _F.AUTH,
        (
            (
                "(?:no|missing|without|didn't provide an?|invalid|expired|bad|wrong) (?:valid )?(?:api["
                r" _-]?keys?|auth\w*(?: header| token| credentials?)?|credentials?|bearer token|token|access token)"
            ),
        ),
        (400, 401, 403),
        "Mistral, OpenRouter, Cohere",
    ),
    RefusalRow(
        _F.AUTH,
        (
            "authentication_error",
            "authenticationerror",
            "authentication fails",
            "authentication (?:failed|error)",
            "no cookie auth",
        ),
        (400, 401, 403),
        "Anthropic, DeepSeek, LiteLLM",
    ),
    RefusalRow(
        _F.AUTH,
        ("unauthorized", "unauthenticated", "user not found", "not authenticated", "login required"),
        (401,),
        "Fireworks, Together, OpenRouter",
    ),
    RefusalRow(
        _F.AUTH,
        (
            "api key.{0,60}(?:does not have|lacks|without|no) (?:the )?(?:permission|access)",
            "insufficient (?:permissions|scopes)",
            "missing scopes",
        ),
        (401, 403),
        "Anthropic, OpenAI",
    ),
    RefusalRow(
        _F.AUTH,
        (
            "api key.{0,80}(?:blocked|disabled|revoked|suspended|leaked|deactivated)",
            "key (?:was|has been) (?:disabled|revoked|deleted|reported as leaked)",
        ),
        (400, 401, 403),
        "xAI, Gemini",
    ),
    RefusalRow(
        _F.AUTH,
        (
            "account_deactivated",
            "organization has been disabled",
            "access ?denied due to invalid subscription key",
            "permissiondenied.{0,60}key",
        ),
        (400, 401, 403),
        "OpenAI, Azure",
    ),
    RefusalRow(
        _F.AUTH,
        (
            "unrecognizedclientexception",
            "invalidsignatureexception",
            "security token (?:included|provided) .{0,40}(?:invalid|expired)",
            "expiredtoken",
        ),
        (400, 401, 403),
        "Bedrock",
    ),
    RefusalRow(
        _F.AUTH,
        (
            "request had invalid authentication credentials",
            "request is missing required authentication",
            "access_token_type_unsupported",
        ),
        (401, 403),
        "Vertex",
    ),
    RefusalRow(_F.AUTH, ("身份验证", "令牌(?:已过期|无效)", "invalid token"), (400, 401, 403), "Zhipu, SiliconFlow"),
    # -- the model's name
    RefusalRow(
        _F.NOT_FOUND,
        ("model_not_found", "modelnotfound", "deploymentnotfound", "model_not_available", "invalid_model"),
        who="OpenAI, Azure, Together",
    ),
    RefusalRow(
        _F.NOT_FOUND,
        (
            (
                r"(?:the )?model\W.{0,120}(?:does not exist|not found|doesn't exist|is not found"
                "|not exist|unknown|is invalid|is not available|not supported for generatecontent)"
            ),
        ),
        (400, 403, 404, 422),
        "OpenAI, Groq, Ollama, Gemini, DeepSeek",
    ),
    RefusalRow(
        _F.NOT_FOUND,
        (
            "is not a valid model(?: id)?",
            r"invalid model(?: name)?\b",
            "unknown model",
            "no such model",
            "model identifier is invalid",
            "unable to access (?:non-serverless )?model",
        ),
        (400, 403, 404, 422),
        "OpenRouter, Mistral, Bedrock, Together",
    ),
    RefusalRow(
        _F.NOT_FOUND,
        (
            "no endpoints found",
            "no allowed providers",
            "not found.{0,60}try pulling it first",
            "no models? loaded",
            "team not allowed to access model",
        ),
        (400, 401, 403, 404),
        "OpenRouter, Ollama, LM Studio, LiteLLM",
    ),
    RefusalRow(
        _F.NOT_FOUND,
        ("does not have access to (?:the )?model", "publisher model .{0,120}was not found", "模型不存在"),
        (400, 401, 403, 404),
        "OpenAI, Vertex, Zhipu",
    ),
    RefusalRow(_F.NOT_FOUND, (r"not_found_error \| model: ", r"^model: \S", r"\bmodel: \S+$"), (404,), "Anthropic"),
    # -- the address
    RefusalRow(
        _F.ADDRESS,
        (
            "unknown request url",
            "unknown_url",
            "invalid url",
            "route .{0,60}not found",
            "no (?:matching )?route",
            "cannot (?:post|get) /",
            "unexpected endpoint",
        ),
        (400, 404, 405),
        "OpenAI, Groq, Express, LM Studio",
    ),
    RefusalRow(
        _F.ADDRESS,
        (
            (
                r"^(?:[\w ]{0,40}\| ){0,4}(?:404:? )?(?:page |resource |path |the"
                r" requested url .{0,80})?not[ _]found\W{0,60}(?:\| not[ _]found\W*)?$"
            ),
            "file not found",
            "404 page not found",
        ),
        (404,),
        "FastAPI, llama.cpp, Go",
    ),
    RefusalRow(
        _F.ADDRESS,
        (
            "method not allowed",
            "the requested (?:url|resource) .{0,80}(?:was )?not (?:be )?found",
            "nothing matches the given uri",
            "error: 404",
            "404 not found",
        ),
        (404, 405),
        "pages",
    ),
    # -- the history
    RefusalRow(
        _F.TOOL_PAIRING,
        (
            "tool_call_id",
            "tool_use_id",
            "tool_result",
            "'tool_calls' must be followed",
            "must be a response to a prece",
        ),
        (400, 422),
        "OpenAI, Anthropic",
    ),
    RefusalRow(
        _F.TOOL_PAIRING,
        (
            "role 'tool'",
            "did not have response messages",
            "number of function response parts",
            "not the same number of function calls",
        ),
        (400, 422),
        "OpenAI, Gemini, Mistral",
    ),
    # -- what a request holds that this service does not take: its words name it
    RefusalRow(
        _F.BAD_REQUEST,
        (
            "support (?:tools|tool use|function calling|image input|images)",
            "requires --enable-auto-tool-choice",
            "(?:unsupported|invalid|process|decode|load|base64:) image",
            "image (?:exceeds|format|is too|url|data|size)",
        ),
        (400, 404, 415, 422),
        "Ollama, vLLM",
    ),
    RefusalRow(
        _F.BAD_REQUEST,
        (
            "unsupported_parameter",
            "unsupported_value",
            "unknown_parameter",
            "unsupported parameter",
            "unrecognized request argument",
            "extra inputs are not permitted",
            "extra_forbidden",
            "unknown name",
            "field required",
        ),
        (400, 422),
        "OpenAI, Anthropic, Mistral, Gemini",
    ),
    # -- the service itself
    RefusalRow(
        _F.SERVER,
        (
            "internal[ _]server[ _]error",
            "internalservererror",
            "internal error",
            "server had an error",
            "an error occurred",
            "something went wrong",
            "unexpected error",
            "modelerrorexception",
        ),
        _BROKEN_STATUSES,
        "any",
    ),
    RefusalRow(
        _F.SERVER,
        (
            "bad gateway",
            "gateway time-?out",
            "provider returned error",
            "upstream (?:error|request)",
            "timed out",
            "timeout",
            "deadline",
        ),
        _BROKEN_STATUSES,
        "OpenRouter, proxies",
    ),
    RefusalRow(
        _F.SERVER,
        ("api_error", "server_error", "internal_error", r"\bunknown\b"),
        _BROKEN_STATUSES,
        "Anthropic, OpenAI",
    ),
)

_BY_STATUS = {
    401: _F.AUTH,
    402: _F.CREDIT,
    404: _F.NOT_FOUND,
    408: _F.TIMEOUT,
    413: _F.CONTEXT_LENGTH,
    425: _F.LOADING,
    429: _F.RATE,
    498: _F.OVERLOADED,
    503: _F.OVERLOADED,
    529: _F.OVERLOADED,
}
"""What a number that came without known words is for the next attempt; nobody is told that it is so."""
_BAD_REQUEST = frozenset({400, 405, 406, 409, 411, 414, 415, 417, 418, 422, 431})
_COMPILED = tuple((row, re.compile("|".join(row.said), re.IGNORECASE | re.MULTILINE)) for row in TABLE)


def meaning(status: int, said: str) -> RefusalMeaning:
    """Look a refusal up: by its codes and words, and by its number where no row knows them."""
    said = said[:LONGEST_TEXT]
    for row, pattern in _COMPILED:
        if (not row.at or status in row.at) and pattern.search(said):
            return RefusalMeaning(row.fault, True)
    return RefusalMeaning(of_number(status), False)


def of_number(status: int) -> ProviderFault:
    """Say what may be done after a refusal whose words nobody knows."""
    if status in _BY_STATUS:
        return _BY_STATUS[status]
    if status >= 500:
        return _F.SERVER
    return _F.BAD_REQUEST if status in _BAD_REQUEST or status < 400 else _F.REFUSED

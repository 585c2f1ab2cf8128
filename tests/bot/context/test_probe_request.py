"""The request that proves an answer is one sentence, and asks for one token."""

from __future__ import annotations

from adapters.model_http.json_cache import JsonFragments
from adapters.openai.encode import encode_chat
from bot.context.probe_request import WORDS, probe_request
from bot.domain.snapshot import ModelLimits
from tests.fakes.values import MODEL


def test_nothing_is_in_it_but_the_sentence():
    request = probe_request(ModelLimits(model=MODEL, window=128_000, max_output=4096)).request
    assert (request.system, request.tools, request.max_output_tokens) == ((), (), 1)
    assert [message.text for message in request.messages] == [WORDS]
    assert len(encode_chat(request, fragments=JsonFragments()).body) < 250

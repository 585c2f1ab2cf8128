"""Vectors over the wire: in every form in which services send them, and nothing that is none."""

from __future__ import annotations

from base64 import b64encode
from struct import pack

import orjson
import pytest

from adapters.model_http.errors import NotTheProtocol
from adapters.openai import create_embedder
from adapters.openai.embeddings import VectorAnswer
from bot.errors import ProviderError, ProviderFault
from tests.servers.embeddings import embedding_server


def read(value, count=2):
    answer = VectorAnswer(count)
    answer.take_whole(orjson.dumps(value))
    return answer.read


def test_vectors_are_read_by_their_numbers_also_as_base64():
    packed = b64encode(pack("<2f", 0.5, -1.0)).decode()
    found = read({"data": [{"index": 1, "embedding": packed}, {"index": 0, "embedding": [1, 0.25]}]})
    assert [list(vector) for vector in found.vectors] == [[1, 0.25], [0.5, -1.0]] and found.tokens is None


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"data": []},
        {"data": [{"index": 0, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 0, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0, 2.0]}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [0.0]}]},
        {"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]},
        {"data": [{"index": 0, "embedding": "?"}, {"index": 1, "embedding": "AAA="}]},
        {"data": [{"index": 0, "embedding": b64encode(pack("<f", float("nan"))).decode()}] * 2},
        {"data": [{"index": 0, "embedding": [1e308] * 9}, {"index": 1, "embedding": [1e308] * 9}]},
    ],
)
def test_what_cannot_be_compared_is_refused(value):
    with pytest.raises(NotTheProtocol):
        read(value)


async def test_a_service_is_asked_once_and_its_refusal_has_a_name():
    async with embedding_server() as service:
        embedder = create_embedder("service", {"base_url": service.base_url, "api_key": "sk-1"}, "words-1")
        made = await embedder.embed(embedder.encode(["tea", "cake"]), 2)
        assert len(made.vectors) == 2 and made.tokens == 2 and service.keys == ["Bearer sk-1"]
        service.status = 401
        with pytest.raises(ProviderError) as caught:
            await embedder.embed(embedder.encode(["tea"]), 1)
        assert caught.value.fault is ProviderFault.AUTH and len(service.asked) == 2
        await embedder.close()

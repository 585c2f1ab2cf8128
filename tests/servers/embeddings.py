"""A loopback service of vectors, as OpenAI's `/embeddings` is; it is asked the same and says the same.

async with embedding_server({"rent": "payment"}) as service:
    ...  # point a provider at service.base_url
    assert service.asked[-1] == ["When is the payment due?"]

`python -m tests.servers.embeddings FOLDER PORT` serves a model of a folder (see `adapters.local_embeddings`).
"""

from __future__ import annotations

import asyncio
import re
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import blake2b

import orjson
from aiohttp import web

from tests.servers.model.listener import HOST, Listener

NUMBERS = 64
MODEL = "words-1"
Vectors = Callable[[Sequence[str]], list[list[float]]]


@dataclass
class EmbeddingServer:
    """`means` says of words which other one they mean. `spoil` makes something else of a body that would be right.

    `hangs`: nothing comes back until `open_again`; `status` is that of every answer.
    """

    means: Mapping[str, str]
    asked: list[list[str]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    numbers: int = NUMBERS
    status: int = 200
    hangs: bool = False
    spoil: Callable[[dict], object] = lambda body: body
    refuses: str = ""
    open_again: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.listener = Listener(self._handle)

    @property
    def base_url(self) -> str:
        return f"http://{HOST}:{self.listener.port}/v1"

    @property
    def told(self) -> str:
        """Every text that it was ever sent."""
        return "\n".join(text for texts in self.asked for text in texts)

    def vector(self, text: str) -> list[float]:
        """Count the words of a text, each for what it means, in one of so many places."""
        found = [0.0] * self.numbers
        for word in re.findall(r"\w+", text.lower()):
            meant = self.means.get(word, word)
            found[int.from_bytes(blake2b(meant.encode(), digest_size=4).digest()) % self.numbers] += 1.0
        return [number - 0.01 for number in found]

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        body = orjson.loads(await request.content.read())
        texts = body["input"]
        self.asked.append(texts)
        self.keys.append(request.headers.get("Authorization", ""))
        if self.hangs:
            await self.open_again.wait()
        if self.status != 200 or (self.refuses and any(self.refuses in text for text in texts)):
            words = "input is too long for this model" if self.status == 200 else "not now"
            return _json({"error": {"message": words}}, 400 if self.status == 200 else self.status)
        data = [{"object": "embedding", "index": n, "embedding": self.vector(text)} for n, text in enumerate(texts)]
        tokens = sum(len(text.split()) for text in texts)
        return _json(
            self.spoil({"object": "list", "data": data, "usage": {"prompt_tokens": tokens, "total_tokens": tokens}})
        )


def _json(value: object, status: int = 200) -> web.Response:
    return web.Response(status=status, body=orjson.dumps(value), content_type="application/json")


@asynccontextmanager
async def embedding_server(means: Mapping[str, str] | None = None) -> AsyncIterator[EmbeddingServer]:
    """Run one for a test."""
    server = EmbeddingServer(means or {})
    await server.listener.open()
    try:
        yield server
    finally:
        server.open_again.set()
        await server.listener.close()


async def _serve(folder: str, port: int) -> None:
    from adapters.local_embeddings import create_embedder

    model = create_embedder("local", {}, folder)

    async def handle(request: web.BaseRequest) -> web.StreamResponse:
        texts = orjson.loads(await request.content.read())["input"]
        made = await model.embed(model.encode(texts), len(texts))
        data = [{"index": number, "embedding": vector} for number, vector in enumerate(made.vectors)]
        return _json({"data": data, "usage": {"prompt_tokens": made.tokens, "total_tokens": made.tokens}})

    runner = web.ServerRunner(web.Server(handle))
    await runner.setup()
    await web.TCPSite(runner, HOST, port).start()
    print(f"http://{HOST}:{port}/v1", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_serve(sys.argv[1], int(sys.argv[2])))

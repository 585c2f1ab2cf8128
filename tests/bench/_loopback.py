"""A Bot API and a model in a process of their own, which also write the load and keep the time.

tests/servers speaks the same protocols with far more care and at twenty times the CPU; as a load generator it would
be what is measured. This one checks nothing: what the bot says is right or wrong is tested there.
"""

from __future__ import annotations

import asyncio
import re
import subprocess  # noqa: TID251 - in this process its work would be measured along with the bot's
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast
from urllib.parse import parse_qs

import orjson

from bot.runtime.tasks import TaskSupervisor
from tests.bench._chats import SCENARIOS, Chats, Json, cpu_ms, prose
from tests.bench._http import EVENTS, Answer, Connection, answer

TOKEN = "7000000001:AAbenchbenchbenchbenchbenchbenchbench00"
ME = {"id": 7_000_000_001, "is_bot": True, "first_name": "Bench", "username": "bench_bot", "can_join_groups": True}
WORDS = 30
PLANTED = b"kiwi"
"""What the model says as long as it stands in its request."""
_MARK = re.compile(rb"mark-\d+-\d+")


class Model:
    """Answers each chat request after `delay` seconds with the mark of the newest message, streamed when asked to."""

    def __init__(self) -> None:
        self.delay = 0.2
        self.requests = 0
        self.bytes = 0
        self.now = self.most_at_once = 0

    def handle(self, body: bytes) -> Answer:
        self.requests += 1
        self.bytes += len(body)
        at = body.rfind(b"mark-")
        found = _MARK.match(body, at) if at >= 0 else None
        text = f"You wrote {found[0].decode() if found else 'nothing'} and {prose(WORDS, self.requests)}."
        if PLANTED in body:
            text += f" It is {PLANTED.decode()}."
        done = _streamed(text) if b'"stream":true' in body else _whole(text)
        return done if not self.delay else self._late(done)

    async def _late(self, done: bytes) -> bytes:
        self.now += 1
        self.most_at_once = max(self.most_at_once, self.now)
        await asyncio.sleep(self.delay)
        self.now -= 1
        return done


def _frame(choice: Json, **more: Any) -> Json:
    frame = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "bench", "choices": [choice]}
    return {**frame, **more}


def _streamed(text: str) -> bytes:
    words = text.split(" ")
    pieces = [" ".join(words[n : n + 4]) + (" " if n + 4 < len(words) else "") for n in range(0, len(words), 4)]
    frames = [_frame({"index": 0, "delta": {"content": piece}, "finish_reason": None}) for piece in pieces]
    frames.append(_frame({"index": 0, "delta": {}, "finish_reason": "stop"}))
    usage = {"prompt_tokens": 12_000, "completion_tokens": 40, "total_tokens": 12_040}
    frames.append({**_frame({}), "choices": [], "usage": usage})
    return answer(b"".join(b"data: %s\n\n" % orjson.dumps(one) for one in frames) + b"data: [DONE]\n\n", EVENTS)


def _whole(text: str) -> bytes:
    said = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 12_000, "completion_tokens": 40, "total_tokens": 12_040}
    return answer(orjson.dumps(_frame(said, object="chat.completion", usage=usage)))


class Platform:
    """The methods of the Bot API that a bot calls in private chats."""

    def __init__(self, chats: Chats) -> None:
        self.chats = chats
        self.calls: dict[str, int] = {}
        self.polled = asyncio.Event()
        self.on_poll: Callable[[], None] = self.polled.set
        self.on_text: Callable[[int, str], bool] | None = None
        """Takes what is said in a chat; what it returns True for is no answer to anybody's message."""

    def handle(self, method: str, body: bytes) -> Answer:
        self.calls[method] = self.calls.get(method, 0) + 1
        if method == "getUpdates":
            self.on_poll()
            return self._poll(body)
        if method == "sendDocument":
            chat = int(re.search(rb'name="chat_id"\r\n(?:[^\r\n]+\r\n)*\r\n(\d+)', body)[1])  # type: ignore[index]
            self.chats.document(chat, len(body))
            return _result(self._message(chat, document={"file_id": "f", "file_unique_id": "f", "file_name": "x.json"}))
        fields = _fields(body)
        if method in ("sendMessage", "editMessageText"):
            if self.on_text is None or not self.on_text(int(fields["chat_id"]), fields["text"]):
                self.chats.answered(fields["text"])
            sent = self._message(int(fields["chat_id"]), text=fields["text"])
            self._offer(sent["message_id"], fields.get("reply_markup"))
            return _result(sent)
        return _result(RESULTS.get(method, True))

    async def _poll(self, body: bytes) -> bytes:
        fields = _fields(body)
        batch = await self.chats.queue.take(int(fields.get("offset", 0)), float(fields.get("timeout", 0)))
        return answer(b'{"ok":true,"result":[%s]}' % b",".join(batch))

    def _offer(self, message: int, markup: str | Json | None) -> None:
        """Show the buttons of a message."""
        shown = orjson.loads(markup) if isinstance(markup, str) else markup or {}
        for button in (one for row in shown.get("inline_keyboard", ()) for one in row):
            self.chats.offered(message, button["text"], button.get("callback_data", ""))

    def _message(self, chat: int, **content: Any) -> Json:
        where = {"id": chat, "type": "private", "first_name": "Person"}
        return {"message_id": self.chats.number(), "date": 1_790_000_000, "chat": where, "from": ME, **content}


def _fields(body: bytes) -> Json:
    if body.startswith(b"{"):
        return cast(Json, orjson.loads(body))
    return {name: values[0] for name, values in parse_qs(body.decode()).items()}


RESULTS: dict[str, Any] = {
    "getMe": ME,
    "getWebhookInfo": {"url": "", "has_custom_certificate": False, "pending_update_count": 0},
    "getMyCommands": [],
    "getChat": {"id": 1, "type": "private", "accent_color_id": 0, "max_reaction_count": 11},
    "getChatMember": {"status": "creator", "user": ME, "is_anonymous": False},
}


def _result(value: object) -> bytes:
    return answer(b'{"ok":true,"result":%s}' % orjson.dumps(value))


class Loopback:
    """Both services on one port, and the orders of the process that measures."""

    def __init__(self) -> None:
        self.chats = Chats()
        self.model = Model()
        self.platform = Platform(self.chats)

    def handle(self, path: str, body: bytes) -> Answer:
        if path.startswith("/bot"):
            return self.platform.handle(path.rpartition("/")[2], body)
        return self.model.handle(body)

    async def obey(self, order: Json) -> Json:
        """Do what is asked; return the figures."""
        name = order.pop("do")
        if name == "begin":
            return await self._begin(**order)
        self.model.delay = order.pop("delay", 0.0)
        self.platform.calls.clear()
        self.model.requests = self.model.bytes = self.model.most_at_once = 0
        own = time.process_time()
        figures = await SCENARIOS[name](self.chats, **order)
        own = time.process_time() - own
        previews = sum(self.platform.calls.get(method, 0) for method in ("sendMessageDraft", "editMessageText"))
        asked = max(1, self.model.requests)
        more = {
            "previews": previews,
            "request_kib": self.model.bytes / asked / 1024,
            "calls_at_once": self.model.most_at_once,
            "servers_cpu_ms": own * 1000 / asked,
        }
        return {**figures, **more}

    async def _begin(self, pid: int) -> Json:
        """Wait for the first poll of a process; return the CPU time that it had used until then."""
        used: list[float] = []

        def on_poll() -> None:
            if not used:
                used.append(cpu_ms(pid))
            self.platform.polled.set()

        self.chats.queue = type(self.chats.queue)(last=self.chats.queue.last)
        self.platform.polled.clear()
        self.platform.on_poll = on_poll
        await self.platform.polled.wait()
        return {"cpu_ms": used[0]}


async def _serve() -> None:
    loop, loopback, tasks = asyncio.get_running_loop(), Loopback(), TaskSupervisor()
    server = await loop.create_server(lambda: Connection(loopback.handle, tasks), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        print(orjson.dumps(await loopback.obey(orjson.loads(line))).decode(), flush=True)


class Remote:
    """The loopback as the measuring process holds it."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.port = int(self._line())

    @property
    def bot_api(self) -> str:
        return f"http://127.0.0.1:{self.port}/bot"

    @property
    def model(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def order(self, do: str, **how: Any) -> Json:
        """Let it do something; return the figures when it is done."""
        assert self._process.stdin is not None
        self._process.stdin.write(orjson.dumps({"do": do, **how}).decode() + "\n")
        self._process.stdin.flush()
        return cast(Json, orjson.loads(self._line()))

    def _line(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the loopback server has ended; what it said is above")
        return line


@contextmanager
def a_loopback() -> Iterator[Remote]:
    """Run the servers."""
    command = [sys.executable, "-m", "tests.bench._loopback"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Remote(process)
        finally:
            process.kill()


if __name__ == "__main__":
    asyncio.run(_serve())

"""Everything that goes to Telegram goes through the proxy that is configured: calls, uploads and files."""

from __future__ import annotations

from tests.adapters.telegram.connected import connected, message
from tests.servers.forward import forward_proxy
from tests.servers.telegram import Upload


async def test_calls_and_files_go_through_the_proxy():
    async with forward_proxy() as proxy, connected(proxy=proxy.address) as on:
        dm = on.world.dm(on.ann)
        on.listen()
        on.world.say(dm, on.ann, "hello", document=Upload("tea.txt", b"green tea", "text/plain"))
        await on.caught_up()
        heard = on.ears.heard_all[-1]
        assert await on.telegram.fetch(heard.attachments[0], 9) == b"green tea"
        await on.telegram.send(message(dm, "fine"))
        assert on.world.transcript(dm).endswith("glassmind_bot< fine")
        assert {"getMe", "getUpdates", "getFile", "sendMessage"} <= set(proxy.passed)
        # nothing went past it: all that the server saw came through, but for the poll that is under way
        assert len(proxy.passed) - len(on.server.calls()) in {0, 1}

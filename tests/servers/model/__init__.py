"""A loopback server that speaks chat completions, or Anthropic's messages, and misbehaves on request.

async with model_server(Calls([("recall", '{"query": "tea"}')]), Says("It was tea.")) as server:
    ...  # point the client at server.base_url
    assert server.chats[1]["messages"][-1]["role"] == "tool"
"""

from .completion import Usage, quarter
from .failures import FAILURES, FAILURES_OF
from .replies import Calls, Declines, Drops, Empty, Fails, Garbage, NotHttp, Says
from .server import Answer, ModelServer, Received, echo, model_server
from .trouble import (
    Commented,
    Crlf,
    Cut,
    Dribbles,
    Hangs,
    Headed,
    Interrupted,
    NoDone,
    SlowBy,
    Spaceless,
)
from .wire import HEARTBEAT, PING, Asked, Language, Reply, body_of

__all__ = [
    "FAILURES",
    "FAILURES_OF",
    "HEARTBEAT",
    "PING",
    "Answer",
    "Asked",
    "Calls",
    "Commented",
    "Crlf",
    "Cut",
    "Declines",
    "Dribbles",
    "Drops",
    "Empty",
    "Fails",
    "Garbage",
    "Hangs",
    "Headed",
    "Interrupted",
    "Language",
    "ModelServer",
    "NoDone",
    "NotHttp",
    "Received",
    "Reply",
    "Says",
    "SlowBy",
    "Spaceless",
    "Usage",
    "body_of",
    "echo",
    "model_server",
    "quarter",
]

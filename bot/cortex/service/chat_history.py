"""What was said in a thread so far, out of the journal and the outbox: a conversation needs no process to live on."""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.channel import ProcessKind, Turn
from bot.domain.finding import Session
from bot.domain.ids import ChannelKey
from bot.domain.messages import Message, Part, Role, Text
from bot.domain.snapshot import Fate, Stability
from bot.domain.turn import StoredOutbox, StoredRequest
from bot.ports.store import Store
from bot.text.text import quote_line
from bot.text.times import plain_times

_NEWEST = 6
_SHOWN = 1_500
"""Characters of one message of the thread that the model did not write itself."""


class Talked(NamedTuple):
    """A thread as the next question finds it.

    `turns` are questions and answers, oldest first; `news` what else was said there since: findings of rules, reports.
    """

    turns: tuple[Turn, ...] = ()
    news: tuple[str, ...] = ()


async def talked(store: Store, session: Session, target: ChannelKey, thread: ChannelKey) -> Talked:
    """Read a session's thread, which is held in the private chat `thread`, about the channel `target`."""
    last = await store.journal.last_of_session(target, ProcessKind.CORTEX, session.id)
    since = last.record.at if last is not None else session.body.created_at - 1
    said = await store.outbox.findings(thread, session.body.dm_thread, since, _NEWEST)
    own = last.record.turn if last is not None else 0
    news = tuple(_shown(one) for one in reversed(said) if not own or one.body.turn != own)
    return Talked(_turns(last) if last is not None else (), news)


def _shown(said: StoredOutbox) -> str:
    return quote_line(plain_times(said.body.text), _SHOWN)


def _turns(last: StoredRequest) -> tuple[Turn, ...]:
    """Return the questions that a request held with what was answered, the last answer included."""
    messages = list(last.record.request.messages)
    newest = max((at for at, message in enumerate(messages) if message.role is Role.USER), default=None)
    if newest is None:
        return ()
    messages[newest] = _bare(messages[newest], last)
    if last.response is not None and last.response.text.strip():
        words: tuple[Part, ...] = (Text(text=last.response.text.strip()),)
        messages.append(Message(role=Role.ASSISTANT, parts=words, at=last.record.at))
    begins = [at for at, message in enumerate(messages) if message.role is Role.USER]
    spans = zip(begins, [*begins[1:], len(messages)], strict=True)
    return tuple(Turn(id=number, messages=tuple(messages[a:b])) for number, (a, b) in enumerate(spans, 1))


def _bare(message: Message, of: StoredRequest) -> Message:
    """Take the envelope off: what it said held when the question was asked."""
    envelope = sum(s.stability is Stability.VOLATILE and s.fate is Fate.KEPT for s in of.record.sections)
    return Message(role=message.role, parts=message.parts[envelope:], author=message.author, at=message.at)

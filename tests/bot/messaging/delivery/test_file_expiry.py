"""A file leaves the chat a day after it came; what cannot be taken back is tried again, and at last let be."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from bot.domain.messages import OutgoingFile, Receipt
from bot.domain.turn import OutboxState, StoredOutbox
from bot.errors import DeliveryError
from bot.messaging.delivery.file_expiry import FileExpiry
from bot.messaging.delivery.long_reply_file import FOLDER
from tests.fakes import values as v
from tests.fakes.clock import START
from tests.fakes.contexts import CONSOLE

HOUR = 3_600_000


@dataclass
class Sent:
    rows: list[StoredOutbox]
    became: dict[int, str] = field(default_factory=dict)

    async def before(self, at, limit):
        return [row for row in self.rows if row.created_at < at and row.row not in self.became][:limit]

    async def ended(self, row, what):
        self.became[row] = what


class Chat:
    def __init__(self, *errors, takes_back: bool = True) -> None:
        self.capabilities = CONSOLE.replace(takes_back=takes_back)
        self.errors, self.asked = list(errors), []

    async def retract(self, channel, message_id):
        self.asked.append((channel, message_id))
        if self.errors:
            raise self.errors.pop(0)


def row(number: int, path: str = "x", *, received: bool = True, at: int = START) -> StoredOutbox:
    body = v.outgoing(kind="file", file=OutgoingFile(name="x", path=path, mimetype="application/json"))
    receipt = Receipt(message_id=f"m{number}", at=at) if received else None
    return StoredOutbox(
        row=number, nonce=f"n{number}", body=body, state=OutboxState.SENT, created_at=at, receipt=receipt
    )


async def run(tmp_path, sent: Sent, chat: Chat | None, hours: float) -> int:
    platforms = {} if chat is None else {"console": chat}
    return await FileExpiry(sent, platforms, tmp_path).run(START + round(hours * HOUR))  # type: ignore[arg-type]


async def test_a_day_and_not_before(tmp_path):
    sent, chat = Sent([row(1)]), Chat()
    assert await run(tmp_path, sent, chat, 23.9) == 0 and not chat.asked
    assert await run(tmp_path, sent, chat, 24.1) == 1
    assert sent.became == {1: "taken back"} and chat.asked == [(v.GENERAL, "m1")]
    assert await run(tmp_path, sent, chat, 48) == 0 and len(chat.asked) == 1


@pytest.mark.parametrize(
    ("error", "became"),
    [
        (DeliveryError("no", code="message_gone", permanent=True), {1: "stays: message_gone"}),
        (DeliveryError("no", code="unreachable"), {}),
        (RuntimeError("odd"), {}),
    ],
)
async def test_what_does_not_work_now(tmp_path, error, became):
    sent, chat = Sent([row(1), row(2)]), Chat(error)
    assert await run(tmp_path, sent, chat, 25) == 1, "the others go all the same"
    assert sent.became == {**became, 2: "taken back"}
    again = await run(tmp_path, sent, chat, 26)
    assert again == (0 if became else 1)


async def test_what_never_works_is_let_be(tmp_path):
    for chat in (Chat(*[DeliveryError("no", code="unreachable")] * 2), Chat(*[RuntimeError("odd")] * 2), None):
        sent = Sent([row(1)])
        await run(tmp_path, sent, chat, 70)
        assert not sent.became
        await run(tmp_path, sent, chat, 73)
        assert sent.became[1].startswith("stays: ")
    sent = Sent([row(1)])
    await run(tmp_path, sent, Chat(takes_back=False), 25)
    assert sent.became == {1: "stays: nothing can be taken back there"}


async def test_only_copies_that_were_made_to_be_sent_are_removed(tmp_path):
    (tmp_path / FOLDER).mkdir()
    copy, export = tmp_path / FOLDER / "x.json.gz", tmp_path / "x.json"
    copy.write_text("packed")
    export.write_text("whole")
    await run(tmp_path, Sent([row(1, str(copy)), row(2, str(export))]), Chat(), 25)
    assert not copy.exists() and export.exists()

"""Say in words which messages became one turn, and for how long more of them were waited for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.domain.ledger import OF_ALBUM, LedgerStage, StageRow, StageVerdict
from bot.sentences import say
from bot.text.text import one_line_name


def merged_message_lines(stages: Iterable[StageRow]) -> Iterator[str]:
    """Write what a message's trail tells of that; nothing where nobody waited and no message showed a sign."""
    rows = [row for row in stages if row.stage is LedgerStage.COALESCED and row.verdict is StageVerdict.NOTED]
    if not rows:
        return
    told = dict(rows[-1].detail)
    sign, waited = one_line_name(told.get("sign", ""), 80, ""), one_line_name(told.get("waited", ""), 12, "")
    count = int(told["messages"]) if told.get("messages", "").isdecimal() else 0
    if count > 1 and waited and sign:
        yield say("merged_messages.one-turn-waited-for", count=count, waited=waited, sign=sign)
    elif count > 1 and waited:
        yield say("merged_messages.one-turn-waited", count=count, waited=waited)
    elif count > 1 and sign:
        yield say("merged_messages.one-turn", count=count, sign=sign)
    elif waited:
        name = "merged_messages.waited-for" if sign else "merged_messages.waited"
        yield say(name, waited=waited, **({"sign": sign} if sign else {}))
    if told.get("began_again") == "yes":
        yield say("merged_messages.began-again")


def pictures_of_album(stages: Iterable[StageRow]) -> int:
    """Return how many pictures of its album came with a message into one turn; 0 where it is of none."""
    rows = [row for row in stages if row.stage is LedgerStage.COALESCED and row.verdict is StageVerdict.NOTED]
    count = dict(rows[-1].detail).get(OF_ALBUM, "") if rows else ""
    return int(count) if count.isdecimal() else 0

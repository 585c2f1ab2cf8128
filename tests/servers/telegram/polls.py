"""Polls as sendPoll takes them, and how they stand in a message.

https://core.telegram.org/bots/api#sendpoll
"""

from __future__ import annotations

from typing import Any

from .ask import Ask
from .refusals import bad
from .spans import cleaned, units
from .values import Json

QUESTION, OPTION, OPTIONS, PERIOD = 300, 100, 12, 2_628_000


def poll(ask: Ask) -> Json:
    """Read the content of a poll."""
    question, options = cleaned(ask.text("question")).strip(), ask.json("options")
    if not question:
        raise bad("poll question must be non-empty")
    if units(question) > QUESTION:
        raise bad(f"poll question length must not exceed {QUESTION}")
    if not isinstance(options, list):
        raise bad("can't parse options JSON object")
    if not 1 <= len(options) <= OPTIONS:
        raise bad("poll must have at least 1 option" if not options else "poll can't have more than 12 options")
    texts = [_option(one) for one in options]
    period = ask.whole("open_period")
    if period and not 5 <= period <= PERIOD:
        raise bad("OPEN_PERIOD_INVALID")
    return {"poll": _standing(ask, question, texts, period)}


def _option(one: Any) -> str:
    text = cleaned(str(one.get("text", "") if isinstance(one, dict) else one)).strip()
    if not text:
        raise bad("poll options must be non-empty")
    if units(text) > OPTION:
        raise bad(f"poll options length must not exceed {OPTION}")
    return text


def _standing(ask: Ask, question: str, texts: list[str], period: int) -> Json:
    body: Json = {"id": str(ask.world.count("polls")), "question": question, "total_voter_count": 0, "is_closed": False}
    body["options"] = [{"text": text, "voter_count": 0, "persistent_id": str(n)} for n, text in enumerate(texts)]
    body |= {"is_anonymous": ask.params.get("is_anonymous") is not False, "type": "regular"}
    body["allows_multiple_answers"] = ask.flag("allows_multiple_answers")
    # required since Bot API 9.6
    body |= {"allows_revoting": True, "members_only": False}
    return body | ({"open_period": period, "close_date": ask.world.now + period} if period else {})

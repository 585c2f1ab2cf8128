"""Polls: what one may hold, and how it stands in a message.

https://discord.com/developers/docs/resources/poll
"""

from __future__ import annotations

from . import forms
from .content import check_length
from .refusals import invalid
from .state import State
from .values import Json, stamp

QUESTION, ANSWER, ANSWERS, HOURS = 300, 55, 10, 768
FORM: forms.Table = {
    "question": {"text": forms.TEXT},
    "answers": [{"poll_media": {"text": forms.TEXT}}],
    "allow_multiselect": forms.ANY,
    "layout_type": forms.WHOLE,
}


def check(world: State, poll: Json) -> None:
    """Refuse what no poll may hold."""
    forms.check(poll, FORM, "poll")
    _check_text(world, (poll.get("question") or {}).get("text"), "poll.question.text", QUESTION)
    answers = poll.get("answers") or []
    if not 1 <= len(answers) <= ANSWERS:
        raise invalid("poll.answers", "BASE_TYPE_BAD_LENGTH", f"Must be between 1 and {ANSWERS} in length.")
    for at, one in enumerate(answers):
        text = (one.get("poll_media") or {}).get("text")
        _check_text(world, text, f"poll.answers.{at}.poll_media.text", ANSWER)
    hours = poll.get("duration", 24)
    if not isinstance(hours, int | float) or not 1 <= hours <= HOURS:
        raise invalid("poll.duration", "NUMBER_TYPE_MAX", f"int value should be between 1 and {HOURS}.")


def standing(world: State, poll: Json) -> Json:
    """Write the `Poll` object of a message."""
    answers = [{"answer_id": at, **one} for at, one in enumerate(poll["answers"], start=1)]
    counts = [{"id": one["answer_id"], "count": 0, "me_voted": False} for one in answers]
    body: Json = {"question": poll["question"], "answers": answers, "layout_type": 1}
    body |= {"expiry": stamp(world.now + 3600 * poll.get("duration", 24))}
    body |= {"allow_multiselect": bool(poll.get("allow_multiselect"))}
    return body | {"results": {"is_finalized": False, "answer_counts": counts}}


def _check_text(world: State, text: str | None, path: str, most: int) -> None:
    if not (text or "").strip():
        raise invalid(path, "BASE_TYPE_REQUIRED", "This field is required")
    check_length(world, text or "", path, most)

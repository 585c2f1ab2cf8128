"""Who took part is read off the newest 200 messages, however they are spread over turns."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.context.sections.participants import MAX_MESSAGES, MAX_PEOPLE, ParticipantsSection
from bot.domain.base import JsonText
from bot.domain.channel import Turn
from bot.domain.ids import UserId
from bot.domain.messages import Author, Message, Role, TextPart
from bot.domain.snapshot import Trigger
from tests.fakes.values import channel

spoken = st.tuples(st.integers(0, 30), st.sampled_from([Role.USER, Role.USER, Role.ASSISTANT]), st.booleans())
sizes = st.sampled_from([0, 1, 2, 2, 3, 40, 199, 201])
histories = st.lists(st.tuples(spoken, sizes), max_size=12)


def message(number: int, who: int, role: Role, has_author: bool) -> Message:
    author = Author(user_id=UserId(str(who)), name=f"P{who}.{number % 3}") if has_author else None
    return Message(role=role, parts=(TextPart(text="x"),), author=author, at=number * 1000)


@given(histories, sizes)
def test_it_is_what_a_walk_over_all_messages_finds(plan, ambient: int):
    written: list[Message] = []
    turns: list[Turn] = []
    for (who, role, has_author), size in plan:
        said = [message(len(written) + n, who + n // 2, role, has_author) for n in range(size)]
        turns.append(Turn(id=len(turns) + 1, messages=tuple(said)))
        written += said
    heard = tuple(message(len(written) + n, n % 25, Role.USER, True) for n in range(ambient))
    state = channel().model_copy(update={"turns": tuple(turns), "ambient": heard})
    newest: dict[str, int] = {}
    for one in list(reversed([*written, *heard]))[:MAX_MESSAGES]:
        if one.author is not None and one.role is Role.USER:
            newest.setdefault(one.author.user_id, one.at)
    shown = ParticipantsSection().render(state, Trigger(messages=(), at=0), JsonText("{}"))
    lines = [line for line in shown.splitlines() if line.startswith("- ")]
    assert [line.split("(id ")[1].split(")")[0] for line in lines] == list(newest)[:MAX_PEOPLE]
    assert shown == ParticipantsSection().render(state, Trigger(messages=(), at=0), JsonText("{}"))

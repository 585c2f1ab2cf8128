"""Write the body of a card or a poll; the words of a poll are drawn as they stand, those of a card have its marks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from adapters.discord.base.body import NO_MENTIONS, button_rows
from adapters.discord.base.markup import cut_to_units, discord_markdown
from bot.domain.messages import Button
from bot.domain.rich_messages import Card, Poll
from bot.text.text import clean

# https://discord.com/developers/docs/resources/message#embed-object-embed-limits
_MAX_TITLE, _MAX_DESCRIPTION, _MAX_VALUE, _MAX_FOOTER = 256, 4096, 1024, 2048
# https://discord.com/developers/docs/resources/poll#poll-create-request-object
_MAX_QUESTION, _MAX_ANSWER, _DEFAULT_LAYOUT = 300, 55, 1
_COLOURS = {
    "grey": 0x95A5A6,
    "red": 0xE74C3C,
    "orange": 0xE67E22,
    "yellow": 0xF1C40F,
    "green": 0x2ECC71,
    "blue": 0x3498DB,
    "purple": 0x9B59B6,
}


def rich_body(rich: Card | Poll, buttons: Sequence[Button] = ()) -> dict[str, Any]:
    """Write a message that is a card or a poll. Nothing in it has an address, so that nothing is fetched for it."""
    shown = {"poll": _poll(rich)} if isinstance(rich, Poll) else {"embeds": [_embed(rich)]}
    # without the flag of other messages, which would hide the card; its links have no previews
    return {
        "content": "",
        "allowed_mentions": dict(NO_MENTIONS),
        "flags": 0,
        "components": button_rows(buttons),
        **shown,
    }


def words_in(message: Mapping[str, Any]) -> str:
    """Return the words of a message as Discord has it or gets it: its text, or else what its card or poll says."""
    if content := str(message.get("content") or ""):
        return content
    words: list[Any] = []
    for embed in message.get("embeds") or ():
        words += [embed.get("title"), embed.get("description")]
        words += [one.get(part) for one in embed.get("fields") or () for part in ("name", "value")]
        words.append((embed.get("footer") or {}).get("text"))
    if poll := message.get("poll"):
        answers = [one.get("poll_media") or {} for one in poll.get("answers") or ()]
        words += [one.get("text") for one in (poll.get("question") or {}, *answers)]
    return "\n".join(str(word) for word in words if word)


def _embed(card: Card) -> dict[str, Any]:
    fields = [
        {"name": discord_markdown(one.name, _MAX_TITLE), "value": discord_markdown(one.value, _MAX_VALUE)}
        for one in card.fields
    ]
    texts = {
        "title": discord_markdown(card.title, _MAX_TITLE),
        "description": discord_markdown(card.description, _MAX_DESCRIPTION),
    }
    footer = {"footer": {"text": cut_to_units(clean(card.footer).text, _MAX_FOOTER)}} if card.footer else {}
    return {**texts, "fields": fields, **footer, "color": _COLOURS[card.colour]}


def _poll(poll: Poll) -> dict[str, Any]:
    return {
        "question": {"text": cut_to_units(clean(poll.question).text, _MAX_QUESTION)},
        "answers": [{"poll_media": {"text": cut_to_units(clean(option).text, _MAX_ANSWER)}} for option in poll.options],
        "duration": poll.hours,
        "allow_multiselect": poll.several,
        "layout_type": _DEFAULT_LAYOUT,
    }

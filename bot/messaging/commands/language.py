"""The command by which people choose the language in which the bot tells them things."""

from __future__ import annotations

from bot.errors import UserError
from bot.messaging.commands.context import CommandContext, GivenCommand, shown
from bot.sentences import known_language, languages, say, speaking


async def language(call: GivenCommand, desk: CommandContext) -> str:
    """Show the asker's language, set it, or take it back; what is said of a new one is said in it."""
    words, person, book = call.line.words.strip(), call.inbound.person, desk.languages
    command, there = call.typed("language"), ", ".join(languages())
    if not words:
        own = book.own(person)
        if own:
            return say("language.yours", language=_name(own), there=there, command=command)
        usual = _name(book.of(person, call.inbound.locale))
        return say("language.none-yours", language=usual, there=there, command=command)
    if words.casefold() in {"off", "none", "forget"}:
        await book.choose(person, "")
        with speaking(book.of(person, call.inbound.locale)):
            return say("language.forgotten")
    code = known_language(words) or next((one for one in languages() if _is_called(one, words)), "")
    if not code:
        raise UserError(say("language.not-known", wanted=shown(words, 40), there=there, command=command))
    await book.choose(person, code)
    with speaking(code):
        return say("language.set", language=_name(code))


def _name(code: str) -> str:
    """Return what a language calls itself."""
    with speaking(code):
        return say("language.name")


def _is_called(code: str, words: str) -> bool:
    return _name(code).casefold() == words.casefold()

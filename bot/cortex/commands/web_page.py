"""Give an admin a link that opens the web page in their browser: once, for them alone."""

from __future__ import annotations

from bot.cortex.commands.command_arguments import CommandArgs, no_arguments
from bot.cortex.commands.cortex_command import CommandSources, CortexCommand, PageCommand
from bot.cortex.fixes.offers import ThreadReply
from bot.cortex.targets.session_context import SessionContext
from bot.errors import UserError
from bot.prompts import render


async def _link(talk: SessionContext, args: CommandArgs, context: CommandSources) -> ThreadReply:
    if context.page_links is None:
        raise UserError(render("cortex/web_page_off"))
    links, person = context.page_links, talk.caller.person
    link, buttons = links.link(person), links.buttons(person)
    told = render("cortex/web_page", link=link, has_button=bool(buttons), sign_in=links.sign_in(person))
    return ThreadReply(told, buttons)


WEB_PAGE = CortexCommand(
    "commands.web",
    PageCommand("web", no_arguments, "commands.title-web-page", _link),
)

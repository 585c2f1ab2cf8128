"""Look through what the bot remembers, from the host: the words are those of the chat."""

from __future__ import annotations

from argparse import Namespace

from bot.cli.host_queries import HostAnswer, HostQueries
from bot.cli.pictures import with_picture
from bot.cortex.commands.command_arguments import TypedLine, fold
from bot.cortex.commands.memory_chart import memory_chart
from bot.cortex.commands.memory_filters import MemoryListArgs, memory_by, memory_list, memory_search
from bot.cortex.pages.memory_chart_page import ChartQuery
from bot.errors import UserError
from bot.sentences import say
from bot.text.redaction import Redactor
from bot.text.text import quote_line

_READERS = {"list": memory_list, "search": memory_search, "by": memory_by}


async def memory_answer(args: Namespace, host: HostQueries, redactor: Redactor) -> HostAnswer:
    """List, search, show or draw; raise UserError for what cannot be read."""
    if args.action == "chart":
        return await _charted(args, host, redactor)
    if args.action == "show":
        return await host.memory(" ".join(args.words).strip().lower(), redactor)
    asked = read_query(args.action, args.words)
    return await host.memories(asked.where or args.channel or None, asked.query, redactor)


async def _charted(args: Namespace, host: HostQueries, redactor: Redactor) -> HostAnswer:
    asked = memory_chart(_typed(args.words))
    if asked is None:
        line = _typed(args.words).rest
        raise UserError(say("cli.cannot-read-chart", typed=quote_line(line, 80)))
    query = ChartQuery(asked.span_ms, asked.everywhere)
    answer, chart = await host.taught(asked.where or args.channel or None, query, redactor)
    return answer if chart is None else await with_picture(args, chart, answer)


def read_query(action: str, words: list[str]) -> MemoryListArgs:
    """Read what stands behind the action; raise UserError."""
    typed = _typed(words)
    found = _READERS[action](typed)
    if found is None:
        raise UserError(say("cli.cannot-read-list", typed=quote_line(typed.rest, 80)))
    return found


def _typed(words: list[str]) -> TypedLine:
    # a shell has taken the quotes off
    line = " ".join(f'"{word}"' if " " in word else word for word in words)
    return TypedLine(line, fold(line), line)
